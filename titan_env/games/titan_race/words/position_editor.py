"""Positions that people make: what may be played on from, and how things are put elsewhere by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract.position_text import (
    NOTHING,
    YES_OR_NO,
    Bounds,
    check_bounds,
    expect,
    has_legal_action,
    is_index,
)
from titan_env.contract.translation import mark
from titan_env.games.titan_race.rules.actions import ACTIONS
from titan_env.games.titan_race.rules.circuits import check_circuit, space_name
from titan_env.games.titan_race.rules.legal import legal
from titan_env.games.titan_race.rules.setup import MOST_LAPS, MOST_LIVES, MOST_TURNS
from titan_env.games.titan_race.rules.state import (
    ASIDE,
    BONUS_CARDS,
    CHOSEN_CIRCUIT,
    CIRCUIT_NAMES,
    EMPTY,
    HAND_LIMIT,
    MOST_CIRCUITS,
    MOST_TITANS,
    NO_CARD,
    NO_FACE,
    NOBODY,
    NOWHERE,
    OWN_TERRAIN,
    SPACES,
    TRAP,
    TRAPS,
    Ask,
    Condition,
    Face,
    Terrain,
    Titan,
)
from titan_env.games.titan_race.words.sentences import titan_name
from titan_env.games.titan_race.words.translation import _

_ENTRIES = 3  # A1, C1 and E1 are the first three spaces
_SEATED: Bounds = {"titans_in_race": (2, MOST_TITANS), "seats": (2, MOST_TITANS), "sides": (2, MOST_TITANS)}
_CALM = (Ask.DRAFT, Ask.ENTER, Ask.TURN, Ask.DIE)
_CALM_NAMES = ", ".join(ask.name.lower() for ask in _CALM)
_CALM_ONLY = mark("expected a question of {asks}; in the middle of a movement a position can only be looked at")


# What may be played on from


def validate_position(state: Any) -> None:
    """Raises ValueError for a position that the rules could not safely be played on from, saying why.

    Every number must be one that can occur, board and Titans must agree, and the question must be one
    of a turn's own. Positions in the middle of a movement are refused.
    """
    expect(not state.over, _("expected a race that is still running; this one is over: begin at an earlier moment"))
    expect(not state.due, _(_CALM_ONLY, asks=_CALM_NAMES))
    check_bounds(state, _SEATED)
    check_bounds(state, _bounds(state))
    for who in range(int(state.titans_in_race)):
        _check_titan(state, who)
    _check_board(state)
    _check_question(state)


def _bounds(state: Any) -> Bounds:
    """Return the lowest and highest number of each field of a race that is running."""
    titans, spaces = int(state.titans_in_race), int(state.circuits) * SPACES
    flags = "together before unrolled first_turn barred begun moved extra_due owes die_done"
    used = "ability_used card_played rerolled"
    return {
        "won": NOTHING,
        "decisions": (0, 2**30),
        "circuits": (1, MOST_CIRCUITS),
        "laps": (1, MOST_LAPS),
        "circuit": (CHOSEN_CIRCUIT if state.before else OWN_TERRAIN, len(CIRCUIT_NAMES) - 1),
        "levels": NOTHING,
        "orders": (0, int(state.seats) if state.before and titans > state.seats else 0),
        "turn_limit": (0, MOST_TURNS),
        "turns": (0, MOST_TURNS),
        "terrain": (0, len(Terrain) - 1),
        "on": (EMPTY, TRAP + titans),
        "supply": (0, TRAPS),
        "pool": (0, titans),
        "cards": (ASIDE, int(state.seats) - 1),
        "lots": (0, BONUS_CARDS - 1),
        "gauges": (0, MOST_LIVES),
        "seat": (0, int(state.seats) - 1),
        "titan": (0, titans - 1),
        "asked": (0, titans - 1),
        "target": (NOBODY, titans - 1),
        "mover": (NOBODY, titans - 1),
        "face": (NO_FACE, len(Face) - 1),
        "action": (NO_FACE, len(Face) - 1),
        "card": (NO_CARD, BONUS_CARDS - 1),
        "borrowed": (0, len(Titan) - 1),
        "pentacle": (NOWHERE, spaces - 1),
        **dict.fromkeys(f"{flags} {used}".split(), YES_OR_NO),
    }


def _check_titan(state: Any, who: int) -> None:
    """Raise ValueError unless a Titan is one of the six, occurs once, and is in a possible condition."""
    titan = state.titans[who]
    spaces = int(state.circuits) * SPACES
    check_bounds(titan, {"kind": (0, len(Titan) - 1)}, _("a Titan's "))
    name = titan_name(state, who)
    is_once = (state.titans["kind"][: state.titans_in_race] == titan.kind).sum() == 1
    expect(is_once, _("expected every Titan once, got {who} twice", who=name))
    bounds = {
        "seat": (0, int(state.seats) - 1),
        "side": (0, int(state.sides) - 1),
        "life_max": (1, MOST_LIVES),
        "life_start": (1, int(titan.life_max)),
        "life": (0, int(titan.life_max)),
        "space": (NOWHERE, spaces - 1),
        "lap": (-MOST_LAPS, int(state.laps)),
        "condition": (0, len(Condition) - 1),
        "face": (NO_FACE, len(Face) - 1),
        "chosen": YES_OR_NO if state.before else (1, 1),
        "barred": YES_OR_NO,
        "bumped": YES_OR_NO,
        "moving": NOTHING,
    }
    check_bounds(titan, bounds, _("{who}'s ", who=name))
    is_out = titan.condition != Condition.FIT
    expect((titan.life == 0) == is_out, _("expected {who} to be K.O. with 0 lives, and only then", who=name))
    is_there = titan.space == NOWHERE or state.on[titan.space] % TRAP == who + 1
    expect(is_there, _("expected {who} on the board at {space}", who=name, space=space_name(titan.space)))


def _check_board(state: Any) -> None:
    """Raise ValueError unless the spaces hold what the Titans say, and hands and dice have possible numbers."""
    expect(
        state.circuits in (1, MOST_CIRCUITS),
        _("expected 1 board or {most}, got {n}", most=MOST_CIRCUITS, n=state.circuits),
    )
    for board in range(int(state.circuits)):
        check_circuit(state.terrain[board * SPACES : (board + 1) * SPACES], _("board {n}", n=board + 1))
    for space in np.flatnonzero(state.on % TRAP).tolist():
        who, where = int(state.on[space]) % TRAP - 1, space_name(space)
        is_alone = who < state.titans_in_race and state.titans[who].space == space
        expect(is_alone, _("expected the Titan on {space} to be in this race, and there alone", space=where))
        may_share = state.on[space] < TRAP or space < _ENTRIES
        expect(may_share, _("expected a trap or a Titan on {space}, got both", space=where))
    expect(not state.lots[state.cards < 0].any(), _("expected cards of an old lot in hands alone"))
    most, dice = int(state.titans_in_race), int(state.pool.sum())
    expect(dice <= most, _("expected at most {most} dice in the pool, got {n}", most=most, n=dice))
    for seat in range(int(state.seats)):
        cards = (state.cards == seat).sum()
        expect(cards <= HAND_LIMIT, _("expected at most {most} cards in hand {seat}", most=HAND_LIMIT, seat=seat))
        expect(seat in state.titans["seat"][:most], _("expected a Titan for seat {seat}", seat=seat))


def _check_question(state: Any) -> None:
    """Raise ValueError unless the question is one of the turn's own, and can be answered."""
    ask, titan, who = int(state.ask), state.titans[state.titan], titan_name(state, int(state.titan))
    if state.before:
        is_choice = ask in (Ask.TITAN, Ask.ORDER, Ask.CIRCUIT) and has_legal_action(legal, state, len(ACTIONS))
        expect(is_choice, _("expected a question with an answer"))
        return
    expect(ask in _CALM, _(_CALM_ONLY, asks=_CALM_NAMES))
    is_on_turn = state.asked == state.titan and state.seat == titan.seat
    expect(is_on_turn, _("expected {who} to be asked, whose turn it is", who=who))
    expect(
        ask == Ask.DRAFT or (titan.space == NOWHERE) == (ask == Ask.ENTER),
        _("expected the Titan whose turn it is on the board, or to be asked where it enters"),
    )
    is_fit = ask not in (Ask.TURN, Ask.DIE) or titan.condition == Condition.FIT
    expect(is_fit, _("expected the Titan whose turn it is not to be K.O."))
    has_die = ask == Ask.DRAFT or state.die_done or state.action != NO_FACE or state.face == Face.PURPLE
    expect(has_die, _("expected the die that was taken"))
    dice, fewest = int(state.pool.sum()), 1 + (ask == Ask.DRAFT)
    expect(dice >= fewest, _("expected dice in the pool, one of which the next Titan leaves, got {n}", n=dice))
    expect(has_legal_action(legal, state, len(ACTIONS)), _("expected a question with an answer"))


