"""Compare agents, each alone among the others, until the difference is significant::

    python -m titan_env.evaluation.matches.evaluate greedy random expert -o titans=4 --over circuit=kaldheira,anglieh

The first agent is compared with each of the others. It has one side of the table, the other agent all the rest, once
in each place with the same set-up and dice (`titan_env.evaluation.matches.focal`). Such a block is compared with the
fair share, 50 % with two sides and 25 % with four. The share of two is the same at a table of two with these odds.
The column "invaded" has the other agent alone among copies of the first one, which may gang up on it. It rates nobody.

The interval is tested after 16, 32, 64, ... blocks, each time at a stricter level: the intervals of all tests and
comparisons in one table are simultaneous (union bound, 95 %). A comparison stops when its interval excludes the fair
share, or is narrow enough. The last column is the number of independent games that would give the same interval.
`--over` repeats the comparison for each value of an option; `--copies` prints the copy bonus, the rating points that
an agent gains where copies of it share its table; `--out` writes the table as CSV, or as Markdown with the command
that made it.
"""

from __future__ import annotations

import csv
import io
import itertools
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from titan_env import agents
from titan_env.cli import tables
from titan_env.cli.console import check_table, interruptible, user_errors, way_on
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameName, GameOptions, Over, TableFile, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.option_text import read_choices
from titan_env.evaluation.matches.answer_counts import AnswerCounts
from titan_env.evaluation.matches.blocks import load_instances
from titan_env.evaluation.matches.duplicate import Comparison
from titan_env.evaluation.matches.fingerprints import fingerprint
from titan_env.evaluation.matches.focal import copy_bonus
from titan_env.evaluation.matches.kept_blocks import FIRST_LOOK, MOST_AT_ONCE, KeptBlocks, comparison
from titan_env.extras import extra
from titan_env.records.atomic_files import ensure_absent, write_atomically
from titan_env.records.journal import journal_of, resume

with extra("evaluation"):
    import typer
    from rich.console import Console

HOW = "alone among copies of the other, which has all other sides; intervals of 95 % that hold together"


@dataclass(frozen=True)
class Cell:
    """One comparison of a table: the other agent, its cell's own options, and the game with all options."""

    other: str
    own: Mapping[str, Any]
    setup: GameSetup


@dataclass(frozen=True)
class CellResult:
    """The result of a cell: the comparison, and with three and more sides what the other agent wins as the stranger.

    `is_whole` is False for what was played before the command stopped.
    """

    known: Comparison
    invaded: Comparison | None = None
    bonus: tuple[float, float] | None = None
    is_whole: bool = True


def compare(
    setup: GameSetup,
    one: str,
    other: str,
    seed: int,
    most_blocks: int,
    margin: float,
    stop_when_decided: bool = True,
    of_cells: int = 1,
    kept: KeptBlocks | None = None,
) -> Iterator[Comparison]:
    """Yield the comparison after each look, the last one being the result; `of_cells` counts the table's cells."""
    setup.check_agents()
    kept, players = kept or KeptBlocks(), load_instances(setup.game, (one, other))
    shares, points = np.zeros((0, setup.sides, 2)), np.zeros((0, setup.sides, 2))
    for look in itertools.count(1):
        wanted = min(most_blocks, FIRST_LOOK << (look - 1))
        for seeds in kept.parts(seed + len(shares), seed + wanted):
            blocks = kept.play(setup, (one, other), players, seeds)
            shares, points = np.concatenate([shares, blocks.shares]), np.concatenate([points, blocks.points])
        known = comparison(setup, shares, points, look, of_cells)
        yield known
        decided = known.decided and stop_when_decided
        if decided or known.margin <= margin or wanted == most_blocks:
            return


def finish(
    setup: GameSetup, one: str, other: str, seed: int, known: Comparison, copies: bool, kept: KeptBlocks
) -> CellResult:
    """Return the result with the other agent alone among copies of the first, and with the copy bonus if asked for."""
    if known.sides == 2:
        return CellResult(known)
    players = load_instances(setup.game, (one, other))
    parts = kept.parts(seed, seed + known.blocks)
    invaded = [kept.play(setup, (one, other), players, seeds, alone=1).shares for seeds in parts]
    bonus = copy_bonus(setup, players, range(seed, seed + known.blocks)) if copies else None
    return CellResult(known, Comparison(np.concatenate(invaded), None, 1, None, known.sides), bonus)


def cells(over: Sequence[str]) -> list[dict[str, Any]]:
    """Return every combination of the options' values. Raises ValueError for a value given twice."""
    choices = read_choices(over)
    for name, values in choices.items():
        if any(value in values[:i] for i, value in enumerate(values)):
            raise ValueError(f"expected different values of {name}, got {', '.join(map(str, values))}")
    parts = [[{name: value} for value in values] for name, values in choices.items()]
    return [{key: value for part in cell for key, value in part.items()} for cell in itertools.product(*parts)]


