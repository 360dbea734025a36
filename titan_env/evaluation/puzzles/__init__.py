"""Puzzles: positions with a known best decision, made and solved."""
