"""Positions that people make: what may be played on from, and how legions are put elsewhere by hand."""

from __future__ import annotations

from typing import Any

from titan_env.contract import MOST_SEATS
from titan_env.contract.position_text import NOTHING, YES_OR_NO, check_bounds, expect, has_legal_action, is_index
from titan_env.games.titan_battle.rules.characters import CHARACTERS, SUPPLY
from titan_env.games.titan_battle.rules.state import KINDS, LEGION, Character, Entry
from titan_env.games.titan_battle.words.position_editor import validate_position as validate_battle
from titan_env.games.titan_battle.words.translation import character_name
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.games.titan_war.rules.legal import legal
from titan_env.games.titan_war.rules.legions import gain, lose
from titan_env.games.titan_war.rules.setup import MOST_DECISIONS, MOST_GOAL, MOST_TURNS
from titan_env.games.titan_war.rules.state import (
    FACES,
    LANDS,
    LEGIONS,
    NOBODY,
    TOWERS,
    Ask,
    Mulligan,
    Phase,
    Stage,
)
from titan_env.games.titan_war.words.position import game_of_battle
from titan_env.games.titan_war.words.translation import _, number_of, player_name

_MOST_POINTS = 30_000
_COUNTED = (0, 127)
_PHASES = {
    Ask.START: Phase.START,
    Ask.SPLIT: Phase.COMMENCEMENT,
    Ask.MULLIGAN: Phase.THROW,
    **dict.fromkeys((Ask.MOVE, Ask.STACK, Ask.GO_LAND, Ask.SIDE), Phase.MOVEMENT),
    Ask.MUSTER: Phase.ENLISTMENT,
}
"""The phase of each question outside engagements; SHOW belongs to two."""
_STAGES = {
    Ask.ENGAGE: Stage.NONE,
    **dict.fromkeys((Ask.DEFEND, Ask.ATTACK, Ask.ANSWER), Stage.TALK),
    Ask.ANGEL: Stage.ANGELS,
}
"""The stage of each question of an engagement; others belong to the battle, or to what follows it."""


# What may be played on from


def validate_position(state: Any) -> None:
    """Raises ValueError for a position that the rules could not safely be played on from, saying why.

    Every number must be one that can occur, legions must be whole, and the question one that can be answered.
    """
    expect(not state.over, _("expected a war that goes on; this one is over: begin at an earlier moment"))
    _check_numbers(state)
    for marker in range(LEGIONS):
        _check_legion(state, marker)
    _check_board(state)
    for seat in range(int(state.seats)):
        _check_player(state, seat)
    _check_supply(state)
    _check_question(state)


def _check_numbers(state: Any) -> None:
    """Raise ValueError unless every number of the table is within its bounds."""
    flags = "lean agreements concede open first_teleport had_turn out teleported summoned teleporting offered"
    flags += " may_summon may_reinforce"
    markers = dict.fromkeys(("picked", "attacker", "defender", "winner", "donor"), (NOBODY, LEGIONS - 1))
    bounds = {
        "seats": (2, MOST_SEATS),
        "seat": (0, int(state.seats) - 1),
        "mover": (0, int(state.seats) - 1),
        "decisions": (0, 2**30),
        "clock": (0, 2**30),
        "turns": (0, 2**30),
        "limit": (0, MOST_DECISIONS),
        "goal": (0, MOST_GOAL),
        "turn_limit": (0, MOST_TURNS),
        "scores": (0, _MOST_POINTS),
        "place": (0, int(state.seats)),
        "opposite": NOTHING,
        "mulligan": (0, len(Mulligan) - 1),
        "towers": (0, TOWERS),
        "roll": (0, FACES),
        "phase": (0, len(Phase) - 1),
        "stage": (0, len(Stage) - 1),
        "land": (0, LANDS - 1),
        "destination": (0, LANDS - 1),
        "wanted": (0, KINDS - 1),
        "split": (0, LEGION),
        "returning": _COUNTED,
        "hundred": (0, _MOST_POINTS),
        "last_hundred": (0, _MOST_POINTS),
        "won": NOTHING,
        **dict.fromkeys(flags.split(), YES_OR_NO),
        **markers,
    }
    check_bounds(state, bounds)
    goes_on = not state.limit or state.decisions < state.limit
    expect(goes_on, _("expected fewer decisions than the limit of {limit}", limit=int(state.limit)))


