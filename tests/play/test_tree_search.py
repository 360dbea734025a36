"""The choice in a node of a search tree."""

from __future__ import annotations

import numpy as np

from titan_env.contract import MOST_SEATS, Game, interpreted
from titan_env.engine.batch import Batch
from titan_env.play.tree_search import Nodes, Tree, choose

ROOT, SEAT, EXPLORE = 0, 0, 1.0


def root(priors: list[float]) -> Nodes:
    """A tree of one node, in which nothing has been tried yet."""
    none = np.zeros(1, np.int64)
    children = np.full((1, len(priors)), -1, np.int32)
    return Nodes(children, none, none, np.zeros((1, MOST_SEATS)), np.array([priors], np.float32), none)


def test_before_anything_was_tried_the_likeliest_legal_action_is_chosen() -> None:
    nodes = root([0.2, 0.5, 0.3])
    assert interpreted(choose)(ROOT, SEAT, np.array([1, 1, 1], np.int8), nodes, EXPLORE) == 1
    assert interpreted(choose)(ROOT, SEAT, np.array([1, 0, 1], np.int8), nodes, EXPLORE) == 2


def test_simulations_that_have_come_back_are_pending_no_more(game: Game) -> None:
    worlds = Batch(game, 8)
    worlds.seed(3)
    worlds.start()
    tree = Tree(len(game.rules.actions), 64)
    for number in range(3):
        walks = tree.descend(worlds.select(range(8)), EXPLORE, play_on=True)
        assert tree.pending.sum() == walks.lengths.sum() > 0
        tree.backup(walks)
        assert (tree.pending == 0).all()
        assert tree.visits[ROOT] == 8 * (number + 1)
