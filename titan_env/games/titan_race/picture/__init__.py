"""Titan Race as shapes."""
