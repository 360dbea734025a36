"""Turn puzzles: positions in which the best probability of winning within the turn is known exactly::

    python -m titan_env.evaluation.puzzles.puzzles random greedy expert
    python -m titan_env.evaluation.puzzles.puzzles expert --make 200 --option titans=4 --file runs/puzzles.jsonl

The first command scores agents: each plays the turn of every puzzle through all answers of chance, and its loss is the
best probability less its own. That involves no luck, except in agents that draw; differences to the first agent are
paired, puzzle by puzzle. The second one makes puzzles from games among agents
(`titan_env.evaluation.puzzles.puzzle_making`; `titan_env.play.turn_solver` computes the values).
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from titan_env import agents
from titan_env.cli import tables
from titan_env.cli.console import check_table, interruptible, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameName, GameOptions, TableFile, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.validation import parse_checked_position
from titan_env.evaluation.matches.kept_units import KeptUnits, going_on, journal_for, settings_of
from titan_env.evaluation.matches.match import Z95
from titan_env.evaluation.puzzles.puzzle_files import Puzzle, read, write
from titan_env.evaluation.puzzles.puzzle_making import MOST_REACHED, found
from titan_env.extras import extra
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import agent_rng, batch_of
from titan_env.play.turn_solver import (
    ALIKE,
    DEEPEST,
    MOST_DECISIONS,
    TurnSolver,
)
from titan_env.records.atomic_files import ensure_absent, write_atomically
from titan_env.records.journal import journal_of, resume

with extra("evaluation"):
    import typer

LONG = 3
"""The number of decisions from which puzzles are counted together."""
LENGTHS = {1: "1 decision", 2: "2 decisions", LONG: "3 or more"}
"""The headings of the numbers of decisions."""


@dataclass(frozen=True)
class Score:
    """An agent's loss in each puzzle, float64 (puzzles,), and whether a sure win existed, bool (puzzles,)."""

    given_away: Any
    sure: Any

    @property
    def mean(self) -> float:
        """The mean loss."""
        return float(self.given_away.mean())

    @property
    def missed(self) -> float:
        """The share of the sure wins that the agent does not play with certainty."""
        return float((self.given_away[self.sure] > ALIKE).mean()) if self.sure.any() else 0.0


def score(game: Game, name: str, puzzles: Sequence[Puzzle], seed: int = 0) -> Score:
    """Return an agent's losses in the puzzles; it decides in all positions of one depth at once."""
    agent, rng = agents.load(name, game), agent_rng(seed)
    states = [parse_checked_position(game, puzzle.position)[0] for puzzle in puzzles]
    turns = [TurnSolver(game, state, MOST_REACHED, puzzle.whole) for puzzle, state in zip(puzzles, states, strict=True)]
    won, best = np.zeros(len(puzzles)), np.array([puzzle.best for puzzle in puzzles])
    open_ = [(number, 1.0, state) for number, state in enumerate(states)]
    for _ in range(DEEPEST):  # a turn without end wins nothing
        reached: dict[tuple[int, bytes], tuple[float, Any]] = {}  # paths to the same position are merged
        for (number, weight, state), action in zip(open_, _decisions(game, agent, open_, turns, rng), strict=True):
            ended, going, _ = turns[number].after(state, action)
            won[number] += weight * math.fsum(ended)
            for chance, after in going:
                key = (number, after.tobytes())
                reached[key] = reached.get(key, (0.0, None))[0] + weight * chance, after
        open_ = [(number, weight, state) for (number, _), (weight, state) in reached.items()]
    return Score(np.maximum(0.0, best - won), sure_of(puzzles))


def _losses(*asked: Any) -> list[float]:
    """Return the losses of `score` as JSON values."""
    return score(*asked).given_away.tolist()  # type: ignore[no-any-return]


def sure_of(puzzles: Sequence[Puzzle]) -> Any:
    """Return in which puzzles a sure win exists, bool (puzzles,)."""
    return np.array([puzzle.best for puzzle in puzzles]) > 1 - ALIKE


def _decisions(
    game: Game,
    agent: Any,
    open_: Sequence[tuple[int, float, Any]],
    turns: Sequence[TurnSolver],
    rng: np.random.Generator,
) -> list[int]:
    """Return an action for each position: the agent's for its own seat, the worst for it for other seats."""
    own = [i for i, (number, _, state) in enumerate(open_) if int(state.seat) == turns[number].seat]
    chosen = {}
    if own:
        states = np.array([open_[i][2] for i in own], game.rules.state).view(np.recarray)
        batch = batch_of(game, states, rng)
        actions = ask_in_batch(agent, batch, np.arange(len(own)), rng).actions
        chosen = dict(zip(own, (int(action) for action in actions), strict=True))
    for i, (number, _, state) in enumerate(open_):
        if i not in chosen:
            worths = turns[number].action_values(state)
            chosen[i] = min(worths, key=lambda action: worths[action])
    return [chosen[i] for i in range(len(open_))]


