"""One decision: where each answer goes. `legal` says what may be answered."""

from __future__ import annotations

from typing import Any

from titan_env.contract import pop_effect, push_effect, rule
from titan_env.games.fantasy_racing.rules import actions
from titan_env.games.fantasy_racing.rules.arrival import meet
from titan_env.games.fantasy_racing.rules.fights import shift
from titan_env.games.fantasy_racing.rules.flips import BOTH, flip
from titan_env.games.fantasy_racing.rules.movement import answer_shortcut
from titan_env.games.fantasy_racing.rules.objects import (
    answer_aim,
    go,
    use,
    use_special,
)
from titan_env.games.fantasy_racing.rules.rings import fly, release
from titan_env.games.fantasy_racing.rules.shocks import shield, suffer
from titan_env.games.fantasy_racing.rules.state import (
    Aim,
    Ask,
    Due,
    Flight,
    Race,
)
from titan_env.games.fantasy_racing.rules.turn import advance, choose, finish, go_on, learn, move, spend

# Answers


@rule
def answer(race: Race, action: int) -> None:
    """Carry out a decision: the question is closed, and the action goes to its rule."""
    state = race.state
    asked, who = state.ask, int(state.seat)
    state.ask = Ask.NOTHING
    if action < actions.RULE:
        choose(race, who, action - actions.CHOOSE)
    elif action < actions.DIE:
        learn(race, who, action - actions.RULE)
    elif asked == Ask.DIE:
        answer_dice(race, who, action)
    elif action < actions.SKID:
        answer_roll(race, who, action)
    elif action < actions.ADVANCE:
        answer_skid(race, who, action - actions.SKID)
    elif action < actions.GO:
        answer_turn(race, who, action)
    elif action < actions.SHIELD:
        go(race, who, action - actions.GO + 1)
    elif action < actions.SHIFT:
        answer_shock(race, who, action == actions.SHIELD)
    elif action < actions.STOP:
        answer_shift(race, who, action - actions.SHIFT)
    elif action < actions.FIRE:
        answer_shortcut(race, who, action == actions.PASS)
    elif action < actions.AT:
        answer_fire(race, who, action - actions.FIRE)
    else:
        answer_aim(race, who, action - actions.AT)


@rule
def answer_dice(race: Race, who: int, action: int) -> None:
    """Take one die of the movement roll, as it lies or flipped."""
    if action < actions.FLIP:
        move(race, who, action - actions.DIE, False)
    else:
        move(race, who, action - actions.FLIP, True)


@rule
def answer_roll(race: Race, who: int, action: int) -> None:
    """Flip dice of a roll, or keep them as they lie."""
    race.state.fresh = 0
    if action == actions.FLIP_BOTH:
        flip(race, who, BOTH)
    elif action != actions.KEEP:
        flip(race, who, action - actions.FLIP)


@rule
def answer_skid(race: Race, who: int, choice: int) -> None:
    """Stay, or skid one or two squares to the left or right."""
    if choice > 0:
        push_effect(race.state, Due.SKID, who, -1 if choice <= 2 else 1, (choice - 1) % 2 + 1, 0)


@rule
def answer_turn(race: Race, who: int, action: int) -> None:
    """One action of the action phase."""
    if action == actions.ADVANCE:
        advance(race, who)
    elif action < actions.COINS:
        finish(race, who)
    elif action < actions.USE:
        spend(race, who, action - actions.COINS + 1)
    elif action < actions.SPECIAL:
        use(race, who, action - actions.USE)
    else:
        use_special(race, who, Aim.BITE + action - actions.SPECIAL)


@rule
def answer_shock(race: Race, who: int, shields: bool) -> None:
    """Use the shield, or suffer the shock; what waits behind a trap's shock follows where it does not move."""
    state = race.state
    item = state.agenda[state.due - 1]
    by, size, then = int(item[2]), int(item[3]), int(item[4])
    pop_effect(state)
    if not shields:
        suffer(race, who, by, size, then)
        return
    shield(race, who, by, size)
    if then >= 0:
        meet(race, who, then)


@rule
def answer_shift(race: Race, who: int, choice: int) -> None:
    """The winner of a fight stays, or shifts to the left or right."""
    if choice > 0:
        shift(race, who, -1 if choice == 1 else 1)


@rule
def answer_fire(race: Race, who: int, step: int) -> None:
    """Fly the ball one step on, or release it."""
    if step == Flight.RELEASE:
        pop_effect(race.state)
        release(race, who)
    else:
        fly(race, who, step)


# One decision


@rule
def play_decision(state: Any, action: int, luck: Any, log: Any) -> None:
    """Play one legal decision of the seat that is asked, up to the next decision or the end."""
    race = Race(state, luck, log)
    answer(race, action)
    go_on(race)
