"""The command `replay analyse`: every seat's chances over a recorded game, and the mistakes with what they cost."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from titan_env.agents import load
from titan_env.agents.judge import critic_of, judge_of
from titan_env.cli.tables import grid
from titan_env.contract import Game
from titan_env.records.analysis import Analysis, MomentAnalysis
from titan_env.records.atomic_files import ensure_absent, write_atomically
from titan_env.records.replay import Record, read

_SHOWN = 12
"""The moments at which the chances are printed."""


def analyse(
    paths: Sequence[Path], by: str | None, worlds: int | None, seed: int, out: Path | None, console: Console
) -> None:
    """Print the chances and the mistakes of a record, and write all that was found to `out`, if given.

    Raises ValueError before the work for more than one record, another ending or an existing file.
    """
    if len(paths) != 1:
        raise ValueError(f"expected one record to analyse, got {len(paths)}")
    if out is not None:
        ensure_absent(out)
        if out.suffix not in WRITERS:
            raise ValueError(f"expected a file that ends in {' or '.join(WRITERS)}, got {out.name}")
        if not out.parent.is_dir():
            raise ValueError(f"expected a folder for {out.name}, found no {out.parent}; make it first")
    record = read(paths[0])
    name = by or judge_of(record.game)
    judge = load(name, record.game)
    analysis = Analysis(record.game, judge, seed, worlds, critic=critic_of(judge))
    moments = _with_progress(analysis, record)
    about = f"{paths[0].name}: play-outs by {name}, seed {seed}"
    console.print(_chances_table(about, record, moments))
    console.print(_mistakes_table(record.game, moments))
    if out is not None:
        write_atomically(out, WRITERS[out.suffix](_lines(record.game, analysis, moments)))
        console.print(f"written: {out}", highlight=False, markup=False, soft_wrap=True)


def _with_progress(analysis: Analysis, record: Record) -> list[MomentAnalysis]:
    """Return the analysis of all moments, with a bar in a terminal."""
    bar = Progress(console=Console(stderr=True, emoji=False), transient=True, disable=not sys.stderr.isatty())
    with bar:
        return list(bar.track(analysis.of_record(record), len(record.decisions) + 1, description="moments"))


def _chances_table(title: str, record: Record, moments: Sequence[MomentAnalysis]) -> Any:
    """Return the table of every seat's chance of winning, at moments all over the game."""
    agents = [*record.header["agents"], *["?"] * len(moments[0].expected.chances)]
    headings = [f"{seat} {agents[seat]}" for seat in range(len(moments[0].expected.chances))]
    last = len(moments) - 1
    shown = sorted({last * number // (_SHOWN - 1) for number in range(_SHOWN)})
    rows = [[str(at), *(f"{chance:.0%}" for chance in moments[at].expected.chances)] for at in shown]
    return grid(f"{title}; chance of winning", ["moment", *headings], rows)


def _mistakes_table(game: Game, moments: Sequence[MomentAnalysis]) -> Any:
    """Return the table of the mistakes, in order."""
    rows = []
    for moment in moments:
        if moment.decision and moment.choices and moment.choices.played and moment.choices.mark:
            best, played = moment.choices.compared[0], moment.choices.played
            sentence = game.text.describe_action(moment.states[0], best.action)
            cost = f"{100 * played.margin:.0f} ± {196 * played.error:.0f}"
            start = [str(moment.at), str(moment.decision["seat"]), moment.decision["say"], moment.choices.mark.value]
            rows.append([*start, sentence, cost])
    title = f"{len(rows)} mistakes of {sum(moment.choices is not None for moment in moments)} decisions with a choice"
    return grid(title, ["moment", "seat", "choice", "", "best choice", "margin in points, 95 %"], rows)


def _lines(game: Game, analysis: Analysis, moments: Sequence[MomentAnalysis]) -> list[dict[str, Any]]:
    """Return what was found at each moment, as JSON values."""
    lines = []
    for moment in moments:
        line: dict[str, Any] = {
            "moment": moment.at,
            "chances": [round(chance, 4) for chance in moment.expected.chances.tolist()],
            "errors": [round(error, 4) for error in moment.expected.errors.tolist()],
        }
        if moment.decision:
            line |= {name: moment.decision[name] for name in ("seat", "action", "say")}
        if moment.choices and moment.choices.played:
            line |= {"margin": round(moment.choices.played.margin, 4), "mark": moment.choices.mark or ""}
            line["margin_error"] = round(moment.choices.played.error, 4)
            line["worlds"] = moment.choices.worlds
            line["choices"] = [
                {
                    "action": game.rules.actions.texts[choice.action],
                    "chance": round(choice.chance, 4),
                    "margin": round(choice.margin, 4),
                    "error": round(choice.error, 4),
                }
                for choice in moment.choices.compared
            ]
            line["line"] = analysis.say(moment.states, moment.choices)
        lines.append(line)
    return lines


def _csv(lines: Sequence[dict[str, Any]]) -> str:
    """Return lines as a table: of the choices, only the best one."""
    seats = range(len(lines[0]["chances"]))
    spread = [f"{name}_{seat}" for name in ("chance", "error") for seat in seats]
    kept = ["seat", "action", "say", "best", "margin", "margin_error", "mark", "worlds"]
    text = io.StringIO()
    writer = csv.DictWriter(text, ["moment", *spread, *kept], restval="", extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for line in lines:
        by_seat = dict(zip(spread, [*line["chances"], *line["errors"]], strict=True))
        best = {"best": line["choices"][0]["action"]} if "choices" in line else {}
        writer.writerow({**line, **by_seat, **best})
    return text.getvalue()


def _json(lines: Sequence[dict[str, Any]]) -> str:
    """Return lines as a JSON list, one on each line of the file."""
    return "[\n" + ",\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n]\n"


WRITERS: dict[str, Callable[[Sequence[dict[str, Any]]], str]] = {".csv": _csv, ".json": _json}
"""Ending of a file -> the function that returns its text."""
