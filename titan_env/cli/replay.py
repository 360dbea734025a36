"""The command `replay`: step through a record, verify it, or export it as a page, an animation or a figure."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from titan_env.cli.agent_check import check_agents
from titan_env.contract import Game
from titan_env.extras import complaint
from titan_env.pictures.render import painted
from titan_env.records.atomic_files import ensure_absent, replace_atomically, write_atomically
from titan_env.records.content import content_of, is_journal
from titan_env.records.figure import FIGURES, save_figure
from titan_env.records.replay import Record, ReplayStep, positions, read, verify_chance
from titan_env.records.replay_html import render_html
from titan_env.records.video import WRITERS, save_video


def step_through(path: Path, quiet: bool, console: Console) -> None:
    """Print every decision of a record; in a terminal one at each press of Enter, with the position after it."""
    record = read(path)
    by_hand = sys.stdin.isatty() and sys.stdout.isatty()
    _print(_about(record), console)
    for moment in positions(record):
        shown = painted(record.game, record.game.text.position_text(moment.state))
        if by_hand and moment.decision and console.input("Enter goes on, q ends: ") in ("q", "quit", "exit"):
            return
        if by_hand and not quiet:
            console.clear()
            _print(_about(record), console)
            console.print(_side_by_side(shown, Text(_decision_text(record, moment, quiet))))
        elif moment.decision:
            _print(_decision_text(record, moment, quiet), console)
        else:
            console.print(shown, soft_wrap=True)
    if quiet or not by_hand:
        console.print(shown, soft_wrap=True)
    _print("" if record.result else "The record ends here: the game was cut off.", console)


def _print(text: str, console: Console) -> None:
    """Print a text without markup: a record may hold anything."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _side_by_side(position: Text, sentences: Text) -> Table:
    """Return a grid with a position on the left and a text on the right."""
    table = Table.grid(padding=(0, 4))
    table.add_column(no_wrap=True)
    table.add_column(vertical="bottom")  # next to the prompt, in terminals of any height
    table.add_row(position, sentences)
    return table


def _about(record: Record) -> str:
    """Return one line about a record."""
    agents = ", ".join(record.header["agents"]) or "unnamed players"
    ended = "cut off" if record.result is None else record.result["result"]
    return f"{record.game.metadata.title} ({record.game.id}) among {agents}: {len(record.decisions)} decisions, {ended}"


def _decision_text(record: Record, moment: ReplayStep, quiet: bool) -> str:
    """Return one decision and its events, line by line."""
    if moment.decision is None:
        return "The start"
    text = f"{moment.decision['n']}. player_{moment.decision['seat']}: {moment.decision['say']}"
    happened = (
        [] if quiet else [f"    {record.game.text.describe_event(moment.state, event)}" for event in moment.events]
    )
    return "\n".join([text, *happened])


def expect_games(paths: Sequence[Path], meant: Sequence[Game]) -> None:
    """Raise ValueError for a named game of which none of the records is."""
    found = {read(path).game.id for path in paths} if meant else set()
    for game in meant:
        if game.id not in found:
            raise ValueError(f"expected a record of {game.id}, got {', '.join(sorted(found))}; leave --game out")


def sign(paths: list[Path], key: Path | None) -> None:
    """Sign records with a private key, made if missing. Raises ValueError before any is signed."""
    if key is None:
        raise ValueError("expected a key to sign with: --key KEY; it is made where there is none")
    from titan_env.records import signing

    for path in paths:
        content_of(path)
        ensure_absent(signing.signature_of(path))
    if not key.exists():
        print(f"a new key: {key}; keep it for yourself")
    for path in paths:
        print(f"signed: {signing.sign(path, key)}; whoever has {signing.public_of(key).name} can verify it")


def verify(paths: list[Path], console: Console, key: Path | None = None, with_agents: bool = False) -> bool:
    """Replay records and print the result; return True if all of them are valid.

    With a public `key` they must be signed with it; `with_agents` plays the built-in agents again.
    """
    good = True
    for path in paths:
        try:
            if is_journal(path):
                _print(f"{path}: {content_of(path)}; what was won is what {_signer(path, key)} claims", console)
                continue
            record = read(path)
            anew = [moment.decision["say"] for moment in positions(record) if moment.decision]
            _print(f"{path}: {_about(record)}; {_proven(record, _signer(path, key))}{_reworded(record, anew)}", console)
            if with_agents:
                _verify_agents(record, console)
        except (ValueError, OSError) as error:
            good = False
            message = complaint(error) if isinstance(error, OSError) else f"{path}: {error}"
            console.print(message, style="red", highlight=False, markup=False, soft_wrap=True)
    return good


def _verify_agents(record: Record, console: Console) -> None:
    """Play a record's built-in agents again and print what they take. Raises ValueError for what one would not take."""
    checks, others = check_agents(record)
    for check in checks:
        if check.other:
            raise ValueError(str(check))
        _print(f"    {check}", console)
    if others:
        _print(f"    {', '.join(others)}: not built in, so that their decisions are what the record claims", console)


def _signer(path: Path, key: Path | None) -> str:
    """Return the one who vouches for a record's claims: the file, or the key's holder after `signing.verify`."""
    if key is None:
        return "the file"
    from titan_env.records import signing

    statement = signing.verify(path, key)
    return f"the holder of {key.name}, whose signature is right ({statement}),"


def _proven(record: Record, signer: str) -> str:
    """Return a sentence of the facts that a record's replay proves. Raises BadRecord if the seed gives other chance."""
    claims = f"who played, and what they thought, is what {signer} claims"
    if record.header["seed"] is None:
        return f"replays bit for bit from the chance it holds, which no seed proves; {claims}"
    verify_chance(record)
    mixed = " and the server's bits that it tells" if (record.result or {}).get("secret") else ""
    return f"replays bit for bit, its chance drawn from seed {record.header['seed']}{mixed}; {claims}"


def _reworded(record: Record, anew: list[str]) -> str:
    """Return the first difference between a record's sentences and the game's, which are no part of the proof."""
    for decision, say in zip(record.decisions, anew, strict=True):
        if decision["say"] != say:
            return f"; at decision {decision['n']} the file says {decision['say']!r}, the game says {say!r}"
    return ""


def export(path: Path, out: Path, theme: str | None = None, at: int | None = None) -> None:
    """Write a record as ``.html`` (one file), ``.gif`` or ``.mp4``, or its moment `at` as ``.svg`` or ``.pdf``.

    The file is written completely or not at all. Raises ValueError for another ending, a missing folder, an existing
    file, or a moment that the record has not.
    """
    ensure_absent(out)
    if at is not None and out.suffix not in FIGURES:
        raise ValueError(f"expected a figure that ends in {' or '.join(FIGURES)} after --at, got {out.name}")
    if not out.parent.is_dir():
        raise ValueError(f"expected a folder for {out.name}, found no {out.parent}; make it first")
    if out.suffix == ".html":
        write_atomically(out, render_html(read(path), theme))
    elif out.suffix in FIGURES:
        replace_atomically(out, lambda half: save_figure(read(path), half, at, theme or "light"))
    elif out.suffix in WRITERS:
        console = Console(stderr=True, emoji=False)
        with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
            task = bar.add_task("pictures", total=None)

            def progress(done: int, of: int) -> None:
                bar.update(task, completed=done, total=of)

            replace_atomically(out, lambda half: save_video(read(path), half, theme or "light", progress=progress))
    else:
        known = ", ".join([".html", *WRITERS, *FIGURES])
        raise ValueError(f"expected a file that ends in one of {known}, got {out.name}")
