"""Train a racer in about three minutes, race it, and look at it::

    python -m titan_env.training.demo --minutes 3

MaskablePPO (sb3-contrib) learns on many games at once in one process, from its own decision to its
own next one, against two greedy opponents and a random one. Then it plays the greedy and the random
agent, and the learning curve and one race are saved to look at.
"""

from __future__ import annotations

import itertools
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from titan_env import agents, registry
from titan_env.agents.match import win_shares
from titan_env.cli.replay import export
from titan_env.cli.seating import Seating
from titan_env.contract import Game
from titan_env.envs.sb3 import GameVecEnv
from titan_env.envs.shaping import Potential
from titan_env.records.files import expect_new, hold, make_whole
from titan_env.training.commands import training_bar, user_errors
from titan_env.training.sb3_maskable_ppo import as_agent, save_model

GAMES_AT_ONCE = 256
STEPS = 32
DISCOUNT = 0.995
LATEST_GAMES = 2000
CURVE_EVERY = 5.0  # seconds
SEATS = 4
SHAPING = {
    "titan_to_go": [-1.5, 0, 0, 0, 0, 0],
    "titan_lead": [0, -0.3, -0.3, -0.3, 0, 0],
    "titan_life": [0.45, 0, 0, 0, 0, 0],
}
"""What looks promising: little left to go, ahead of the others, alive."""
MADE = {
    "the agent": "policy.zip",
    "the agent, to play with": "policy.onnx",
    "how it learned": "learning_curve.png",
    "a race, to step through": "race.html",
    "the race as an animation": "race.gif",
    "the race as a record": "race.jsonl",
}
"""What lies in the folder afterwards."""


class ShapedVecEnv(VecEnvWrapper):
    """A `GameVecEnv` with potential-based rewards on the way, which do not change which play is best."""

    def __init__(self, venv: GameVecEnv, potential: Potential, discount: float) -> None:
        super().__init__(venv)
        self._potential, self._discount = potential, discount
        self._before: NDArray[np.float32] = np.zeros(venv.num_envs, np.float32)

    def reset(self) -> Any:
        """Begin new games."""
        observations: Any = self.venv.reset()
        self._before = self._potential(observations)
        return observations

    def step_wait(self) -> VecEnvStepReturn:
        """One decision of every learner; the potential is 0 where a game has ended, but not where it was cut off."""
        observations, rewards, finished, infos = self.venv.step_wait()
        after = self._potential(observations)  # type: ignore[arg-type]
        reached = np.where(finished, 0, after)
        for row in np.flatnonzero(finished):
            if infos[row]["TimeLimit.truncated"]:
                reached[row] = self._potential(infos[row]["terminal_observation"][None])[0]
        rewards = rewards + self._discount * reached - self._before
        self._before = after
        return observations, rewards, finished, infos


class Trainer(BaseCallback):
    """Stops when the time is up, moves the progress bar, and keeps the learning curve."""

    def __init__(self, seconds: float, progress: Progress) -> None:
        super().__init__()
        self.curve: list[tuple[float, int, float]] = []
        """Seconds, decisions, and the share of the latest races that was won."""
        self._seconds, self._progress = seconds, progress
        self._bar = progress.add_task("training", total=seconds, told="")
        self._won: deque[bool] = deque(maxlen=LATEST_GAMES)
        self._began = self._latest = time.monotonic()

    def _on_step(self) -> bool:
        """Look at the clock after every step of all games."""
        self._won.extend(info["episode"]["r"] > 0 for info in self.locals["infos"] if "episode" in info)
        now = time.monotonic()
        if now - self._latest > CURVE_EVERY and self._won:
            self._latest = now
            won = float(np.mean(self._won))
            self.curve.append((now - self._began, self.num_timesteps, won))
            told = f"{self.num_timesteps:,} decisions, wins {won:.0%}"
            self._progress.update(self._bar, completed=now - self._began, told=told)
        return now - self._began < self._seconds


