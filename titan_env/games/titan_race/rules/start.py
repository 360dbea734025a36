"""Before the race: who rides which Titan, the order of a player's two, circuits, full gauges and the first cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import log_event, rule
from titan_env.games.titan_race.rules.board import owner
from titan_env.games.titan_race.rules.cards import draw_bonus
from titan_env.games.titan_race.rules.circuits import TERRAINS, TITANS
from titan_env.games.titan_race.rules.questions import ask
from titan_env.games.titan_race.rules.state import CHOSEN_CIRCUIT, NOBODY, SPACES, Ask, Event, Race

GAUGE = np.array([titan["life_max"] for titan in TITANS], np.int64)
START = np.array([titan["life_start"] for titan in TITANS], np.int64)
"""Top of each Titan's gauge, and where it starts and restarts."""


@rule
def fill_gauge(state: Any, titan: Any) -> None:
    """A Titan starts with a full gauge; Chtooloo on 4, at most his maximum."""
    titan.life_max = state.gauges[titan.kind] or GAUGE[titan.kind]
    starts_full = START[titan.kind] == GAUGE[titan.kind]
    titan.life_start = titan.life_max if starts_full else min(START[titan.kind], titan.life_max)
    titan.life = titan.life_start


@rule
def lay_circuit(state: Any, board: int, number: int) -> None:
    """Lay out one of the six circuits."""
    state.circuit[board] = number
    for space in range(SPACES):
        state.terrain[board * SPACES + space] = TERRAINS[number, space]


@rule
def deal_hands(race: Race) -> None:
    """One card to each player. Too small a deck leaves the last players without."""
    for seat in range(race.state.seats):
        draw_bonus(race, seat)


@rule
def ask_choice(race: Race) -> bool:
    """Ask for the next choice before the race, clockwise from the first player; False when all is chosen.

    First the Titans, with two players in turn, then the order of each player's two, then the circuits, one each.
    """
    state = race.state
    seats, first = int(state.seats), owner(state, state.titan)
    for turn in range(state.titans_in_race):
        who = (first + turn) % seats + turn // seats * seats
        if not state.titans[who].chosen:
            ask(state, Ask.TITAN, who)
            return True
    if state.orders > 0:
        ask(state, Ask.ORDER, (first + seats - state.orders) % seats)
        return True
    for board in range(state.circuits):
        if state.circuit[board] == CHOSEN_CIRCUIT:
            ask(state, Ask.CIRCUIT, (first + board) % seats)
            return True
    return False


@rule
def may_take(state: Any, kind: int) -> bool:
    """Whether nobody has chosen a Titan yet."""
    for who in range(state.titans_in_race):
        if state.titans[who].chosen and state.titans[who].kind == kind:
            return False
    return True


@rule
def take_titan(race: Race, who: int, kind: int) -> None:
    """A player chooses one of the Titans that are left; who stood for it until then stands for another."""
    state = race.state
    for other in range(state.titans_in_race):
        if state.titans[other].kind == kind:
            state.titans[other].kind = state.titans[who].kind
            fill_gauge(state, state.titans[other])
    state.titans[who].kind = kind
    state.titans[who].chosen = 1
    fill_gauge(state, state.titans[who])
    log_event(race.log, Event.CHOSE, who, NOBODY, kind)


@rule
def set_order(race: Race, who: int, is_other_way: int) -> None:
    """Each player of two sets the order of the own two Titans: as they were chosen, or the other way round."""
    state = race.state
    state.orders -= 1
    if is_other_way:
        second = who + int(state.seats)
        kind = state.titans[who].kind
        state.titans[who].kind = state.titans[second].kind
        state.titans[second].kind = kind
        fill_gauge(state, state.titans[who])
        fill_gauge(state, state.titans[second])
    log_event(race.log, Event.ORDERED, who, who + int(state.seats), 0)


@rule
def may_lay(state: Any, number: int) -> bool:
    """Whether a circuit is not laid yet."""
    return bool(number not in (state.circuit[0], state.circuit[1], state.circuit[2]))


@rule
def choose_circuit(race: Race, who: int, number: int) -> None:
    """The first player chooses the circuit; of three each player the next one, the bottom one first."""
    state = race.state
    board = 0
    while state.circuit[board] != CHOSEN_CIRCUIT:
        board += 1
    lay_circuit(state, board, number)
    log_event(race.log, Event.LAID, who, board, number)
