"""Masked PPO as CleanRL writes it, on one page; the policy that it saves plays everywhere that an agent does.

    python training/works_with/cleanrl_ppo.py --game tiny_turbo_cars -o players=2 --derived outcome \
        --without "track_*" "rival*" controller programs --decisions 1000000 --save runs/cars.onnx
    python -m titan_env.evaluation.matches.evaluate policy:runs/cars.onnx greedy --game tiny_turbo_cars -o players=2

Seen with torch 2.13.0.

Two plain networks, the payoff as reward, random opponents, no adviser and no search. Observations are whole numbers, a
quarter of the memory; `to_float` makes the fractions that the networks take.
"""

import argparse
from pathlib import Path

import torch
from torch import nn
from torch.distributions import Categorical

import titan_env
from titan_env.engine.option_text import read_options
from titan_env.envs.macro import MacroVectorEnv
from titan_env.training.export_policy import save_layers

parser = argparse.ArgumentParser()
parser.add_argument("--game", default="titan_race")
parser.add_argument("-o", "--option", nargs="+", default=[], metavar="NAME=VALUE", help="Options of the game.")
parser.add_argument("--without", nargs="+", help="Observation fields to leave out, by name or pattern.")
parser.add_argument("--derived", nargs="+", default=[], help="Groups of derived fields to add.")
parser.add_argument("--macro", help="Group of macro-actions of the game to choose from.")
parser.add_argument("--decisions", type=int, default=20_000, help="Decisions to learn from.")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--save", type=Path, help="File of the policy.")
args = parser.parse_args()

GAMES, STEPS, EPOCHS, MINIBATCHES = 64, 64, 3, 8
GAMMA, LAMBDA, CLIP, ENTROPY = 0.999, 0.95, 0.2, 0.01

game = titan_env.load(args.game)
seen = {"whole": game.rules.fields.whole, "without": args.without, "derived": args.derived}
seen |= {"autoreset_mode": "SameStep", **read_options(args.option)}
if args.macro:
    envs = MacroVectorEnv(game, GAMES, macro=args.macro, **seen)
    view = envs.macro_view
else:
    envs = titan_env.GameVectorEnv(game, GAMES, **seen)
    view = envs.view
torch.manual_seed(args.seed)
torch.set_num_threads(1)
inputs, actions = envs.single_observation_space.shape[0], int(envs.single_action_space.n)


def network(outputs: int) -> nn.Sequential:
    """Return a network of two hidden layers."""
    return nn.Sequential(nn.Linear(inputs, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, outputs))


actor, critic = network(actions), network(1)
with torch.no_grad():
    actor[-1].weight *= 0.01  # so that it begins nearly uniform
parameters = [*actor.parameters(), *critic.parameters()]
optimizer = torch.optim.Adam(parameters, 1e-3)


def policy(seen: torch.Tensor, mask: torch.Tensor) -> Categorical:
    """Return the distribution over the legal actions, from observations (B, V) and masks (B, A)."""
    return Categorical(logits=actor(seen).masked_fill(~mask, -1e9))


observations, infos = envs.reset(seed=args.seed)
decisions = 0
while decisions < args.decisions:
    seen = torch.zeros(STEPS + 1, GAMES, inputs)
    masks = torch.zeros(STEPS, GAMES, actions, dtype=torch.bool)
    taken, log_probs, rewards, ended = (torch.zeros(STEPS, GAMES) for _ in range(4))
    for step in range(STEPS):
        seen[step] = torch.from_numpy(view.layout.to_float(observations))
        masks[step] = torch.from_numpy(infos["action_mask"]).bool()
        with torch.no_grad():
            choice = policy(seen[step], masks[step])
            taken[step] = chosen = choice.sample()
            log_probs[step] = choice.log_prob(chosen)
        observations, reward, terminated, truncated, infos = envs.step(chosen.numpy())
        rewards[step], ended[step] = torch.from_numpy(reward), torch.from_numpy(terminated | truncated)
    seen[STEPS] = torch.from_numpy(view.layout.to_float(observations))
    with torch.no_grad():
        values = critic(seen)[..., 0]
    advantages, later = torch.zeros(STEPS, GAMES), torch.zeros(GAMES)
    for step in reversed(range(STEPS)):
        goes_on = GAMMA * (1 - ended[step])
        later = rewards[step] + goes_on * values[step + 1] - values[step] + goes_on * LAMBDA * later
        advantages[step] = later
    returns = advantages + values[:STEPS]
    rows = [x.flatten(0, 1) for x in (seen[:STEPS], masks, taken, log_probs, advantages, returns)]
    for _ in range(EPOCHS):
        for part in torch.randperm(STEPS * GAMES).chunk(MINIBATCHES):
            one, mask, action, before, advantage, worth = (x[part] for x in rows)
            now = policy(one, mask)
            ratio = (now.log_prob(action) - before).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.minimum(ratio * advantage, ratio.clamp(1 - CLIP, 1 + CLIP) * advantage).mean()
            missed = (critic(one)[:, 0] - worth).square().mean()
            optimizer.zero_grad()
            (0.5 * missed - gain - ENTROPY * now.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(parameters, 0.5)
            optimizer.step()
    decisions += STEPS * GAMES
    over = ended.sum().item()
    print(f"{decisions:9,} decisions, {over:4.0f} games, mean payoff {rewards.sum().item() / max(over, 1):+.2f}")
if args.save:
    made = {"trained": "cleanrl_ppo", "seed": args.seed, "decisions": decisions, "config": {"reward": "win"}}
    save_layers(args.save, [*actor], [*critic], game, made, view=view)
    print(f"wrote {args.save}")
