"""Tiny Turbo Cars in words: what is said, told, read and explained."""