def checked(game: Game, others: Sequence[str], fixed: Mapping[str, Any], over: Sequence[str]) -> list[Cell]:
    """Return the comparisons of a table. Raises ValueError for an agent given twice or invalid options."""
    if len(set(others)) != len(others):
        raise ValueError(f"expected different agents to compare with, got {', '.join(others)}")
    comparisons = [Cell(other, own, GameSetup.of(game, {**fixed, **own})) for other in others for own in cells(over)]
    for cell in comparisons:
        cell.setup.check_agents()
    return comparisons


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    one: Annotated[str, typer.Argument()]
    """Agent by name."""
    others: Annotated[tuple[str, ...], typer.Argument()]
    """Agents with which it is compared."""
    game: GameName = DEFAULT_GAME
    option: GameOptions = field(default_factory=dict)
    over: Over = ()
    blocks: Annotated[int, Bounds(2)] = 4096
    """Maximum number of blocks of each comparison."""
    margin: Annotated[float, Bounds(0)] = 0.01
    """Half width of the interval at which a comparison also stops."""
    narrow: Annotated[bool, typer.Option("--narrow")] = False
    """Continue until the interval is that narrow, decided or not."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the first block."""
    copies: Annotated[bool, typer.Option("--copies")] = False
    """Also print the copy bonus: the worth of copies at its table."""
    at_once: Annotated[int | None, Bounds(1)] = None
    """Blocks in one batch, kept together; left out: 1 if an agent asks a model, else 256."""
    out: Annotated[TableFile, typer.Option(help="Also write the table: a .csv or .md file.")] = None


@from_dataclasses
def main(args: Arguments) -> None:
    """Compare an agent, alone among others, with each of them until the difference is significant."""
    console, began, one, out = tables.console(), time.perf_counter(), args.one, args.out
    with user_errors():
        loaded = check_table(args.game, (one, *args.others), [])
        comparisons = checked(loaded, args.others, args.option, args.over)
        journal = None
        if out is not None:
            open_for(out)
            made = {agents.kept_name(name): fingerprint(name, loaded) for name in (one, *args.others)}
            journal = resume(journal_of(out), "the blocks of this table", {"game": loaded.id, "agents": made})
        asks = any(hasattr(agents.load(name, loaded), "counts") for name in (one, *args.others))
        counts = AnswerCounts(loaded, (one, *args.others), journal.lines if journal else ())
        kept = KeptBlocks(journal, args.at_once or (1 if asks else MOST_AT_ONCE), counts)
    rows: list[tuple[Cell, CellResult]] = []
    facts = f"{loaded.id}, titan_env {version('titan_env')}, seeds from {args.seed} on"
    try:
        with interruptible(out is not None, journal), user_errors((agents.AgentFailed,), way_on(out is not None)):
            for cell in comparisons:
                looks = compare(
                    cell.setup,
                    one,
                    cell.other,
                    args.seed,
                    args.blocks,
                    args.margin,
                    not args.narrow,
                    len(comparisons),
                    kept,
                )
                known = last(looks, f"{one} against {cell.other}, {options_text(cell.setup.options)}", console)
                rows.append((cell, finish(cell.setup, one, cell.other, args.seed, known, args.copies, kept)))
    finally:
        facts += f", {time.perf_counter() - began:,.0f} seconds of one core"
        if len(rows) < len(comparisons):
            facts += f", stopped after {len(rows)} of {len(comparisons)} comparisons"
            cell = comparisons[len(rows)]
            if (known_so_far := kept.so_far(cell.setup, (one, cell.other), len(comparisons))) is not None:
                rows.append((cell, CellResult(known_so_far, is_whole=False)))
        if rows:
            show(rows, one, facts, console)
        for account in counts.sentences():
            console.print(account)
    if out is not None:
        text = as_markdown(rows, one, facts) if out.suffix == ".md" else as_csv(rows, one, args.seed)
        write_atomically(out, text)
        journal_of(out).unlink()


