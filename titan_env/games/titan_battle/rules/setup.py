"""Setting up a battle: the options, and what chance decides before the first maneuver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from titan_env.contract import LOG, SILENT, draw, rule
from titan_env.contract.options import one_of, true_or_false, whole_number
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER, SUPPLY
from titan_env.games.titan_battle.rules.decision import go_on
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_battle.rules.legions import copy_legion, draw_legion, sort_legion
from titan_env.games.titan_battle.rules.musters import left_in_box
from titan_env.games.titan_battle.rules.state import (
    ARRIVAL_SLOT,
    EMPTY,
    KINDS,
    LEGION,
    OUTSIDE,
    RANDOM,
    SLOTS,
    STATE,
    Character,
    Draw,
    Entry,
    Land,
    Side,
)
from titan_env.games.titan_battle.rules.translation import _
from titan_env.games.titan_battle.rules.turn import begin_battle, run_on

OPTIONS: Mapping[str, str] = {
    "land": "a terrain by name, or `random`",
    "side": "the side on which the attacker enters, `R`, `B`, `L` or `random`; in a tower always B",
    "attacker": "`drawn`, `with_titan` (drawn, its lord is a titan), or a list of 1 to 7 characters, at most one titan",
    "defender": "the same for the defender",
    "mirror": "yes: both sides have the same drawn legion",
    "growth": "musters that a drawn legion has behind it, 0 to 12",
    "scores": "points of attacker and defender, which make their titans' powers: one more for each 100",
    "attacker_seat": "the seat that attacks, 0 or 1, or `random`",
    "reinforcement": "yes: the defender may be reinforced in round 4",
    "summon": "what waits elsewhere for the attacker: `none`, `angel` or `archangel`",
    "limit": "decisions that truncate the battle; None: no limit",
}

SILENCE = np.zeros(1, LOG).view(np.recarray)
SILENCE.count = SILENT
"""Nobody listens while the table is laid; this log is never written."""

SEATS = 2
MOST_GROWTH = 12
MOST_SCORE = 5_000
MOST_DECISIONS = 1_000_000
POINTS_A_POWER = 100
DRAWS = ("drawn", "with_titan")
"""Instead of a list of characters, in the order of `Draw` after LISTED."""


def configure(
    land: str = "random",
    side: str = "random",
    attacker: str | Sequence[str] = "drawn",
    defender: str | Sequence[str] = "drawn",
    mirror: bool = False,
    growth: int = 6,
    scores: Sequence[int] = (0, 0),
    attacker_seat: int | Literal["random"] = "random",
    reinforcement: bool = True,
    summon: Literal["none", "angel", "archangel"] | None = "none",
    limit: int | None = None,
) -> np.recarray[Any, Any]:
    """A battle before any chance, as a record array of shape (1,). `OPTIONS` says what each keyword means.

    Raises ValueError or TypeError, naming the option, for anything that cannot be fought.
    """
    fresh = np.zeros(1, STATE).view(np.recarray)
    state = fresh[0]
    battle = state.battle
    state.seats = SEATS
    battle.land, battle.entry = _read_land(land, side)
    battle.fighters["hex"] = EMPTY
    for number, (name, legion) in enumerate((("attacker", attacker), ("defender", defender))):
        state.draws[number] = _read_legion(battle, number, name, legion)
    state.mirror = true_or_false("mirror", mirror)
    if mirror and (Draw.LISTED in state.draws or state.draws[Side.ATTACKER] != state.draws[Side.DEFENDER]):
        raise ValueError(_("mirror: expected both legions to be drawn alike, got a list or two ways to draw"))
    state.growth = whole_number("growth", growth, 0, MOST_GROWTH)
    _take_scores(battle, scores)
    state.attacker = _read_attacker(attacker_seat)
    battle.may_reinforce = true_or_false("reinforcement", reinforcement)
    waiting = one_of("summon", "none" if summon is None else summon, ["none", "angel", "archangel"])
    battle.angel_waits, battle.archangel_waits = waiting == 1, waiting == 2
    state.limit = 0 if limit is None else whole_number("limit", limit, 1, MOST_DECISIONS)
    return fresh


def _read_land(land: str, side: str) -> tuple[int, int]:
    """The land and the side on which the attacker enters; RANDOM where they are drawn."""
    number = one_of("land", land, [*LAND_NAMES, "random"])
    entry = one_of("side", side, [*ENTRY_NAMES, "random"])
    if number == Land.TOWER and side not in ("B", "random"):
        raise ValueError(_("side: expected B in a tower, got {got}", got=repr(side)))
    return RANDOM if number == len(LAND_NAMES) else number, RANDOM if entry == len(ENTRY_NAMES) else entry


def _read_attacker(seat: int | str) -> int:
    """The seat that attacks; RANDOM where it is drawn."""
    if isinstance(seat, str):
        one_of("attacker_seat", seat, ["random"])
        return RANDOM
    return whole_number("attacker_seat", seat, 0, SEATS - 1)


def _read_legion(battle: Any, side: int, name: str, legion: str | Sequence[str]) -> int:
    """Put the listed characters of a legion outside the map; the Draw of the side."""
    if isinstance(legion, str):
        number = one_of(name, legion, [*DRAWS, *CHARACTERS])
        if number < len(DRAWS):
            return 1 + number
        legion = [legion]
    if isinstance(legion, bytes) or not isinstance(legion, Sequence | np.ndarray):
        raise TypeError(
            _(
                "{name}: expected {known} or a list of characters, got {got}",
                name=name,
                known=", ".join(DRAWS),
                got=repr(legion),
            )
        )
    if not 1 <= len(legion) <= LEGION:
        raise ValueError(
            _("{name}: expected 1 to {most} characters, got {got}", name=name, most=LEGION, got=len(legion))
        )
    kinds = sorted(one_of(name, character, CHARACTERS) for character in legion)
    if kinds.count(Character.TITAN) > 1:
        raise ValueError(
            _("{name}: expected at most one titan, got {got}", name=name, got=kinds.count(Character.TITAN))
        )
    fighters = battle.fighters[side * SLOTS : side * SLOTS + len(kinds)]
    fighters["kind"], fighters["power"], fighters["hex"] = kinds, POWER[kinds], OUTSIDE
    return Draw.LISTED


def _take_scores(battle: Any, scores: Sequence[int]) -> None:
    """Lay the added power of each side's titan into its slot for arrivals, until the legions are complete."""
    if isinstance(scores, str) or not isinstance(scores, Sequence | np.ndarray) or len(scores) != SEATS:
        raise ValueError(_("scores: expected two numbers, attacker and defender, got {got}", got=repr(scores)))
    for side, score in enumerate(scores):
        added = whole_number("scores", score, 0, MOST_SCORE) // POINTS_A_POWER
        battle.fighters[side * SLOTS + ARRIVAL_SLOT].power = added


