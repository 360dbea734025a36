"""Titan: battle as shapes."""
