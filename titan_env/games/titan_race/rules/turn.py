"""The turn: who is asked what, and where each answer goes. Only this file routes; `legal` says what may be answered."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Status, log_event, pop_effect, rule
from titan_env.games.titan_race.rules.abilities import (
    may_use_ability,
    shove,
    use_ability,
)
from titan_env.games.titan_race.rules.actions import OBJECT_OF, VERB_OF, Verb
from titan_env.games.titan_race.rules.board import is_fit, owner, standing
from titan_env.games.titan_race.rules.cards import (
    aim,
    hand_size,
    play,
    shield,
    thorns,
    throw_away,
)
from titan_env.games.titan_race.rules.dice import (
    choose_action,
    draft,
    end_move,
    is_action_over,
    lay_trap,
    may_reroll,
    move,
    must_roll,
    pay,
    reroll,
    roll_again,
    roll_pool,
    strike,
    take_up,
)
from titan_env.games.titan_race.rules.harm import damage_around, lose_life, recover, waits_for_all
from titan_env.games.titan_race.rules.movement import move_on, offer_thorns, push_loss, step
from titan_env.games.titan_race.rules.questions import ask
from titan_env.games.titan_race.rules.start import ask_choice, choose_circuit, deal_hands, set_order, take_titan
from titan_env.games.titan_race.rules.state import (
    NO_FACE,
    NOBODY,
    NOWHERE,
    Ask,
    Condition,
    Direction,
    Due,
    Event,
    Race,
)
from titan_env.games.titan_race.rules.terrain import enter, pay_pirates, suffer

ENTRY_SPACES = np.array([0, 1, 2], np.int64)
"""A1, C1 and E1."""


# The course of a turn


@rule
def begin_turn(race: Race, who: int) -> None:
    """A turn begins: a Titan that has lost its turn stands up, the pool is rolled if it must be, a die is chosen."""
    state = race.state
    titan = state.titans[who]
    state.titan = who
    state.turns += 1
    if state.turn_limit and state.turns > state.turn_limit:
        state.over = Status.TRUNCATED
        return
    state.face = NO_FACE
    state.action = NO_FACE
    state.begun = state.moved = state.extra_due = state.owes = state.die_done = 0
    state.ability_used = state.card_played = state.rerolled = 0
    state.pentacle = NOWHERE
    state.first_turn = titan.space == NOWHERE
    state.barred = titan.barred
    titan.barred = 0
    if titan.condition == Condition.RECOVERING:
        recover(race, who)
    if must_roll(state):
        roll_pool(race, who)
    ask(state, Ask.DRAFT, who)


@rule
def end_turn(race: Race) -> None:
    """The next Titan in clockwise order takes its turn."""
    begin_turn(race, int((race.state.titan + 1) % race.state.titans_in_race))


@rule
def choose_die(race: Race, who: int, face: int) -> None:
    """Take a die and take it up; a K.O.'d Titan drafts a die, and nothing else happens in its turn."""
    draft(race, who, face)
    if race.state.titans[who].condition == Condition.KNOCKED_OUT:
        race.state.titans[who].condition = Condition.RECOVERING
        race.state.face = face
    else:
        take_up(race, who, face)


@rule
def may_enter(state: Any, entry: int) -> bool:
    """An occupied entry space may not be chosen."""
    return standing(state, ENTRY_SPACES[entry]) == NOBODY


@rule
def may_enter_somewhere(state: Any) -> bool:
    """While all three entry spaces are occupied nobody can enter: the turn is over, and the next one is the first."""
    for entry in range(len(ENTRY_SPACES)):
        if may_enter(state, entry):
            return True
    return False


@rule
def enter_race(race: Race, who: int, entry: int) -> None:
    """In the first turn a Titan is placed on an entry space, which triggers nothing."""
    space = ENTRY_SPACES[entry]
    race.state.on[space] += who + 1
    race.state.titans[who].space = space
    log_event(race.log, Event.MOVED, who, space, 0)


@rule
def is_free(state: Any) -> bool:
    """Ability and card of one's own: from the second turn on, not after a reroll, not under the hourglass."""
    return not (state.first_turn or state.rerolled or state.barred or waits_for_all(state))


@rule
def may_use_own_ability(state: Any, who: int) -> bool:
    """The ability serves once per own turn, where it does something."""
    return is_free(state) and not state.ability_used and may_use_ability(state, who, state.titans[who].kind)


@rule
def may_use_card(state: Any) -> bool:
    """One card a turn, played or thrown away."""
    return is_free(state) and not state.card_played and hand_size(state, state.seat) > 0


