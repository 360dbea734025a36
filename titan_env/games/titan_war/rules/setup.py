"""Setting up a war: the options, and what chance decides before the first question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from titan_env.contract import MOST_SEATS, rule
from titan_env.contract.options import one_of, true_or_false, whole_number
from titan_env.games.titan_war.rules.start import draw_towers, first_seat, offer_start, stock
from titan_env.games.titan_war.rules.state import LEAN_MARKERS, LEGIONS, MARKERS, NOBODY, STATE
from titan_env.games.titan_war.rules.translation import _

OPTIONS: Mapping[str, str] = {
    "players": "2 to 6",
    "goal": "points: at the end of a turn after which a living player has as many the highest score wins; 0: none",
    "turns": "turns of single players, all counted together: after the last one the highest score and value wins; "
    "0: no such end",
    "lean": "yes: lion, troll and cyclops take the places of centaur, gargoyle and ogre; 8 markers",
    "agreements": "yes: mutual elimination may be offered",
    "concede": "yes: players may concede, before a battle and in it",
    "open": "yes: the contents of all legions are public",
    "towers": "`random`, or `opposite` for two players",
    "mulligan": "how a first movement die may be thrown again: `once`, or `2 or 5` (as often as it shows these)",
    "first_teleport": "where one may teleport in the first turn: `any`, or `not to a tower`",
    "limit": "decisions that truncate the war; None: no limit",
}

TOWER_WAYS = ("random", "opposite")
MULLIGANS = ("once", "2 or 5")
"""In the order of `Mulligan`."""
FIRST_TELEPORTS = ("not to a tower", "any")
MOST_GOAL = 10_000
MOST_TURNS = 100_000
MOST_DECISIONS = 1_000_000
USUAL_LIMIT = 6_000
"""Nothing else stops two careful players."""


def configure(
    players: int = 2,
    goal: int = 0,
    turns: int = 0,
    lean: bool = False,
    agreements: bool = True,
    concede: bool = True,
    open: bool = False,
    towers: Literal["random", "opposite"] = "random",
    mulligan: Literal["once", "2 or 5"] = "once",
    first_teleport: Literal["not to a tower", "any"] = "any",
    limit: int | None = USUAL_LIMIT,
) -> np.recarray[Any, Any]:
    """Return a war before any chance, a record array (1,); `OPTIONS` says what each keyword means.

    Raises ValueError or TypeError, naming the option, for anything that cannot be played.
    """
    fresh = np.zeros(1, STATE).view(np.recarray)
    state = fresh[0]
    state.seats = whole_number("players", players, 2, MOST_SEATS)
    state.goal = whole_number("goal", goal, 0, MOST_GOAL)
    state.turn_limit = whole_number("turns", turns, 0, MOST_TURNS)
    state.limit = 0 if limit is None else whole_number("limit", limit, 1, MOST_DECISIONS)
    for name, value in {"lean": lean, "agreements": agreements, "concede": concede, "open": open}.items():
        state[name] = true_or_false(name, value)
    state.opposite = one_of("towers", towers, TOWER_WAYS)
    if state.opposite and state.seats != len(TOWER_WAYS):
        raise ValueError(_("towers: expected opposite ones for 2 players only, got {got} players", got=players))
    state.mulligan = one_of("mulligan", mulligan, MULLIGANS)
    state.first_teleport = one_of("first_teleport", first_teleport, FIRST_TELEPORTS)
    state.picked = state.attacker = state.defender = state.winner = state.donor = NOBODY
    _give_markers(state)
    return fresh


def _give_markers(state: Any) -> None:
    """12 legion markers each, 8 in a lean game."""
    each = LEAN_MARKERS if state.lean else MARKERS
    for marker in range(LEGIONS):
        seat = marker // MARKERS
        state.legions[marker].owner = seat if seat < state.seats and marker % MARKERS < each else NOBODY


@rule
def set_up(state: Any, luck: Any) -> None:
    """Draw the towers, fill the supply, and ask the first seat who goes with its titan."""
    draw_towers(state, luck)
    stock(state)
    state.mover = first_seat(state)
    offer_start(state)