def _check_legion(state: Any, marker: int) -> None:
    """Raise ValueError unless a legion is possible: whole, on a land, with a record that fits its characters."""
    legion = state.legions[marker]
    whose = _("legion {marker}: ", marker=marker)
    counts = dict.fromkeys(("holds", "at_least", "at_most"), (0, LEGION if legion.height else 0))
    bounds = {
        "owner": (0 if legion.height else NOBODY, int(state.seats) - 1),
        "height": (0, LEGION),
        "land": (0, LANDS - 1 if legion.height else 0),
        "age": (1, LEGIONS) if legion.height else NOTHING,
        "moved": (0, int(legion.height > 0)),
        "entry": (0, len(Entry) - 1 if legion.height else 0),
        **counts,
    }
    check_bounds(legion, bounds, whose)
    expect(legion.holds.sum() == legion.height, whose + _("expected as many characters as its height"))
    is_known = (legion.at_least <= legion.holds).all() and (legion.holds <= legion.at_most).all()
    expect(is_known, whose + _("expected a record that fits what it holds"))


def _check_board(state: Any) -> None:
    """Raise ValueError unless legions stand on possible lands: enemies only where the mover fights, ages in a row."""
    there = [legion for legion in state.legions if legion.height > 0]
    are_aged = sorted(int(legion.age) for legion in there) == [*range(1, len(there) + 1)]
    expect(are_aged, _("expected the ages of the legions to be 1 to {n}, each once", n=len(there)))
    for land in range(LANDS):
        owners = [int(legion.owner) for legion in there if legion.land == land]
        are_seats = sum(1 << owner for owner in set(owners)) == state.seats_at[land]
        expect(are_seats, _("expected the seats on {land} to be those of its legions", land=number_of(land)))
        fights = state.phase in (Phase.MOVEMENT, Phase.ENGAGEMENT) and state.mover in owners and len(owners) == 2
        may_be = (len(set(owners)) <= 1 or fights) and len(owners) <= 3
        expect(may_be, _("expected no such legions together on {land}", land=number_of(land)))


def _check_player(state: Any, seat: int) -> None:
    """Raise ValueError unless a player has one titan, or is out and has nothing."""
    own = [legion for legion in state.legions if legion.owner == seat and legion.height > 0]
    titans = sum(int(legion.holds[Character.TITAN]) for legion in own)
    is_divided = state.phase != Phase.START or own
    has_titan = titans == (not state.out[seat]) * bool(is_divided)
    expect(has_titan, _("expected one titan of {who}", who=player_name(seat)))
    has_tower = 1 <= state.towers[seat] <= TOWERS and not (state.out[seat] and own)
    expect(has_tower, _("expected no legion of {who}, who is out, and a tower", who=player_name(seat)))


def _check_supply(state: Any) -> None:
    """Raise ValueError if there are more characters anywhere than the box has."""
    there = state.legions["holds"].sum(axis=0) + state.supply + state.returning
    are_there = (state.supply >= 0).all() and (there <= SUPPLY).all()
    expect(are_there, _("expected no more characters of a kind than the box has"))
    living = sum(not state.out[seat] for seat in range(int(state.seats)))
    expect(living >= 2 and not state.out[state.mover], _("expected two living players, and one of them on turn"))


