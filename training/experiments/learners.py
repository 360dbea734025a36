"""Compare families of learners on every game: the same processor time, five training seeds, wins at each budget.

    python training/experiments/learners.py --out runs/learners --results docs/measured/learners.json

Each learner trains on one thread with the settings of its script, whatever the game, at the table of the first task of
the game's benchmark. Each budget is a run of its own, so that what decays over a run has decayed at its end. A run that
was stopped goes on where it was. The page of results is made from the file by ``python -m tools.tables``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from titan_env import agents, registry
from titan_env.agents.name_grammar import quoted
from titan_env.agents.policy import Policy
from titan_env.contract import Game
from titan_env.evaluation.benchmark.tasks import read_benchmark
from titan_env.evaluation.matches.focal import play_alone
from titan_env.records.atomic_files import make_folder, write_atomically
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config
from titan_env.training.run_folder import POLICY

SCRIPTS = Path(__file__).parents[1] / "works_with"
LEARNERS = {
    "PPO": "cleanrl_ppo.py",
    "double DQN": "cleanrl_dqn.py",
    "Gumbel AlphaZero": "torch_alphazero.py",
    "PSRO": "openspiel_psro.py",
    "imitation of the expert": "minari_torch.py",
    "imitation of winners": "minari_torch.py --winners",
    "PPO with an adviser": "",
}
"""The script of each learner in `SCRIPTS`; the last one is `titan_env.training.ppo` with `ADVISED`."""
ADVISED = Config(num_envs=128, num_steps=64, width=128, minibatch_size=1024, scripted=("greedy",))
BUDGETS, SEEDS = (0, 5, 15), 5
"""Seconds of processor time, 0 for the untrained network, and training seeds."""
UNTRAINED = ("PPO", "PPO with an adviser")
"""The networks of the others are as that of PPO before they learn."""
OPPONENTS = ("random", "greedy")
BLOCKS, FIRST_BLOCK = 128, 20_000_000


@dataclass(frozen=True)
class Training:
    """A training to be done: who learns what, with which seed, for how many seconds of processor time."""

    learner: str
    game: str
    seed: int
    seconds: int

    @property
    def name(self) -> str:
        """The name of its files."""
        return f"{self.game}-{self.learner.replace(' ', '_')}-{self.seed}-{self.seconds}"


def trainings(budgets: Sequence[int], seeds: int, games: Sequence[str], learners: Sequence[str]) -> Iterator[Training]:
    """Yield all trainings, short ones first, so that a run that is stopped has all learners at the same budgets."""
    for seconds, seed, game, learner in itertools.product(budgets, range(1, seeds + 1), games, learners):
        if seconds or learner in UNTRAINED:
            yield Training(learner, game, seed, seconds)


def options_of(game: Game) -> dict[str, Any]:
    """Return the options of the first task of a game's benchmark."""
    return dict(read_benchmark(game).tasks[0].options)


def train(training: Training, game: Game, folder: Path) -> Path:
    """Train, and return the file of the policy. Raises RuntimeError for a script that fails, with what it says."""
    path = folder / f"{training.name}.onnx"
    script, *more = LEARNERS[training.learner].split() or [""]
    if not script:
        return train_advised(training, game, folder)
    options = [f"{name}={json.dumps(value)}" for name, value in options_of(game).items()]
    given = ["--option", *options] if options else []
    arguments = ["--game", game.name, *given, "--seconds", str(training.seconds), "--seed", str(training.seed)]
    command = [sys.executable, str(SCRIPTS / script), *more, *arguments, "--save", str(path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise RuntimeError(f"expected {' '.join(command)} to end well, got\n{done.stderr}")
    return path


def train_advised(training: Training, game: Game, folder: Path) -> Path:
    """Train with `titan_env.training.ppo` by processor time, and return the file of the policy."""
    vary = {name: [value] for name, value in options_of(game).items()}
    config = replace(ADVISED, game=game.name, vary=vary, seed=training.seed, adviser=game.metadata.adviser)
    config = replace(config, minutes=training.seconds / 60)
    out = folder / training.name
    make_folder(out)
    trainer = Trainer(game, config, out)
    began = time.process_time()
    trainer.begin()
    while training.seconds and trainer.done < 1:
        trainer.iterate()
        trainer.seconds = time.process_time() - began
    trainer.save()
    return out / POLICY


def measure(training: Training, folder: Path) -> dict[str, Any]:
    """Train, play `BLOCKS` blocks against each opponent, and return the shares of wins."""
    game = registry.load(training.game)
    path = train(training, game, folder)
    made, won = Policy(game, path).made, {}
    for opponent in OPPONENTS:
        players = [agents.load(name, game) for name in (f"policy:{quoted(str(path))}", opponent)]
        blocks = play_alone(game, players, range(FIRST_BLOCK, FIRST_BLOCK + BLOCKS), **options_of(game))
        won[opponent] = float(blocks.shares[:, :, 0].mean())
    return {
        **vars(training),
        "decisions": decisions_of(made),
        "games": 2 * BLOCKS,
        "wins": won,
    }


def decisions_of(made: Mapping[str, Any]) -> int:
    """Return the decisions that a policy was trained on, with those of the policy that it began as."""
    own: int = made.get("decisions_taken", made.get("decisions"))
    return own + (decisions_of(made["before"]) if "before" in made else 0)


def main() -> None:
    """Do the trainings that are left, and write the results of all that are done."""
    parser = argparse.ArgumentParser(description="Compare families of learners on every game.")
    parser.add_argument("--out", type=Path, default=Path("runs/learners"), help="Folder of the runs.")
    parser.add_argument("--results", type=Path, help="File (.json) for the results of all finished runs.")
    parser.add_argument("--seconds", type=int, nargs="+", default=BUDGETS, help="Budgets in processor seconds.")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="Number of training seeds, from 1 on.")
    parser.add_argument("--games", nargs="+", choices=registry.GAMES, default=list(registry.GAMES))
    parser.add_argument("--learners", nargs="+", choices=LEARNERS, default=list(LEARNERS))
    args = parser.parse_args()
    torch.set_num_threads(1)
    make_folder(args.out)
    results = []
    for training in trainings(args.seconds, args.seeds, args.games, args.learners):
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
