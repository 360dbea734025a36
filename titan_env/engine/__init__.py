"""The engine: batches of any game, learners' tables, imagined worlds, search trees, statistics."""
