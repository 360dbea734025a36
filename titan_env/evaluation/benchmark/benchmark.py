"""Play the benchmark's card: every task of every game, with normalised scores::

    python -m titan_env.evaluation.benchmark.benchmark expert
    python -m titan_env.evaluation.benchmark.benchmark GAME=policy:runs/a.onnx GAME=policy:runs/b.onnx --out card.json

One name plays all games (`best` is each game's best published agent that answers at once); ``GAME=AGENT`` names the
agent of one game, and only the games that are named are played. In a task the agent sits among members of the game's
panel, in every place once with the same set-up and dice (`titan_env.evaluation.benchmark.panel`). Its score is by its
rating among them: 0 is `random`, 100 `expert`. With ``--out`` each finished task is written down: after a stop the same
command goes on. `titan_env.evaluation.benchmark.compare_cards` sets cards side by side; ``--references`` measures the
panel.
"""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.agents import Agent
from titan_env.agents.process import Clock
from titan_env.cli import tables
from titan_env.cli.console import interruptible, user_errors, way_on
from titan_env.cli.options import Bounds, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark.card_checks import changed_agents, check_tasks
from titan_env.evaluation.benchmark.entrants import read_agents
from titan_env.evaluation.benchmark.panel import entrants_wins
from titan_env.evaluation.benchmark.references import (
    MOST_AT_ONCE,
    References,
    measured,
    play_row,
    references_of,
    widened,
)
from titan_env.evaluation.benchmark.result_cards import (
    BUDGETS,
    KNOWLEDGE,
    Head,
    ResultCard,
    TaskKey,
    TaskResult,
    read_card,
    write_card,
)
from titan_env.evaluation.benchmark.scores import Estimate, estimate, interquartile_mean, mean
from titan_env.evaluation.benchmark.tasks import (
    REFERENCES,
    Benchmark,
    Task,
    read_benchmark,
)
from titan_env.evaluation.benchmark.timed_agent import TimedAgent
from titan_env.evaluation.matches.blocks import joined, load_instances, play
from titan_env.evaluation.matches.fingerprints import fingerprint, fingerprints_by_game
from titan_env.evaluation.matches.kept_units import KeptUnits, going_on, journal_for
from titan_env.evaluation.matches.round_file import Round, entry_of, read_round
from titan_env.extras import extra
from titan_env.records.atomic_files import lock_file, write_atomically
from titan_env.records.seeding import draw_seed

with extra("evaluation"):
    import tomli_w
    import typer
    from rich.console import Console
    from rich.progress import track


def play_task(setup: GameSetup, names: Sequence[str], lineups: NDArray[np.int64], seeds: Sequence[int]) -> TaskResult:
    """Return what the first of these agents wins among others, in one block for each seed.

    `lineups` (blocks, sides) are the numbers of the agents around the table in the first game of each block.
    """
    shared = Clock()

    def timed(number: int, made: Agent) -> Agent:
        return made if number or hasattr(made, "clock") else TimedAgent(made, shared)

    players = load_instances(setup.game, names, timed)
    alone: Any = players.of(0)
    before = Counter(getattr(alone, "counts", {}))
    parts = [slice(begin, begin + MOST_AT_ONCE) for begin in range(0, len(seeds), MOST_AT_ONCE)]
    played = joined([play(setup, players, lineups[part], seeds[part], setup.sides) for part in parts])
    wins, counted = entrants_wins(played.shares, lineups), Counter(getattr(alone, "counts", {})) - before
    milliseconds, waited = alone.clock.a_decision()
    return TaskResult(seeds, wins, played.digests, milliseconds, waited, made_here(), counted)


def made_here() -> str:
    """Return the versions and the machine that a result is made with."""
    python, machine = platform.python_version(), f"{platform.system()} {platform.machine()}"
    return f"titan_env {version('titan_env')}, Python {python}, {machine}, {os.cpu_count()} cores"


def head_of(
    chosen: Mapping[str, str],
    label: str,
    knowledge: str,
    budget: str,
    played: Round | None = None,
    met: Sequence[str] = (),
) -> Head:
    """Return the head of a card for these agents by game, which have met these members of panels in training.

    Raises ValueError for agents that are not in the round, and members that no panel has.
    """
    panels = {name: read_benchmark(registry.load(name)).panel for name in chosen}
    members = dict.fromkeys(member for panel in panels.values() for member in panel.members)
    if strange := [name for name in met if name not in members]:
        raise ValueError(f"expected --met members of the panels, {'; '.join(members)}; got {strange[0]}")
    hashes = fingerprints_by_game(chosen)
    label = label or ", ".join(dict.fromkeys(chosen.values()))
    if played is not None:
        played.check_entry(label, entry_of(chosen, hashes))
    ids = {name: panel.id(registry.load(name)) for name, panel in panels.items()}
    return Head(label, dict(chosen), hashes, ids, knowledge, sorted(set(met)), budget, played.id if played else "")


def seeds_in(played: Round | None) -> Callable[[Game, Task], range]:
    """Return the function that gives the seeds of a task's blocks: those of a round, or the public ones."""

    def seeds(game: Game, task: Task) -> range:
        if played is None:
            return task.seeds
        first = played.first_seed(game.id, task.name)
        return range(first, first + task.blocks)

    return seeds


