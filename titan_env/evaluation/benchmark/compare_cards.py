"""Set the cards of agents side by side: means over tasks, and what each is ahead of the first one::

    python -m titan_env.evaluation.benchmark.compare_cards runs/greedy.json runs/mine-1.json runs/mine-2.json

Cards with the same label are runs of one method with different training seeds: with several, the interval is Student's
over runs; with a single one, that of a bootstrap over blocks. The references' own error widens both. The difference to
the first label is paired, as all cards play the same seeds.
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
from titan_env.evaluation.benchmark.benchmark import references_by_task, scores_of
from titan_env.evaluation.benchmark.references import References, widened
from titan_env.evaluation.benchmark.result_cards import ResultCard, TaskKey, read_card
from titan_env.evaluation.benchmark.scores import (
    Estimate,
    Statistic,
    estimate,
    estimate_method,
    interquartile_mean,
    mean,
    student,
)
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
        if card.head.round != cards[0].head.round:
            rounds = [one.head.round or "none" for one in (cards[0], card)]
            raise ValueError(f"expected cards of one round, got the rounds {' and '.join(rounds)}; play both in one")
        card.expect_panels(cards[0].head.panels)
        if any(card.head == other.head for other in grouped.get(card.head.label, [])):
            raise ValueError(f"expected each run once, got one of {card.head.label} twice")
        grouped.setdefault(card.head.label, []).append(card)
    return grouped


def method_score(
    runs: Sequence[Samples], references: Mapping[TaskKey, References], statistic: Statistic = mean
) -> Estimate:
    """Return a statistic over tasks of a method's runs, with the error of the references in its interval."""
    known = estimate_method([list(run.values()) for run in runs], statistic)
    values = _means(runs)
    errors = [references[key].score_error(value) for key, value in values.items()]
    return widened(known, [*values.values()], errors, statistic)


def method_lead(
    runs: Sequence[Samples], others: Sequence[Samples], references: Mapping[TaskKey, References]
) -> Estimate:
    """Return what runs are ahead of others, with the error of the references, which is that of the difference alone."""
    ours, theirs = _means(runs), _means(others)
    values = [ours[key] - theirs[key] for key in references]
    errors = [known.lead_error(ours[key], theirs[key]) for key, known in references.items()]
    return widened(lead(runs, others), values, errors)


def _means(runs: Sequence[Samples]) -> dict[TaskKey, float]:
    """Return the score of each task, the mean over runs."""
    return {key: float(np.mean([run[key].mean() for run in runs])) for key in runs[0]}


def lead(runs: Sequence[Samples], others: Sequence[Samples]) -> Estimate:
    """Return what runs are ahead of the mean of others over tasks, block by block, with an interval.

    It is that of the blocks for a single run; several runs share the luck of the blocks, which widens Student's.
    """
    theirs = {key: np.mean([run[key] for run in others], axis=0) for key in others[0]}
    ahead = [[run[key] - theirs[key] for key in theirs] for run in runs]
    if len(runs) == 1:
        return estimate(ahead[0])
    of_blocks = [np.mean(of_task, axis=0) for of_task in zip(*ahead, strict=True)]
    error = sum(task.var(ddof=1) / len(task) for task in of_blocks) ** 0.5 / len(of_blocks)
    return student([np.mean([task.mean() for task in run]) for run in ahead], error)


def as_markdown(cards: Sequence[ResultCard]) -> str:
    """Return tables as Markdown: a row for each label in the order of the cards, one for each task, one for each run.

    That of the runs is there if a label has several.
    """
    grouped, references = by_label(cards), references_by_task(cards[0])
    scores = {label: [scores_of(card) for card in runs] for label, runs in grouped.items()}
    first = next(iter(grouped))
    lines = []
    for label, runs in grouped.items():
        tracks = [runs[0].knowledge, runs[0].head.budget, runs[0].answers]
        known = [str(method_score(scores[label], references, of)) for of in (mean, interquartile_mean)]
        ahead = "" if label == first else str(method_lead(scores[label], scores[first], references))
        lines.append([label, str(len(runs)), *known, ahead, *tracks])
    heads = ["agent", "runs", "mean", "interquartile mean", f"ahead of {first}", "knowledge", "training", "answers"]
    by_task = [
        [" ".join(key), *(str(method_score([{key: run[key]} for run in runs], references)) for runs in scores.values())]
        for key in scores[first][0]
    ]
    written = [tables.markdown(heads, lines), tables.markdown(["task", *grouped], by_task)]
    if len(cards) > len(grouped):
        by_run = [
            [label, ", ".join(card.head.agents.values()), str(method_score([run], references))]
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
    print(text)
    if args.out is not None:
        labels = ", ".join(dict.fromkeys(card.head.label for card in read))
        write_atomically(args.out, f"# Scores of {labels}\n\n```\n{command}\n```\n\n{text}")


if __name__ == "__main__":
    typer.run(main)
