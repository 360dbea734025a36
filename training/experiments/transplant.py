"""In which decisions is one policy better than another?

    python training/experiments/transplant.py runs/ten-minutes/policy.onnx

A policy plays against the expert, but wherever it or a better one wants an action of some kind (a move, a card, ...)
it does what the better one says. What it wins so, beside what it wins by itself, is what its decisions of that kind
lack. `docs/notes/learning.md` tells what came of it.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.agents import Agent
from titan_env.cli import tables
from titan_env.contract import Game
from titan_env.evaluation.matches.match import win_rates

TITANS = 4


def kinds_of(game: Game) -> NDArray[np.str_]:
    """Return the kind of each action, (A,): the first word of its text."""
    return np.array([text.partition(":")[0] for text in game.rules.actions.texts])


def transplanted(policy: Agent, better: Agent, of_kind: NDArray[np.bool_]) -> tuple[Agent, list[int]]:
    """Return a policy that does as a better one where either wants an action of a kind, (A,).

    With it come two counts that grow as it plays: what it has decided, and how often otherwise than by itself.
    """
    counts = [0, 0]

    def act(observations: NDArray[Any], masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
        own, advised = (agent(observations, masks, rng) for agent in (policy, better))
        changed = (own != advised) & (of_kind[own] | of_kind[advised])
        counts[0] += len(own)
        counts[1] += int(changed.sum())
        return np.where(changed, advised, own)

    return act, counts


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("policy", help="File of a policy.")
    parser.add_argument("--better", default="ppo-advised@titan_race-v3", help="Agent whose decisions are taken over.")
    parser.add_argument("--kinds", help="Kinds of actions to take over: move,play; none, or every.")
    parser.add_argument(
        "--races", type=int, default=16_384, help=f"Games of each kind, {TITANS} Titans, two seats each."
    )
    given = parser.parse_args()
    game = registry.load("titan_race")
    policy, better, expert = (agents.load(name, game) for name in (f"policy:{given.policy}", given.better, "expert"))
    kinds = kinds_of(game)
    known = ["none", *dict.fromkeys(kinds.tolist()), "every"]
    asked = given.kinds.split(",") if given.kinds else known
    if unknown := [kind for kind in asked if kind not in known]:
        parser.error(f"expected --kinds among {', '.join(known)}, got {', '.join(unknown)}")
    rows = []
    for kind in asked:
        act, counts = transplanted(policy, better, (kinds == kind) | (kind == "every"))
        share = win_rates(game, {"policy": act, "expert": expert}, given.races, 10_000_000, titans=TITANS)["policy"]
        rows.append([kind, f"{counts[1] / counts[0]:.1%}", str(share)])
        print(*rows[-1], flush=True)
    print(tables.markdown(["decisions taken over", "of all", "wins against the expert"], rows))


if __name__ == "__main__":
    main()
