"""Tournaments and the ladders of published ratings."""
