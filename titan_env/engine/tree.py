"""The loops of a tree search over imagined worlds. They know no game.

One tree serves many worlds (Cowling, Powley, Whitehouse 2012: "Information Set Monte Carlo Tree
Search"): its nodes are sequences of decisions, and what dice and hidden cards did in between differs
from one simulation to the next. Each node keeps what it was worth to every seat, and whoever decides
looks at the own number (Luckhardt, Irani 1986: "max^n"). `titan_env.contract.specialize` makes them loops of one game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import MOST_SEATS, payoff, rule, specialize
from titan_env.engine.batch import Batch, plain, silence
from titan_env.engine.loops import any_legal

legal: Any = None
step: Any = None

LONGEST = 64
"""How many decisions deep a simulation walks in the tree at most."""

_LEAST_PRIOR = 1e-3  # of an action that was not legal in the world in which its node was first seen


@rule
def choose(
    node: int,
    seat: int,
    mask: Any,
    children: Any,
    visits: Any,
    pending: Any,
    values: Any,
    priors: Any,
    explore: float,
) -> int:
    """The action that promises most to `seat`, or has been tried too little (PUCT: Rosin 2011, Silver 2017).

    Simulations that are still under way count as lost, so that those beside each other spread.
    """
    tried = visits[node] + pending[node]
    untried = values[node, seat] / visits[node] if visits[node] > 0 else 0.0
    best, best_score = -1, -np.inf
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        child = children[node, action]
        count, worth = 0, untried
        if child >= 0 and visits[child] + pending[child] > 0:
            count = visits[child] + pending[child]
            worth = (values[child, seat] - pending[child]) / count
        prior = max(priors[node, action], _LEAST_PRIOR)
        score = worth + explore * prior * np.sqrt(tried + 1.0) / (1 + count)
        if score > best_score:
            best, best_score = action, score
    return best


def descend_rows(
    states: Any,
    luck: Any,
    choices: Any,
    masks: Any,
    log: Any,
    children: Any,
    visits: Any,
    pending: Any,
    values: Any,
    priors: Any,
    size: Any,
    explore: float,
    play_on: bool,
    paths: Any,
    lengths: Any,
    results: Any,
) -> None:
    """Walk down the tree in each row's world to a new node; then, to `play_on`, to the end by chance.

    `paths` and `lengths` say which nodes were passed, `results` what an ended game is worth to each seat.
    """
    for i in range(len(states)):
        state = states[i]
        mask = masks[i]
        node = 0
        length = 1
        paths[i, 0] = 0
        while state.over == 0 and length < LONGEST:
            action = choose(node, state.seat, mask, children, visits, pending, values, priors, explore)
            step(state, action, luck[i], log[0])
            legal(state, mask)
            child = children[node, action]
            if child < 0 and size[0] < len(visits):
                child = size[0]
                size[0] += 1
                children[node, action] = child
                count = 0
                for other in range(len(mask)):
                    count += mask[other]
                priors[child] = 1.0 / max(count, 1)
            if child < 0:
                break
            node = child
            paths[i, length] = node
            length += 1
            if visits[node] == 0:
                break
        lengths[i] = length
        for place in range(length):
            pending[paths[i, place]] += 1
        if play_on:
            while state.over == 0:
                step(state, any_legal(mask, choices[i]), luck[i], log[0])
                legal(state, mask)
        for seat in range(state.seats):
            results[i, seat] = payoff(state, seat)


@rule
def backup_rows(paths: Any, lengths: Any, results: Any, visits: Any, pending: Any, values: Any) -> None:
    """Tell every node on each path what its simulation was worth to every seat."""
    for i in range(len(lengths)):
        for place in range(lengths[i]):
            node = paths[i, place]
            visits[node] += 1
            pending[node] -= 1
            for seat in range(results.shape[1]):
                values[node, seat] += results[i, seat]


class Tree:
    """A search tree with room for so many nodes; node 0 is the decision that is looked into.

    `visits` (M,), `values` (M, MOST_SEATS) sums of what simulations were worth, `priors` (M, A), and
    `children` (M, A), the node that an action leads to or -1.
    """

    def __init__(self, actions: int, nodes: int) -> None:
        self.children = np.full((nodes, actions), -1, np.int32)
        self.visits = np.zeros(nodes, np.int64)
        self.pending = np.zeros(nodes, np.int64)
        self.values = np.zeros((nodes, MOST_SEATS))
        self.priors = np.full((nodes, actions), 1 / actions, np.float32)
        self.size = np.ones(1, np.int64)

    def descend(self, worlds: Batch, explore: float, play_on: bool) -> tuple[NDArray[np.int32], NDArray[np.int64], Any]:
        """Walk down once in each of the worlds: paths (N, LONGEST), their lengths (N,), results (N, MOST_SEATS)."""
        paths = np.zeros((worlds.num_games, LONGEST), np.int32)
        lengths = np.zeros(worlds.num_games, np.int64)
        results = np.zeros((worlds.num_games, MOST_SEATS))
        run = specialize(descend_rows, {"step": worlds.game.rules.step, "legal": worlds.game.rules.legal})
        run(
            *(
                plain(worlds.states),
                plain(worlds.luck),
                plain(worlds.choices),
                worlds.masks,
                plain(silence(worlds.game)),
            ),
            *(self.children, self.visits, self.pending, self.values, self.priors, self.size),
            *(explore, play_on, paths, lengths, results),
        )
        return paths, lengths, results

    def backup(self, paths: NDArray[np.int32], lengths: NDArray[np.int64], results: Any) -> None:
        """Add what simulations were worth to the nodes they passed."""
        backup_rows(paths, lengths, results, self.visits, self.pending, self.values)

    def root_visits(self) -> NDArray[np.int64]:
        """How often each action was tried at the root, (A,)."""
        tried = self.children[0] >= 0
        visits = np.zeros(len(tried), np.int64)
        visits[tried] = self.visits[self.children[0][tried]]
        return visits

    def root_values(self, seat: int) -> NDArray[np.float64]:
        """What each action at the root was worth to `seat` on average, (A,); nan where it was not tried."""
        visits = self.root_visits()
        worth = np.full(len(visits), np.nan)
        tried = np.flatnonzero(visits)
        worth[tried] = self.values[self.children[0][tried], seat] / visits[tried]
        return worth
