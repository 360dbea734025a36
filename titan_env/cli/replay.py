"""`replay`: step through a record, prove it, or turn it into a page or an animation."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console

from titan_env.animation import WRITERS, save_animation
from titan_env.film import film
from titan_env.render import painted
from titan_env.replay import Moment, Record, positions, read


def step_through(path: Path, quiet: bool, console: Console) -> None:
    """Tell every decision of a record; at a terminal, one at each press of Enter."""
    record = read(path)
    game = record.game
    console.print(_about(record), highlight=False)
    for moment in positions(record):
        if moment.decision is None:
            console.print(painted(game, game.show(moment.state)), soft_wrap=True)
        else:
            _tell(record, moment, quiet, console)
        if sys.stdin.isatty() and sys.stdout.isatty():
            input()
    console.print(painted(game, game.show(moment.state)), soft_wrap=True)
    console.print("" if record.result else "The record ends here: the game was cut off.", highlight=False)


def _about(record: Record) -> str:
    """One line on a record."""
    agents = ", ".join(record.header["agents"]) or "unnamed players"
    ended = "cut off" if record.result is None else record.result["result"]
    return f"{record.game.title} ({record.game.id}) among {agents}: {len(record.decisions)} decisions, {ended}"


def _tell(record: Record, moment: Moment, quiet: bool, console: Console) -> None:
    """One decision, and what happened."""
    assert moment.decision is not None
    said = f"{moment.decision['n']}. player_{moment.decision['seat']}: {moment.decision['say']}"
    console.print(said, highlight=False, markup=False, soft_wrap=True)
    if not quiet:
        for event in moment.events:
            console.print(f"    {record.game.tell(moment.state, event)}", highlight=False, markup=False, soft_wrap=True)


def verify(paths: list[Path], console: Console) -> bool:
    """Play records again and compare; whether all of them are as they were."""
    good = True
    for path in paths:
        try:
            record = read(path)
            for _ in positions(record):
                pass
            console.print(f"{path}: {_about(record)}; replays bit for bit", highlight=False, soft_wrap=True)
        except (ValueError, OSError) as error:
            good = False
            console.print(f"{path}: {error}", style="red", highlight=False, markup=False, soft_wrap=True)
    return good


def export(path: Path, out: Path, theme: str = "light") -> None:
    """Write a record as ``.html`` (one file), ``.gif`` or ``.mp4``. Raises ValueError for another ending."""
    if out.suffix == ".html":
        out.write_text(film(read(path), theme), "utf-8")
    elif out.suffix in WRITERS:
        save_animation(read(path), out, theme)
    else:
        raise ValueError(f"expected a file that ends in .html, {' or '.join(WRITERS)}, got {out.name}")
