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
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.board import current, is_plain
from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES, faults, square_name
from titan_env.games.fantasy_racing.rules.data_tables import FAST_FACES, FREE_FLIPS, RULES_OF
from titan_env.games.fantasy_racing.rules.legal import legal
from titan_env.games.fantasy_racing.rules.setup import FEWEST_RACERS, MOST_ROUNDS
from titan_env.games.fantasy_racing.rules.state import (
    CHOSEN,
    HAND_LIMIT,
    MOST_ARRIVALS,
    MOST_RACERS,
    OWN_CIRCUIT,
    SQUARES,
    Ask,
    Character,
    Phase,
    Roll,
    Rule,
    Square,
)
from titan_env.games.fantasy_racing.words.sentences import racer_name
from titan_env.games.fantasy_racing.words.translation import _

_MOST_LAPS = 100
_MOST_POINTS = 1_000_000
_CALM = {
    Ask.CHOOSE: Phase.CHOICE,
    Ask.RULE: Phase.CHOICE,
    Ask.DIE: Phase.MOVEMENT,
    Ask.SKID: Phase.ACTION,
    Ask.TURN: Phase.ACTION,
}
"""The questions that a position may be played on from, each in its phase."""
_CALM_ONLY = mark("expected a question of {asks}; in the middle of a movement a position can only be looked at")


# What may be played on from


def validate_position(state: Any) -> None:
    """Raises ValueError for a position that the rules could not safely be played on from, saying why.

    Every number must be one that can occur, and the question must be one of a turn's own: in the middle of a
    movement too much is under way to trust what somebody typed.
    """
    expect(not state.over, _("expected a race that is still running; this one is over: begin at an earlier moment"))
    is_calm = not state.due and int(state.ask) in _CALM
    expect(is_calm, _(_CALM_ONLY, asks=", ".join(ask.name.lower() for ask in _CALM)))
    check_bounds(state, {"seats": (FEWEST_RACERS, MOST_RACERS)})
    check_bounds(state, _bounds(int(state.seats)))
    order = state.order[: state.seats].tolist()
    expect(sorted(order) == [*range(state.seats)], _("expected every racer once in the order, got {got}", got=order))
    _check_board(state)
    for who in range(int(state.seats)):
        _check_racer(state, who)
    _check_question(state)


def _bounds(seats: int) -> Bounds:
    """Return the lowest and highest number of each field of a race that is running, between two movements."""
    flags = "main_done coins_done special_done gone"
    nothing = "won place out fresh range ball ball_rows ball_columns agenda"
    return {
        "decisions": (0, 2**30),
        "scores": (-_MOST_POINTS, _MOST_POINTS),
        "seat": (0, seats - 1),
        "circuit": (OWN_CIRCUIT, len(CIRCUIT_NAMES) - 1),
        "rounds": (1, MOST_ROUNDS),
        "rounds_begun": (0, int(MOST_ROUNDS)),
        "order": (0, MOST_RACERS - 1),
        "turn": (0, seats - 1),
        "starts": (0, SQUARES - 1),
        "printed": (0, len(Square) - 1),
        "traps": (0, seats),
        "free_flip": (0, FREE_FLIPS),
        "arrivals": (0, 2 * MOST_ARRIVALS),
        "roll": (0, Roll.MOVEMENT),
        "roller": (0, seats - 1),
        "dice": (0, 6),
        **dict.fromkeys(flags.split(), YES_OR_NO),
        **dict.fromkeys(nothing.split(), NOTHING),
    }


def _check_board(state: Any) -> None:
    """Raise ValueError unless the board can be raced on, and traps lie on possible squares."""
    for row, fault in faults(state.printed):
        raise ValueError(_("row {row}: {fault}", row=row + 1, fault=fault))
    for square in np.flatnonzero(state.gone).tolist():
        may_go = state.printed[square] == Square.BARRIER or state.printed[square] > Square.SHORTCUT
        expect(may_go, _("expected an object or a barrier that is gone on {where}", where=square_name(square)))
    for square in np.flatnonzero(state.traps).tolist():
        where = square_name(square)
        expect(is_plain(state, square), _("expected a plain square under the trap on {where}", where=where))


