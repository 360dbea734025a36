"""Train a racer in about three minutes, race it, and save pictures of it::

    python -m titan_env.training.demo --minutes 3

`titan_env.training.ppo` learns by self-play on thousands of games at once, with the greedy agent in some of the seats;
the expert's score of each action is an input of the network, which learns to correct it. Then the trained agent plays
itself as it was before, the greedy and the random one, and the learning curve and one race are saved.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import torch
import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from titan_env import agents, registry
from titan_env.cli.console import THREADS, training_bar, user_errors
from titan_env.cli.replay import export
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.match import win_rates
from titan_env.records.atomic_files import ensure_absent, lock_folder
from titan_env.records.session import GameSession
from titan_env.training.curves import RunLog, curves_of, draw
from titan_env.training.export_policy import save_policy
from titan_env.training.network import network_agent
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config
from titan_env.training.run_folder import POLICY

CURVE_EVERY = 15.0  # seconds of learning
SEATS = 4
AGAINST = "greedy"
CONFIG = Config(
    vary={"titans": [SEATS]},
    scripted=(AGAINST,),
    num_envs=512,
    snapshot_every=500_000,
)
"""Self-play with some greedy opponents; `main` adds the game's adviser."""
MADE = {
    "the agent": POLICY,
    "how it learned": "learning_curve.png",
    "a race, to step through": "race.html",
    "the race as an animation": "race.gif",
    "the race as a record": "race.jsonl",
}
"""Description -> file in the folder of results."""


def train(trainer: Trainer, progress: Progress) -> RunLog:
    """Train until the time is up; return evaluations of the untrained network and then every `CURVE_EVERY` seconds."""
    log = RunLog(asdict(trainer.config), minutes=[], decisions=[], wins=[])
    bar = progress.add_task("training", total=1.0, told="")
    _evaluate(trainer, log)
    while trainer.done < 1:
        trainer.iterate()
        if trainer.seconds > CURVE_EVERY * len(log.wins) or trainer.done >= 1:
            _evaluate(trainer, log)
        told = f"{trainer.decisions:,} decisions, wins {log.wins[-1]:.0%} against {AGAINST}"
        progress.update(bar, completed=trainer.done, told=told)
    return log


def _evaluate(trainer: Trainer, log: RunLog) -> None:
    """Play the network against `AGAINST` and add the result to a log."""
    log.minutes.append(trainer.seconds / 60)
    log.decisions.append(trainer.decisions)
    log.wins.append(trainer.wins_against(AGAINST).rate)


def compare(game: Game, players: dict[str, agents.Agent], races: int, seed: int, console: Console) -> None:
    """Play each pair of agents at tables of four, two seats each, and print their shares of wins."""
    table = Table(title=f"{races} races a pair, {SEATS} Titans, two seats each: equal agents win 50 % (95 % intervals)")
    for heading in ("agent", "against", "wins"):
        table.add_column(heading)
    for one, other in itertools.combinations(players, 2):
        pair = {one: players[one], other: players[other]}
        shares = win_rates(game, pair, races, seed, titans=SEATS)
        table.add_row(one, other, str(shares[one]))
    console.print(table)


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
    minutes: Annotated[float, typer.Option(min=0.01, help="how long to train")] = 3.0,
    races: Annotated[int, typer.Option(min=2, help="races for each pair of agents")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="seed of training, races and pictures")] = 0,
    out: Annotated[Path | None, typer.Option(help="a new folder for the results; runs/demo, or the next")] = None,
) -> None:
    """Train a racer, race it against the reference agents, and save pictures of it."""
    torch.set_num_threads(THREADS)
    console = Console(emoji=False)
    game = registry.load("titan_race")
    with user_errors():
        out = new_folder() if out is None else out
        for name in MADE.values():
            ensure_absent(out / name)
        lock_folder(out)
        trainer = Trainer(game, replace(CONFIG, adviser=game.metadata.adviser, minutes=minutes, seed=seed), out)
    with training_bar() as progress:
        log = train(trainer, progress)
    facts = {"script": "titan_env.training.demo", "minutes": minutes, "seed": seed, "decisions": trainer.decisions}
    save_policy(out / POLICY, trainer.network, game, facts)
    names = (AGAINST, "random")
    players = {"trained": network_agent(trainer.network), "untrained": network_agent(trainer.past(0))}
    players |= {name: agents.load(name, game) for name in names}
    console.print(f"Learned from {trainer.decisions:,} decisions in {minutes:g} minutes.")
    compare(game, players, races, seed, console)
    draw(curves_of([log], "minutes"), AGAINST, "minutes", out / "learning_curve.png")
    save_race(game, {name: players[name] for name in ("trained", AGAINST)}, seed, out)
    for what, name in MADE.items():
        console.print(f"{what:>26}: {out / name}")


if __name__ == "__main__":
    typer.run(main)
