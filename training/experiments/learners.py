"""Compare families of learners on every game: the same number of decisions, five training seeds, wins at each budget.

    python training/experiments/learners.py --out runs/learners --results docs/measured/learners_by_decisions.json

With ``--reduced`` they learn the reduced games, and what they lose there is computed exactly:

    python training/experiments/learners.py --reduced --learners PPO MMD "MMD, more entropy" --seeds 3 \\
        --budgets 0 100000 1000000 --out runs/reduced --results docs/measured/exploitability.json

Each learner trains on one thread with the same settings in every game, at the table of the first task of the game's
benchmark. It then sits alone among copies of each opponent, and its wins are a share of two: 0.5 equals them. Decisions
are rounded up to whole rollouts, processor seconds told beside. Each budget is a run of its own, so that what decays
over a run has decayed at its end. A study that was stopped goes on where it was: a run of `titan_env.training.ppo` from
its last checkpoint, any other from its start. The page of results is made from the file by ``python -m tools.tables``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import torch

from titan_env import agents, registry
from titan_env.agents.name_grammar import quoted
from titan_env.contract import Game
from titan_env.evaluation.benchmark.tasks import read_benchmark
from titan_env.evaluation.matches.blocks import Blocks
from titan_env.evaluation.matches.duplicate import share_of_two
from titan_env.evaluation.matches.focal import play_alone
from titan_env.evaluation.reports.exploitability import Losses, exact_losses
from titan_env.records.atomic_files import make_folder, write_atomically
from titan_env.training.demo import CONFIG
from titan_env.training.ppo import CHECKPOINT, Trainer
from titan_env.training.ppo_config import Config
from titan_env.training.run_folder import POLICY

SCRIPTS = Path(__file__).parents[1] / "works_with"
SELF_PLAY = replace(CONFIG, others=0.0, scripted=())
"""The settings of the demo, with the learner in every seat."""
LEARNERS: dict[str, str | Config] = {
    "PPO": SELF_PLAY,
    "MMD": replace(SELF_PLAY, ent_coef=0.05, kl_coef=0.05),
    "MMD, more entropy": replace(SELF_PLAY, ent_coef=0.5, kl_coef=0.5),
    "PPO with memory (GRU)": "torch_ppo_networks.py --network gru",
    "PPO with attention": "torch_ppo_networks.py --network attention",
    "PPO against random play": "cleanrl_ppo.py",
    "double DQN": "cleanrl_dqn.py",
    "Gumbel AlphaZero": "torch_alphazero.py",
    "PSRO": "openspiel_psro.py",
    "imitation of the expert": "minari_torch.py",
    "imitation of winners": "minari_torch.py --winners",
}
"""The script of each learner in `SCRIPTS`, or the settings of its run of `titan_env.training.ppo`."""
BUDGETS, SEEDS = (0, 10**5, 10**6, 10**7), 5
"""Decisions to learn from, 0 for the untrained network, and training seeds."""
UNTRAINED = ("PPO",)
"""The networks of the others are much as that of PPO before they learn."""
REMEMBERS = ("PPO with memory (GRU)",)
"""The learners that reduced games leave out: their solver asks for positions, which have no history."""
DRAWING = ("PPO", "MMD", "MMD, more entropy", "PPO with attention")
"""The learners that draw their actions in reduced games; the others play their best."""
LONG, OF_ALL = ("PPO", "MMD"), 10**6
"""The learners whose budgets are above `OF_ALL` decisions too."""
OPPONENTS = ("random", "greedy", "expert")
BLOCKS, FIRST_BLOCK = 128, 20_000_000
CHECKPOINT_EVERY = 60.0
"""Processor seconds between checkpoints of a run of `titan_env.training.ppo`."""


@dataclass(frozen=True)
class Training:
    """A training to be done: who learns what, with which seed, from how many decisions."""

    learner: str
    game: str
    seed: int
    budget: int

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.game.replace(':', '.')}-{self.learner.replace(' ', '_')}-{self.seed}-{self.budget}"


def trainings(budgets: Sequence[int], seeds: int, games: Sequence[str], learners: Sequence[str]) -> Iterator[Training]:
    """Yield all trainings, short ones first, so that a study that is stopped has all learners at the same budgets."""
    for budget, seed, game, learner in itertools.product(budgets, range(1, seeds + 1), games, learners):
        if learner in REMEMBERS and game not in registry.GAMES:
            continue
        if learner in UNTRAINED or (budget and (budget <= OF_ALL or learner in LONG)):
            yield Training(learner, game, seed, budget)


def options_of(game: Game) -> dict[str, Any]:
    """Return the options of the first task of a game's benchmark; a reduced game has none."""
    return dict(read_benchmark(game).tasks[0].options) if game.rules.options else {}