def train(game: Game, seconds: float, seed: int, progress: Progress) -> tuple[MaskablePPO, Trainer]:
    """Train MaskablePPO on a game for a time; the model, and the trainer with its learning curve."""
    greedy, uniform = agents.load("greedy", game), agents.load("random", game)
    games = GameVecEnv(game, GAMES_AT_ONCE, opponents=[greedy, greedy, uniform], titans=SEATS)
    games.seed(seed)
    shaped = ShapedVecEnv(games, Potential(game.fields, SHAPING), DISCOUNT)
    model = MaskablePPO(
        "MlpPolicy",
        shaped,
        n_steps=STEPS,
        batch_size=2048,
        n_epochs=3,
        gamma=DISCOUNT,
        ent_coef=0.005,
        learning_rate=1e-3,
        seed=seed,
        policy_kwargs={"net_arch": [256, 128]},
    )
    trainer = Trainer(seconds, progress)
    model.learn(total_timesteps=10**12, callback=trainer)
    return model, trainer


def compare(game: Game, players: dict[str, agents.Agent], races: int, seed: int, console: Console) -> None:
    """Each pair of agents at tables of four, two seats each, and print how often each wins."""
    table = Table(title=f"{races} races a pair, {SEATS} Titans, two seats each: equal agents win 50 % (95 % intervals)")
    for heading in ("agent", "against", "wins"):
        table.add_column(heading)
    for one, other in itertools.combinations(players, 2):
        pair = {one: players[one], other: players[other]}
        shares = win_shares(game, pair, races, seed, titans=SEATS)
        table.add_row(one, other, str(shares[one]))
    console.print(table)


def save_curve(curve: list[tuple[float, int, float]], path: Path) -> None:
    """The learning curve as a picture: races won against decisions taken."""
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([decisions for _, decisions, _ in curve], [won for _, _, won in curve])
    axes.axhline(1 / SEATS, linestyle=":", color="grey")
    axes.text(0, 1 / SEATS, " chance", va="bottom", color="grey")
    axes.set(xlabel="decisions of the learner", ylabel=f"races won, latest {LATEST_GAMES}", ylim=(0, 1))
    axes.set_title("MaskablePPO against greedy, greedy and random", loc="left")
    figure.savefig(path, dpi=110)


def save_race(game: Game, players: Mapping[str, agents.Agent], seed: int, out: Path) -> None:
    """One race among players who sit in turn: its record, a page and an animation of it."""
    names = [list(players)[seat % len(players)] for seat in range(SEATS)]
    race = Seating(game, seed, {"titans": SEATS}, out / "race.jsonl", names)
    while not race.is_over:
        race.play(race.let_act(players[names[int(race.state.seat)]]))
    for kind in ("html", "gif"):
        export(out / "race.jsonl", out / f"race.{kind}")


def new_folder(usual: Path = Path("runs/demo")) -> Path:
    """The usual folder, or where it is taken demo-2, demo-3 and so on beside it."""
    others = (usual.with_name(f"{usual.name}-{number}") for number in itertools.count(2))
    return next(path for path in itertools.chain([usual], others) if not path.exists())


def main(
    minutes: Annotated[float, typer.Option(min=0, help="how long to train")] = 3.0,
    races: Annotated[int, typer.Option(min=2, help="races for each pair of agents")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="seed of training, races and pictures")] = 0,
    out: Annotated[Path | None, typer.Option(help="a new folder for the results; runs/demo, or the next")] = None,
) -> None:
    """Train a racer, race it against the reference agents, and save what there is to see."""
    torch.set_num_threads(1)  # small networks gain nothing from more, and lose much on a busy machine
    console = Console()
    game = registry.load("titan_race")
    with user_errors():
        out = new_folder() if out is None else out
        for name in MADE.values():
            expect_new(out / name)
        hold(out)
    with training_bar() as progress:
        model, trainer = train(game, 60 * minutes, seed, progress)
    make_whole(out / "policy.zip", model.save)
    facts = {"script": "titan_env.training.demo", "minutes": minutes, "seed": seed, "decisions": model.num_timesteps}
    besides = Potential(game.fields, SHAPING)(np.eye(game.fields.size, dtype=np.float32))
    save_model(out / "policy.onnx", model, game, facts, besides)
    players = {"trained": as_agent(model), "greedy": agents.load("greedy", game), "random": agents.load("random", game)}
    console.print(f"Learned from {model.num_timesteps:,} decisions in {minutes:g} minutes.")
    compare(game, players, races, seed, console)
    save_curve(trainer.curve, out / "learning_curve.png")
    save_race(game, {name: players[name] for name in ("trained", "greedy")}, seed, out)
    for what, name in MADE.items():
        console.print(f"{what:>26}: {out / name}")


if __name__ == "__main__":
    typer.run(main)
