"""The turn: who is asked what, and what waits on the agenda. `decision` says where each answer goes."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Status, log_event, pop_effect, push_effect, rule
from titan_env.games.fantasy_racing.rules.arrival import arrive, meet, take_shortcut
from titan_env.games.fantasy_racing.rules.board import current, has, is_free_ahead
from titan_env.games.fantasy_racing.rules.chests import open_chest, take_from_chest
from titan_env.games.fantasy_racing.rules.data_tables import FREE_FLIPS, RULES_OF, SPEED
from titan_env.games.fantasy_racing.rules.dice import may_take_die, roll_movement, take_die
from titan_env.games.fantasy_racing.rules.fights import offer_shift, resolve_fight
from titan_env.games.fantasy_racing.rules.flips import may_flip_any
from titan_env.games.fantasy_racing.rules.movement import defuse, may_skid, reappear, skid, walk
from titan_env.games.fantasy_racing.rules.objects import (
    infect,
    may_use,
    may_use_special,
    measure,
    spread_plague,
    steal,
    take_aim,
)
from titan_env.games.fantasy_racing.rules.questions import ask
from titan_env.games.fantasy_racing.rules.rings import burn, fly_on, launch, settle_lightning, strike
from titan_env.games.fantasy_racing.rules.shocks import recoil_from_shock, shock
from titan_env.games.fantasy_racing.rules.state import (
    CHOSEN,
    MOST_DICE,
    NOBODY,
    Aim,
    Ask,
    Character,
    Due,
    Event,
    Object,
    Phase,
    Race,
    Rule,
)

MOST_COINS = 5
REFILL_EVERY = 3
"""Rounds between two reappearances of objects."""


# The course of the race


@rule
def choose_characters(race: Race) -> None:
    """Before the race, in the first round's order: characters are chosen, then the rule of each human."""
    state = race.state
    for position in range(state.seats):
        who = int(state.order[position])
        if state.racers[who].character == CHOSEN:
            ask(state, Ask.CHOOSE, who)
            return
    for position in range(state.seats):
        who = int(state.order[position])
        if state.racers[who].character == Character.HUMAN and state.racers[who].rules == 0:
            ask(state, Ask.RULE, who)
            return
    begin_round(race)


@rule
def is_chosen(state: Any, character: int) -> bool:
    """Whether somebody races as this character."""
    for who in range(state.seats):
        if state.racers[who].character == character:
            return True
    return False


@rule
def choose(race: Race, who: int, character: int) -> None:
    """Race as a character that nobody has chosen yet."""
    racer = race.state.racers[who]
    racer.character = character
    racer.rules = RULES_OF[character]
    log_event(race.log, Event.CHOSE, who, NOBODY, character)


@rule
def learn(race: Race, who: int, special: int) -> None:
    """The versatile human has one special rule for the whole race."""
    race.state.racers[who].rules = 1 << special
    log_event(race.log, Event.LEARNED, who, NOBODY, special)


@rule
def begin_round(race: Race) -> None:
    """From the second round on who has fewest points plays first; in rounds 4, 7, 10 and 13 objects reappear."""
    state = race.state
    state.rounds_begun += 1
    state.turn = 0
    if state.rounds_begun > 1:
        sort_by_points(state)
    log_event(race.log, Event.ROUND, state.order[0], NOBODY, state.rounds_begun)
    if state.rounds_begun > 1 and (state.rounds_begun - 1) % REFILL_EVERY == 0:
        reappear(race)
    begin_turn(race)


@rule
def sort_by_points(state: Any) -> None:
    """Of equal racers the one that played earlier in the round before plays earlier again."""
    for position in range(1, state.seats):
        who = state.order[position]
        while position > 0 and state.scores[state.order[position - 1]] > state.scores[who]:
            state.order[position] = state.order[position - 1]
            position -= 1
        state.order[position] = who


@rule
def begin_turn(race: Race) -> None:
    """A racer is protected until its first turn begins; every turn begins with the movement roll."""
    state = race.state
    who = current(state)
    state.racers[who].protected = 0
    state.main_done = state.coins_done = state.special_done = 0
    state.arrivals = 0
    state.free_flip = FREE_FLIPS if has(state, who, Rule.DEFUSING) else 0
    state.phase = Phase.MOVEMENT
    roll_movement(race, who)


@rule
def end_turn(race: Race) -> None:
    """The next racer of this round's order takes its turn; after the last turn of the last round the race is over."""
    state = race.state
    if state.turn + 1 < state.seats:
        state.turn += 1
        begin_turn(race)
    elif state.rounds_begun < state.rounds:
        begin_round(race)
    else:
        end_race(race)


@rule
def end_race(race: Race) -> None:
    """Most points wins; equal racers at the top all win."""
    state = race.state
    state.main_done = state.coins_done = state.special_done = 0
    state.arrivals = state.free_flip = 0
    for who in range(state.seats):
        ahead = 0
        for other in range(state.seats):
            ahead += state.scores[other] > state.scores[who]
        state.place[who] = ahead + 1
        if ahead == 0:
            log_event(race.log, Event.WON, who, NOBODY, state.scores[who])
            state.won[who] = 1
    state.over = Status.TERMINATED


# The phases of a turn


