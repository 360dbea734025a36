"""The history of a game, grouped by turn, as far as a viewer may know of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.engine.parts import part_numbers
from titan_env.records.replay import ReplayStep
from titan_env.records.visible import is_heard, sentence_of_decision
from titan_env.web.views.rules import anchor


def audible(game: Game, moment: ReplayStep, viewer: int | None) -> tuple[NDArray[np.int32], list[dict[str, Any]]]:
    """Return the events (n, 4) of a moment that `viewer` may know of, and the sentence and rule of each."""
    sentences = [game.event_text_for(moment.read, event, viewer) for event in moment.events]
    events = moment.events[np.array([sentence is not None for sentence in sentences], np.bool_)]
    rules = [anchor(game, int(event[0])) for event in events]
    return events, [{"text": text, "rule": rule} for text, rule in zip(filter(None, sentences), rules, strict=True)]


def is_in_parts(game: Game, before: Any, moment: ReplayStep, viewer: int | None) -> bool:
    """Return whether there are `audible_parts`, without playing the step once more for their positions."""
    numbers = part_numbers(game, moment.events) if moment.decision is not None and len(moment.events) else []
    if not numbers or viewer is None:
        return bool(numbers)
    known = is_heard(game, moment, viewer)
    return any(known[number] and any(known[:number]) for number in numbers)


def history(game: Game, moments: Sequence[ReplayStep], since: int, viewer: int | None) -> list[dict[str, Any]]:
    """Return a line for each decision after moment `since` that `viewer` may know of: seat, sentence, events.

    `turn` is the same number for decisions of one turn: those under one `turn_title` of the game, else those at the
    same value of its clock. If the clock counts decisions, a turn is those of one seat in a row. `title` is its
    heading.
    """
    lines = []
    since = max(0, since)
    turn = _turn_of(game, moments, since)
    for at in range(since + 1, len(moments)):
        before, decision = moments[at - 1].state, moments[at].decision
        assert decision is not None
        turn = at if _is_first_of_a_turn(game, moments, at) else turn
        text = sentence_of_decision(game, before, decision, viewer)
        if text is not None:
            line = {"at": at, "turn": turn, "seat": decision["seat"], "say": text}
            if "by" in decision:
                line["by"] = decision["by"]
            if game.presentation.turn_title is not None:
                line["title"] = game.presentation.turn_title(before)
            lines.append({**line, "events": [one["text"] for one in audible(game, moments[at], viewer)[1]]})
    return lines


def _turn_of(game: Game, moments: Sequence[ReplayStep], at: int) -> int:
    """Return the number of a decision's turn: that of the turn's first decision, 0 for the first turn."""
    back = range(min(at, len(moments) - 1), 0, -1)
    return next((first for first in back if _is_first_of_a_turn(game, moments, first)), 0)


def _is_first_of_a_turn(game: Game, moments: Sequence[ReplayStep], at: int) -> bool:
    """Return whether a new turn begins between a decision and the one before it."""
    if at < 2:
        return False
    state, after = moments[at - 2].state, moments[at - 1].state
    if (title := game.presentation.turn_title) is not None:
        return title(state) != title(after)
    if game.rules.chance_clock == "decisions":
        return bool(state.seat != after.seat)
    return bool(state[game.rules.chance_clock] != after[game.rules.chance_clock])
