"""Agents' thoughts in a record: what a decision's line keeps of an opinion, and how readers see it.

``"chances"``, ``"scores"``, ``"visits"`` and ``"values"`` are numbers by the sentences of the best actions,
``"value"`` is one number, and ``"line"`` lists actions by their texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.contract.translation import ENGLISH, use_language
from titan_env.engine.batch import Batch, Records
from titan_env.play.determinization import agent_rng, batch_of
from titan_env.play.opinions import Opinion
from titan_env.records.record_file import WEIGHED
from titan_env.records.replay import translate_thoughts
from titan_env.records.translation import _

THOUGHTS = ("value", *WEIGHED, "line", "thought")
"""All thoughts of a decision's line."""

_LEAST_CHANCE = 0.005


def thoughts_entry(
    game: Game, state: Any, mask: NDArray[np.int8], words: str, opinion: Opinion | None
) -> dict[str, Any]:
    """Return the entry of a decision's line for an agent's words and opinion; {} where only one action is legal."""
    if np.count_nonzero(mask) == 1:
        return {}
    entry: dict[str, Any] = {}
    if opinion is not None:
        best = opinion.best()
        with use_language(ENGLISH):
            sentences = [game.text.describe_action(state, int(action)) for action in best.actions]
        entry = {} if best.value is None else {"value": round(best.value, 3)}
        for name in WEIGHED:
            if getattr(best, name) is not None:
                numbers = zip(sentences, map(_BRIEF[name], getattr(best, name).tolist()), strict=True)
                entry[name] = {text: number for text, number in numbers if number is not None}
        entry = {name: found for name, found in entry.items() if found != {}}
        if len(best.line) > 1:
            entry["line"] = [game.rules.actions.texts[action] for action in best.line]
    return {**entry, **({"thought": words} if words else {})}


def read_thoughts(game: Game, before: Records, decision: Mapping[str, Any]) -> dict[str, Any]:
    """Return the thoughts of a decision at position `before` (1,), in the current language, its line as sentences."""
    thoughts = {name: decision[name] for name in THOUGHTS if name in decision}
    for name in WEIGHED:
        if name in thoughts:
            thoughts[name] = translate_thoughts(game, before[0], thoughts[name])
    if "line" in thoughts:
        numbers = [game.rules.actions.numbers.get(text, -1) for text in thoughts["line"]]
        thoughts["line"] = describe_line(game, batch_of(game, before, agent_rng(int(before["decisions"][0]))), numbers)
    return thoughts


def describe_line(game: Game, world: Batch, line: Sequence[int]) -> list[str]:
    """Return the sentences of decisions that are played in a world of one row, up to the first that is illegal."""
    sentences = []
    for action in line:
        state = world.states[0]
        if state.over or action < 0 or not world.masks[0, action]:
            break
        sentence = game.text.describe_action(state, action)
        sentences.append(_("Player {n}: {say}", n=int(state.seat) + 1, say=sentence))
        world.step(np.array([action]))
    return sentences


def _brief_chance(chance: float) -> float | None:
    """Return a probability with three decimals; None for a small one."""
    return round(chance, 3) if chance >= _LEAST_CHANCE else None


def _brief_value(value: float) -> float | None:
    """Return a payoff with three decimals; None for nan."""
    return round(value, 3) if math.isfinite(value) else None


_BRIEF = {
    "chances": _brief_chance,
    "scores": lambda score: float(f"{score:.4g}"),
    "visits": lambda visits: int(visits) or None,
    "values": _brief_value,
}
"""The function that shortens each kind of number; None: it is left out."""
