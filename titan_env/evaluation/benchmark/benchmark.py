"""Play the benchmark's card: every task of every game, with normalised scores::

    python -m titan_env.evaluation.benchmark.benchmark expert
    python -m titan_env.evaluation.benchmark.benchmark GAME=policy:runs/a.onnx GAME=policy:runs/b.onnx --out card.json

One name plays all games (`best` is each game's best published agent that answers at once); ``GAME=AGENT`` names the
agent of one game, and only the games that are named are played. In a task the agent sits alone among copies of
`expert`, in every place once with the same set-up and dice (`titan_env.evaluation.matches.focal`). 0 is `random`, 100
the best published agent. With ``--out`` each finished task is written down: after a stop the same command goes on.
`titan_env.evaluation.benchmark.compare_cards` sets cards side by side; ``--references`` measures what 0 and 100 are.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.agents import Agent
from titan_env.cli import tables
from titan_env.cli.console import interruptible, user_errors, way_on
from titan_env.cli.options import Bounds, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
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
from titan_env.evaluation.benchmark.scores import Estimate, estimate, interquartile_mean, normalise
from titan_env.evaluation.benchmark.tasks import (
    REFERENCES,
    Benchmark,
    Task,
    has_benchmark,
    named,
    read_benchmark,
)
from titan_env.evaluation.matches.blocks import load_instances
from titan_env.evaluation.matches.duplicate import first_wins
from titan_env.evaluation.matches.fingerprints import fingerprint
from titan_env.evaluation.matches.focal import blocks_alone
from titan_env.evaluation.matches.kept_units import KeptUnits, going_on, journal_for
from titan_env.extras import extra
from titan_env.records.atomic_files import lock_file, write_atomically

with extra("evaluation"):
    import tomli_w
    import typer
    from rich.console import Console
    from rich.progress import track

MOST_AT_ONCE = 128  # blocks in one batch
_MILLI = 1e3


@dataclass
class Clock:
    """The processor time of an agent's calls, and its decisions."""

    seconds: float = 0.0
    decisions: int = 0

    @property
    def milliseconds(self) -> float:
        """Processor time a decision."""
        return _MILLI * self.seconds / max(1, self.decisions)


@dataclass(frozen=True)
class TimedAgent:
    """An agent whose calls run a clock."""

    agent: Agent
    clock: Clock

    def __getattr__(self, name: str) -> Any:
        return getattr(self.agent, name)

    def __call__(self, observations: NDArray[np.float32], *given: Any) -> NDArray[np.int64]:
        """Return the agent's actions for the decisions, (B,)."""
        began = time.process_time()
        actions = self.agent(observations, *given)
        self.clock.seconds += time.process_time() - began
        self.clock.decisions += len(observations)
        return actions


def play_task(setup: GameSetup, agent: str, opponent: str, seeds: Sequence[int]) -> TaskResult:
    """Return what an agent wins alone among copies of another, in one block for each seed."""
    clock = Clock()

    def timed(number: int, made: Agent) -> Agent:
        return made if number else TimedAgent(made, clock)

    players = load_instances(setup.game, (agent, opponent), timed)
    parts = [seeds[begin : begin + MOST_AT_ONCE] for begin in range(0, len(seeds), MOST_AT_ONCE)]
    shares = np.concatenate([blocks_alone(setup, players, part).shares for part in parts])
    return TaskResult(first_wins(shares, shares.shape[1]).mean(axis=1), clock.milliseconds)


def games_with_tasks() -> dict[str, Game]:
    """Return the registered games that have tasks, by name."""
    games = {name: registry.load(name) for name in registry.GAMES}
    return {name: game for name, game in games.items() if has_benchmark(game)}


