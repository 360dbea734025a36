"""Tune the weights of an agent that scores actions, in games against itself (SPSA)::

    python -m titan_env.training.tune_weights expert --game my_game --minutes 30 --out runs/tuned.json

Each iteration perturbs all weights at random and plays a match against the opposite perturbation. It then moves the
weights towards the winner, in proportion to its wins, as chess engines are tuned (Spall 1992, "Multivariate Stochastic
Approximation Using a Simultaneous Perturbation Gradient Approximation"). With ``--against`` both also play
other agents, so that the weights do not fit one opponent alone. Matches are duplicate play: each block has the seats
exchanged. The weights so far are written after every iteration; a run that was stopped goes on from its file.
``tuned:runs/tuned.json`` plays with them, and is an agent to go on from with other weights or games.
"""

from __future__ import annotations

import fnmatch
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated

import numpy as np

from titan_env import agents
from titan_env.agents.name_grammar import quoted
from titan_env.agents.scorer import Scorer
from titan_env.agents.tuned import ENTRIES, FORMAT, TunedWeights, read_tuned
from titan_env.cli.console import check_table, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, Choices, GameName, GameOptions, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.option_text import with_fixed
from titan_env.evaluation.matches.blocks import play
from titan_env.extras import extra
from titan_env.play.determinization import agent_rng
from titan_env.records.atomic_files import lock_file
from titan_env.records.sealed import read_json, reading, write_json
from titan_env.training.ppo_config import tables_of
from titan_env.training.run_folder import versions

with extra("training"):
    import typer
    from typer import Argument, Option

SCRIPT = "titan_env.training.tune_weights"

GAIN_DECAY, STEP_DECAY = 0.602, 0.101
"""The powers of the iteration by which the gain and the step shrink (Spall 1998, "Implementation of the Simultaneous
Perturbation Algorithm for Stochastic Optimization")."""
STABILITY = 0.1
"""The share of the iterations that is added to the iteration, so that the first gains are not the largest by far."""
AVERAGED = 0.5
"""The share of the iterations, the last ones, whose weights are averaged: they wander about the best ones."""
_ORDERS = 2
"""The games of a block: each side of the match in each seat."""

Weights = dict[str, float]
Match = Callable[[Weights, Weights, int], float]
"""``match(one, other, iteration) -> lead``: the share of games that the first weights win, less that of the second."""


@dataclass(frozen=True)
class Config:
    """All settings on which the result depends; they are saved with it."""

    agent: Annotated[str, Argument()]
    """Agent that scores actions, such as greedy or expert."""
    game: GameName = DEFAULT_GAME
    vary: Choices = field(default_factory=dict)
    tuned: Annotated[tuple[str, ...], Option("--weight")] = ()
    """Weights to tune, by pattern; repeatable; none: all."""
    iterations: Annotated[int, Bounds(2)] = 200
    """Number of matches."""
    blocks: Annotated[int, Bounds(1)] = 64
    """Blocks of each match."""
    step: Annotated[float, Bounds(0.001, 1)] = 0.2
    """Change of the weights for a match, as a share of them."""
    gain: Annotated[float, Bounds(0.01)] = 2.0
    """Steps by which a match won by all would move the weights."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the first match."""
    against: Annotated[tuple[str, ...], Option("--against")] = ()
    """Agents that both perturbations also play, in as many blocks each; repeatable."""


@dataclass(frozen=True)
class Arguments:
    """The options beside the config."""

    out: Path
    """A .json file for the weights; a run continues from its own."""
    option: GameOptions = field(default_factory=dict)
    minutes: Annotated[float, Bounds(0)] = 0.0
    """Limit of the time in minutes; 0: none."""


@dataclass
class Progress:
    """The weights of the latest iteration, their sum over those that are averaged, and the leads of all matches.

    `seconds` are those of the processor.
    """

    weights: Weights
    total: Weights
    leads: list[float]
    seconds: float = 0.0

    @classmethod
    def begin(cls, weights: Mapping[str, float]) -> Progress:
        """Return the progress before the first iteration."""
        return cls(dict(weights), dict.fromkeys(weights, 0.0), [])

    def averaged(self, config: Config) -> Weights:
        """Return the mean weights of the iterations that are averaged so far; the latest ones if there are none."""
        counted = len(self.leads) - _first_averaged(config)
        return {name: self.total[name] / counted for name in self.total} if counted > 0 else dict(self.weights)


def _first_averaged(config: Config) -> int:
    """Return the first iteration whose weights are averaged."""
    return round(config.iterations * (1 - AVERAGED))


def iterate(config: Config, begun: Mapping[str, float], progress: Progress, match: Match) -> Iterator[Progress]:
    """Yield the progress after each iteration that is left, in place; `begun` are the weights before the first one.

    A weight moves in steps of the share `step` of what it was, or of 1 where it was 0.
    """
    for k in range(len(progress.leads), config.iterations):
        signs = dict(zip(config.tuned, agent_rng(config.seed, k).choice((-1, 1), len(config.tuned)), strict=True))
        shrunk = config.step / (k + 1) ** STEP_DECAY
        moves = {name: signs[name] * shrunk * (abs(begun[name]) or 1.0) for name in config.tuned}
        up, down = ({name: progress.weights[name] + way * moves[name] for name in moves} for way in (1, -1))
        began = time.process_time()
        lead = match(up, down, k)
        progress.seconds += time.process_time() - began
        settled = STABILITY * config.iterations
        gain = config.gain * ((settled + 1) / (settled + k + 1)) ** GAIN_DECAY
        for name, move in moves.items():
            progress.weights[name] += gain * lead * move
            progress.total[name] += progress.weights[name] if k >= _first_averaged(config) else 0.0
        progress.leads.append(lead)
        yield progress