def _check_racer(state: Any, who: int) -> None:
    """Raise ValueError unless a racer is in a possible condition."""
    racer = state.racers[who]
    choosing = state.phase == Phase.CHOICE
    bounds = {
        "character": (CHOSEN if choosing else 0, len(Character) - 1),
        "square": (0, SQUARES - 1),
        "highest": (0, _MOST_LAPS),
        "laps": (-_MOST_LAPS, int(racer.highest)),
        "objects": (0, HAND_LIMIT),
        "protected": YES_OR_NO,
        "poisoned": YES_OR_NO,
        "mark": NOTHING,
    }
    name = racer_name(state, who)
    check_bounds(racer, bounds, _("{who}'s ", who=name))
    waits = choosing or (state.rounds_begun == 1 and state.order.tolist().index(who) > state.turn)
    is_possible = waits or not racer.protected
    expect(is_possible, _("expected {who} not to be protected: its first turn has begun", who=name))
    _check_rules(state, who, int(racer.character), int(racer.rules), choosing)


def _check_rules(state: Any, who: int, character: int, rules: int, choosing: bool) -> None:
    """Raise ValueError unless a racer has its character's special rules; the human has one of nine."""
    if character == Character.HUMAN:
        known = rules in [1 << rule for rule in Rule if rule != Rule.BRUTE] or (choosing and rules == 0)
    else:
        known = rules == (0 if character < 0 else int(RULES_OF[character]))
    expect(known, _("expected {who} to have the special rules of its character", who=racer_name(state, who)))


def _check_question(state: Any) -> None:
    """Raise ValueError unless the right racer is asked in the right phase, and can answer."""
    ask, phase, now = Ask(int(state.ask)), _CALM[Ask(int(state.ask))], current(state)
    message = mark("expected the phase {phase} while {ask} is asked")
    expect(state.phase == phase, _(message, phase=phase.name.lower(), ask=ask.name.lower()))
    if phase == Phase.CHOICE:
        expect(not state.rounds_begun, _("expected choices before the first round only"))
    else:
        expect(state.seat == now, _("expected {who} to be asked, whose turn it is", who=racer_name(state, now)))
        message = mark("expected a round from 1 to {rounds}, got {got}")
        expect(1 <= state.rounds_begun <= state.rounds, _(message, rounds=state.rounds, got=state.rounds_begun))
    first, second, third = state.dice.tolist()
    if ask == Ask.DIE:
        is_thrown = first > 0 and (third == 0 or (second > 0 and third in FAST_FACES))
        expect(
            is_thrown and state.roll == Roll.MOVEMENT and state.roller == state.seat,
            _("expected the movement roll of the racer that is asked: one or two D6, then the fast die"),
        )
    else:
        is_bare = not (first or second or third or state.roll or state.roller)
        expect(is_bare, _("expected no dice on the table"))
    expect(has_legal_action(legal, state, len(ACTIONS)), _("expected a question that can be answered"))


# Putting things elsewhere


def edit_position(state: Any, what: str, where: str) -> None:
    """Put a racer or a trap on another square, by their keys in the picture; a trap also off the board ("").

    Raises ValueError for what cannot be.
    """
    kind, _sep, number = what.partition(":")
    part, _sep, square = where.partition(":")
    target = int(square) if part == "square" and is_index(square, SQUARES) else -1
    if kind in ("piece", "token") and is_index(number, int(state.seats)):
        expect(target >= 0, _("expected a square to put it on, got {got}", got=repr(where)))
        state.racers["square"][int(number)] = target
    elif kind == "trap" and number in map(str, np.flatnonzero(state.traps).tolist()):
        may_lie = not where or (target >= 0 and is_plain(state, target))
        expect(may_lie, _("expected a plain square for the trap, got {got}", got=repr(where)))
        owner = int(state.traps[int(number)])
        state.traps[int(number)] = 0
        if target >= 0:
            state.traps[target] = owner
    else:
        raise ValueError(_("expected a racer or a trap, got {got}", got=repr(what)))
