"""The loops of a tree search over imagined worlds. They know no game.

One tree serves many worlds (Cowling, Powley, Whitehouse 2012: "Information Set Monte Carlo Tree
Search"): its nodes are sequences of decisions, and what dice and hidden cards did in between differs
from one simulation to the next. Each node keeps what it was worth to every seat, and whoever decides
looks at the own number (Luckhardt, Irani 1986: "max^n"). `titan_env.contract.specialize` makes them loops of one game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import as_arrays
from titan_env.contract import MOST_SEATS, payoff, rule, specialize
from titan_env.engine.batch import Batch, null_log
from titan_env.engine.mask_sampling import sample_legal
from titan_env.play.determinization import WorldRecords
from titan_env.play.opinions import LONGEST_LINE

legal: Any = None
step: Any = None

LONGEST = 64
"""The bound on the depth of a simulation within the tree, in decisions."""

MOST_BYTES = 64_000_000
"""The bound on the memory of a tree."""

_LEAST_PRIOR = 1e-3  # of an action that was not legal in the world in which its node was first seen


class Nodes(NamedTuple):
    """The arrays of a tree, a row for each of M nodes."""

    children: Any
    """The node that an action leads to, or -1: int32 (M, A)."""
    visits: Any
    """int64 (M,)."""
    pending: Any
    """Simulations that are still under way, int64 (M,)."""
    values: Any
    """Sums of what simulations were worth to each seat, float64 (M, MOST_SEATS)."""
    priors: Any
    """float32 (M, A)."""
    size: Any
    """The number of nodes in use, int64 (1,)."""


class WorldRows(NamedTuple):
    """The arrays of the worlds that simulations are played in, a row for each."""

    states: Any
    luck: Any
    choices: Any
    masks: Any
    log: Any


class Walks(NamedTuple):
    """The walks down the tree, a row for each world."""

    paths: Any
    """The nodes that were passed, int32 (N, LONGEST)."""
    lengths: Any
    """int64 (N,)."""
    results: Any
    """The value of an ended game to each seat, float64 (N, MOST_SEATS)."""


@rule
def choose(node: int, seat: int, mask: Any, nodes: Nodes, explore: float) -> int:
    """Return the action that promises most to `seat`, or has been tried too little (PUCT: Rosin 2011, Silver 2017).

    Simulations that are still under way count as lost, so that those beside each other spread.
    """
    tried = nodes.visits[node] + nodes.pending[node]
    untried = nodes.values[node, seat] / nodes.visits[node] if nodes.visits[node] > 0 else 0.0
    best, best_score = -1, -np.inf
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        child = nodes.children[node, action]
        count, worth = 0, untried
        if child >= 0 and nodes.visits[child] + nodes.pending[child] > 0:
            count = nodes.visits[child] + nodes.pending[child]
            worth = (nodes.values[child, seat] - nodes.pending[child]) / count
        prior = max(nodes.priors[node, action], _LEAST_PRIOR)
        score = worth + explore * prior * np.sqrt(tried + 1.0) / (1 + count)
        if score > best_score:
            best, best_score = action, score
    return best


def descend_rows(worlds: WorldRows, nodes: Nodes, explore: float, play_on: bool, walks: Walks) -> None:
    """Walk down the tree in each row's world to a new node; then, to `play_on`, to the end by chance."""
    for i in range(len(worlds.states)):
        state = worlds.states[i]
        mask = worlds.masks[i]
        legal(state, mask)
        node = 0
        length = 1
        walks.paths[i, 0] = 0
        while state.over == 0 and length < LONGEST:
            action = choose(node, state.seat, mask, nodes, explore)
            step(state, action, worlds.luck[i], worlds.log[0])
            legal(state, mask)
            child = nodes.children[node, action]
            if child < 0 and nodes.size[0] < len(nodes.visits):
                child = nodes.size[0]
                nodes.size[0] += 1
                nodes.children[node, action] = child
                count = 0
                for other in range(len(mask)):
                    count += mask[other]
                nodes.priors[child] = 1.0 / max(count, 1)
            if child < 0:
                break
            node = child
            walks.paths[i, length] = node
            length += 1
            if nodes.visits[node] == 0:
                break
        walks.lengths[i] = length
        for k in range(length):
            nodes.pending[walks.paths[i, k]] += 1
        if play_on:
            while state.over == 0:
                step(state, sample_legal(mask, worlds.choices[i]), worlds.luck[i], worlds.log[0])
                legal(state, mask)
        for seat in range(state.seats):
            walks.results[i, seat] = payoff(state, seat)