@rule
def next_question(race: Race) -> None:
    """Nothing is left to be carried out: ask the Titan whose turn it is, or end the turn."""
    state = race.state
    who = int(state.titan)
    if state.before:
        if not ask_choice(race):
            state.before = 0
            deal_hands(race)
            begin_turn(race, who)
        return
    state.seat = owner(state, who)
    if not is_fit(state, who):
        end_turn(race)
    elif state.titans[who].space == NOWHERE:
        if may_enter_somewhere(state):
            ask(state, Ask.ENTER, who)
        else:
            end_turn(race)
    elif not state.begun and not state.die_done:
        ask(state, Ask.TURN, who)
    elif not state.die_done and not is_action_over(state, who):
        ask(state, Ask.DIE, who)
    else:
        state.die_done = 1
        state.extra_due = 0
        if may_reroll(state, who) or may_use_own_ability(state, who) or may_use_card(state):
            ask(state, Ask.TURN, who)
        else:
            end_turn(race)


@rule
def carry_out(race: Race) -> None:
    """Take the next effect off the agenda and carry it out."""
    state = race.state
    item = state.agenda[state.due - 1]
    due, who, first, second, third = int(item[0]), int(item[1]), int(item[2]), int(item[3]), int(item[4])
    pop_effect(state)
    if due == Due.STEP:
        step(race, who, first, second, third)
    elif due == Due.ENTER:
        enter(race, who, first, second)
    elif due == Due.MOVE:
        move_on(race, who, first, second)
    elif due == Due.PUSH_LOSS:
        push_loss(race, who)
    elif due == Due.THORNS:
        offer_thorns(race, who)
    elif due == Due.AREA:
        damage_around(race, who, first, second, third)
    elif due == Due.DIE_MOVED:
        end_move(race, who)
    elif due == Due.REROLL:
        roll_again(race, who)
    else:  # a life that no shield has saved
        lose_life(race, who, first, second)


@rule
def go_on(race: Race) -> None:
    """Let the race run on by itself to the next decision or the end."""
    state = race.state
    while state.ask == Ask.NOTHING and state.over == Status.RUNNING:
        if state.due > 0:
            carry_out(race)
        else:
            next_question(race)
    if state.over != Status.RUNNING:
        state.ask = Ask.NOTHING
        while state.due > 0:
            pop_effect(state)


@rule
def answer(race: Race, action: int) -> None:
    """Carry out a decision: the question is closed, and the action goes to its rule."""
    state = race.state
    asked, who = state.ask, int(state.asked)
    state.ask = Ask.NOTHING
    verb, chosen = int(VERB_OF[action]), int(OBJECT_OF[action])
    if verb == Verb.DRAFT:
        choose_die(race, who, chosen)
    elif verb == Verb.ENTER:
        enter_race(race, who, chosen)
    elif verb == Verb.ABILITY:
        if asked == Ask.TURN:
            state.ability_used = 1
            state.borrowed = state.titans[who].kind
        use_ability(race, who, chosen - 1)  # the first ability action names no direction
    elif verb == Verb.SHOVE:
        shove(race, who, state.target, chosen)
    elif verb == Verb.PLAY:
        answer_card(race, who, asked, chosen)
    elif verb == Verb.AIM:
        aim(race, who, chosen)
    elif verb == Verb.DISCARD:
        if asked == Ask.PIRATES:
            pay_pirates(race, who, chosen)
        else:
            throw_away(race, who, chosen)
    elif verb == Verb.SUFFER:
        suffer(race, who)
    elif verb == Verb.PASS:
        if asked == Ask.DIE:  # a strike at a trap is passed up
            state.extra_due = 0
    elif verb == Verb.REROLL:
        reroll(race, who)
    elif verb == Verb.END:
        end_turn(race)
    elif verb == Verb.CHOOSE:
        take_titan(race, who, chosen)
    elif verb == Verb.ORDER:
        set_order(race, who, chosen)
    elif verb == Verb.CIRCUIT:
        choose_circuit(race, who, chosen)
    else:
        state.begun = 1
        answer_die(race, who, verb, chosen)


@rule
def answer_die(race: Race, who: int, verb: int, chosen: int) -> None:
    """Carry out one part of the die action."""
    if verb == Verb.COPY:
        choose_action(race.state, chosen)
    elif verb == Verb.PAY:
        pay(race, who)
    elif verb == Verb.MOVE:
        move(race, who, chosen)
    elif verb == Verb.TRAP:
        lay_trap(race, who, Direction.B + chosen)
    else:
        strike(race, who, chosen)


@rule
def answer_card(race: Race, who: int, asked: int, card: int) -> None:
    """Play a card: a reaction where one was asked for, else a card of one's own turn."""
    if asked == Ask.SHIELD:
        shield(race, who)
    elif asked == Ask.THORNS:
        thorns(race, who)
    else:
        play(race, who, card)


# One decision


@rule
def play_decision(state: Any, action: int, luck: Any, log: Any) -> None:
    """Play one legal decision of the seat that is asked, up to the next decision or the end."""
    race = Race(state, luck, log)
    answer(race, action)
    go_on(race)
