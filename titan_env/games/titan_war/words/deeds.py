"""Runs of questions that an agent can take over, what is left to do in a turn, and the titles of turns."""

from __future__ import annotations

from typing import Any

from titan_env.contract.presentation_values import Handover, Reminder
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.state import LEGION
from titan_env.games.titan_war.rules.legions import is_own
from titan_env.games.titan_war.rules.movement import can_move
from titan_env.games.titan_war.rules.recruiting import muster_kinds
from titan_env.games.titan_war.rules.splits import may_split
from titan_env.games.titan_war.rules.state import LEGIONS, Ask, Phase, Stage
from titan_env.games.titan_war.words.sentences import land_of_engagement
from titan_env.games.titan_war.words.translation import _, number_of, player_name


def handovers(state: Any) -> list[Handover]:
    """Return the battle that is fought, and to the mover the rest of the turn."""
    found = []
    if state.stage == Stage.BATTLE:
        key = f"battle {int(state.turns)} {number_of(land_of_engagement(state))}"
        found.append(Handover(key, _("Fight this battle for me")))
    if state.phase != Phase.START and state.seat == state.mover:
        found.append(Handover(f"turn {int(state.turns)}", _("Finish my turn for me")))
    return found


def reminders(state: Any) -> list[Reminder]:
    """Return the mover's legions that are full and have not split, have not moved, or have yet to muster."""
    if state.seat != state.mover or state.ask not in _LEFT:
        return []
    is_left, text = _LEFT[Ask(int(state.ask))]
    own = [marker for marker in range(LEGIONS) if is_own(state, marker, int(state.mover))]
    left = [marker for marker in own if is_left(state, marker)]
    return [Reminder(f"marker:{marker}", _(text, land=number_of(state.legions[marker].land))) for marker in left]


def _is_full(state: Any, marker: int) -> bool:
    """Return whether a legion could split and holds so many that it can muster nobody."""
    return bool(state.legions[marker].height == LEGION and may_split(state, marker))


def _may_muster_later(state: Any, marker: int) -> bool:
    """Return whether a legion musters after the one that is asked about."""
    legion = state.legions[marker]
    return bool(legion.moved and legion.land > state.land and muster_kinds(state, marker))


_LEFT: dict[int, tuple[Any, str]] = {
    Ask.SPLIT: (_is_full, mark("the legion on {land} is full and has not split")),
    Ask.MOVE: (can_move, mark("the legion on {land} has not moved")),
    Ask.MUSTER: (_may_muster_later, mark("the legion on {land} may muster next")),
}
"""The deeds that are left to a legion while a question is asked, and their sentences."""


def turn_title(state: Any) -> str:
    """Return the turn, whose it is, and the battle that is fought in it."""
    if state.phase == Phase.START:
        return _("The first legions")
    values = {"n": int(state.turns) + 1, "who": player_name(state.mover)}
    if state.stage == Stage.BATTLE:
        return _("Turn {n}, {who}: battle on {land}", **values, land=number_of(land_of_engagement(state)))
    return _("Turn {n}, {who}", **values)
