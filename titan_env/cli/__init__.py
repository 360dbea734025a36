"""The commands of `python -m titan_env`, one file each. They need the extra ``cli``."""

from titan_env.extras import needs

needs("cli", "typer", "rich")
