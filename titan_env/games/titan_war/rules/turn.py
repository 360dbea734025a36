"""The course of a war: turns and their phases, and its end by points or by turns. It runs on to the next question."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_war.rules.aftermath import end_engagement, finish, offer_angel
from titan_env.games.titan_war.rules.legions import value_of_all
from titan_env.games.titan_war.rules.movement import end_movement, offer_move, throw
from titan_env.games.titan_war.rules.recruiting import offer_muster
from titan_env.games.titan_war.rules.splits import offer_split
from titan_env.games.titan_war.rules.start import is_divided, offer_start
from titan_env.games.titan_war.rules.state import LEGIONS, Event, Phase, Stage
from titan_env.games.titan_war.rules.summoning import offer_help
from titan_env.games.titan_war.rules.talk import offer_engagement


@rule
def advance(state: Any, luck: Any, log: Any) -> None:
    """Go one step on in the turn, perhaps to a question."""
    if state.phase == Phase.START:
        if is_divided(state):
            begin_turn(state, log)
        else:
            offer_start(state)
    elif state.phase == Phase.COMMENCEMENT:
        offer_split(state)
    elif state.phase == Phase.THROW:
        throw(state, luck, log)
    elif state.phase == Phase.MOVEMENT:
        offer_move(state)
        if state.phase == Phase.ENGAGEMENT:
            end_movement(state, log)
    elif state.phase == Phase.ENGAGEMENT:
        advance_engagement(state)
    elif state.out[state.mover] or not offer_muster(state):
        end_turn(state, log)


@rule
def advance_engagement(state: Any) -> None:
    """Angels, then summoning or reinforcement, then the next engagement."""
    if state.stage == Stage.ANGELS:
        offer_angel(state)
    elif state.stage == Stage.NONE:
        offer_engagement(state)
    elif not offer_help(state):
        end_engagement(state)


@rule
def begin_turn(state: Any, log: Any) -> None:
    """Commencement, but not in a player's first turn; then the die."""
    state.clock += 1
    state.phase = Phase.COMMENCEMENT if state.had_turn[state.mover] else Phase.THROW
    log_event(log, Event.TURN, state.mover, state.turns + 1, 0)


@rule
def end_turn(state: Any, log: Any) -> None:
    """Then the next living player."""
    state.had_turn[state.mover] = 1
    state.turns += 1
    state.roll = state.teleported = state.summoned = state.land = 0
    for marker in range(LEGIONS):
        state.legions[marker].moved = state.legions[marker].entry = 0
    if is_decided(state):
        rank(state)
        finish(state, log)
        return
    state.mover = next_living(state, state.mover)
    begin_turn(state, log)


@rule
def next_living(state: Any, seat: int) -> int:
    """The next player round the table whose titan lives."""
    following = (seat + 1) % state.seats
    while state.out[following]:
        following = (following + 1) % state.seats
    return int(following)


# The end by points or by turns


@rule
def has_goal(state: Any) -> bool:
    """Whether a living player has the points that end the war."""
    for seat in range(state.seats):
        if state.goal > 0 and not state.out[seat] and state.scores[seat] >= state.goal:
            return True
    return False


@rule
def is_decided(state: Any) -> bool:
    """The war ends with a turn after which somebody has the points, or after the last turn."""
    return has_goal(state) or (state.turn_limit > 0 and state.turns >= state.turn_limit)


@rule
def standing(state: Any, seat: int) -> int:
    """The score decides; after the last turn score and value of all own legions."""
    return int(state.scores[seat]) + (0 if has_goal(state) else value_of_all(state, seat))


@rule
def rank(state: Any) -> None:
    """The highest number wins, equal ones win together; the dead stay behind as they fell."""
    for seat in range(state.seats):
        if state.out[seat]:
            continue
        rank = 1
        for other in range(state.seats):
            rank += not state.out[other] and standing(state, other) > standing(state, seat)
        state.place[seat] = rank
        state.won[seat] = rank == 1
