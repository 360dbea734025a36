"""What a seat may know, as numbers: `fields.FIELDS` says what stands where, `observe` writes it.

Hidden stays hidden: of other hands only the size, and what everybody has seen of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import rule
from titan_env.games.titan_race.rules.board import (
    COLUMNS,
    ROWS,
    column_of,
    owner,
    space_at,
)
from titan_env.games.titan_race.rules.cards import hidden_lot, last_lot, pile, tally
from titan_env.games.titan_race.rules.dice import may_reroll
from titan_env.games.titan_race.rules.fields import (
    FIELDS,
    LAST_TERRAIN,
    MOST_LAPS_SEEN,
    MOST_LEAD,
    MOST_LIVES_SEEN,
    MOST_TO_GO,
    MOST_TURNS_SEEN,
    ROWS_BEHIND,
)
from titan_env.games.titan_race.rules.state import (
    ASIDE,
    BONUS_CARDS,
    CIRCUIT_NAMES,
    DECK,
    DISCARD,
    EMPTY,
    MOST_TITANS,
    NO_CARD,
    NO_FACE,
    NOBODY,
    NOWHERE,
    SPACES,
    TRAP,
    Ask,
    Condition,
)
from titan_env.games.titan_race.rules.turn import is_free

_AT = {name: np.int64(span.start) for name, span in FIELDS.slices.items()}
BOARD = _AT["board_bonus"]
TRAP_PLANE, TITAN_PLANE = _AT["board_trap"], _AT["board_titan"]
ASK, FLAGS = _AT["ask"], _AT["flags"]
POOL, FACE, ACTION = _AT["pool"], _AT["face"], _AT["action"]
HAND, DISCARDED, CARD, BORROWED = _AT["hand"], _AT["discard_pile"], _AT["card"], _AT["borrowed"]
DECK_LEFT, SUPPLY, LAPS, TURNS_LEFT = _AT["deck"], _AT["supply"], _AT["laps_to_win"], _AT["turns_left"]
IN_RACE, ALLY, OWN, TURN = _AT["titan_in_race"], _AT["titan_ally"], _AT["titan_own"], _AT["titan_turn"]
TARGET, MOVER, ON_BOARD = _AT["titan_target"], _AT["titan_mover"], _AT["titan_on_board"]
LIFE, GAUGE, FIT, RECOVERING = _AT["titan_life"], _AT["titan_gauge"], _AT["titan_fit"], _AT["titan_recovering"]
BARRED, HANDS, LEAD, TO_GO = _AT["titan_barred"], _AT["titan_hand"], _AT["titan_lead"], _AT["titan_to_go"]
ROW, COLUMN, KIND = _AT["titan_row"], _AT["titan_column"], _AT["titan_kind"]
BEFORE, CIRCUITS, TOGETHER = _AT["ask_before"], _AT["circuits"], _AT["together"]
ASIDES, LOT, DECK_CARDS, TITAN_CARDS = _AT["aside"], _AT["lot"], _AT["deck_cards"], _AT["titan_cards"]
OWN_PLACE = ROWS_BEHIND * 3
"""Where the own Titan's space lies in the window."""