@rule
def backup_rows(walks: Walks, nodes: Nodes) -> None:
    """Tell every node on each path what its simulation was worth to every seat."""
    for i in range(len(walks.lengths)):
        for k in range(walks.lengths[i]):
            node = walks.paths[i, k]
            nodes.visits[node] += 1
            nodes.pending[node] -= 1
            for seat in range(walks.results.shape[1]):
                nodes.values[node, seat] += walks.results[i, seat]


class Tree:
    """A search tree with room for so many nodes, as far as they fit into `MOST_BYTES`; node 0 is what is looked into.

    Where it is full, simulations go on from the leaves that are there, and what they were worth still counts.

    `visits` (M,), `values` (M, MOST_SEATS) sums of what simulations were worth, `priors` (M, A), and
    `children` (M, A), the node that an action leads to or -1.
    """

    def __init__(self, actions: int, nodes: int) -> None:
        each = actions * (np.dtype(np.int32).itemsize + np.dtype(np.float32).itemsize) + 8 * (2 + MOST_SEATS)
        nodes = min(nodes, max(2, MOST_BYTES // each))
        self.children = np.full((nodes, actions), -1, np.int32)
        self.visits = np.zeros(nodes, np.int64)
        self.pending = np.zeros(nodes, np.int64)
        self.values = np.zeros((nodes, MOST_SEATS))
        self.priors = np.full((nodes, actions), 1 / actions, np.float32)
        self.size = np.ones(1, np.int64)

    @property
    def nodes(self) -> Nodes:
        """The arrays of the tree."""
        return Nodes(self.children, self.visits, self.pending, self.values, self.priors, self.size)

    def descend(self, worlds: Batch | WorldRecords, explore: float, play_on: bool) -> Walks:
        """Walk down once in each of the N worlds."""
        rules, count = worlds.game.rules, len(worlds.states)
        walks = Walks(np.zeros((count, LONGEST), np.int32), np.zeros(count, np.int64), np.zeros((count, MOST_SEATS)))
        states, luck, choices = worlds.states, worlds.luck, worlds.choices
        if isinstance(worlds, Batch):
            states, luck, choices, masks = *map(as_arrays, (states, luck, choices)), worlds.masks
        else:
            masks = np.zeros((count, len(rules.actions)), np.int8)
        rows = WorldRows(states, luck, choices, masks, as_arrays(null_log(worlds.game)))
        run = specialize(descend_rows, {"step": rules.step, "legal": rules.legal}, counts=False)
        run(rows, self.nodes, explore, play_on, walks)
        return walks

    def backup(self, walks: Walks) -> None:
        """Add what simulations were worth to the nodes they passed."""
        backup_rows(walks, self.nodes)

    def root_visits(self) -> NDArray[np.int64]:
        """Return the visits of each action at the root, int64 (A,)."""
        tried = self.children[0] >= 0
        visits = np.zeros(len(tried), np.int64)
        visits[tried] = self.visits[self.children[0][tried]]
        return visits

    def line(self, action: int, least: int = 4) -> list[int]:
        """Return an action at the root and the decisions tried most often after it, while they were `least` times."""
        line = [action]
        node = int(self.children[0, action])
        while node >= 0 and len(line) < LONGEST_LINE:
            children = self.children[node]
            visits = np.where(children >= 0, self.visits[children], 0)
            if visits.max() < least:
                break
            line.append(int(visits.argmax()))
            node = int(children[line[-1]])
        return line

    def root_values(self, seat: int) -> NDArray[np.float64]:
        """Return the mean value to `seat` of each action at the root, float64 (A,); nan for an untried one."""
        visits = self.root_visits()
        worth = np.full(len(visits), np.nan)
        tried = np.flatnonzero(visits)
        worth[tried] = self.values[self.children[0][tried], seat] / visits[tried]
        return worth