def table(scores: Mapping[str, Score], puzzles: Sequence[Puzzle]) -> tuple[list[str], list[list[str]]]:
    """Return the headings and lines of a table of scores as texts, the best first.

    Differences to the first agent are paired: of the losses in the same puzzle. With several counted numbers of
    decisions that matter there is a column for each, and one for 3 and more.
    """
    ranked = sorted(scores.items(), key=lambda one: one[1].mean)
    lengths = np.minimum([puzzle.decisions for puzzle in puzzles], LONG)
    shown = sorted(set(lengths.tolist()) - {0})
    shown = shown if len(shown) > 1 else []
    headings = ["agent", "gives away", "more than the first", *map(LENGTHS.__getitem__, shown), "sure wins missed"]
    lines = [
        [
            name,
            _mean_text(one.given_away),
            _mean_text(one.given_away - ranked[0][1].given_away) if i else "",
            *(f"{one.given_away[lengths == length].mean():.2%}" for length in shown),
            f"{one.missed:.1%} of {int(one.sure.sum())}",
        ]
        for i, (name, one) in enumerate(ranked)
    ]
    return headings, lines


def _mean_text(values: Any) -> str:
    """Return the mean of values (puzzles,) with half its 95 % interval, for other positions of such games, as text."""
    half_width = Z95 * values.std(ddof=1) / len(values) ** 0.5 if len(values) > 1 else 1.0
    return f"{values.mean():.2%} ±{half_width:.2%}"


def lengths_text(puzzles: Sequence[Puzzle]) -> str:
    """Return the share of the puzzles with each number of decisions that matter as text; "" if they are not counted."""
    counts = Counter(min(puzzle.decisions, LONG) for puzzle in puzzles)
    return ", ".join(f"{LENGTHS[length]} in {counts[length]}" for length in sorted(counts) if length)


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    names: Annotated[tuple[str, ...], typer.Argument()]
    """Agents to score, or to play the games that puzzles come from."""
    game: GameName = DEFAULT_GAME
    file: Path | None = None
    """File of the puzzles; otherwise those published for the game."""
    make: Annotated[int, Bounds(0)] = 0
    """Number of puzzles to make, into a new --file; 0: score agents."""
    most: Annotated[int, Bounds(1)] = MOST_DECISIONS
    """With --make: longest list of a turn's decisions."""
    margin: Annotated[float, Bounds(ALIKE, 1)] = ALIKE
    """With --make: least loss of every action that is not best."""
    confirm: Annotated[int, Bounds(0)] = 0
    """With --make: games after each action that must confirm it."""
    whole: Annotated[bool, typer.Option("--whole")] = False
    """With --make: list the rest of the game."""
    decisions: Annotated[int, Bounds(1)] = 1
    """With --make: fewest decisions that matter in best play."""
    option: Annotated[
        GameOptions, typer.Option("--option", "-o", help="Option of the game, with --make: name=value.")
    ] = field(default_factory=dict)
    first: Annotated[int, Bounds(0)] = 0
    """Number of the file's first puzzles to score by; 0: all."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the games, or of agents that draw."""
    out: TableFile = None


@from_dataclasses
@user_errors()
def main(args: Arguments) -> None:
    """Score agents by their losses in turns whose best play is known, or make such turns."""
    names, make, seed = args.names, args.make, args.seed
    loaded, console = check_table(args.game, names, []), tables.console()
    path = Path(loaded.metadata.folder) / "puzzles.jsonl" if args.file is None else args.file
    if make:
        limits = {name: getattr(args, name) for name in ("most", "margin", "confirm", "whole", "decisions")}
        GameSetup.of(loaded, args.option).check_agents()
        ensure_absent(path)
        made: dict[str, Any] = {"options": args.option, "agents": list(names), "seed": seed, **limits}
        journal = resume(journal_of(path), "the puzzles found so far", {"game": loaded.id, **made})
        before = {line["puzzle"]["id"]: line["games"] for line in journal.lines}
        with interruptible(True, journal), console.status("") as status:
            search = found(loaded, names, seed, args.option, **limits, before=before)
            while len(journal.lines) < make:
                puzzle, number = next(search)
                journal.add({"games": number, "puzzle": asdict(puzzle)})
                status.update(f"{len(journal.lines)} of {make} puzzles")
        write(path, loaded, [Puzzle(**line["puzzle"]) for line in journal.lines[:make]], made)
        journal.path.unlink()
        console.print(f"{make} puzzles: {path}")
        return
    made_for, puzzles = read(path, args.first or None)
    if made_for.id != loaded.id:
        raise ValueError(f"expected puzzles of {loaded.id}, got {made_for.id} in {path}; pass --game")
    asked = {**settings_of(args, loaded, names), "file": hashlib.sha256(path.read_bytes()).hexdigest()}
    scored = journal_for(args.out, "the losses of these agents", asked)
    with going_on(scored):
        kept = KeptUnits(scored)
        lost = {name: kept.result(name, _losses, loaded, name, puzzles, seed) for name in names}
        headings, lines = table({name: Score(np.array(each), sure_of(puzzles)) for name, each in lost.items()}, puzzles)
        best = np.mean([puzzle.best for puzzle in puzzles])
        title = (
            f"{len(puzzles)} turns of {loaded.id}; the best play wins {best:.1%} of them on average (95 % intervals)"
        )
        if lengths := lengths_text(puzzles):
            title += f"; decisions that matter: {lengths}"
        console.print(tables.grid(title, headings, lines))
        if args.out is not None:
            write_atomically(args.out, f"{title}:\n\n{tables.markdown(headings, lines)}")


if __name__ == "__main__":
    typer.run(main)