def _check_question(state: Any) -> None:
    """Raise ValueError unless the question is one of this phase, of a seat that can answer it."""
    ask = Ask(int(state.ask)) if 0 < state.ask < len(Ask) else Ask.NOTHING
    phase, stage = Phase(int(state.phase)), Stage(int(state.stage))
    expect(ask != Ask.NOTHING, _("expected a question"))
    if phase == Phase.ENGAGEMENT and ask not in (Ask.SHOW, *_PHASES):
        fits = stage == _STAGES[ask] if ask in _STAGES else stage in (Stage.BATTLE, Stage.HELP)
    else:
        phases = (Phase.MOVEMENT, Phase.ENLISTMENT) if ask == Ask.SHOW else (_PHASES.get(ask),)
        fits = phase in phases and stage == Stage.NONE
    expect(fits, _("expected a question of the phase, got {ask}", ask=ask.name.lower()))
    is_rolled = state.roll or phase not in (Phase.MOVEMENT, Phase.ENGAGEMENT, Phase.ENLISTMENT)
    expect(is_rolled, _("expected a roll"))
    _check_markers(state, ask, stage)
    if stage == Stage.BATTLE:
        _check_battle(state, ask)
    else:
        expect(not state.battle.rounds_begun, _("expected no battle"))
    _check_seat(state, ask)
    expect(has_legal_action(legal, state, len(ACTIONS)), _("expected a question that can be answered"))


def _check_markers(state: Any, ask: Ask, stage: Stage) -> None:
    """Raise ValueError unless the legions of the question exist, and belong to the right players."""
    needs = {
        "picked": ask in (Ask.SPLIT, Ask.GO_LAND, Ask.SIDE, Ask.SHOW, Ask.MUSTER),
        "attacker": stage in (Stage.TALK, Stage.BATTLE),
        "defender": stage in (Stage.TALK, Stage.BATTLE),
        "winner": stage == Stage.ANGELS or (stage == Stage.HELP),
        "donor": ask == Ask.SUMMON_KIND,
    }
    for name, needed in needs.items():
        marker = int(state[name])
        is_there = state.legions[marker].height > 0 if marker != NOBODY else not needed
        expect(is_there, _("expected {name} to be a legion on the board", name=name))
    if needs["picked"]:
        picked = state.legions[state.picked]
        is_whole = (state.split <= picked.holds).all() if ask == Ask.SPLIT else not state.split.any()
        is_asked = picked.owner == state.mover and picked.land == state.land and is_whole
        expect(is_asked, _("expected a picked legion of the mover on the land that is asked about"))
    if stage in (Stage.TALK, Stage.BATTLE):
        attacker, defender = state.legions[state.attacker], state.legions[state.defender]
        are_met = attacker.owner == state.mover != defender.owner and defender.land == attacker.land
        expect(are_met, _("expected a legion of the mover and an enemy on one land"))
    if ask == Ask.SUMMON:
        has_attacker = state.attacker != NOBODY and state.legions[state.attacker].owner == state.mover
        expect(has_attacker, _("expected an attacker who summons"))


def _check_battle(state: Any, ask: Ask) -> None:
    """Raise ValueError unless Titan: battle could play on from the battle, with the characters of both legions."""
    battle = state.battle
    asked = {Ask.SUMMON_KIND: Ask.SUMMON}.get(ask, ask)
    expect(battle.ask == asked, _("expected the question of the battle"))
    is_calm = ask not in (Ask.HANDICAP, Ask.CARRY)
    expect(is_calm, _("expected another question: once dice are named a position can only be looked at"))
    game = game_of_battle(battle)
    game.battle.concessions = game.battle.may_concede = game.battle.lean = 0
    if asked != Ask.SUMMON:
        validate_battle(game)


def _check_seat(state: Any, ask: Ask) -> None:
    """Raise ValueError unless the seat that the question concerns is asked."""
    if ask in (Ask.DEFEND, Ask.ANSWER):
        seat = state.legions[state.defender].owner
    elif ask == Ask.ANGEL or (ask == Ask.REINFORCE and state.stage == Stage.HELP):
        seat = state.legions[state.winner].owner
    elif state.stage == Stage.BATTLE:
        seat = state.legions[state.defender if state.battle.asked else state.attacker].owner
    else:
        seat = state.mover
    expect(state.seat == seat, _("expected {who} to be asked", who=player_name(seat)))


# Putting things elsewhere by hand


