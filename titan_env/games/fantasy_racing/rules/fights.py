"""Fights: who attacks, what the fight die says, and the winner's tactical shift."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, push_effect, rule
from titan_env.games.fantasy_racing.rules.board import beside, blocks, has
from titan_env.games.fantasy_racing.rules.data_tables import (
    BRUTE_POINTS,
    CRUSHING,
    FIGHT,
    POISON_POINTS,
    SIDES_OF_HIDDEN_DICE,
)
from titan_env.games.fantasy_racing.rules.dice import clear_dice, roll
from titan_env.games.fantasy_racing.rules.movement import enter
from titan_env.games.fantasy_racing.rules.points import score, travel
from titan_env.games.fantasy_racing.rules.questions import ask
from titan_env.games.fantasy_racing.rules.state import (
    NOTHING,
    Ask,
    Due,
    Event,
    Manner,
    Outcome,
    Race,
    Reason,
    Roll,
    Rule,
    Size,
    Way,
)

WIN_POINTS = 3


@rule
def attacks(state: Any, who: int, other: int, manner: int) -> bool:
    """Who arrives attacks, but not after a movement that it suffered, nor against Initiative that it has not."""
    if manner == Manner.SUFFERED:
        return False
    return has(state, who, Rule.INITIATIVE) or not has(state, other, Rule.INITIATIVE)


@rule
def fight(race: Race, attacker: int, defender: int) -> None:
    """The attacker rolls the fight die."""
    push_effect(race.state, Due.FIGHT, attacker, defender, 0, 0)
    roll(race, attacker, Roll.FIGHT, 1, SIDES_OF_HIDDEN_DICE)


@rule
def outcome(state: Any, attacker: int, face: int) -> int:
    """Low faces are a defeat, the highest ones a crushing win; only the attacker's fight value counts."""
    character = state.racers[attacker].character
    if face <= SIDES_OF_HIDDEN_DICE - FIGHT[character]:
        return Outcome.DEFEAT
    return Outcome.CRUSHING if face > SIDES_OF_HIDDEN_DICE - CRUSHING[character] else Outcome.SIMPLE


@rule
def resolve_fight(race: Race, attacker: int, defender: int) -> None:
    """3 points to the winner, the loser's shock with all that follows, then the winner's tactical shift."""
    state = race.state
    result = outcome(state, attacker, int(state.dice[0]))
    clear_dice(state)
    log_event(race.log, Event.FIGHT, attacker, defender, result)
    winner, loser = (defender, attacker) if result == Outcome.DEFEAT else (attacker, defender)
    score(race, winner, Reason.FIGHT, WIN_POINTS)
    if has(state, winner, Rule.BRUTE):
        score(race, winner, Reason.BRUTE, BRUTE_POINTS)
    if has(state, winner, Rule.POISON):
        poison(race, winner, loser)
    push_effect(state, Due.SHIFT, winner, 0, 0, 0)
    size = Size.BIG if result == Outcome.CRUSHING else Size.SMALL
    push_effect(state, Due.SHOCK, loser, winner, size, NOTHING)


@rule
def poison(race: Race, winner: int, loser: int) -> None:
    """Poison: 3 points more, and the loser rolls one D6 only in its next movement phase, also if it uses a shield."""
    score(race, winner, Reason.POISON, POISON_POINTS)
    race.state.racers[loser].poisoned = 1
    log_event(race.log, Event.POISONED, loser, winner, 0)


@rule
def may_shift(state: Any, who: int, side: int) -> bool:
    """A tactical shift does not lead on to a barrier or rock."""
    return not blocks(state, beside(int(state.racers[who].square), 0, side))


@rule
def offer_shift(race: Race, who: int) -> None:
    """The winner may stay, or walk one square to the left or right of where it now stands."""
    if may_shift(race.state, who, -1) or may_shift(race.state, who, 1):
        ask(race.state, Ask.SHIFT, who)


@rule
def shift(race: Race, who: int, side: int) -> None:
    """The tactical shift is a walk of one square, that enters and arrives as mover."""
    if side != 0:
        push_effect(race.state, Due.ARRIVE, who, Manner.MOVER, 0, 0)
        travel(race, who, beside(int(race.state.racers[who].square), 0, side), 0, Way.WALK)
        enter(race, who)
