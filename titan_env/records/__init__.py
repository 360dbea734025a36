"""Played games as files: written, proven, and shown as a film."""
