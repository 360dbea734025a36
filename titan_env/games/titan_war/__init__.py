"""Titan: war."""
