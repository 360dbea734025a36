"""Titan: war as shapes."""
