"""Positions that people make: what may be played on from, and how things are put elsewhere by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract.position_text import NOTHING, YES_OR_NO, check_bounds, expect, is_index
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER, SUPPLY
from titan_env.games.titan_battle.rules.decision import seat_of
from titan_env.games.titan_battle.rules.fighters import side_of
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES
from titan_env.games.titan_battle.rules.lands import HAZARDS
from titan_env.games.titan_battle.rules.legal import legal_in_battle
from titan_env.games.titan_battle.rules.maneuver import begin_maneuvers
from titan_env.games.titan_battle.rules.musters import left_in_box
from titan_env.games.titan_battle.rules.setup import MOST_DECISIONS, MOST_SCORE, POINTS_A_POWER, SEATS
from titan_env.games.titan_battle.rules.state import (
    ARRIVAL_SLOT,
    EMPTY,
    FIGHTERS,
    GONE,
    HEXES,
    KINDS,
    LANDS,
    LEGION,
    NOBODY,
    OUTSIDE,
    ROUNDS,
    SLOTS,
    Ask,
    Character,
    Entry,
    Land,
    Phase,
    Side,
    Window,
)
from titan_env.games.titan_battle.rules.turn import is_eliminated
from titan_env.games.titan_battle.rules.ways import may_stand
from titan_env.games.titan_battle.words.sentences import fighter_name
from titan_env.games.titan_battle.words.translation import _, character_name, hazard_name, side_name

SIDES = ("attacker", "defender")
"""The kinds of keys of the pieces in the tray, in the order of `Side`."""
_HALF_DONE = {Ask.GO: Ask.MANEUVER, Ask.TARGET: Ask.STRIKE}
"""The questions about a character that has just been picked, and where it was picked."""
_PHASES = {
    Ask.MANEUVER: (Phase.MANEUVER,),
    Ask.STRIKE: (Phase.STRIKE, Phase.STRIKE_BACK),
    Ask.REINFORCE: (Phase.ARRIVAL,),
    Ask.SUMMON: (Phase.ARRIVAL,),
}
"""The phases of each question that a position may be played on from."""
_CALM_ONLY = mark("expected another question: once the dice of a strike are named a position can only be looked at")


# What may be played on from


def validate_position(state: Any) -> None:
    """Raises ValueError for a position that the rules could not safely be played on from, saying why.

    Every number must be one that can occur, and the question one that is asked in this phase and can be answered.
    """
    expect(not state.over, _("expected a battle that is still fought; this one is over: begin at an earlier moment"))
    _check_table(state)
    battle = state.battle
    _check_course(battle)
    for who in range(FIGHTERS):
        _check_fighter(battle, who)
    _check_sides(battle)
    _check_question(battle)
    is_asked = state.ask == battle.ask and state.seat == seat_of(state, int(battle.asked))
    expect(is_asked, _("expected the seat of {side} to be asked", side=side_name(battle.asked)))


def _check_table(state: Any) -> None:
    """Raise ValueError unless the game around the battle is possible."""
    battle = state.battle
    check_bounds(battle, {"rounds_begun": (1, ROUNDS), "half": YES_OR_NO})
    halves = 2 * int(battle.rounds_begun) - (int(battle.half) == Side.DEFENDER)
    nothing = "scores won place out draws mirror growth"
    bounds = {
        "seats": (SEATS, SEATS),
        "decisions": (0, 2**30),
        "limit": (0, MOST_DECISIONS),
        "attacker": YES_OR_NO,
        "clock": (halves, halves),
        **dict.fromkeys(nothing.split(), NOTHING),
    }
    check_bounds(state, bounds)
    goes_on = not state.limit or state.decisions < state.limit
    expect(goes_on, _("expected fewer decisions than the limit of {limit}", limit=int(state.limit)))


def _check_course(battle: Any) -> None:
    """Raise ValueError unless land, phase and arrivals are possible, and no strike is under way."""
    flags = "may_reinforce angel_waits archangel_waits asked"
    bounds = {
        "land": (0, LANDS - 1),
        "entry": (0, len(Entry) - 1),
        "phase": (0, len(Phase) - 1),
        "result": NOTHING,
        "window": (0, len(Window) - 1),
        "supply": (0, 2**KINDS - 1),
        **dict.fromkeys(flags.split(), YES_OR_NO),
    }
    check_bounds(battle, bounds)
    expect(battle.land != Land.TOWER or battle.entry == Entry.BOTTOM, _("expected the entry B in a tower"))
    is_struck = battle.dice or battle.number or battle.surplus or battle.target != NOBODY
    expect(not is_struck, _(_CALM_ONLY))


def _check_fighter(battle: Any, who: int) -> None:
    """Raise ValueError unless a character is possible, and may stand on its hex."""
    fighter = battle.fighters[who]
    check_bounds(fighter, {"kind": (0, KINDS - 1), "hex": (0, EMPTY)})
    name = fighter_name(battle, who)
    added = MOST_SCORE // POINTS_A_POWER if fighter.kind == Character.TITAN else 0
    power = int(POWER[fighter.kind])
    is_in_half = side_of(who) == battle.half
    maneuvers = (0, int(battle.phase == Phase.MANEUVER and is_in_half and fighter.hex < HEXES))
    strikes = (0, int(battle.phase >= Phase.STRIKE and fighter.hex < HEXES))
    bounds = {
        "power": NOTHING if fighter.hex == EMPTY else (power, power + added),
        "hits": (0, int(fighter.power)) if fighter.hex < HEXES else NOTHING,
        **dict.fromkeys(("moved", "locked"), maneuvers),
        **dict.fromkeys(("struck", "slain"), strikes),
    }
    check_bounds(fighter, bounds, f"{name}: ")
    is_slain = fighter.hex != EMPTY and fighter.hits == fighter.power
    expect(
        is_slain == fighter.slain,
        _("expected {who} to be slain with as many hits as its power, and only then", who=name),
    )
    if fighter.hex < HEXES:
        _check_ground(battle, who)


def _check_ground(battle: Any, who: int) -> None:
    """Raise ValueError unless a character may stand on its hex, and stands there alone."""
    fighter = battle.fighters[who]
    _check_hazard(battle, who, int(fighter.hex))
    is_alone = (battle.fighters["hex"] == fighter.hex).sum() == 1
    expect(is_alone, _("expected one character on {hex}", hex=HEX_NAMES[fighter.hex]))


def _check_hazard(battle: Any, who: int, hexagon: int) -> None:
    """Raise ValueError unless a character may stand on a hex of this land."""
    kind = int(battle.fighters[who].kind)
    names = {"who": character_name(kind), "hazard": hazard_name(HAZARDS[battle.land, hexagon])}
    may = may_stand(battle.land, kind, hexagon)
    expect(may, _("expected {who} not to stand on {hazard}", **names))


def _check_sides(battle: Any) -> None:
    """Raise ValueError unless each side still stands, has at most one titan, and none who may still be called."""
    for side in range(2):
        fighters = battle.fighters[side * SLOTS : (side + 1) * SLOTS]
        titans = (fighters["kind"] == Character.TITAN) & (fighters["hex"] != EMPTY)
        name = side_name(side)
        is_one = titans.sum() <= 1 and not (titans & (fighters["hex"] == GONE)).any()
        expect(is_one, _("expected at most one titan of {side}, and none that is gone", side=name))
        is_here = (fighters["hex"] <= OUTSIDE).any() and (
            battle.phase >= Phase.STRIKE or not is_eliminated(battle, side)
        )
        expect(is_here, _("expected somebody of {side} who still fights", side=name))
        is_open = battle.may_reinforce if side == Side.DEFENDER else battle.window != Window.PAST
        has_none = not is_open or fighters[ARRIVAL_SLOT].hex == EMPTY
        expect(has_none, _("expected no arrival of {side}, or that none may be called any more", side=name))


def _check_question(battle: Any) -> None:
    """Raise ValueError unless the right side is asked in this phase, and has something to choose."""
    ask = Ask(int(battle.ask)) if 0 <= battle.ask < len(Ask) else Ask.NOTHING
    calm = _HALF_DONE.get(ask, ask)
    expect(calm in _PHASES, _(_CALM_ONLY))
    asked = 1 - battle.half if battle.phase == Phase.STRIKE_BACK else battle.half
    arrives = {Ask.REINFORCE: Side.DEFENDER, Ask.SUMMON: Side.ATTACKER}.get(calm, asked)
    message = mark("expected a question of the phase, to the side that is to answer it, got {ask}")
    is_of_phase = battle.phase in _PHASES[calm] and battle.asked == asked == arrives
    expect(is_of_phase, _(message, ask=ask.name.lower()))
    is_picked = int(battle.picked) in range(int(asked) * SLOTS, (int(asked) + 1) * SLOTS)
    fits = is_picked if ask in _HALF_DONE else battle.picked == NOBODY
    expect(fits, _("expected a picked character of the side that is asked, where it is asked about one"))
    message = mark("expected a question with an answer beside no, but nobody of {side} can answer: {ask}")
    expect(_has_answer(battle, calm), _(message, side=side_name(battle.asked), ask=calm.name.lower()))


def _has_answer(battle: Any, ask: Ask) -> bool:
    """Return whether a question has an answer other than no; after a pick, whether that was possible."""
    mask, before = np.zeros(len(actions.ACTIONS), np.int8), battle.ask
    battle.ask = ask
    legal_in_battle(battle, mask)
    battle.ask = before
    mask[[actions.PASS, actions.END]] = 0
    if battle.picked != NOBODY:
        fighter = battle.fighters[battle.picked]
        action = actions.PICK_KIND + fighter.kind if fighter.hex == OUTSIDE else actions.PICK + fighter.hex
        mask = mask[action : action + 1]
    return bool(mask.any())


# Putting things elsewhere by hand


def edit_position(state: Any, what: str, where: str) -> None:
    """Put a character on another hex, or `outside`, by their keys in the picture; off the table ("") it is in the tray.

    Its `life` gives it one hit more, and none again when it can take no more alive. Who had been picked is not any
    more, and where nobody has anything to decide in the phase, the other phase of the half is played. Raises ValueError
    for what cannot be.
    """
    battle = state.battle
    kind, _sep, number = what.partition(":")
    if kind in SIDES and number in CHARACTERS:
        _add(battle, SIDES.index(kind), CHARACTERS.index(number), where)
        return _ask_anew(state)
    is_here = is_index(number, FIGHTERS) and battle.fighters[int(number)].hex <= OUTSIDE
    is_fighter = is_here and kind in ("piece", "token", "life")
    expect(is_fighter, _("expected a character, got {what}", what=repr(what)))
    fighter = battle.fighters[int(number)]
    if kind == "life":
        fighter.hits = (fighter.hits + 1) % fighter.power if fighter.hex < HEXES else 0
        fighter.slain = 0
    else:
        _put(battle, int(number), where)
    return _ask_anew(state)


def may_add(battle: Any, side: int, kind: int) -> int:
    """Return how many characters of a kind may be added to a side: as the box has, in its free places, one titan."""
    fighters = battle.fighters[side * SLOTS : side * SLOTS + LEGION]
    free = int((fighters["hex"] == EMPTY).sum())
    has_titan = ((fighters["kind"] == Character.TITAN) & (fighters["hex"] != EMPTY)).any()
    most = 1 - int(has_titan) if kind == Character.TITAN else free
    return max(0, min(free, most, int(left_in_box(battle, kind, SUPPLY[kind]))))


def _add(battle: Any, side: int, kind: int, where: str) -> None:
    """Put a new character of a side on a hex or outside."""
    names = {"who": character_name(kind), "side": side_name(side)}
    expect(may_add(battle, side, kind) > 0, _("expected a free place and {who} left for {side}", **names))
    who = side * SLOTS + int((battle.fighters["hex"][side * SLOTS : side * SLOTS + LEGION] == EMPTY).argmax())
    expect(where != "", _("expected a hex to put it on, got {what}", what=repr(where)))
    before, fighter = battle.fighters[who].copy(), battle.fighters[who]
    for name in fighter.dtype.names:
        fighter[name] = 0
    fighter.kind, fighter.power, fighter.hex = kind, POWER[kind], EMPTY
    try:
        _put(battle, who, where)
    except ValueError:
        battle.fighters[who] = before
        raise
    if left_in_box(battle, kind, SUPPLY[kind]) == 0:
        battle.supply &= ~(1 << kind)


def _put(battle: Any, who: int, where: str) -> None:
    """Put a character on a hex, outside, or off the table."""
    fighter = battle.fighters[who]
    part, _sep, hexagon = where.partition(":")
    is_hex = part == "hex" and is_index(hexagon, HEXES)
    expect(is_hex or where in ("", "outside"), _("expected a hex to put it on, got {what}", what=repr(where)))
    target = int(hexagon) if is_hex else OUTSIDE if where else EMPTY
    if is_hex:
        is_free = target == fighter.hex or not (battle.fighters["hex"] == target).any()
        expect(is_free, _("expected a free hex, but somebody stands on {hex}", hex=HEX_NAMES[target]))
        _check_hazard(battle, who, target)
    if not where and left_in_box(battle, fighter.kind, SUPPLY[fighter.kind]) == 0:
        battle.supply |= 1 << int(fighter.kind)
    fighter.hex = target
    if target == EMPTY:
        fighter.kind = fighter.power = 0
    if target >= HEXES:
        fighter.hits = fighter.moved = fighter.locked = fighter.struck = fighter.slain = 0


def _ask_anew(state: Any) -> None:
    """Ask who moves, or who strikes: in this phase, or where that has no answer in the other one of this half."""
    battle = state.battle
    battle.ask = _HALF_DONE.get(Ask(int(battle.ask)), int(battle.ask))
    battle.picked = NOBODY
    if battle.phase == Phase.MANEUVER:
        _begin_maneuvers(battle)
    if not _has_answer(battle, Ask(int(battle.ask))):
        if battle.phase == Phase.MANEUVER:
            _begin_strikes(battle)
            if not _has_answer(battle, Ask.STRIKE):
                _begin_maneuvers(battle)
        elif battle.phase in (Phase.STRIKE, Phase.STRIKE_BACK):
            _begin_maneuvers(battle)
    state.ask = battle.ask
    state.seat = seat_of(state, int(battle.asked))


def _begin_maneuvers(battle: Any) -> None:
    """Ask the side whose half it is who moves; who is in contact may not."""
    battle.ask, battle.asked = Ask.MANEUVER, battle.half
    battle.fighters["locked"] = battle.fighters["struck"] = 0
    begin_maneuvers(battle)


def _begin_strikes(battle: Any) -> None:
    """Ask the side whose half it is who strikes."""
    battle.ask, battle.asked, battle.phase = Ask.STRIKE, battle.half, Phase.STRIKE
    battle.fighters["locked"] = battle.fighters["moved"] = 0
