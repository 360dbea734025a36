"""Texts for one seat: decisions and positions without what others hide."""

from __future__ import annotations

from typing import Any

from titan_env.contract.frozen_record import freeze
from titan_env.games.titan_battle.words.translation import sentence
from titan_env.games.titan_war.rules.actions import PASS
from titan_env.games.titan_war.rules.public_view import copy_of, is_secret, public_view
from titan_env.games.titan_war.rules.state import Ask, Event
from titan_env.games.titan_war.words.legions import may_see
from titan_env.games.titan_war.words.position import has_battle, legion_line, position_text
from titan_env.games.titan_war.words.sentences import describe_action, land_asked_about
from titan_env.games.titan_war.words.translation import _, number_of, player_name
from titan_env.games.titan_war.words.trial import tried

_UNTOLD = ("ask", "seat", "land", "picked", "destination", "wanted", "split", "donor", "teleporting", "decisions")
"""Lines that others are not told of a question in secret; nobody is told how many decisions there were."""


def describe_action_for(state: Any, action: int, seat: int) -> str | None:
    """Return a decision as text for a seat: of one in secret, the part that everybody sees; None without any."""
    ask = Ask(int(state.ask))
    if seat == state.seat or not is_secret(state):
        return describe_action(state, action)
    if ask in (Ask.START, Ask.SPLIT):
        return _divided(state, action)
    return None if action == PASS else describe_action(state, action)


def _divided(state: Any, action: int) -> str | None:
    """Return others' sentence about a pick: None until a legion has been split off, or a player is done."""
    after, events = tried(state, action)
    who, land = player_name(state.seat), number_of(land_asked_about(state))
    if state.ask == Ask.START:
        is_done = after.ask != Ask.START or after.mover != state.mover
        return sentence(_("{who} has divided the first legions", who=who)) if is_done else None
    heights = [height for kind, _who, _land, height in events if kind == Event.SPLIT]
    if heights:
        return sentence(_("{who} has split off {n} on {land}", who=who, n=heights[0], land=land))
    if after.ask == Ask.SPLIT and after.mover == state.mover:
        return None
    return sentence(_("{who} splits no more", who=who))


def position_text_for(state: Any, seat: int) -> str:
    """Return the position as text for a seat: others' legions by the public record, no word of secret questions."""
    is_hidden = is_secret(state) and seat != state.seat
    state = freeze(public_view(state)) if is_hidden else state
    lines = []
    for line in position_text(freeze(_without_donors(state, seat))).splitlines():
        name, _sep, _rest = line.partition(":")
        if name == "decisions" or (state.ask == Ask.NOTHING and not state.over and name in _UNTOLD):
            continue
        words = name.split()
        if words[:1] == ["legion"] and not may_see(state, seat, int(state.legions[int(words[1])].owner)):
            line = legion_line(state, int(words[1]), False)
        lines.append(line)
    return "\n".join(lines)


def _without_donors(state: Any, seat: int) -> Any:
    """Return the position without what waits to be summoned in the battle, which the attacker alone knows."""
    if not has_battle(state) or may_see(state, seat, int(state.legions[state.attacker].owner)):
        return state
    seen = copy_of(state)
    seen.battle.angel_waits = seen.battle.archangel_waits = 0
    return seen