def train(training: Training, game: Game, folder: Path) -> tuple[Path, float]:
    """Train; return the file of the policy and the processor seconds. Raises RuntimeError for a script that fails."""
    learner = LEARNERS[training.learner]
    if isinstance(learner, Config):
        return train_here(training, learner, game, folder)
    path, before = folder / f"{training.name}.onnx", _seconds_of_scripts()
    script, *more = learner.split()
    options = [f"{name}={json.dumps(value)}" for name, value in options_of(game).items()]
    given = ["--option", *options] if options else []
    arguments = ["--game", training.game, *given, "--decisions", str(training.budget), "--seed", str(training.seed)]
    command = [sys.executable, str(SCRIPTS / script), *more, *arguments, "--save", str(path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"expected {' '.join(command)} to end well, got\n{done.stderr}")
    return path, _seconds_of_scripts() - before


def _seconds_of_scripts() -> float:
    """Return the processor seconds of all scripts that have ended, with what they loaded and compiled."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def train_here(training: Training, config: Config, game: Game, folder: Path) -> tuple[Path, float]:
    """Train with `titan_env.training.ppo`, and return the file of the policy and the processor seconds."""
    vary = {name: [value] for name, value in options_of(game).items()}
    config = replace(config, game=training.game, vary=vary, seed=training.seed)
    out = folder / training.name
    make_folder(out)
    trainer = Trainer(game, replace(config, total_timesteps=max(1, training.budget)), out)
    (trainer.resume if (out / CHECKPOINT).exists() else trainer.begin)()
    saved = before = trainer.seconds
    began = time.process_time()
    while trainer.decisions < training.budget:
        trainer.iterate()
        trainer.seconds = before + time.process_time() - began
        if trainer.seconds - saved > CHECKPOINT_EVERY:
            trainer.save()
            saved = trainer.seconds
    trainer.save()
    return out / POLICY, trainer.seconds


@cache
def solved(place: str) -> Callable[[agents.Agent], Losses]:
    """Return the function that computes what an agent loses in a reduced game, which is solved once."""
    return exact_losses(registry.load(place))


def measure_agent(name: str, place: str) -> dict[str, Any]:
    """Return what an agent that does not learn loses in a reduced game."""
    lost = solved(place)(agents.load(name, registry.load(place)))
    return {"learner": f"`{name}`", "game": place, "seed": 1, "budget": 0, "seconds": 0.0, "losses": lost}


def measure(training: Training, folder: Path) -> dict[str, Any]:
    """Train, and return what the policy loses in a reduced game, else its shares of two against each opponent."""
    game = registry.load(training.game)
    path, seconds = train(training, game, folder)
    about, won = {**vars(training), "seconds": round(seconds, 1)}, {}
    if training.game not in registry.GAMES:
        drawn = ",temperature=1" if training.learner in DRAWING else ""
        return {**about, "losses": solved(training.game)(agents.load(f"policy:{quoted(str(path))}{drawn}", game))}
    for opponent in OPPONENTS:
        players = [agents.load(name, game) for name in (f"policy:{quoted(str(path))}", opponent)]
        blocks = play_alone(game, players, range(FIRST_BLOCK, FIRST_BLOCK + BLOCKS), **options_of(game))
        won[opponent] = share(blocks)
        about["games"] = blocks.shares[:, :, 0].size
    return {**about, "wins": won}


def share(blocks: Blocks) -> float:
    """Return the share of two that an agent alone among copies of another one wins."""
    return float(share_of_two(blocks.shares[:, :, 0].mean(), blocks.shares.shape[1]))


def main() -> None:
    """Do the trainings that are left, and write the results of all that are done."""
    parser = argparse.ArgumentParser(description="Compare families of learners on every game.")
    parser.add_argument("--out", type=Path, default=Path("runs/learners"), help="Folder of the runs.")
    parser.add_argument("--results", type=Path, help="File (.json) for the results of all finished runs.")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, help="Budgets in decisions.")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="Number of training seeds, from 1 on.")
    parser.add_argument("--games", nargs="+", choices=registry.GAMES, default=list(registry.GAMES))
    parser.add_argument("--reduced", action="store_true", help="Learn the reduced games made of these.")
    parser.add_argument("--learners", nargs="+", choices=LEARNERS, default=list(LEARNERS))
    args = parser.parse_args()
    torch.set_num_threads(1)
    make_folder(args.out)
    games, results = args.games, []
    if args.reduced:
        games = [place for name in args.games for place in registry.load(name).metadata.reduced]
        results = [measure_agent(name, place) for place in games for name in OPPONENTS]
    for training in trainings(args.budgets, args.seeds, games, args.learners):
        done = args.out / f"{training.name}.json"
        if not done.exists():
            write_atomically(done, json.dumps(measure(training, args.out)))
        results.append(json.loads(done.read_text("utf-8")))
        print(done.read_text("utf-8"), flush=True)
        if args.results:
            lines = ",\n".join(json.dumps(result) for result in results)
            write_atomically(args.results, f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
