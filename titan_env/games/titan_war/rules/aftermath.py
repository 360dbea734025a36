"""After an engagement: points, the dead and their legions, angels, and the end of the war."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Status, log_event, rule
from titan_env.games.titan_battle.rules.state import KINDS, LEGION, Character
from titan_env.games.titan_war.rules.legions import (
    eliminate_legion,
    enemy_at,
    has_enemy_at,
    is_own,
    value_of,
)
from titan_env.games.titan_war.rules.record import conclude, reveal
from titan_env.games.titan_war.rules.recruiting import enlist
from titan_env.games.titan_war.rules.state import (
    LEGIONS,
    NOBODY,
    POINTS_AN_ANGEL,
    POINTS_AN_ARCHANGEL,
    Ask,
    Event,
    Stage,
)

# Points


@rule
def win(state: Any, winner: int, loser: int, points: int, rest: int, log: Any) -> None:
    """One legion is eliminated, the other's player scores; titans' powers grow at once.

    `rest`: the value of those that still lived of a legion whose titan was slain.
    """
    seat, other = int(state.legions[winner].owner), int(state.legions[loser].owner)
    dead = (1 << other) * (state.legions[loser].holds[Character.TITAN] > 0)
    remove_fighter(state, loser)
    reveal(state.legions[winner])
    conclude(state, seat)
    state.hundred = state.scores[seat] // POINTS_AN_ANGEL + 1
    score(state, seat, points, log)
    state.last_hundred = state.scores[seat] // POINTS_AN_ANGEL
    state.winner = winner
    state.stage = Stage.ANGELS
    state.ask = Ask.NOTHING
    bury(state, dead, seat, other, rest, log)


@rule
def both_fall(state: Any, rest: int, log: Any) -> None:
    """Both legions are eliminated: no points for them."""
    attacker, defender = state.legions[state.attacker], state.legions[state.defender]
    seat, other = int(attacker.owner), int(defender.owner)
    dead = (1 << seat) * (attacker.holds[Character.TITAN] > 0) | (1 << other) * (defender.holds[Character.TITAN] > 0)
    remove_fighter(state, state.attacker)
    remove_fighter(state, state.defender)
    conclude(state, seat)
    conclude(state, other)
    state.stage = Stage.HELP
    state.ask = Ask.NOTHING
    bury(state, dead, seat, other, rest, log)


@rule
def remove_fighter(state: Any, marker: int) -> None:
    """A legion of the engagement is eliminated."""
    eliminate_legion(state, marker)
    if marker == state.attacker:
        state.attacker = NOBODY
    else:
        state.defender = NOBODY


@rule
def score(state: Any, seat: int, points: int, log: Any) -> None:
    """A player scores."""
    state.scores[seat] += points
    if points > 0:
        log_event(log, Event.SCORED, seat, points, 0)


# The dead


@rule
def bury(state: Any, dead: int, seat: int, other: int, rest: int, log: Any) -> None:
    """Whose titan was lost is out; one player left: it wins at once. Nobody left: the last two share the result.

    `dead`: the set of those among the two players of an engagement.
    """
    if dead == 0:
        return
    for one in range(state.seats):
        state.out[one] |= dead >> one & 1
    for one in range(state.seats):
        if dead >> one & 1:
            slayer = seat + other - one
            state.place[one] = count_living(state) + 1
            log_event(log, Event.ELIMINATED, one, one if state.out[slayer] else slayer, 0)
            give_half_points(state, one, slayer, rest, log)
            clear_board(state, one, slayer, log)
    if count_living(state) <= 1:
        for one in range(state.seats):
            state.won[one] = dead >> one & 1 if count_living(state) == 0 else not state.out[one]
        finish(state, log)


@rule
def count_living(state: Any) -> int:
    """How many players still have their titan."""
    count = 0
    for seat in range(state.seats):
        count += not state.out[seat]
    return count


@rule
def heir(state: Any, marker: int, slayer: int) -> int:
    """Who gets half points for a dead player's legion: whom it faces, or else the slayer, if they live; or NOBODY."""
    legion = state.legions[marker]
    if has_enemy_at(state, legion.owner, legion.land):
        enemy = int(state.legions[enemy_at(state, legion.owner, legion.land)].owner)
        if not state.out[enemy]:
            return enemy
    return NOBODY if state.out[slayer] else slayer


@rule
def give_half_points(state: Any, dead: int, slayer: int, rest: int, log: Any) -> None:
    """The dead player's other legions, and the rest set aside, bring half points; they bring no angels.

    For each player who gets any the values are added, halved and rounded down.
    """
    for seat in range(state.seats):
        if state.out[seat]:
            continue
        value = rest if seat == slayer else 0
        for marker in range(LEGIONS):
            if is_own(state, marker, dead) and heir(state, marker, slayer) == seat:
                value += value_of(state, marker)
        state.scores[seat] += value // 2
        if value > 1:
            log_event(log, Event.HALF_POINTS, seat, dead, value // 2)


@rule
def clear_board(state: Any, dead: int, slayer: int, log: Any) -> None:
    """The dead player's legions are removed; its markers go to the slayer, if that one lives."""
    for marker in range(LEGIONS):
        legion = state.legions[marker]
        if legion.owner != dead:
            continue
        if legion.height > 0:
            log_event(log, Event.REMOVED, dead, legion.land, legion.height)
            eliminate_legion(state, marker)
        if not state.out[slayer]:
            legion.owner = slayer


@rule
def finish(state: Any, log: Any) -> None:
    """The war is over."""
    state.over = Status.TERMINATED
    for seat in range(state.seats):
        if state.won[seat]:
            state.place[seat] = 1
            log_event(log, Event.WON, seat, 0, 0)
    end_engagement(state)


# Angels


@rule
def angel_kind(state: Any) -> int:
    """At a multiple of 500 an archangel, if one is left; else an angel."""
    if state.hundred % (POINTS_AN_ARCHANGEL // POINTS_AN_ANGEL) == 0 and state.supply[Character.ARCHANGEL] > 0:
        return Character.ARCHANGEL.value
    return Character.ANGEL.value


@rule
def offer_angel(state: Any) -> None:
    """For each multiple of 100 that the score reached or passed, an angel into the winning legion, taken or declined.

    Only while it has fewer than seven and the supply has one.
    """
    while state.winner != NOBODY and state.hundred <= state.last_hundred:
        if state.legions[state.winner].height < LEGION and state.supply[angel_kind(state)] > 0:
            state.ask = Ask.ANGEL
            state.seat = state.legions[state.winner].owner
            return
        state.hundred += 1
    state.stage = Stage.HELP


@rule
def take_angel(state: Any, kind: int, log: Any) -> None:
    """The winning legion gets an angel from the supply."""
    legion = state.legions[state.winner]
    log_event(log, Event.ACQUIRED, legion.owner, kind, legion.land)
    enlist(state, state.winner, kind)


# The end of an engagement


@rule
def end_engagement(state: Any) -> None:
    """Slain and eliminated lords and demi-lords return to the supply, and nothing is left of the engagement."""
    for kind in range(KINDS):
        state.supply[kind] += state.returning[kind]
        state.returning[kind] = 0
    state.stage = Stage.NONE
    state.attacker = state.defender = state.winner = state.donor = NOBODY
    state.offered = state.hundred = state.last_hundred = state.may_summon = state.may_reinforce = 0
