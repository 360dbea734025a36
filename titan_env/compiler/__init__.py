"""Compilation of rules and loops by Numba, and the disk cache of compiled code; nothing here knows a game."""