@rule
def next_question(race: Race) -> None:
    """Nothing is left to be carried out: the turn goes on, without questions that have only one answer."""
    state = race.state
    if state.phase == Phase.CHOICE:
        choose_characters(race)
        return
    who = current(state)
    if state.phase == Phase.MOVEMENT:
        offer_dice(race, who)
    elif state.phase == Phase.SKID:
        state.phase = Phase.ACTION
        if may_skid(state, who, -1, 1) or may_skid(state, who, 1, 1):
            ask(state, Ask.SKID, who)
    elif state.phase == Phase.ACTION:
        if may_do_anything(state, who):
            ask(state, Ask.TURN, who)
        else:
            finish(race, who)
    else:
        end_turn(race)


@rule
def offer_dice(race: Race, who: int) -> None:
    """Choose one die of the movement roll; if there is only one choice it is made."""
    choices, only = 0, 0
    for die in range(MOST_DICE):
        for flipped in range(2):
            if may_take_die(race.state, who, die, flipped == 1):
                choices += 1
                only = die
    if choices > 1:
        ask(race.state, Ask.DIE, who)
    else:
        move(race, who, only, False)


@rule
def move(race: Race, who: int, die: int, flipped: bool) -> None:
    """Walk as many squares as the chosen die says."""
    squares = take_die(race, who, die, flipped)
    race.state.phase = Phase.SKID
    push_effect(race.state, Due.WALK, who, squares, 0, 0)


@rule
def may_advance(state: Any, who: int) -> bool:
    """The main action may be a walk of as many squares as the character's speed."""
    return not state.main_done and is_free_ahead(state, who)


@rule
def may_spend(state: Any, who: int, coins: int) -> bool:
    """Once in each turn, 1 to 5 coins may be spent."""
    enough = state.racers[who].objects[Object.COIN] >= coins
    return not state.coins_done and enough and is_free_ahead(state, who)


@rule
def may_do_anything(state: Any, who: int) -> bool:
    """Whether anything is left to choose but the end of the turn."""
    if may_advance(state, who) or may_spend(state, who, 1):
        return True
    for thing in range(Object.SYRINGE + 1):
        if may_use(state, who, thing):
            return True
    for aim in range(Aim.BITE, Aim.THEFT + 1):
        if may_use_special(state, who, aim):
            return True
    return False


@rule
def advance(race: Race, who: int) -> None:
    """Walk as many squares as the character's speed."""
    race.state.main_done = 1
    push_effect(race.state, Due.WALK, who, SPEED[race.state.racers[who].character], 0, 0)


@rule
def spend(race: Race, who: int, coins: int) -> None:
    """1 to 5 coins carry 1, 3, 6, 10 or 15 squares."""
    race.state.coins_done = 1
    race.state.racers[who].objects[Object.COIN] -= coins
    log_event(race.log, Event.COINS, who, NOBODY, coins)
    push_effect(race.state, Due.WALK, who, coins * (coins + 1) // 2, 0, 0)


@rule
def finish(race: Race, who: int) -> None:
    """`rest` instead of a main action, or `end` after it: the turn ends, with the plague if its racer has it."""
    race.state.phase = Phase.END
    if has(race.state, who, Rule.PLAGUE):
        spread_plague(race)


# What waits on the agenda


@rule
def carry_out(race: Race) -> None:
    """Take the next effect off the agenda and carry it out."""
    state = race.state
    item = state.agenda[state.due - 1]
    due, who, first, second, third = int(item[0]), int(item[1]), int(item[2]), int(item[3]), int(item[4])
    pop_effect(state)
    if due == Due.WALK:
        walk(race, who, first, second)
    elif due == Due.ARRIVE:
        arrive(race, who, first)
    elif due == Due.SKID:
        skid(race, who, first, second, third)
    elif due == Due.DEFUSE:
        defuse(race, who)
    elif due == Due.CHEST:
        open_chest(race, who)
    elif due == Due.OPENED:
        take_from_chest(race, who, first)
    elif due == Due.LEAP:
        take_shortcut(race, who)
    elif due == Due.FIGHT:
        resolve_fight(race, who, first)
    elif due == Due.SHOCK:
        shock(race, who, first, second, third)
    elif due == Due.RECOIL:
        if not recoil_from_shock(race, who, first) and second >= 0:
            meet(race, who, second)
    elif due == Due.SHIFT:
        offer_shift(race, who)
    else:
        carry_out_action(race, due, who, first)


@rule
def carry_out_action(race: Race, due: int, who: int, first: int) -> None:
    """Carry out what an object or a special does."""
    if due == Due.AIM:
        take_aim(race, who, first)
    elif due == Due.STEAL:
        steal(race, who, first)
    elif due == Due.DISTANCE:
        measure(race, who, first)
    elif due == Due.LAUNCH:
        launch(race, who)
    elif due == Due.FLY:
        fly_on(race, who)
    elif due == Due.BURN:
        burn(race, who)
    elif due == Due.LIGHTNING:
        settle_lightning(race, who)
    elif due == Due.STRIKE:
        strike(race, who)
    else:
        infect(race, who)


@rule
def go_on(race: Race) -> None:
    """Let the race run on by itself to the next decision or the end."""
    state = race.state
    while state.ask == Ask.NOTHING and state.over == Status.RUNNING:
        if state.due == 0:
            next_question(race)
        elif state.fresh and may_flip_any(state):
            ask(state, Ask.ROLL, state.roller)
        else:
            state.fresh = 0
            carry_out(race)
