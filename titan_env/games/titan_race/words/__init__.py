"""Titan Race in words: what is said, told, read and explained."""
