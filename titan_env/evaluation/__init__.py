"""Matches, duplicate play, ratings, puzzles, calibration, statistics and speed: how agents and games are measured."""