def begin_card(head: Head, out: Path | None) -> ResultCard:
    """Return an empty card, or the one in its file that goes on. Raises ValueError for another agent's card there."""
    if out is None or not out.exists():
        return ResultCard(head)
    card = read_card(out)
    if card.head != head:
        raise ValueError(
            f"expected a new file, or the card of the same agents to go on with; {out} is that of {card.head.label}, "
            "or its agents have changed since; choose another --out"
        )
    return card


def play_card(
    card: ResultCard,
    seeds_of: Callable[[Game, Task], range],
    blocks: int | None,
    keep: Callable[[ResultCard], object],
) -> None:
    """Play the tasks that a card lacks, `blocks` of each (None: all), and `keep` the card after each of them."""
    missing = [
        (game, benchmark.panel, task)
        for name in card.head.agents
        for game in [registry.load(name)]
        for benchmark in [read_benchmark(game)]
        for task in benchmark.tasks
        if (game.id, task.name) not in card.outcomes
    ]
    for game, panel, task in track(missing, "tasks", console=Console(stderr=True, emoji=False), transient=True):
        names, setup = (card.head.agents[game.name], *panel.members), GameSetup.of(game, task.options)
        seeds = seeds_of(game, task)[:blocks]
        lineups = panel.lineups(setup.sides, seeds)
        card.outcomes[game.id, task.name] = play_task(setup, names, lineups, seeds)
        keep(card)


def references_by_task(card: ResultCard) -> dict[TaskKey, References]:
    """Return the references of a card's tasks, in the order of the games and of their files.

    Raises ValueError for a task that there is not, or without references, and for a card of another panel.
    """
    return {key: references_of(*of) for key, of in _tasks_of(card).items()}


def _tasks_of(card: ResultCard) -> dict[TaskKey, tuple[Game, Benchmark, Task]]:
    """Return a card's tasks with their games. Raises ValueError for a task that there is not, or another panel."""
    games = {name: registry.load(name) for name in card.head.agents}
    benchmarks = {name: read_benchmark(game) for name, game in games.items()}
    card.expect_panels({name: benchmark.panel.id(games[name]) for name, benchmark in benchmarks.items()})
    found = {
        (games[name].id, task.name): (games[name], benchmark, task)
        for name, benchmark in benchmarks.items()
        for task in benchmark.tasks
    }
    card.expect_tasks(found)
    return {key: of for key, of in found.items() if key in card.outcomes}


def scores_of(card: ResultCard) -> dict[TaskKey, NDArray[np.float64]]:
    """Return the scores of each task's blocks. Raises ValueError as `references_by_task` does."""
    scores = {}
    for key, (game, benchmark, task) in _tasks_of(card).items():
        outcome, setup = card.outcomes[key], GameSetup.of(game, task.options)
        lineups = benchmark.panel.lineups(setup.sides, outcome.range_of_seeds(task.name))
        scores[key] = references_of(game, benchmark, task).scores(outcome.wins, lineups)
    return scores