def read_agents(texts: Sequence[str]) -> dict[str, str]:
    """Return the agent of each game to be played, from ``AGENT`` for all games or ``GAME=AGENT`` for each.

    Raises ValueError for a game without tasks, one that is named twice, and an agent that a game does not have.
    """
    games = games_with_tasks()
    pairs = [text.partition("=") for text in texts]
    if len(texts) == 1 and (":" in pairs[0][0] or not pairs[0][1]):
        chosen = dict.fromkeys(games, texts[0])
    else:
        chosen = {name: agent for name, _, agent in pairs}
        strange = [name for name in chosen if name not in games]
        if strange or len(chosen) < len(texts) or not all(chosen.values()):
            said = f"expected one agent for all games, or GAME=AGENT once for each of {', '.join(games)}"
            raise ValueError(f"{said}; got {' '.join(texts)}")
    resolved = {name: named(read_benchmark(games[name]), agent) for name, agent in chosen.items()}
    for name, agent in resolved.items():
        agents.load(agent, games[name])
    return resolved


def head_of(chosen: Mapping[str, str], label: str, knowledge: str, budget: str) -> Head:
    """Return the head of a card for these agents by game."""
    hashes = {name: fingerprint(agent, registry.load(name)) for name, agent in chosen.items()}
    return Head(label or ", ".join(dict.fromkeys(chosen.values())), dict(chosen), hashes, knowledge, budget)


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


def play_card(card: ResultCard, blocks: int | None, keep: Callable[[ResultCard], object]) -> None:
    """Play the tasks that a card lacks, `blocks` of each (None: all), and `keep` the card after each of them."""
    missing = [
        (game, benchmark.opponent, task)
        for name in card.head.agents
        for game in [registry.load(name)]
        for benchmark in [read_benchmark(game)]
        for task in benchmark.tasks
        if (game.id, task.name) not in card.outcomes
    ]
    for game, opponent, task in track(missing, "tasks", console=Console(stderr=True, emoji=False), transient=True):
        agent, setup = card.head.agents[game.name], GameSetup.of(game, task.options)
        card.outcomes[game.id, task.name] = play_task(setup, agent, opponent, task.seeds[:blocks])
        keep(card)


def scores_of(card: ResultCard) -> dict[TaskKey, NDArray[np.float64]]:
    """Return the scores of each task's blocks. Raises ValueError for a task that there is not, or without references.

    Tasks follow in the order of the games and of their files.
    """
    scores = {}
    for name in card.head.agents:
        game = registry.load(name)
        for task in read_benchmark(game).tasks:
            if outcome := card.outcomes.get((game.id, task.name)):
                scores[game.id, task.name] = normalise(outcome.shares, references_of(game, task))
    if strange := sorted(set(card.outcomes) - set(scores)):
        raise ValueError(
            f"expected tasks of this version, got {', '.join(map(' '.join, strange))}; play the card again"
        )
    return scores


def references_of(game: Game, task: Task) -> Mapping[str, float]:
    """Return the references of a task. Raises ValueError where they have not been measured."""
    if not task.references:
        raise ValueError(f"expected references of {game.name}, {task.name}; measure them with --references")
    return task.references


def measure_references(game: Game, benchmark: Benchmark, kept: KeptUnits | None = None) -> dict[str, dict[str, float]]:
    """Return the shares of wins of `random` and of the best published agent in each task, by name.

    Where the best one is the opponent itself, it wins a fair share among its copies.
    """
    kept = kept or KeptUnits()
    return {task.name: kept.result(task.name, _references, game, benchmark, task) for task in benchmark.tasks}


