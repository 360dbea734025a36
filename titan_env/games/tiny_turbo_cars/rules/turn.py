"""The course of a race: who is asked what, and where each answer goes. `legal` says what may be answered."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Status, log_event, rule
from titan_env.games.tiny_turbo_cars.rules import actions
from titan_env.games.tiny_turbo_cars.rules.abilities import fly, may_fly
from titan_env.games.tiny_turbo_cars.rules.commands import carry_out
from titan_env.games.tiny_turbo_cars.rules.controller import command
from titan_env.games.tiny_turbo_cars.rules.damage import penalty
from titan_env.games.tiny_turbo_cars.rules.movement import drive_on
from titan_env.games.tiny_turbo_cars.rules.programming import (
    ask_programmer,
    begin_round,
    programmers,
    slide,
    take_token,
)
from titan_env.games.tiny_turbo_cars.rules.state import (
    COMMANDS,
    NO_CAR,
    NOBODY,
    UNDEALT,
    UNPLACED,
    Ask,
    Event,
    Gain,
    Race,
)
from titan_env.games.tiny_turbo_cars.rules.track import is_past_line, is_racing, racers, starting_place

SHIELD_DRIVE = 2

# Before the first round


@rule
def may_choose(state: Any, car: int) -> bool:
    """Each car is driven once."""
    for who in range(state.seats):
        if state.drivers[who].car == car:
            return False
    return True


@rule
def choose_car(race: Race, who: int, car: int) -> None:
    """Choose one of the cars that are left."""
    race.state.drivers[who].car = car
    log_event(race.log, Event.CHOSE, who, car, 0)


@rule
def may_stand(state: Any, place: int) -> bool:
    """A place of the starting grid is free while nobody stands there."""
    row, lane = starting_place(state, place)
    for who in range(state.seats):
        if state.drivers[who].row == row and state.drivers[who].lane == lane:
            return False
    return True


@rule
def stand(race: Race, who: int, place: int) -> None:
    """Put the car on a place of the starting grid."""
    driver = race.state.drivers[who]
    driver.row, driver.lane = starting_place(race.state, place)
    log_event(race.log, Event.PLACED, who, driver.row, driver.lane)


@rule
def prepare(race: Race) -> None:
    """From the first player, clockwise, each seat chooses a car; in the reverse order each chooses its place."""
    state = race.state
    for i in range(state.seats):
        who = int((state.first + i) % state.seats)
        if state.drivers[who].car == NO_CAR:
            ask(state, Ask.CAR, who)
            return
    for i in range(state.seats):
        who = int((state.first + state.seats - 1 - i) % state.seats)
        if state.drivers[who].row == UNPLACED:
            ask(state, Ask.PLACE, who)
            return
    begin_round(race)


@rule
def ask(state: Any, what: int, who: int) -> None:
    """Ask a seat for a decision."""
    state.ask = what
    state.seat = who


# A turn


@rule
def drive(race: Race, who: int) -> None:
    """A turn: the penalty, then the eight commands. What a modifier adds after the last is lost."""
    state = race.state
    log_event(race.log, Event.DROVE, who, state.drivers[who].token, 0)
    penalty(race, who)
    waiting = 0
    for number in range(COMMANDS):
        waiting = carry_out(race, who, command(state.drivers[who], number), waiting)
    if may_fly(state, who):
        ask(state, Ask.FLY, who)
    else:
        offer_shields(race, who)


@rule
def may_spend(state: Any, who: int) -> bool:
    """A shield may be given back for a drive as long as the car stands and has one."""
    return bool(state.drivers[who].shields > 0 and not state.drivers[who].lying)


@rule
def offer_shields(race: Race, who: int) -> None:
    """At the end of the turn shields may be spent, one after the other."""
    if may_spend(race.state, who):
        ask(race.state, Ask.SHIELD, who)
    else:
        end_turn(race, who)


@rule
def spend(race: Race, who: int) -> None:
    """Give a shield back and drive 2 cells straight ahead."""
    driver = race.state.drivers[who]
    driver.shields -= 1
    log_event(race.log, Event.SPENT, who, driver.shields, 0)
    drive_on(race, who, SHIELD_DRIVE)


@rule
def end_turn(race: Race, who: int) -> None:
    """The slip token and all shields left go back; the next car takes its turn, or the round ends."""
    state = race.state
    driver = state.drivers[who]
    driver.slipping = 0
    driver.shields = 0
    following = next_driver(state, driver.token)
    if following == NOBODY:
        end_round(race)
    else:
        ask(state, Ask.DRIVE, following)


@rule
def next_driver(state: Any, token: int) -> int:
    """Who holds the happiest smile token after this one; NOBODY after the last."""
    found = NOBODY
    for who in range(state.seats):
        own = state.drivers[who].token
        if own > token and (found == NOBODY or own < state.drivers[found].token):
            found = who
    return found


# The end of a round


@rule
def is_before(state: Any, who: int, whom: int) -> bool:
    """A car is before another in a higher row, or in the same row with a happier token."""
    one, other = state.drivers[who], state.drivers[whom]
    return bool(one.row > other.row or (one.row == other.row and one.token < other.token))


@rule
def cars_before(state: Any, whom: int) -> int:
    """How many cars are before this one; lanes do not count."""
    count = 0
    for who in range(state.seats):
        count += is_before(state, who, whom)
    return count


@rule
def end_round(race: Race) -> None:
    """If a car is past the line the race is over, or goes on for the podium; if none is, it goes on."""
    state = race.state
    if cars_past_line(state):
        if state.podium:
            award_places(race)
        else:
            end_race(race)
    if state.over == Status.RUNNING:
        go_on(race)


@rule
def go_on(race: Race) -> None:
    """There are shields and another round, up to the limit."""
    state = race.state
    if state.rounds == state.round_limit:
        state.over = Status.TRUNCATED
    else:
        gain_shields(race)
        begin_round(race)


@rule
def cars_past_line(state: Any) -> int:
    """How many cars are past the finish line."""
    count = 0
    for who in range(state.seats):
        count += is_past_line(state, who)
    return count


@rule
def gain_shields(race: Race) -> None:
    """Every car in the race gains 1 shield for each car before it."""
    state = race.state
    for who in range(state.seats):
        if not is_racing(state, who):
            continue
        shields = cars_before(state, who)
        if shields:
            log_event(race.log, Event.GAINED, who, shields, Gain.POSITION)
        state.drivers[who].shields = shields


@rule
def end_race(race: Race) -> None:
    """The car with the highest row wins, lying or not; tokens decide ties, for all places."""
    state = race.state
    for who in range(state.seats):
        state.place[who] = cars_before(state, who) + 1
        if state.place[who] == 1:
            win(race, who)
    state.over = Status.TERMINATED


@rule
def win(race: Race, who: int) -> None:
    """There is one winner."""
    race.state.won[who] = 1
    log_event(race.log, Event.WON, who, race.state.drivers[who].row - race.state.line, 0)


# The podium


@rule
def award_places(race: Race) -> None:
    """Cars past the line take the next places and leave; with one car left, or none, all places are known."""
    state = race.state
    is_last_round = racers(state) - cars_past_line(state) <= 1
    gone = state.seats - racers(state)
    for who in range(state.seats):
        if is_racing(state, who) and (is_past_line(state, who) or is_last_round):
            take_place(race, who, gone + cars_before(state, who) + 1)
    if is_last_round:
        state.over = Status.TERMINATED
        return
    for who in range(state.seats):
        if state.place[who]:
            leave_track(state, who)


@rule
def take_place(race: Race, who: int, place: int) -> None:
    """The first place wins."""
    race.state.place[who] = place
    if place == 1:
        win(race, who)
    else:
        log_event(race.log, Event.RANKED, who, place, 0)


@rule
def leave_track(state: Any, who: int) -> None:
    """A car that has its place leaves the track, and its seat is asked no more."""
    driver = state.drivers[who]
    driver.row, driver.lane = UNPLACED, 0
    driver.token = 0
    driver.controller[:] = UNDEALT
    state.out[who] = 1


# One decision


@rule
def answer(race: Race, who: int, action: int) -> None:
    """Carry out a decision and go on to the next question."""
    state = race.state
    if action <= actions.FINISH:
        if action < actions.FINISH:
            slide(race, who, action - actions.PUSH)
        else:
            take_token(race, who)
        if programmers(state):
            ask_programmer(race, who)
        else:
            ask(state, Ask.DRIVE, next_driver(state, 0))
    elif action < actions.DRIVE:
        if action < actions.PLACE:
            choose_car(race, who, action - actions.CAR)
        else:
            stand(race, who, action - actions.PLACE)
        prepare(race)
    elif action == actions.DRIVE:
        drive(race, who)
    elif action == actions.STOP:
        end_turn(race, who)
    else:
        if action == actions.SPEND:
            spend(race, who)
        elif action != actions.FLY_STAY:
            fly(race, who, action - actions.FLY_STAY)
        offer_shields(race, who)


@rule
def play_decision(state: Any, action: int, luck: Any, log: Any) -> None:
    """Play one legal decision of the seat that is asked, up to the next decision or the end."""
    answer(Race(state, luck, log), int(state.seat), action)
