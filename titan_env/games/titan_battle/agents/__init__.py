"""Agents of this game, each a module that the game's value names."""
