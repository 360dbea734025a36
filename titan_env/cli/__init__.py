"""The commands of `python -m titan_env`, one file each."""
