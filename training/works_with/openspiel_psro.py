"""Policy-space response oracles: PPO learns best responses, OpenSpiel weighs them; the policy it saves plays anywhere.

    python training/works_with/openspiel_psro.py --game titan_race -o titans=2 --decisions 1000000 --save runs/psro.onnx
    python -m titan_env.evaluation.matches.evaluate policy:runs/psro.onnx random greedy -o titans=2

Seen with open_spiel 2.0.2, torch 2.13.0.

The first strategy is `random`. Each further one is a network that plays opponents drawn from the meta-strategy of all
before it, and begins as the last network (Lanctot et al. 2017, "A Unified Game-Theoretic Approach to Multiagent
Reinforcement Learning"; projected replicator dynamics). The network that the meta-strategy plays most is saved.
"""

import argparse
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from open_spiel.python.algorithms.projected_replicator_dynamics import projected_replicator_dynamics

import titan_env
from titan_env.agents import load
from titan_env.agents.name_grammar import quoted
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.option_text import read_options
from titan_env.evaluation.matches.focal import play_alone
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config
from titan_env.training.run_folder import POLICY

parser = argparse.ArgumentParser()
parser.add_argument("--game", default="titan_battle")
parser.add_argument("-o", "--option", nargs="+", default=[], metavar="NAME=VALUE", help="Options of the game.")
parser.add_argument("--decisions", type=int, default=20_000, help="Decisions to learn from.")
parser.add_argument("--responses", type=int, default=4, help="Networks to learn.")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--save", type=Path, help="File of the policy.")
args = parser.parse_args()

DRAWN, BLOCKS = 8, 32  # opponents of a response, and blocks of games between two strategies
SETTINGS = Config(num_envs=128, num_steps=64, width=128, minibatch_size=1024, others=1.0, snapshot_every=10**9)

game, options = titan_env.load(args.game), read_options(args.option)
if GameSetup.of(game, options).sides != 2:
    raise SystemExit("expected a table of two sides, since the meta-game is that of two players; give -o")
torch.set_num_threads(1)
rng, folder = np.random.default_rng(args.seed), tempfile.TemporaryDirectory()
runs = Path(folder.name)
settings = replace(SETTINGS, game=game.name, vary={name: [value] for name, value in options.items()}, seed=args.seed)
strategies, decisions = ["random"], 0
payoffs = np.zeros((1, 1))  # of the row's strategy against the column's
weights = np.ones(1)
while len(strategies) <= args.responses:
    number = len(strategies)
    opponents = tuple(rng.choice(strategies, DRAWN, p=weights))
    config = replace(settings, scripted=opponents, start=str(runs / f"{number - 1}" / POLICY) if number > 1 else "")
    out = runs / f"{number}"
    out.mkdir()
    trainer = Trainer(game, config, out)
    trainer.begin()
    while decisions + trainer.decisions < args.decisions * number / args.responses:
        trainer.iterate()
    trainer.save()
    decisions += trainer.decisions
    strategies.append(f"policy:{quoted(str(out / POLICY))}")
    newest = load(strategies[-1], game)
    shares = [
        play_alone(game, [newest, load(old, game)], range(BLOCKS), **options).shares[:, :, 0].mean()
        for old in strategies[:-1]
    ]
    payoffs = np.pad(payoffs, (0, 1))
    payoffs[-1, :-1] = 2 * np.array(shares) - 1
    payoffs[:-1, -1] = -payoffs[-1, :-1]
    weights = projected_replicator_dynamics([payoffs, -payoffs], prd_iterations=2_000, prd_dt=0.05)[0]
    weights /= weights.sum()
    wins = ", ".join(f"{share:.0%}" for share in shares)
    print(f"response {number} wins {wins} against those before it; meta-strategy {np.round(weights, 2)}")
if args.save:
    best = 1 + int(weights[1:].argmax())
    shutil.copyfile(runs / f"{best}" / POLICY, args.save)
    print(f"wrote {args.save}, response {best}, after {decisions:,} decisions")
