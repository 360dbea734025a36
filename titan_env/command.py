"""The console command ``titan_env``, the same as ``python -m titan_env``."""

from __future__ import annotations

from titan_env.extras import told_in_one_line


def main() -> None:
    """Run the command line."""
    told_in_one_line("cli")
    from titan_env.__main__ import app

    app(prog_name="titan_env")