def _window() -> Any:
    """The spaces around each space of a circuit, relative to the first space of the circuit below.

    The window is read row by row, from two rows behind, and within a row from the own column to
    the right. The first half wraps; in the second half, for a Grand Slam, it leads on to the
    circuits below and above. Unsigned numbers spare the compiled code a check for negative ones.
    """
    seen = np.zeros((2, SPACES, SPACES), np.uint16)
    for here in range(SPACES):
        for i in range(SPACES):
            row = here // 3 - ROWS_BEHIND + i // 3
            odd = (i // 3 - ROWS_BEHIND) % 2
            column = (column_of(here) + 2 * (i % 3) + odd) % COLUMNS
            seen[0, here, i] = space_at(column, row % ROWS + 1)
            seen[1, here, i] = seen[0, here, i] + (row // ROWS + 1) * SPACES
    return seen


SEEN = _window()
PLANE = np.array([TITAN_PLANE, *(BOARD + kind * SPACES for kind in range(LAST_TERRAIN))], np.uint16)
"""Where the plane of each terrain begins; plain spaces have none and are written where it does no harm."""
WINDOW = np.uint64(SPACES)
LAYOUTS, FIRST_BEFORE = len(CIRCUIT_NAMES), int(Ask.TITAN)
COLUMNS_RIGHT = np.array(
    [[(column_of(there) - column_of(here)) % COLUMNS for there in range(SPACES)] for here in range(SPACES)]
)


@rule
def own_titan(state: Any, seat: int) -> int:
    """The Titan through whose eyes a seat sees: the one it is asked about, else the one to move, else its first."""
    if owner(state, state.asked) == seat:
        return int(state.asked)
    if owner(state, state.titan) == seat:
        return int(state.titan)
    return int(seat)


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Write what a seat may know in whole numbers; `FIELDS` says what stands where."""
    me = own_titan(state, seat)
    here = max(int(state.titans[me].space), 0)
    vector[:] = 0
    if state.circuits == 1:
        _see_circuit(state, here, vector)
    else:
        _see_grand_slam(state, here, vector)
    _see_turn(state, seat, vector)
    piles = tally(state)
    _see_cards(state, seat, piles, vector)
    _see_lots(state, seat, me, vector)
    _see_titans(state, seat, me, here, piles, vector)


@rule
def _see_circuit(state: Any, here: int, vector: Any) -> None:
    """The terrain, the traps and the other Titans around the own one."""
    for i in range(WINDOW):
        _see_space(state, SEEN[0, here, i], i, vector)
    vector[TITAN_PLANE + OWN_PLACE] = 0


@rule
def _see_grand_slam(state: Any, here: int, vector: Any) -> None:
    """The same in a Grand Slam, which ends at its bottom and at its top."""
    first = here - here % SPACES
    for i in range(WINDOW):
        space = int(SEEN[1, here % SPACES, i]) + first - SPACES
        if 0 <= space < state.circuits * SPACES:
            _see_space(state, space, i, vector)
    vector[TITAN_PLANE + OWN_PLACE] = 0


@rule
def _see_space(state: Any, space: int, i: int, vector: Any) -> None:
    """One space, without a branch that the processor would have to guess."""
    token = state.on[space]
    vector[PLANE[state.terrain[space]] + i] = 1
    vector[TRAP_PLANE + i] = token >= TRAP
    vector[TITAN_PLANE + i] = token != EMPTY and token != TRAP


@rule
def _see_turn(state: Any, seat: int, vector: Any) -> None:
    """The own question, the dice and the course of the turn."""
    if state.ask != Ask.NOTHING and state.seat == seat:
        vector[ASK + state.ask - 1 if state.ask < FIRST_BEFORE else BEFORE + state.ask - FIRST_BEFORE] = 1
    for board in range(state.circuits):
        if state.circuit[board] >= 0:
            vector[CIRCUITS + board * LAYOUTS + state.circuit[board]] = 1
    vector[TOGETHER] = state.together
    free = is_free(state)
    vector[FLAGS] = owner(state, state.titan) == seat
    vector[FLAGS + 1] = state.begun
    vector[FLAGS + 2] = state.moved
    vector[FLAGS + 3] = state.extra_due
    vector[FLAGS + 4] = state.owes
    vector[FLAGS + 5] = state.die_done
    vector[FLAGS + 6] = free and not state.ability_used
    vector[FLAGS + 7] = free and not state.card_played
    vector[FLAGS + 8] = may_reroll(state, state.titan)
    vector[FLAGS + 9] = state.circuits > 1
    for face in range(6):
        vector[POOL + face] = state.pool[face]
    if state.face != NO_FACE:
        vector[FACE + state.face] = 1
    if state.action != NO_FACE:
        vector[ACTION + state.action] = 1
    vector[SUPPLY] = state.supply
    vector[LAPS] = min(int(state.laps), MOST_LAPS_SEEN)
    left = int(state.turn_limit) - int(state.turns)
    vector[TURNS_LEFT] = max(0, min(left, MOST_TURNS_SEEN)) if state.turn_limit else MOST_TURNS_SEEN


@rule
def _see_cards(state: Any, seat: int, piles: int, vector: Any) -> None:
    """The own hand, the discard pile, and the card that is being played."""
    for card in range(BONUS_CARDS):
        vector[HAND + card] = state.cards[card] == seat
        vector[DISCARDED + card] = state.cards[card] == DISCARD
        vector[ASIDES + card] = state.cards[card] == ASIDE
    vector[DECK_LEFT] = pile(piles, DECK)
    if state.card != NO_CARD:
        vector[CARD + state.card] = 1
    lent = state.borrowed != state.titans[state.asked].kind
    if state.ask == Ask.ABILITY or (state.ask == Ask.SHOVE and lent):
        vector[BORROWED + state.borrowed] = 1


@rule
def _see_lots(state: Any, seat: int, me: int, vector: Any) -> None:
    """Where the cards may be that the seat does not see: how many of their lot are in the deck and in each hand.

    A lot is counted once, for all its cards.
    """
    for lot in range(last_lot(state) + 1):
        cards, sizes = hidden_lot(state, seat, lot)
        in_deck, in_hands = pile(sizes, DECK), _by_place(state, me, sizes)
        for card in range(BONUS_CARDS):
            if cards >> card & 1:
                vector[LOT + card] = lot
                vector[DECK_CARDS + card] = in_deck
                for offset in range(MOST_TITANS):
                    vector[TITAN_CARDS + offset * BONUS_CARDS + card] = in_hands >> 7 * offset & 127


@rule
def _by_place(state: Any, me: int, counts: int) -> int:
    """The hands out of a `tally`: seven bits for each place of the turn order, the own Titan's first."""
    hands, who = 0, me
    for offset in range(state.titans_in_race):
        hands |= pile(counts, state.titans[who].seat) << 7 * offset
        who = who + 1 if who + 1 < state.titans_in_race else 0
    return hands


@rule
def _mark(state: Any, me: int, who: int, field: Any, vector: Any) -> None:
    """Mark one Titan in a field, if there is one to mark."""
    if who != NOBODY:
        offset = who - me if who >= me else who - me + state.titans_in_race
        vector[field + offset] = 1


@rule
def _see_titans(state: Any, seat: int, me: int, here: int, piles: int, vector: Any) -> None:
    """Every Titan, by its place in the turn order after the own one."""
    own = state.titans[me]
    own_rows = int(own.lap) * ROWS + here % SPACES // 3
    home = (int(state.laps) + 1) * ROWS
    _mark(state, me, state.titan, TURN, vector)
    _mark(state, me, state.target, TARGET, vector)
    _mark(state, me, state.mover, MOVER, vector)
    who = me
    for offset in range(state.titans_in_race):
        titan = state.titans[who]
        rows = int(titan.lap) * ROWS
        if titan.space != NOWHERE:
            space = int(titan.space) % SPACES
            rows += space // 3
            vector[ON_BOARD + offset] = 1
            vector[ROW + offset] = space // 3
            vector[COLUMN + offset * COLUMNS + COLUMNS_RIGHT[here % SPACES, space]] = 1
        vector[IN_RACE + offset] = 1
        vector[ALLY + offset] = titan.side == own.side
        vector[OWN + offset] = titan.seat == seat
        vector[LIFE + offset] = min(int(titan.life), MOST_LIVES_SEEN)
        vector[GAUGE + offset] = min(int(titan.life_max), MOST_LIVES_SEEN)
        vector[FIT + offset] = titan.condition == Condition.FIT
        vector[RECOVERING + offset] = titan.condition == Condition.RECOVERING
        vector[BARRED + offset] = titan.barred or (state.barred and state.titan == who)
        vector[HANDS + offset] = pile(piles, titan.seat)
        vector[LEAD + offset] = max(-MOST_LEAD, min(MOST_LEAD, rows - own_rows))
        vector[TO_GO + offset] = max(0, min(MOST_TO_GO, home - rows))
        vector[KIND + offset * MOST_TITANS + titan.kind] = titan.chosen
        who = who + 1 if who + 1 < state.titans_in_race else 0
