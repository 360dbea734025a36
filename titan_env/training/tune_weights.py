"""Tune the weights of an agent that scores actions, in games against itself (SPSA)::

    python -m titan_env.training.tune_weights expert --game my_game --minutes 30 --out runs/tuned.json

Each iteration moves all weights at random a little up or down, plays a match between the weights so moved and those
moved the other way, and moves the weights towards the side that won, in proportion to its wins (Spall 1992,
"Multivariate Stochastic Approximation Using a Simultaneous Perturbation Gradient Approximation"; so are the
evaluations of chess engines tuned). Matches are duplicate play: each block has the seats exchanged. The weights so far
are written after every iteration; a run that was stopped goes on from its file. ``tuned:runs/tuned.json`` plays with
them, and is an agent to go on from with other weights or games.
"""

from __future__ import annotations

import fnmatch
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from titan_env import agents, registry
from titan_env.agents.name_grammar import quoted
from titan_env.agents.scorer import Scorer
from titan_env.agents.tuned import ENTRIES, FORMAT, TunedWeights, read_tuned
from titan_env.cli.console import FIXED, WHICH, check_table, user_errors
from titan_env.contract import Game
from titan_env.engine.option_text import read_tables
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.play.determinization import agent_rng
from titan_env.records.atomic_files import lock_file
from titan_env.records.sealed import read_json, reading, write_json
from titan_env.training.ppo_config import tables_of
from titan_env.training.run_folder import versions

SCRIPT = "titan_env.training.tune_weights"

GAIN_DECAY, STEP_DECAY = 0.602, 0.101
"""The powers of the iteration by which the gain and the step shrink (Spall 1998, "Implementation of the Simultaneous
Perturbation Algorithm for Stochastic Optimization")."""
STABILITY = 0.1
"""The share of the iterations that is added to the iteration, so that the first gains are not the largest by far."""
AVERAGED = 0.5
"""The share of the iterations, the last ones, whose weights are averaged: they wander about the best ones."""

Weights = dict[str, float]
Match = Callable[[Weights, Weights, int], float]
"""``match(one, other, iteration) -> lead``: the share of games that the first weights win, less that of the second."""


@dataclass(frozen=True)
class Config:
    """All settings on which the result depends; they are saved with it."""

    game: str
    agent: str
    vary: Mapping[str, Sequence[Any]]
    tuned: Sequence[str]
    iterations: int
    blocks: int
    step: float
    gain: float
    seed: int


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


def matches(game: Game, config: Config, tables: Sequence[Mapping[str, Any]]) -> Match:
    """Return the match of two sets of weights: `blocks` blocks of duplicate play, at each of the tables in turn."""
    base = base_of(game, config.agent)

    def match(one: Weights, other: Weights, k: int) -> float:
        players = [agents.load(tuned_from(base, weights).name, game) for weights in (one, other)]
        first = config.seed + k * config.blocks
        seeds = range(first, first + config.blocks)
        shares = play_blocks(game, players, seeds, **tables[k % len(tables)])
        return float((shares[..., 0] - shares[..., 1]).mean())

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


def main(
    agent: Annotated[str, typer.Argument(help="an agent that scores actions, such as greedy or expert")],
    out: Annotated[Path, typer.Option(help="a .json file for the weights; a run goes on from its own")],
    game: Annotated[str, typer.Option(help=WHICH)] = next(iter(registry.GAMES)),
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help=FIXED)] = None,
    vary: Annotated[list[str] | None, typer.Option(help="tables that take turns: name=value,value; repeatable")] = None,
    weight: Annotated[list[str] | None, typer.Option(help="weights to tune, by pattern; repeatable; none: all")] = None,
    iterations: Annotated[int, typer.Option(min=2, help="matches in all")] = 200,
    blocks: Annotated[int, typer.Option(min=1, help="blocks of each match")] = 64,
    step: Annotated[float, typer.Option(min=0.001, max=1, help="how far weights move for a match, as a share")] = 0.2,
    gain: Annotated[float, typer.Option(min=0.01, help="steps that a match won by all would move them")] = 2.0,
    seed: Annotated[int, typer.Option(min=0, help="seed of the first match")] = 0,
    minutes: Annotated[float, typer.Option(min=0, help="stop after so many; 0: at the end")] = 0,
) -> None:
    """Tune the weights of an agent that scores actions."""
    began = time.monotonic()
    with user_errors():
        loaded = check_table(game, [agent], [])
        begun = weights_of(loaded, agent, weight or [])
        varied = read_tables(vary or [], option or [])
        tables = tables_of(varied, {})
        config = Config(loaded.name, agent, varied, list(begun), iterations, blocks, step, gain, seed)
        lock_file(out)
        progress = read_progress(out, config, begun)
        base, match = base_of(loaded, agent), matches(loaded, config, tables)
    for done in iterate(config, begun, progress, match):
        tuned = write_progress(out, config, done, loaded, base)
        typer.echo(f"{len(done.leads)} of {iterations}: {tuned.name}", err=True)
        if minutes and time.monotonic() - began > 60 * minutes:
            break
    typer.echo(f"tuned:{quoted(str(out))}")


if __name__ == "__main__":
    typer.run(main)
