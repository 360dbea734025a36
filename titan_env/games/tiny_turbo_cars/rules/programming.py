"""Programming: ticks, finishing, smile tokens and the countdown."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.tiny_turbo_cars.rules.controller import LONGEST_PUSH, is_dealt, push, shuffle
from titan_env.games.tiny_turbo_cars.rules.state import NOBODY, UNDEALT, Ask, Event, Race
from titan_env.games.tiny_turbo_cars.rules.track import is_racing, racers


@rule
def begin_round(race: Race) -> None:
    """All smile tokens go back, and every controller is shuffled when its seat is first asked."""
    state = race.state
    state.rounds += 1
    state.tick = 0
    state.time_left = 0
    for who in range(state.seats):
        driver = state.drivers[who]
        driver.token = 0
        driver.slides = 0
        driver.acted = 0
        driver.controller[:] = UNDEALT
    log_event(race.log, Event.ROUND, next_programmer(state, leader(state)), min(state.rounds, 100), 0)
    ask_programmer(race, leader(state))


@rule
def leader(state: Any) -> int:
    """Who is asked first in a tick: the lead goes round, tick by tick and round by round."""
    return int((state.first + state.rounds - 1 + state.tick) % state.seats)


@rule
def is_programming(state: Any, who: int) -> bool:
    """Whether a seat that is in the race has taken no token yet."""
    return bool(state.drivers[who].token == 0 and is_racing(state, who))


@rule
def programmers(state: Any) -> int:
    """How many seats are still programming."""
    count = 0
    for who in range(state.seats):
        count += is_programming(state, who)
    return count


@rule
def next_programmer(state: Any, first: int) -> int:
    """The seat that is asked next in this tick, clockwise from `first`; NOBODY when all have been."""
    who = first
    for _ in range(state.seats):
        if is_programming(state, who) and not state.drivers[who].acted:
            return who
        who = who + 1 if who + 1 < state.seats else 0
    return NOBODY


@rule
def ask_programmer(race: Race, first: int) -> None:
    """Ask the next seat for a slide, in the next tick if all have been asked in this one."""
    state = race.state
    who = next_programmer(state, first)
    if who == NOBODY:
        begin_tick(state)
        who = next_programmer(state, leader(state))
    state.ask = Ask.PROGRAM
    state.seat = who
    if not is_dealt(state.drivers[who]):
        shuffle(state.drivers[who], race.luck)
        state.shuffles += 1


@rule
def begin_tick(state: Any) -> None:
    """In every tick each seat that is still programming is asked once."""
    state.tick += 1
    for who in range(state.seats):
        state.drivers[who].acted = 0


@rule
def slide(race: Race, who: int, number: int) -> None:
    """Slide tiles into the hole; the last slide allowed, or the countdown's last, ends the programming of the seat."""
    state = race.state
    driver = state.drivers[who]
    push(driver, number // LONGEST_PUSH, number % LONGEST_PUSH + 1)
    driver.slides += 1
    driver.acted = 1
    is_counted_out = state.time_left == 1
    state.time_left -= state.time_left > 0
    if is_counted_out or driver.slides == state.slides:
        take_token(race, who)


@rule
def take_token(race: Race, who: int) -> None:
    """Whoever is done takes the happiest smile token left; when one seat is left, its countdown begins.

    The last seat takes the last token, also where fewer cars race on than have begun.
    """
    state = race.state
    driver = state.drivers[who]
    left = programmers(state)
    driver.token = racers(state) - left + 1 if left > 1 else state.seats
    state.time_left = 0
    log_event(race.log, Event.DONE, who, driver.token, driver.slides)
    if left == 2:
        state.time_left = state.countdown
        for other in range(state.seats):
            if is_programming(state, other):
                log_event(race.log, Event.COUNTDOWN, other, state.countdown, 0)