def base_of(game: Game, agent: str) -> TunedWeights:
    """Return the kind of an agent, its weights that are changed already, and the run that changed them, if any."""
    kind, changed = agents.parse(agent, game)
    if kind != "tuned":
        return TunedWeights(kind, changed, {})
    before = read_tuned(changed.pop("path"), game)
    return TunedWeights(before.agent, {**before.weights, **changed}, before.made)


def tuned_from(base: TunedWeights, weights: Mapping[str, float]) -> TunedWeights:
    """Return an agent with these weights changed, to six digits."""
    return replace(base, weights={**base.weights, **{name: float(f"{value:.6g}") for name, value in weights.items()}})


def matches(game: Game, config: Config, setups: Sequence[GameSetup]) -> Match:
    """Return the match of two sets of weights: `blocks` blocks of duplicate play, at each of the tables in turn.

    With `against` the lead is the mean of that in this match and of those with which one set leads the other in matches
    against each of these agents, on the same seeds.
    """
    base = base_of(game, config.agent)
    others = [agents.load(name, game) for name in config.against]
    pairs = [(0, 1), *((side, 2 + other) for other in range(len(others)) for side in (0, 1))]

    def match(one: Weights, other: Weights, k: int) -> float:
        players = [*(agents.load(tuned_from(base, weights).name, game) for weights in (one, other)), *others]
        first = config.seed + k * config.blocks
        seeds = [*range(first, first + config.blocks)] * len(pairs)
        lineups = np.repeat(pairs, config.blocks, axis=0)
        shares = play(setups[k % len(setups)], players, lineups, seeds, _ORDERS).shares
        leads = (shares[..., 0] - shares[..., 1]).reshape(len(pairs), -1).mean(axis=1)
        return float((leads[0] + leads[1::2].sum() - leads[2::2].sum()) / (1 + len(others)))

    return match


def weights_of(game: Game, agent: str, chosen: Sequence[str]) -> Weights:
    """Return the weights of an agent that are to be tuned, all by default.

    Raises ValueError for an agent without weights, or a name that is none of them.
    """
    scorer = agents.load(agent, game)
    if not isinstance(scorer, Scorer):
        raise ValueError(f"expected an agent that scores actions by weights, such as greedy or expert, got {agent}")
    if unknown := [pattern for pattern in chosen if not fnmatch.filter(scorer.weights, pattern)]:
        raise ValueError(f"expected weights among {', '.join(scorer.weights)}, got {', '.join(unknown)}")
    wanted = {name for pattern in chosen or "*" for name in fnmatch.filter(scorer.weights, pattern)}
    return {name: float(weight) for name, weight in scorer.weights.items() if name in wanted}


def read_progress(out: Path, config: Config, begun: Mapping[str, float]) -> Progress:
    """Return the progress that is kept in a file, that before the first iteration if there is none.

    Raises ValueError for the file of another run, or one that is damaged.
    """
    if not out.exists():
        return Progress.begin(begun)
    with reading("the file of a run", out, "name another file"):
        kept = read_json(out, FORMAT, ENTRIES)
        same = kept["made"]["config"] == json.loads(json.dumps(asdict(config)))
        progress = Progress(**kept["progress"])
    if not same:
        raise ValueError(f"expected the settings with which the run in {out} began, got others; name another file")
    return progress


def write_progress(out: Path, config: Config, progress: Progress, game: Game, base: TunedWeights) -> TunedWeights:
    """Write the weights tuned from `base`, the run that found them and its progress; return what is written."""
    facts = {"script": SCRIPT, "seconds": round(progress.seconds), "versions": versions(), "config": asdict(config)}
    made = {**facts, **({"before": base.made} if base.made else {})}
    tuned = replace(tuned_from(base, progress.averaged(config)), made=made)
    document = {"game": game.id, **asdict(tuned), "progress": asdict(progress)}
    write_json(out, document, FORMAT, ENTRIES, indent=1)
    return tuned


@from_dataclasses
def main(config: Config, args: Arguments) -> None:
    """Tune the weights of an agent that scores actions."""
    began, out = time.monotonic(), args.out
    with user_errors():
        loaded = check_table(config.game, [config.agent, *config.against], [])
        begun = weights_of(loaded, config.agent, config.tuned)
        varied = with_fixed(config.vary, args.option)
        config = replace(config, game=loaded.name, vary=varied, tuned=tuple(begun))
        setups = [GameSetup.of(loaded, options) for options in tables_of(varied)]
        lock_file(out)
        progress = read_progress(out, config, begun)
        base, match = base_of(loaded, config.agent), matches(loaded, config, setups)
    for done in iterate(config, begun, progress, match):
        tuned = write_progress(out, config, done, loaded, base)
        print(f"{len(done.leads)} of {config.iterations}: {tuned.name}", file=sys.stderr)
        if args.minutes and time.monotonic() - began > 60 * args.minutes:
            break
    print(f"tuned:{quoted(str(out))}")


if __name__ == "__main__":
    typer.run(main)
