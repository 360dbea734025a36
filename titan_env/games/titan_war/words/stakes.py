"""The points that are at stake before a battle."""

from __future__ import annotations

from typing import Any

from titan_env.games.titan_war.rules.actions import FLEE
from titan_env.games.titan_war.rules.legions import value_of
from titan_env.games.titan_war.rules.offers import talk_words, word
from titan_env.games.titan_war.rules.state import Ask, Stage
from titan_env.games.titan_war.words.translation import _, player_name


def flight_price(state: Any) -> int:
    """Return half the value of the defending legion, which the attacker gets if it flees."""
    return int(value_of(state, int(state.defender))) // 2


def concession_price(state: Any) -> int:
    """Return the value of the legion whose player is asked, which the other gets if it is conceded."""
    return int(value_of(state, int(state.attacker if state.ask == Ask.ATTACK else state.defender)))


def told_price(state: Any, words: str) -> list[str]:
    """Return the cost of fleeing or conceding as a sentence; [] for other answers."""
    if state.stage != Stage.TALK or words not in ("flee", "concede"):
        return []
    other = state.legions[state.defender if state.ask == Ask.ATTACK else state.attacker].owner
    points = flight_price(state) if words == "flee" else concession_price(state)
    return [_("{who} scores {n}", who=player_name(other), n=points)]


def told_stakes(state: Any) -> str:
    """Return the values of both legions before a battle, and the cost of flight; "" at any other time."""
    if state.stage != Stage.TALK:
        return ""
    values = {
        "attacker": int(value_of(state, int(state.attacker))),
        "defender": int(value_of(state, int(state.defender))),
    }
    if talk_words(state) & word(FLEE):
        return _("points: flight {half}, attacker {attacker}, defender {defender}", half=flight_price(state), **values)
    return _("points: attacker {attacker}, defender {defender}", **values)
