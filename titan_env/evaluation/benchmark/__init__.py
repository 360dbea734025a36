"""The benchmark: its tasks, scores and result cards."""