@rule
def set_up(state: Any, luck: Any) -> None:
    """Draw land, side, seats and legions that nobody chose, and ask the defender who comes on first."""
    battle = state.battle
    draw_place(battle, luck)
    if state.attacker == RANDOM:
        state.attacker = draw(luck, SEATS)
    draw_legions(state, luck)
    for side in range(2):
        sort_legion(battle, side)
        strengthen_titan(battle, side)
    fill_supply(battle)
    begin_battle(battle)
    run_on(battle, SILENCE[0])
    go_on(state, SILENCE[0])


@rule
def draw_place(battle: Any, luck: Any) -> None:
    """A land and a side that nobody chose are drawn; in a tower it is always B."""
    if battle.land == RANDOM:
        battle.land = draw(luck, len(LAND_NAMES))
    if battle.land == Land.TOWER:
        battle.entry = Entry.BOTTOM
    elif battle.entry == RANDOM:
        battle.entry = draw(luck, len(ENTRY_NAMES))


@rule
def draw_legions(state: Any, luck: Any) -> None:
    """Both legions are drawn from one box, the attacker's first; in a mirror they are the same."""
    for side in range(2):
        if state.mirror and side == Side.DEFENDER:
            copy_legion(state.battle, Side.ATTACKER, Side.DEFENDER)
        elif state.draws[side] != Draw.LISTED:
            draw_legion(state.battle, side, state.draws[side], state.growth, luck)
    state.draws[:] = 0
    state.mirror = state.growth = 0


@rule
def strengthen_titan(battle: Any, side: int) -> None:
    """A titan's power is 6, and 1 more for each 100 points of its player."""
    arrival = battle.fighters[side * SLOTS + ARRIVAL_SLOT]
    for who in range(side * SLOTS, side * SLOTS + LEGION):
        fighter = battle.fighters[who]
        if fighter.kind == Character.TITAN and fighter.hex != EMPTY:
            fighter.power += arrival.power
    arrival.power = 0


@rule
def fill_supply(battle: Any) -> None:
    """The supply is that of a full box less the characters of the two legions."""
    battle.supply = 0
    for kind in range(KINDS):
        if left_in_box(battle, kind, SUPPLY[kind]) > 0:
            battle.supply |= 1 << kind
