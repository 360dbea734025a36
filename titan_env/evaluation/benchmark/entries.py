"""Add a card of a closed round to the list of entries, after it was checked::

    python -m titan_env.evaluation.benchmark.entries runs/card.json --round runs/round.json --folder agents/entries

An entry was entered in its round and played as it was entered, not in the referee's process. All tasks of its games are
there, and blocks drawn by lot come out as on the card. Anybody can play it again: its agents come with the package, by
their hash from a hub, or from files in the folder. The list is on the page of the benchmark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import titan_env
from titan_env import registry
from titan_env.cli.console import user_errors
from titan_env.cli.options import Bounds, from_dataclasses
from titan_env.compiler import cache
from titan_env.evaluation.benchmark.benchmark import aggregates, play_task, references_by_task, scores_of, seeds_in
from titan_env.evaluation.benchmark.card_checks import changed_agents, check_tasks
from titan_env.evaluation.benchmark.result_cards import Head, ResultCard, read_card
from titan_env.evaluation.matches.fingerprints import sources
from titan_env.evaluation.matches.isolation import TRUSTED
from titan_env.evaluation.matches.round_file import Round, entry_of, read_round
from titan_env.extras import extra
from titan_env.records.atomic_files import ensure_absent, make_folder, write_atomically
from titan_env.records.seeding import draw_seed

with extra("evaluation"):
    import typer

ROUND = "round-{}.json"
"""The file of a round beside the cards of its entries, by its id."""
COLUMNS = ("entry", "round", "games", "mean over tasks", "knowledge", "training", "answers")


def read_entries(folder: Path) -> dict[Path, ResultCard]:
    """Return the cards of a folder by file, in order of round and label. Raises ValueError for a damaged one."""
    files = [path for path in sorted(folder.glob("*.json")) if not path.match(ROUND.format("*"))]
    cards = {path: read_card(path) for path in files}
    return dict(sorted(cards.items(), key=lambda pair: (pair[1].head.round, pair[1].head.label)))


def row_of(card: ResultCard) -> list[str]:
    """Return the row of a card in the list of entries, as `COLUMNS` name it."""
    head, (_, score) = card.head, next(aggregates(scores_of(card), references_by_task(card)))
    return [head.label, head.round, ", ".join(head.agents), str(score), card.knowledge, head.budget, card.answers]


def stale_entries(folder: Path) -> Iterator[str]:
    """Yield a sentence for each agent in a folder's cards that has changed, or whose round is not beside it."""
    for path, card in read_entries(folder).items():
        try:
            played = read_round(folder / ROUND.format(card.head.round))
            played.check_entry(card.head.label, entry_of(card.head.agents, card.head.hashes))
            yield from (f"{path.name}: {fault}" for fault in changed_agents(card.head))
        except ValueError as error:
            yield f"{path.name}: {error}"


def expect_entry(card: ResultCard, played: Round, folder: Path) -> None:
    """Raise ValueError for a card that the list does not take, whatever its blocks are."""
    head = card.head
    if head.round != played.id:
        raise ValueError(f"expected a card of the round {played.id}, got one of the round {head.round or 'none'}")
    played.check_entry(head.label, entry_of(head.agents, head.hashes))
    if card.mode == TRUSTED:
        raise ValueError(f"expected agents from files in processes of their own, got {head.label}, {TRUSTED}")
    if strange := [path for path in _files_of(head) if not _can_be_had(path, folder)]:
        raise ValueError(f"expected agents that anybody can have; put {strange[0]} into {folder}, or at a hub (hf://)")
    if any(one.head.label == head.label and one.head.round == head.round for one in read_entries(folder).values()):
        raise ValueError(f"expected an entry that is not in the list, got {head.label} of the round {head.round} again")


def _files_of(head: Head) -> list[Path]:
    """Return the files that the agents of a card consist of."""
    return [path for name, agent in head.agents.items() for path in sources(agent, registry.load(name))]


def _can_be_had(path: Path, folder: Path) -> bool:
    """Return whether a file is one of the package, one from a hub, or in a folder."""
    places = (Path(titan_env.__file__).parent, cache.root(), folder)
    return any(path.resolve().is_relative_to(place.resolve()) for place in places)


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    card: Annotated[Path, typer.Argument()]
    """File of the card."""
    round_: Annotated[Path, typer.Option("--round")]
    """File of the closed round in which it was played."""
    folder: Path = Path("agents/entries")
    """Folder of the list."""
    seed: Annotated[int | None, Bounds(0)] = None
    """Seed of the lot that draws the blocks to be played again; left out, a new one."""


@from_dataclasses
@user_errors()
def main(args: Arguments) -> None:
    """Check a card and add it to the list of entries."""
    card, played = read_card(args.card), read_round(args.round_)
    seed = draw_seed() if args.seed is None else args.seed
    target, beside = args.folder / args.card.name, args.folder / ROUND.format(played.id)
    ensure_absent(target)
    expect_entry(card, played, args.folder)
    checked = check_tasks(card, seeds_in(played), seed, play_task)
    faults = [*changed_agents(card.head), *(fault for one in checked for fault in one.faults)]
    for fault in faults:
        print(fault)
    if faults:
        raise typer.Exit(1)
    make_folder(args.folder)
    write_atomically(beside, args.round_.read_text("utf-8"))
    write_atomically(target, args.card.read_text("utf-8"))
    again = sum(one.again for one in checked)
    print(f"{target}: {card.head.label} is added; {again} blocks drawn with --seed {seed} came out as on the card")


if __name__ == "__main__":
    typer.run(main)
