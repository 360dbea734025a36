"""Train a racer from nothing in about four minutes, race it, and save pictures of it::

    python -m titan_env.training.demo

`titan_env.training.ppo` learns by self-play on a thousand games at once, with the greedy agent and an earlier self in
some of the seats; nobody advises it. Then the trained agent plays itself as it was before, the greedy and the random
one, and the learning curve and one race are saved. The budget is counted in decisions, so that a slow machine takes
longer and learns as much, up to the limit of time.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, NamedTuple

from titan_env import agents, registry
from titan_env.cli.console import Stop, training_bar, user_errors
from titan_env.cli.replay import export
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark.scores import Estimate
from titan_env.evaluation.matches.match import Proportion, win_rates
from titan_env.extras import extra
from titan_env.records.atomic_files import ensure_absent, lock_folder
from titan_env.records.session import GameSession
from titan_env.training.curves import Curve, RunLog, draw
from titan_env.training.export_policy import save_policy
from titan_env.training.network import network_agent
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config
from titan_env.training.run_folder import POLICY

with extra("training"):
    import torch
    import typer
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

SEATS = 4
AGAINST = "greedy"
CONFIG = Config(
    vary={"titans": [SEATS]},
    scripted=(AGAINST,),
    total_timesteps=13_000_000,
    num_envs=1024,
    num_steps=32,
    width=64,
    update_epochs=2,
    learning_rate=2e-3,
    minibatch_size=2048,
    ent_coef=0.02,
    others=0.5,
    past_selves=1,
    snapshot_every=500_000,
)
"""Self-play without an adviser; a small network, of which a processor learns quickly."""
THREADS = 1
"""Threads of the network: two, which wait for each other, learn at a third of the speed when something else runs."""
EVALUATIONS = 16
"""After the first one, of the untrained network; they lie closer at the beginning, when most is learned."""
MADE = {
    "the agent": POLICY,
    "how it learned": "learning_curve.png",
    "a race, to step through": "race.html",
    "the race as an animation": "race.gif",
    "the race as a record": "race.jsonl",
}
"""Description -> file in the folder of results."""


class Evaluation(NamedTuple):
    """The share of wins of the network after so many decisions and minutes of learning."""

    decisions: int
    minutes: float
    wins: Proportion


def train(trainer: Trainer, minutes: float, progress: Progress, stop: Stop) -> list[Evaluation]:
    """Train until the decisions are taken, the minutes are over or a stop is asked for; return the evaluations."""
    ends = time.monotonic() + 60 * minutes
    bar = progress.add_task("training", total=1.0, text="")
    evaluations = [_evaluate(trainer)]
    while trainer.done < 1:
        trainer.iterate()
        if trainer.done >= (len(evaluations) / EVALUATIONS) ** 1.5:
            evaluations.append(_evaluate(trainer))
        text = f"{trainer.decisions:,} decisions, wins {evaluations[-1].wins.rate:.0%} against {AGAINST}"
        progress.update(bar, completed=trainer.done, text=text)
        if stop.asked or time.monotonic() > ends:
            break
    if evaluations[-1].decisions < trainer.decisions:
        evaluations.append(_evaluate(trainer))
    return evaluations


def _evaluate(trainer: Trainer) -> Evaluation:
    """Play the network against `AGAINST`."""
    return Evaluation(trainer.decisions, trainer.seconds / 60, trainer.wins_against(AGAINST))


def compare(
    game: Game, players: Mapping[str, agents.Agent], races: int, seed: int, console: Console
) -> dict[tuple[str, str], Proportion]:
    """Play each pair of agents at tables of four, two seats each; print and return the shares of the first of each."""
    table = Table(title=f"{races} races a pair, {SEATS} Titans, two seats each: equal agents win 50 % (95 % intervals)")
    for heading in ("agent", "against", "wins"):
        table.add_column(heading)
    shares = {}
    for one, other in itertools.combinations(players, 2):
        pair = {one: players[one], other: players[other]}
        shares[one, other] = win_rates(game, pair, races, seed, titans=SEATS)[one]
        table.add_row(one, other, str(shares[one, other]))
    console.print(table)
    return shares


def draw_curve(trainer: Trainer, evaluations: Sequence[Evaluation], random: float, path: Path) -> None:
    """Draw the evaluations, with a line at the share of wins of the random agent, 0 to 1."""
    decisions, minutes, wins = (list(column) for column in zip(*evaluations, strict=True))
    log = RunLog(asdict(trainer.config), minutes, decisions, [share.rate for share in wins])
    estimates = [Estimate(*(100 * part for part in (share.rate, *share.interval))) for share in wins]
    curve = Curve([log], log.progress("decisions"), estimates)
    title = f"From nothing, by self-play: {trainer.decisions:,} decisions in {minutes[-1]:.1f} minutes"
    levels = {f"{AGAINST}\n(equals)": 50.0, "random": 100 * random}
    draw([curve], AGAINST, "decisions", path, levels, title)


def save_race(game: Game, players: Mapping[str, agents.Agent], seed: int, out: Path) -> None:
    """Play one race with the players seated in rotation; save its record, a page and an animation."""
    names = [list(players)[seat % len(players)] for seat in range(SEATS)]
    race = GameSession(GameSetup.of(game, {"titans": SEATS}), seed, out / "race.jsonl", names)
    while not race.is_over:
        race.play(race.ask_agent(players[names[int(race.state.seat)]]))
    for kind in ("html", "gif"):
        export(out / "race.jsonl", out / f"race.{kind}")


def new_folder(usual: Path = Path("runs/demo")) -> Path:
    """Return the usual folder or, if it exists, the first free one of demo-2, demo-3, ..."""
    others = (usual.with_name(f"{usual.name}-{number}") for number in itertools.count(2))
    return next(path for path in itertools.chain([usual], others) if not path.exists())


def main(
    decisions: Annotated[int, typer.Option(min=1, help="Decisions to learn from.")] = CONFIG.total_timesteps,
    minutes: Annotated[float, typer.Option(min=0.01, help="Minutes after which training stops early.")] = 10.0,
    races: Annotated[int, typer.Option(min=2, help="Games per pair of agents.")] = 4000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of training, games and pictures.")] = 0,
    out: Annotated[Path | None, typer.Option(help="New folder for the results; runs/demo by default.")] = None,
) -> None:
    """Train a racer from nothing, race it against the reference agents, and save pictures of it."""
    torch.set_num_threads(THREADS)
    console = Console(emoji=False)
    game = registry.load("titan_race")
    with user_errors():
        out = new_folder() if out is None else out
        for name in MADE.values():
            ensure_absent(out / name)
        lock_folder(out)
        trainer = Trainer(game, replace(CONFIG, total_timesteps=decisions, seed=seed), out)
    console.print(f"Learning from nothing: {decisions:,} decisions of self-play, in {minutes:g} minutes at most.")
    stop = Stop("Stopping after this rollout; once more stops at once.\n")
    with stop.handling(), training_bar() as progress:
        evaluations = train(trainer, minutes, progress, stop)
    pace = f"{trainer.seconds / 60:.1f} minutes, {trainer.decisions / trainer.seconds:,.0f} a second"
    console.print(f"Learned from {trainer.decisions:,} decisions in {pace}.")
    if trainer.done < 1 and not stop.asked:
        console.print(f"It was stopped by the limit of {minutes:g} minutes; --minutes 60 gives a slow machine more.")
    facts = {"script": "titan_env.training.demo", "seed": seed, "decisions": trainer.decisions}
    save_policy(out / POLICY, trainer.network, game, facts | {"seconds": round(trainer.seconds)})
    if stop.asked:
        console.print(f"Stopped; the agent so far is in {out / POLICY}.")
        raise typer.Exit(128 + stop.asked)
    names = (AGAINST, "random")
    players = {"trained": network_agent(trainer.network), "untrained": network_agent(trainer.past(0))}
    players |= {name: agents.load(name, game) for name in names}
    shares = compare(game, players, races, seed, console)
    draw_curve(trainer, evaluations, 1 - shares[names].rate, out / "learning_curve.png")
    save_race(game, {name: players[name] for name in ("trained", AGAINST)}, seed, out)
    for what, name in MADE.items():
        console.print(f"{what:>26}: {out / name}")


if __name__ == "__main__":
    typer.run(main)
