"""Tiny Turbo Cars as shapes."""