def open_for(out: Path) -> None:
    """Check that a table can be written here. Raises ValueError or OSError if not, or if the file exists."""
    if out.suffix not in (".csv", ".md"):
        raise ValueError(f"expected a file .csv or .md for the table, got {out}")
    ensure_absent(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.touch(exist_ok=False)
    out.unlink()


def last(looks: Iterator[Comparison], named: str, console: Console) -> Comparison:
    """Return the result of a comparison, and show its progress meanwhile."""
    known = next(looks)
    with console.status(named) as status:
        for later in looks:
            known = later
            status.update(f"{named}: {known} after {known.games} games")
    return known


def options_text(options: Mapping[str, Any]) -> str:
    """Return options as text."""
    return ", ".join(f"{name}={value}" for name, value in options.items()) or "as it comes"


def show(rows: Sequence[tuple[Cell, CellResult]], one: str, facts: str, console: Console) -> None:
    """Print the table."""
    shown = {
        "points ahead": any(result.known.points is not None for _, result in rows),
        "invaded": any(result.invaded is not None for _, result in rows),
        "copy bonus": any(result.bonus is not None for _, result in rows),
    }
    lines = []
    for cell, result in rows:
        known = result.known
        verdict = "undecided" if not known.decided else one if known.rate > known.fair else cell.other
        verdict = verdict if result.is_whole else "stopped"
        plain = "?" if known.equivalent_games is None else f"{known.equivalent_games:,.0f}"
        line = [
            cell.other,
            options_text(cell.setup.options),
            str(known),
            as_two(known),
            verdict,
            f"{known.games:,}",
            plain,
        ]
        more = {
            "points ahead": ahead(known),
            "invaded": "" if result.invaded is None else str(result.invaded),
            "copy bonus": "" if result.bonus is None else "{:+.0f} ±{:.0f}".format(*result.bonus),
        }
        lines.append([*line, *(text for heading, text in more.items() if shown[heading])])
    headings = ["against", "game", f"{one} wins", "as a share of two", "verdict", "games", "plain play would need"]
    headings += [heading for heading, is_shown in shown.items() if is_shown]
    console.print(tables.grid(f"{one} {HOW}\n{facts}", headings, lines))


def as_two(known: Comparison) -> str:
    """Return the share of two with its interval as text."""
    rate, low, high = known.of_two
    return f"{rate:.1%} ({low:.1%} to {high:.1%})"


def ahead(known: Comparison) -> str:
    """Return the first agent's lead in points as text; "" without points."""
    if known.points_ahead is None:
        return ""
    mean, half = known.points_ahead
    return f"{mean:+,.4g} ±{half:,.2g}"


def as_csv(rows: Sequence[tuple[Cell, CellResult]], one: str, seed: int) -> str:
    """Return the table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text)
    headings = ["one", "other", "game", "rate", "low", "high", "sides", "of_two", "invaded"]
    headings += ["games", "plain_games", "first_seed", "titan_env"]
    has_points = any(result.known.points is not None for _, result in rows)
    writer.writerow([*headings, "points_ahead", "points_half_width"] if has_points else headings)
    for cell, result in rows:
        known = result.known
        plain = None if known.equivalent_games is None else round(known.equivalent_games)
        invaded = None if result.invaded is None else result.invaded.rate
        line = [
            one,
            cell.other,
            options_text(cell.setup.options),
            known.rate,
            *known.interval,
            known.sides,
            known.of_two[0],
            invaded,
        ]
        writer.writerow([*line, known.games, plain, seed, version("titan_env"), *(known.points_ahead or ())])
    return text.getvalue()


def as_markdown(rows: Sequence[tuple[Cell, CellResult]], one: str, facts: str) -> str:
    """Return the table as Markdown, a row for each agent and a column for each cell, with the command that made it."""
    columns = list(
        dict.fromkeys(", ".join(map(str, cell.own.values())) or options_text(cell.setup.options) for cell, _ in rows)
    )
    lines: dict[str, list[str]] = {}
    for cell, result in rows:
        lines.setdefault(cell.other, []).append(_cell_text(result.known))
    games = [result.known.games for _, result in rows]
    played = " to ".join(f"{count:,}" for count in sorted({min(games), max(games)}))
    grid = tables.markdown(["against", *columns], [[f"`{other}`", *line] for other, line in lines.items()])
    return (
        f"# {one} against others\n\n"
        f"How often `{one}` wins {HOW}; {played} games each, {facts}:\n\n"
        f"```\n{shlex.join(['python', '-m', 'titan_env.evaluation.matches.evaluate', *sys.argv[1:]])}\n```\n\n"
        f"{grid}"
    )


def _cell_text(known: Comparison) -> str:
    """Return a comparison as the text of a cell: its share, the fair one if not a half, and the lead in points."""
    low, high = (100 * end for end in known.interval)
    fair = "" if known.sides == 2 else f" of a fair {100 * known.fair:.3g}"
    points = f", {ahead(known)} points" if known.points is not None else ""
    return f"{100 * known.rate:.0f} % ({low:.0f} to {high:.0f}){fair}{points}"


if __name__ == "__main__":
    typer.run(main)