def _references(game: Game, benchmark: Benchmark, task: Task) -> dict[str, float]:
    """Return the references of one task."""
    setup = GameSetup.of(game, task.options)

    def share(agent: str) -> float:
        return float(play_task(setup, agent, benchmark.opponent, task.seeds).shares.mean())

    best = 1 / setup.sides if benchmark.best == benchmark.opponent else share(benchmark.best)
    return {"random": round(share("random"), 4), "best": round(best, 4)}


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    names: Annotated[tuple[str, ...], typer.Argument()]
    """Agent of all games, `best`, or GAME=AGENT for each."""
    label: str = ""
    """Name of the card; left out, the agents' names."""
    knowledge: Annotated[str, typer.Option(help=f"Expert knowledge of the agent: {', '.join(KNOWLEDGE)}.")] = "none"
    budget: Annotated[str, typer.Option(help=f"Budget of its training: {', '.join(BUDGETS)}.")] = "open"
    blocks: Annotated[int | None, Bounds(2)] = None
    """Blocks of each task; left out, a whole card."""
    out: Path | None = None
    """Also keep the card: a .json file, from which a run continues."""
    references: Annotated[bool, typer.Option("--references")] = False
    """Measure the references 0 and 100 instead."""


@from_dataclasses
def main(args: Arguments) -> None:
    """Play the tasks of the benchmark and print normalised scores."""
    out, blocks = args.out, args.blocks
    with user_errors():
        if args.knowledge not in KNOWLEDGE or args.budget not in BUDGETS:
            said = f"expected --knowledge {' or '.join(KNOWLEDGE)} and --budget {' or '.join(BUDGETS)}"
            raise ValueError(f"{said}, got {args.knowledge!r} and {args.budget!r}")
        chosen = read_agents(args.names)
        head = head_of(chosen, args.label, args.knowledge, args.budget)
        if out is not None and (out.suffix != ".json" or blocks is not None):
            raise ValueError(f"expected a file .json for a whole card, without --blocks, got {out}")
        if out is not None:
            lock_file(out)
        card = begin_card(head, out)
    if args.references:
        write_references(chosen)
        return
    with interruptible(out is not None) as stop, user_errors((agents.AgentFailed,), way_on(out is not None)):

        def keep(played: ResultCard) -> None:
            if out is not None:
                write_card(out, played)
            stop.check()

        play_card(card, blocks, keep)
    with user_errors():
        show(card, blocks)


def write_references(chosen: Mapping[str, str]) -> None:
    """Measure the references of these games and write their files."""
    for name in chosen:
        game = registry.load(name)
        benchmark, path = read_benchmark(game), Path(game.metadata.folder, REFERENCES)
        made = {agent: fingerprint(agent, game) for agent in ("random", benchmark.best, benchmark.opponent)}
        with user_errors():
            journal = journal_for(path, "the references measured so far", {"game": game.id, "made": made})
        with going_on(journal):
            command = f"python -m titan_env.evaluation.benchmark.benchmark {name}=best --references"
            text = f"# Shares of wins, written by `{command}`.\n"
            text += tomli_w.dumps(measure_references(game, benchmark, KeptUnits(journal)))
            write_atomically(path, text)


def show(card: ResultCard, blocks: int | None) -> None:
    """Print the card: each task's score, and the means over tasks."""
    scores, lines = scores_of(card), []
    for (game, task), samples in scores.items():
        outcome = card.outcomes[game, task]
        known = estimate([samples])
        share = f"{outcome.shares.mean():.1%}"
        lines.append([game, task, str(known), share, f"{len(samples):,}", f"{outcome.milliseconds:.3f}"])
    title = f"{card.head.label}: 0 is random, 100 the best published agent; 95 % intervals"
    if blocks is not None:
        title += f"\n{blocks} blocks of each task: no card to publish"
    tables.console().print(
        tables.grid(title, ["game", "task", "score", "wins alone", "blocks", "ms a decision"], lines)
    )
    for said, known in aggregates(list(scores.values())):
        typer.echo(f"{said}: {known}")
    typer.echo(f"tracks: expert's knowledge {card.head.knowledge}, training {card.head.budget}, answers {card.time}")


def aggregates(samples: Sequence[NDArray[np.float64]]) -> Iterator[tuple[str, Estimate]]:
    """Yield the mean and the interquartile mean over tasks, from the scores of each task's blocks."""
    yield "mean over tasks", estimate(samples)
    yield "interquartile mean over tasks", estimate(samples, interquartile_mean)


if __name__ == "__main__":
    typer.run(main)
