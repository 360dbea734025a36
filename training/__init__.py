"""Scripts that train agents; each starts with the command that runs it."""