# Putting things elsewhere by hand


def edit_position(state: Any, what: str, where: str) -> None:
    """Put a thing of the picture on another, by their keys; "" as the place is beside the board.

    A Titan or a trap goes to a space, a trap also comes from the supply; clicking a life (``where`` the
    same) makes it the last one, or takes it. Raises ValueError for what cannot be put there.
    """
    kind, _sep, number = what.partition(":")
    part, _sep, space = where.partition(":")
    spaces = int(state.circuits) * SPACES
    is_place = is_index(space, spaces) if part == "space" else part in ("", "life")
    expect(is_place, _("expected a space to put it on, got {what}", what=repr(where)))
    target = int(space) if part == "space" else NOWHERE
    if kind in ("piece", "token") and is_index(number, int(state.titans_in_race)):
        _put_titan(state, int(number), target)
    elif kind == "supply" or (kind == "trap" and is_index(number, spaces)):
        _put_trap(state, NOWHERE if kind == "supply" else int(number), target)
    elif kind == "life":
        _set_life(state, number)
    else:
        raise ValueError(_("expected a Titan, a trap or a life, got {what}", what=repr(what)))


def _put_titan(state: Any, who: int, space: int) -> None:
    """A Titan stands elsewhere, with the rows it gained so; a trap that lay there goes back."""
    titan = state.titans[who]
    if space == titan.space:
        return
    is_free = space == NOWHERE or not state.on[space] % TRAP
    expect(is_free, _("expected an empty space, but a Titan stands on {space}", space=space_name(space)))
    begun = int(titan.space)
    if begun != NOWHERE:
        state.on[begun] -= who + 1
    if space == NOWHERE:
        titan.progress, titan.lap = 0, 1
    else:
        if state.on[space] == TRAP and space >= _ENTRIES:
            _put_trap(state, space, NOWHERE)
        state.on[space] += who + 1
        titan.progress += space // 3 - (begun // 3 if begun != NOWHERE else 0)
    titan.space = space
    if who == state.titan:
        state.pentacle = NOWHERE
    if who == state.titan and state.ask in (Ask.TURN, Ask.DIE, Ask.ENTER):
        state.ask = Ask.ENTER if space == NOWHERE else Ask.TURN
        state.first_turn = space == NOWHERE


