"""Views for readers outside the engine: values of options, the rules behind events, colours, statistics."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from titan_env.contract import Status
from titan_env.games.titan_battle.rules.state import Side
from titan_env.games.titan_battle.words.presentation import STYLES as BATTLE_STYLES
from titan_env.games.titan_war.rules.legions import value_of_all
from titan_env.games.titan_war.rules.state import Event, Stage
from titan_env.games.titan_war.words.glossary import BATTLE_RULE

OPTION_VALUES: Mapping[str, tuple[Any, ...]] = {
    "players": (2, 3, 4, 5, 6),
    "goal": (0, 100, 300, 500),
    "turns": (0, 12, 24, 48),
    "lean": (False, True),
    "agreements": (True, False),
    "concede": (True, False),
    "open": (False, True),
    "towers": ("random", "opposite"),
    "mulligan": ("once", "2 or 5"),
    "first_teleport": ("any", "not to a tower"),
}
"""The values offered for each option."""

RULE_OF: Mapping[IntEnum, str] = {
    **{event: BATTLE_RULE for event in Event if Event.BATTLE <= event <= Event.TIME_LOSS},
    Event.REINFORCED: "battles.settle_reinforcement",
    Event.SUMMONED: "summoning.may_give",
    Event.ELIMINATED: "aftermath.bury",
    Event.WON: "aftermath.finish",
    Event.TURN: "turn.begin_turn",
    Event.ROLLED: "movement.throw",
    Event.SPLIT: "splits.may_split",
    Event.MOVED: "lands.ways_from",
    Event.TELEPORTED: "movement.may_teleport_to",
    Event.JOINED: "movement.join",
    Event.SHOWN: "record.conclude",
    Event.ENGAGED: "talk.engage",
    Event.FLED: "talk.flee",
    Event.CONCEDED: "talk.concede",
    Event.OFFERED: "talk.offer",
    Event.AGREED: "talk.agree",
    Event.SCORED: "aftermath.score",
    Event.HALF_POINTS: "aftermath.give_half_points",
    Event.REMOVED: "aftermath.give_half_points",
    Event.ACQUIRED: "aftermath.offer_angel",
    Event.GIVEN: "summoning.may_give",
    Event.MUSTERED: "recruiting.muster_kinds",
}
"""The rule behind each kind of event, as a heading of RULES.md names it."""

STYLES: Mapping[str, str] = {
    **BATTLE_STYLES,
    r"(?m)^(?:phase|ask): (\w+)": "bold",
    r"(?m)^legion \d+ (\d+):": "bold",
    r"(?m)^legion (?:[0-9]|1[01]) \d+:(.*?)(?: / |$)": "red",
    r"(?m)^legion (?:1[2-9]|2[0-3]) \d+:(.*?)(?: / |$)": "blue",
    r"(?m)^legion (?:2[4-9]|3[0-5]) \d+:(.*?)(?: / |$)": "green",
    r"(?m)^legion (?:3[6-9]|4[0-7]) \d+:(.*?)(?: / |$)": "yellow",
    r"(?m)^legion (?:4[89]|5[0-9]) \d+:(.*?)(?: / |$)": "magenta",
    r"(?m)^legion (?:6[0-9]|7[01]) \d+:(.*?)(?: / |$)": "cyan",
}
"""The styles of the text of a position: legions in a colour for each player's markers."""


def own_panel(state: Any, seat: int) -> str:
    """Return the key of a seat's fighters in a battle of its own, else of its legions, or of its line without any."""
    if state.stage == Stage.BATTLE:
        for side, marker in ((Side.ATTACKER, state.attacker), (Side.DEFENDER, state.defender)):
            if state.legions[marker].owner == seat:
                return f"legion:{int(side)}"
    has_legions = bool(((state.legions["owner"] == seat) & (state.legions["height"] > 0)).any())
    return f"legions:{seat}" if has_legions else f"player:{seat}"


def statistics(state: Any) -> dict[str, Any]:
    """Return the statistics of a finished war: its length, points, its end, each player's beginning."""
    seats = int(state.seats)
    points = state.scores[:seats]
    return {
        "turns": int(state.turns),
        "points of the winner": int(max(points)),
        "points a player": float(points.mean()),
        "value of the winner's legions": max(int(value_of_all(state, seat)) for seat in range(seats)),
        "end": "limit" if state.over == Status.TRUNCATED else "shared" if state.won.sum() > 1 else "won",
        "tower": [f"tower {100 * int(tower)}" for tower in state.towers[:seats]],
    }
