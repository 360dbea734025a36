"""Set the cards of agents side by side: means over tasks, and what each is ahead of the first one::

    python -m titan_env.evaluation.benchmark.compare_cards runs/greedy.json runs/mine-1.json runs/mine-2.json

Cards with the same label are runs of one method with different training seeds: with several, runs are drawn anew within
each task; of a single one, blocks. The difference to the first label is paired, as all cards play the same seeds.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from titan_env.cli import tables
from titan_env.cli.console import user_errors
from titan_env.cli.options import TableFile, from_dataclasses
from titan_env.evaluation.benchmark.benchmark import scores_of
from titan_env.evaluation.benchmark.result_cards import ResultCard, TaskKey, read_card
from titan_env.evaluation.benchmark.scores import estimate, interquartile_mean
from titan_env.evaluation.matches.evaluate import open_for
from titan_env.extras import extra
from titan_env.records.atomic_files import write_atomically

with extra("evaluation"):
    import typer

Samples = Mapping[TaskKey, NDArray[np.float64]]
"""Scores by task: of the blocks of one run, or of runs."""


def by_label(cards: Sequence[ResultCard]) -> dict[str, list[ResultCard]]:
    """Return the cards of each label. Raises ValueError for cards that lack tasks of others, or are given twice."""
    grouped: dict[str, list[ResultCard]] = {}
    first = set(cards[0].outcomes)
    for card in cards:
        if set(card.outcomes) != first:
            odd = sorted(first.symmetric_difference(card.outcomes))
            raise ValueError(
                f"expected cards of the same tasks, but {card.head.label} and {cards[0].head.label} differ in "
                f"{', '.join(map(' '.join, odd))}; play all of them to their end"
            )
        if any(card.head == other.head for other in grouped.get(card.head.label, [])):
            raise ValueError(f"expected each run once, got one of {card.head.label} twice")
        grouped.setdefault(card.head.label, []).append(card)
    return grouped


def samples_of(runs: Sequence[Samples]) -> Samples:
    """Return the scores of each task: those of the blocks of a single run, or the mean of each of several."""
    if len(runs) == 1:
        return runs[0]
    return {key: np.array([run[key].mean() for run in runs]) for key in runs[0]}


def ahead_of(runs: Sequence[Samples], others: Sequence[Samples]) -> list[NDArray[np.float64]]:
    """Return what runs are ahead of others in each task, block by block, by the mean of the runs of each."""
    mine, theirs = ({key: np.mean([run[key] for run in of], axis=0) for key in of[0]} for of in (runs, others))
    return [mine[key] - theirs[key] for key in mine]


def as_markdown(cards: Sequence[ResultCard]) -> str:
    """Return tables as Markdown: a row for each label in the order of the cards, one for each task, one for each run.

    That of the runs is there if a label has several.
    """
    grouped = by_label(cards)
    scores = {label: [scores_of(card) for card in runs] for label, runs in grouped.items()}
    samples = {label: samples_of(runs) for label, runs in scores.items()}
    first = next(iter(grouped))
    lines = []
    for label, runs in grouped.items():
        of_tasks = list(samples[label].values())
        lead = "" if label == first else str(estimate(ahead_of(scores[label], scores[first])))
        tracks = [runs[0].head.knowledge, runs[0].head.budget, runs[0].time]
        known = [str(estimate(of_tasks)), str(estimate(of_tasks, interquartile_mean))]
        lines.append([label, str(len(runs)), *known, lead, *tracks])
    heads = ["agent", "runs", "mean", "interquartile mean", f"ahead of {first}", "knowledge", "training", "answers"]
    by_task = [[" ".join(key), *(str(estimate([of[key]])) for of in samples.values())] for key in samples[first]]
    written = [tables.markdown(heads, lines), tables.markdown(["task", *grouped], by_task)]
    if len(cards) > len(grouped):
        by_run = [
            [label, ", ".join(card.head.agents.values()), str(estimate(list(run.values())))]
            for label, runs in grouped.items()
            for card, run in zip(runs, scores[label], strict=True)
        ]
        written.append(tables.markdown(["agent", "run", "mean over tasks"], by_run))
    return "\n".join(written)


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    cards: Annotated[tuple[Path, ...], typer.Argument()]
    """Files of the cards, the one to compare with first."""
    out: Annotated[TableFile, typer.Option(help="Also write the tables: a .md file.")] = None


@from_dataclasses
def main(args: Arguments) -> None:
    """Set cards side by side."""
    with user_errors():
        read = [read_card(path) for path in args.cards]
        text = as_markdown(read)
        if args.out is not None:
            open_for(args.out)
    command = shlex.join(["python", "-m", "titan_env.evaluation.benchmark.compare_cards", *sys.argv[1:]])
    typer.echo(text)
    if args.out is not None:
        labels = ", ".join(dict.fromkeys(card.head.label for card in read))
        write_atomically(args.out, f"# Scores of {labels}\n\n```\n{command}\n```\n\n{text}")


if __name__ == "__main__":
    typer.run(main)
