"""The objects of the main action, and the specials: using them, aiming them, what they do."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import draw, log_event, pop_effect, push_effect, rule
from titan_env.games.fantasy_racing.rules.actions import AIM_COLUMNS, AIM_WIDTH
from titan_env.games.fantasy_racing.rules.board import (
    AHEAD,
    AT,
    beside,
    blocks,
    current,
    defuses,
    first_opponent,
    has,
    is_free_ahead,
)
from titan_env.games.fantasy_racing.rules.data_tables import (
    PLAGUE_POINTS,
    PLAGUE_RANGE,
    PLAGUE_ROWS,
    SIDES_OF_HIDDEN_DICE,
    THEFT_CHANCE,
    THEFT_POINTS,
)
from titan_env.games.fantasy_racing.rules.dice import clear_dice, roll
from titan_env.games.fantasy_racing.rules.movement import gain, leap, take_trap
from titan_env.games.fantasy_racing.rules.points import score
from titan_env.games.fantasy_racing.rules.questions import ask
from titan_env.games.fantasy_racing.rules.rings import (
    call_lightning,
    destroy,
    drive_back,
    may_burn,
    may_strike,
    throw_fire,
)
from titan_env.games.fantasy_racing.rules.state import (
    NOBODY,
    NOTHING,
    Aim,
    Ask,
    Due,
    Event,
    Object,
    Race,
    Reason,
    Roll,
    Rule,
    Size,
)
from titan_env.games.fantasy_racing.rules.targets import count_objects, first_with_objects, has_target, only_target

SYRINGE_SQUARES = 2
"""What the syringe carries beside the dice."""
SPECIAL_OF = np.array([Rule[aim.name] if aim >= Aim.BITE else -1 for aim in Aim], np.int64)
"""The special rule that lets a racer aim a special."""


@rule
def may_use(state: Any, who: int, thing: int) -> bool:
    """An active object is the main action, where it would do something."""
    if state.main_done or state.racers[who].objects[thing] == 0:
        return False
    if thing == Object.FIRE_RING:
        return may_burn(state, who)
    if thing == Object.LIGHTNING_RING:
        return may_strike(state, who)
    if thing <= Object.TRAP:
        return has_target(state, who, Aim.AXE + thing - Object.AXE)
    return is_free_ahead(state, who)


@rule
def use(race: Race, who: int, thing: int) -> None:
    """The object is gone when it is chosen; there is no taking back."""
    state = race.state
    state.main_done = 1
    state.racers[who].objects[thing] -= 1
    log_event(race.log, Event.USED, who, NOBODY, thing)
    if thing == Object.FIRE_RING:
        throw_fire(race, who)
    elif thing == Object.LIGHTNING_RING:
        call_lightning(race, who)
    elif thing <= Object.TRAP:
        push_effect(state, Due.AIM, who, Aim.AXE + thing - Object.AXE, 0, 0)
    else:
        push_effect(state, Due.DISTANCE, who, SYRINGE_SQUARES if thing == Object.SYRINGE else 0, 0, 0)
        roll(race, who, Roll.TWO_D3, 2, 3)


@rule
def may_use_special(state: Any, who: int, aim: int) -> bool:
    """A special is free, one in each turn, where there is something to aim at."""
    return not state.special_done and has(state, who, SPECIAL_OF[aim]) and has_target(state, who, aim)


@rule
def use_special(race: Race, who: int, aim: int) -> None:
    """Bite, wand or theft."""
    race.state.special_done = 1
    push_effect(race.state, Due.AIM, who, aim, 0, 0)


# Bottle and syringe


@rule
def free_squares(state: Any, who: int) -> int:
    """How far bottle or syringe may carry: up to the roll, not beyond the last square before a barrier or rock."""
    square = int(state.racers[who].square)
    for squares in range(state.range):
        if blocks(state, AHEAD[square]):
            return squares
        square = int(AHEAD[square])
    return int(state.range)


@rule
def measure(race: Race, who: int, more: int) -> None:
    """The dice say how far bottle or syringe carry at most; its player chooses."""
    state = race.state
    state.range = state.dice[0] + state.dice[1] + more
    clear_dice(state)
    if free_squares(state, who) > 1:
        ask(state, Ask.DISTANCE, who)
    else:
        go(race, who, 1)


@rule
def go(race: Race, who: int, squares: int) -> None:
    """Walk as far as was chosen."""
    race.state.range = 0
    push_effect(race.state, Due.WALK, who, squares, 0, 0)


# Aiming


@rule
def take_aim(race: Race, who: int, aim: int) -> None:
    """Ask for the target, unless there is only one."""
    target = only_target(race.state, who, aim)
    if target >= 0:
        hit(race, who, aim, target)
    else:
        push_effect(race.state, Due.AIM, who, aim, 0, 0)
        ask(race.state, Ask.AIM, who)


@rule
def answer_aim(race: Race, who: int, target: int) -> None:
    """The target is chosen."""
    aim = int(race.state.agenda[race.state.due - 1][2])
    pop_effect(race.state)
    hit(race, who, aim, target)


@rule
def hit(race: Race, who: int, aim: int, target: int) -> None:
    """What is aimed hits: an opponent, else the trap, else the barrier."""
    state = race.state
    square = int(AT[state.racers[who].square, target])
    log_event(race.log, Event.AIMED, who, square, aim)
    victim = first_opponent(state, who, square)
    if aim == Aim.TELEPORT_WAND:
        leap(race, who, 0, target % AIM_WIDTH - AIM_COLUMNS)
    elif aim == Aim.THEFT:
        try_theft(race, who, first_with_objects(state, who, square))
    elif aim == Aim.TRAP:
        lay_trap(race, who, victim, square)
    elif victim != NOBODY:
        push_effect(state, Due.SHOCK, victim, who, Size.BIG if aim == Aim.SPEAR else Size.SMALL, NOTHING)
    else:
        destroy(race, who, square)


@rule
def lay_trap(race: Race, who: int, victim: int, square: int) -> None:
    """A trap lies on the ground and belongs to the user; on an opponent it gives a big shock at once.

    One that has Defusing takes it.
    """
    if victim == NOBODY:
        race.state.traps[square] = who + 1
        log_event(race.log, Event.TRAP_SET, who, square, 0)
    elif defuses(race.state, victim):
        take_trap(race, victim)
    else:
        push_effect(race.state, Due.SHOCK, victim, who, Size.BIG, NOTHING)


# Theft


@rule
def try_theft(race: Race, who: int, whom: int) -> None:
    """The thief rolls the theft die."""
    push_effect(race.state, Due.STEAL, who, whom, 0, 0)
    roll(race, who, Roll.THEFT, 1, SIDES_OF_HIDDEN_DICE)


@rule
def succeeds(face: int) -> bool:
    """Low faces of the theft die fail."""
    return bool(face > SIDES_OF_HIDDEN_DICE - THEFT_CHANCE)


@rule
def steal(race: Race, who: int, whom: int) -> None:
    """A theft that succeeds takes one of the victim's objects, each single one as likely, and is worth a point."""
    state = race.state
    success = succeeds(int(state.dice[0]))
    clear_dice(state)
    if not success:
        log_event(race.log, Event.ESCAPED, who, whom, 0)
        return
    thing, left = 0, draw(race.luck, count_objects(state, whom))
    while left >= state.racers[whom].objects[thing]:
        left -= state.racers[whom].objects[thing]
        thing += 1
    log_event(race.log, Event.STOLEN, who, whom, thing)
    state.racers[whom].objects[thing] -= 1
    gain(race, who, thing)
    score(race, who, Reason.THEFT, THEFT_POINTS)


# Plague


@rule
def spread_plague(race: Race) -> None:
    """At the end of its turn each opponent on its square and around it is infected; who, is settled now."""
    state = race.state
    who = current(state)
    here = int(state.racers[who].square)
    for rows in range(-PLAGUE_RANGE, PLAGUE_RANGE + 1):
        for columns in range(-PLAGUE_RANGE, PLAGUE_RANGE + 1):
            square = beside(here, rows, columns)
            for other in range(state.seats):
                racer = state.racers[other]
                if racer.square == square and other != who and not racer.protected:
                    racer.mark = PLAGUE_ROWS
    push_effect(state, Due.INFECT, who, 0, 0, 0)


@rule
def infect(race: Race, who: int) -> None:
    """The next victim of the plague recoils, no shield helps; 2 points if it goes back at all."""
    drive_back(race, who, Due.INFECT, Event.PLAGUE, Reason.PLAGUE, PLAGUE_POINTS)
