"""The choice in a node of a search tree."""

from __future__ import annotations

import numpy as np

from titan_env.contract import MOST_SEATS, interpreted
from titan_env.play.tree_search import Nodes, choose

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
