"""What plays any game: many rows at once, tables for learners, imagined worlds, search trees, statistics."""
