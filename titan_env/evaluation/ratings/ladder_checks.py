"""Checks of a ladder's blocks that need no game: the tables were drawn, none is missing, ratings and residuals agree.

A ladder is made of whole draws (`titan_env.evaluation.matches.mixed_tables.draw_tables`): seeds that follow each other,
and the tables that the lot gives to these agents from the first seed on. Nobody chooses who meets whom, or leaves out
what he would rather not show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from titan_env.evaluation.matches.mixed_tables import Block, runs_of, was_drawn, winners_of
from titan_env.evaluation.ratings.ladder_file import rated
from titan_env.evaluation.ratings.model_checks import unlike_the_model

_ROUNDED = 1  # points by which a rating may differ on another processor


def faults_of(ladder: Mapping[str, Any], blocks: Sequence[Block]) -> list[str]:
    """Return a sentence for each number of a ladder that is not that of its blocks, and for blocks that no lot gave."""
    made = {agent["name"]: agent["hash"] for agent in ladder["agent"]}
    if missing := sorted(set(made) - {name for block in blocks for name in block.agents}):
        return [f"expected blocks of {', '.join(missing)}, found none"]
    names = sorted(made)
    computed = rated(names, blocks, made)
    true = {agent["name"]: agent for agent in computed["agent"]}
    wrong = [
        f"{agent['name']}: its blocks give {key} {value}, the ladder says {agent.get(key)}"
        for agent in ladder["agent"]
        for key, value in true[agent["name"]].items()
        if not _alike(agent.get(key), value)
    ]
    if ladder["anchor"] != computed["anchor"]:
        wrong.append(f"expected ratings over {computed['anchor']}, got {ladder['anchor']} as the anchor")
    return wrong + undrawn(blocks) + unlike_the_model(names, winners_of(blocks, names), computed["anchor"])


def _alike(rating: Any, computed: Any) -> bool:
    """Return whether a value of a ladder is the computed one; ratings may differ by a point."""
    if isinstance(rating, (int, float)) and isinstance(computed, (int, float)) and abs(computed) > _ROUNDED:
        return rating == computed or abs(rating - computed) <= _ROUNDED
    return bool(rating == computed)


def undrawn(blocks: Sequence[Block]) -> list[str]:
    """Return a sentence if some blocks are at tables that no draw gives from the first of their seeds on."""
    odd = [block.seed for run in runs_of(blocks) if not was_drawn(run) for block in run]
    if not odd:
        return []
    return [
        f"{len(odd):,} of {len(blocks):,} blocks (seeds from {min(odd):,} to {max(odd):,}) are not at the tables that "
        "a tournament of their agents draws: some are missing, or were played among others; play their tournaments anew"
    ]