def edit_position(state: Any, what: str, where: str) -> None:
    """Put a legion on another land, which must be free, or a character from the box or a legion in another legion.

    Things are named by their keys in the picture and the tray; a character that is put off ("") goes back to the box.
    Raises ValueError for what cannot be.
    """
    kind, _sep, number = what.partition(":")
    if kind == "box" and number in CHARACTERS:
        _put_character(state, CHARACTERS.index(number), NOBODY, where)
    elif kind == "held":
        _put_character(state, *_held(state, what), where)
    else:
        _put_legion(state, what, where)


def may_edit(state: Any) -> bool:
    """Return whether legions can be changed by hand: between engagements, once the first ones are divided."""
    return bool(state.stage == Stage.NONE and state.phase != Phase.START)


def _check_time(state: Any) -> None:
    """Raise ValueError unless legions can be changed by hand now."""
    expect(may_edit(state), _("expected no engagement, and first legions that have been divided"))


def _legion_of(state: Any, key: str) -> int:
    """Return the marker of a legion by its key, or NOBODY."""
    kind, _sep, number = key.partition(":")
    is_there = is_index(number, LEGIONS) and state.legions[int(number)].height > 0
    return int(number) if is_there and kind in ("marker", "row") else NOBODY


def _held(state: Any, key: str) -> tuple[int, int]:
    """Return the kind of a character in a legion and the legion's marker, by its key ``held:MARKER:PLACE``."""
    marker, _sep, place = key.partition(":")[2].partition(":")
    height = int(state.legions[int(marker)].height) if is_index(marker, LEGIONS) else 0
    expect(is_index(place, height), _("expected a character of a legion, got {what}", what=repr(key)))
    kinds = [kind for kind in range(KINDS) for _time in range(state.legions[int(marker)].holds[kind])]
    return kinds[int(place)], int(marker)


def _put_character(state: Any, kind: int, before: int, where: str) -> None:
    """Put a character from a legion (NOBODY: from the box) in another legion, or back in the box ("")."""
    _check_time(state)
    who, after = character_name(kind), _legion_of(state, where)
    to_box = before != NOBODY and where == ""
    expect(to_box or after != NOBODY, _("expected a legion to put it in, got {what}", what=repr(where)))
    if before == NOBODY:
        is_left = kind != Character.TITAN and state.supply[kind] > 0
        expect(is_left, _("expected a character that the box has, but no {who} is left", who=who))
    else:
        owner = state.legions[before].owner
        is_own = kind != Character.TITAN or (after != NOBODY and state.legions[after].owner == owner)
        expect(is_own, _("expected one titan of {who}", who=player_name(owner)))
        goes_on = state.legions[before].height > 1 or after == before
        expect(goes_on, _("expected a legion that keeps a character; this one is the last"))
    if after == before:
        return
    has_room = to_box or state.legions[after].height < LEGION
    expect(has_room, _("expected a legion of fewer than {most} characters", most=LEGION))
    if before == NOBODY:
        state.supply[kind] -= 1
    else:
        lose(state.legions[before], kind)
    if to_box:
        state.supply[kind] += 1
    else:
        gain(state.legions[after], kind)


def _put_legion(state: Any, what: str, where: str) -> None:
    """Put a legion on a free land."""
    marker = _legion_of(state, what)
    expect(marker != NOBODY, _("expected a legion, got {what}", what=repr(what)))
    part, _sep, land = where.partition(":")
    is_land = part == "land" and is_index(land, LANDS)
    expect(is_land, _("expected a land to put it on, got {what}", what=repr(where)))
    _check_time(state)
    legion = state.legions[marker]
    others = [one for one in state.legions if one.height > 0 and one.land == int(land) and one.age != legion.age]
    expect(not others, _("expected a free land, but somebody stands on {land}", land=number_of(int(land))))
    before, legion.land = int(legion.land), int(land)
    for changed in (before, int(land)):
        owners = {int(one.owner) for one in state.legions if one.height > 0 and one.land == changed}
        state.seats_at[changed] = sum(1 << owner for owner in owners)
    if state.picked == marker:
        state.land = int(land)