def measure_references(
    game: Game, benchmark: Benchmark, kept: KeptUnits | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each task's name and references, measured by the rows of all members of the panel."""
    kept, panel = kept or KeptUnits(), benchmark.panel
    for task in benchmark.tasks:
        setup = GameSetup.of(game, task.options)
        rows = {
            name: kept.result(f"{task.name}, {name}", play_row, setup, panel, name, task.reference_seeds)
            for name in panel.members
        }
        yield task.name, {"panel": panel.id(game), **measured(panel, setup.sides, task.reference_seeds, rows)}


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    names: Annotated[tuple[str, ...], typer.Argument()]
    """Agent of all games, `best`, or GAME=AGENT for each; with --check, files of cards."""
    label: str = ""
    """Name of the card; left out, the agents' names."""
    knowledge: Annotated[str, typer.Option(help=f"Expert knowledge of the agent: {', '.join(KNOWLEDGE)}.")] = "none"
    met: tuple[str, ...] = ()
    """Member of a panel against which the agent was trained; repeatable."""
    budget: Annotated[str, typer.Option(help=f"Budget of its training: {', '.join(BUDGETS)}.")] = "open"
    blocks: Annotated[int | None, Bounds(2)] = None
    """Blocks of each task; left out, a whole card."""
    out: Path | None = None
    """Also keep the card: a .json file, from which a run continues."""
    round_: Annotated[Path | None, typer.Option("--round")] = None
    """File of a closed round, whose seeds are played instead of the public ones."""
    trusted: Annotated[bool, typer.Option("--trusted")] = False
    """Play code from files in this process, not in processes of its own: for experiments with one's own agents."""
    references: Annotated[bool, typer.Option("--references")] = False
    """Measure the references 0 and 100 instead."""
    check_it: Annotated[bool, typer.Option("--check")] = False
    """Check cards and play 5 % of their blocks again; exit with 1 where one fails."""
    seed: Annotated[int | None, Bounds(0)] = None
    """With --check: seed of the lot that draws blocks; left out, a new one."""


@from_dataclasses
def main(args: Arguments) -> None:
    """Play the tasks of the benchmark and print normalised scores."""
    out, blocks = args.out, args.blocks
    if args.check_it:
        check(args)
        return
    with user_errors():
        if args.knowledge not in KNOWLEDGE or args.budget not in BUDGETS:
            message = f"expected --knowledge {' or '.join(KNOWLEDGE)} and --budget {' or '.join(BUDGETS)}"
            raise ValueError(f"{message}, got {args.knowledge!r} and {args.budget!r}")
        chosen = read_agents(args.names, args.trusted)
        played = read_round(args.round_) if args.round_ else None
        head = head_of(chosen, args.label, args.knowledge, args.budget, played, args.met)
        if out is not None and (out.suffix != ".json" or blocks is not None):
            raise ValueError(f"expected a file .json for a whole card, without --blocks, got {out}")
        if out is not None:
            lock_file(out)
        card = begin_card(head, out)
    if args.references:
        write_references(chosen)
        return
    with interruptible(out is not None) as stop, user_errors((agents.AgentFailed,), way_on(out is not None)):

        def keep(so_far: ResultCard) -> None:
            if out is not None:
                write_card(out, so_far)
            stop.check()

        play_card(card, seeds_in(played), blocks, keep)
    with user_errors():
        show(card, blocks)


@user_errors()
def check(args: Arguments) -> None:
    """Check cards, and print a row for each task. Raises Exit with 1 where one fails."""
    seed = draw_seed() if args.seed is None else args.seed
    played = read_round(args.round_) if args.round_ else None
    faults = []
    for path in map(Path, args.names):
        card = read_card(path)
        if card.head.round != (played.id if played else ""):
            raise ValueError(
                f"expected --round FILE of the round {card.head.round or 'none'} that {path} was played in"
            )
        checked = check_tasks(card, seeds_in(played), seed, play_task)
        faults += [f"{path.name}: {fault}" for fault in changed_agents(card.head)]
        faults += [f"{path.name}: {fault}" for one in checked for fault in one.faults]
        lines = [
            [one.game, one.task, f"{one.blocks:,}", f"{one.again:,}", "no" if one.faults else "yes"] for one in checked
        ]
        title = f"{path.name}: blocks drawn with --seed {seed} played again"
        tables.console().print(tables.grid(title, ["game", "task", "blocks", "again", "as kept"], lines))
    for fault in faults:
        print(fault)
    raise typer.Exit(1 if faults else 0)


def write_references(chosen: Mapping[str, str]) -> None:
    """Measure the references of these games and write their files."""
    for name in chosen:
        game = registry.load(name)
        benchmark, path = read_benchmark(game), Path(game.metadata.folder, REFERENCES)
        made = {member: fingerprint(member, game) for member in benchmark.panel.members}
        with user_errors():
            journal = journal_for(path, "the references measured so far", {"game": game.id, "made": made})
        with going_on(journal):
            command = f"python -m titan_env.evaluation.benchmark.benchmark {name}=best --references"
            text = f"# The panel's ratings in points, written by `{command}`.\n"
            text += tomli_w.dumps(dict(measure_references(game, benchmark, KeptUnits(journal))))
            write_atomically(path, text)


def show(card: ResultCard, blocks: int | None) -> None:
    """Print the card: each task's score, and the means over tasks."""
    scores, references, lines = scores_of(card), references_by_task(card), []
    for (game, task), samples in scores.items():
        outcome = card.outcomes[game, task]
        scale, count = references[game, task], len(samples)
        known = widened(estimate([samples]), [samples.mean()], [scale.score_error(samples.mean())])
        share, resolves = f"{outcome.shares.mean():.1%}", f"{scale.resolves(count):.1f}"
        lines.append([game, task, str(known), resolves, share, f"{count:,}", f"{outcome.milliseconds:.3f}"])
    title = f"{card.head.label}: 0 is random, 100 expert, by rating among the panel; 95 % intervals"
    if blocks is not None:
        title += f"\n{blocks} blocks of each task: no card to publish"
    tables.console().print(
        tables.grid(title, ["game", "task", "score", "resolves", "wins", "blocks", "ms a decision"], lines)
    )
    for label, known in aggregates(scores, references):
        print(f"{label}: {known}")
    print(f"tracks: knowledge {card.knowledge}, training {card.head.budget}, answers {card.answers}")


def aggregates(
    scores: Mapping[TaskKey, NDArray[np.float64]], references: Mapping[TaskKey, References]
) -> Iterator[tuple[str, Estimate]]:
    """Yield the mean and the interquartile mean over tasks, from the scores of each task's blocks."""
    values = [float(one.mean()) for one in scores.values()]
    errors = [references[key].score_error(value) for key, value in zip(scores, values, strict=True)]
    for label, statistic in (("mean", mean), ("interquartile mean", interquartile_mean)):
        known = estimate([*scores.values()], statistic)
        yield f"{label} over tasks", widened(known, values, errors, statistic)


if __name__ == "__main__":
    typer.run(main)