def _put_trap(state: Any, begun: int, space: int) -> None:
    """A trap comes from the supply or a space, and goes to a space or back."""
    if begun == space:
        return
    is_left = begun != NOWHERE or state.supply > 0
    expect(is_left, _("expected a trap in the supply, but all {n} lie on the board", n=TRAPS))
    is_trap = begun == NOWHERE or state.on[begun] >= TRAP
    expect(is_trap, _("expected a trap on {space}, found none", space=space_name(begun)))
    is_free = space == NOWHERE or not state.on[space]
    expect(is_free, _("expected an empty space for the trap, got {space}", space=space_name(space)))
    for trapped, change in ((begun, -TRAP), (space, TRAP)):
        if trapped == NOWHERE:
            state.supply += change // TRAP
        else:
            state.on[trapped] += change


def _set_life(state: Any, number: str) -> None:
    """A click on a Titan's n-th life: it has n lives, or one less if it had just these."""
    who, _sep, life = number.partition(":")
    is_life = is_index(who, int(state.titans_in_race)) and life.isdecimal()
    expect(is_life, _("expected the life of a Titan, got {what}", what=repr(number)))
    titan, lives, name = state.titans[int(who)], int(life) + 1, titan_name(state, int(who))
    expect(lives <= titan.life_max, _("expected at most {most} lives for {who}", most=titan.life_max, who=name))
    titan.life = lives - 1 if titan.life == lives else lives
    titan.condition = Condition.FIT if titan.life else Condition.KNOCKED_OUT
