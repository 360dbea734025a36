"""One decision: where each answer goes. `decide` is the battle's own, `play_decision` that of the game around it."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Status, log_event, rule
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.arrivals import reinforce, summon
from titan_env.games.titan_battle.rules.fighters import fighter_at
from titan_env.games.titan_battle.rules.hexes import only_hex
from titan_env.games.titan_battle.rules.maneuver import destinations, go, outsider
from titan_env.games.titan_battle.rules.rangestrikes import shoot_at, targets
from titan_env.games.titan_battle.rules.state import NOBODY, Ask, Event, Phase, Result, Side
from titan_env.games.titan_battle.rules.strikes import (
    aim,
    announce,
    carry,
    end_strike,
    living_enemies,
    may_announce_any,
    may_carry_anywhere,
    roll,
)
from titan_env.games.titan_battle.rules.turn import ask, leave_arrivals, leave_maneuvers, run_on


@rule
def decide(battle: Any, action: int, luck: Any, log: Any) -> None:
    """Carry out the answer to a battle's question, and let it run on to the next one or its end."""
    asked = battle.ask
    battle.ask = Ask.NOTHING
    if asked == Ask.MANEUVER:
        answer_maneuver(battle, action, log)
    elif asked == Ask.GO:
        go(battle, log, action - actions.TO)
    elif asked == Ask.STRIKE:
        answer_strike(battle, action, luck, log)
    elif asked == Ask.TARGET:
        strike_at(battle, action - actions.HIT, luck, log)
    elif asked == Ask.HANDICAP:
        if action != actions.PLAIN:
            announce(battle, action - actions.CARRY)
        strike(battle, luck, log)
    elif asked == Ask.CARRY:
        answer_carry(battle, action, log)
    else:
        answer_arrival(battle, action, log)
    run_on(battle, log)


@rule
def answer_arrival(battle: Any, action: int, log: Any) -> None:
    """Muster a reinforcement, summon an angel, or neither; then the maneuvers begin."""
    if action != actions.PASS:
        if battle.half == Side.DEFENDER:
            reinforce(battle, log, action - actions.MUSTER)
        else:
            summon(battle, log, action - actions.PICK_KIND)
    leave_arrivals(battle)


@rule
def answer_maneuver(battle: Any, action: int, log: Any) -> None:
    """Pick who moves or comes on, or end the maneuvers; with one destination only it goes there."""
    if action == actions.END:
        leave_maneuvers(battle, log)
        return
    if action < actions.MUSTER:
        battle.picked = outsider(battle, action - actions.PICK_KIND)
    else:
        battle.picked = fighter_at(battle, action - actions.PICK)
    number = only_hex(destinations(battle, battle.picked))
    if number == NOBODY:
        ask(battle, Ask.GO, battle.half)
    else:
        go(battle, log, number)


@rule
def answer_strike(battle: Any, action: int, luck: Any, log: Any) -> None:
    """Pick who strikes, or end the strikes; with one target only it strikes there."""
    if action == actions.END:
        battle.phase = Phase.STRIKE_BACK
        return
    who = fighter_at(battle, action - actions.PICK)
    battle.picked = who
    number = only_hex(aims(battle, who))
    if number == NOBODY:
        ask(battle, Ask.TARGET, battle.asked)
    else:
        strike_at(battle, number, luck, log)


@rule
def aims(battle: Any, who: int) -> int:
    """Whom a fighter may strike, as a set of hexes: living enemies in contact, or else those it may rangestrike."""
    near = living_enemies(battle, who)
    return near if near != 0 else targets(battle, who)


@rule
def strike_at(battle: Any, number: int, luck: Any, log: Any) -> None:
    """Strike or rangestrike the enemy on a hex; first the handicap is offered, if there is any."""
    whom = fighter_at(battle, number)
    if living_enemies(battle, battle.picked) == 0:
        shoot_at(battle, whom)
        roll(battle, luck, log)
        end_strike(battle)
        return
    aim(battle, whom)
    if may_announce_any(battle):
        ask(battle, Ask.HANDICAP, battle.asked)
    else:
        strike(battle, luck, log)


@rule
def strike(battle: Any, luck: Any, log: Any) -> None:
    """Roll the dice as announced; a surplus may be carried over."""
    roll(battle, luck, log)
    offer_surplus(battle)


@rule
def offer_surplus(battle: Any) -> None:
    """Ask who gets the surplus, while there is any and somebody can be given it."""
    if may_carry_anywhere(battle):
        ask(battle, Ask.CARRY, battle.asked)
    else:
        end_strike(battle)


@rule
def answer_carry(battle: Any, action: int, log: Any) -> None:
    """Give the surplus to another enemy, or stop."""
    if action == actions.PASS:
        end_strike(battle)
        return
    carry(battle, log, action - actions.CARRY)
    offer_surplus(battle)


# The game around the battle


@rule
def seat_of(state: Any, side: int) -> int:
    """The seat that plays a side."""
    return int(state.attacker if side == Side.ATTACKER else 1 - state.attacker)


@rule
def go_on(state: Any, log: Any) -> None:
    """Take over what the battle asks, and how it has ended."""
    battle = state.battle
    state.clock = 2 * battle.rounds_begun - (battle.half == Side.DEFENDER)
    state.ask = battle.ask
    if battle.result != Result.RUNNING:
        end_game(state, log)
        return
    state.seat = seat_of(state, battle.asked)
    if state.limit > 0 and state.decisions >= state.limit:
        state.over = Status.TRUNCATED


@rule
def end_game(state: Any, log: Any) -> None:
    """The winner's seat wins; mutual elimination is a draw: both seats have won."""
    state.over = Status.TERMINATED
    result = state.battle.result
    for side in range(2):
        seat, other = seat_of(state, side), seat_of(state, 1 - side)
        loses = result != (Result.ATTACKER_WINS if side == Side.ATTACKER else Result.DEFENDER_WINS)
        if result == Result.TIME_LOSS:
            loses = side == Side.ATTACKER
        if loses:
            log_event(log, Event.ELIMINATED, seat, other, 0)
        state.won[seat] = not loses or result == Result.MUTUAL
        state.place[seat] = 1 if state.won[seat] else 2
    for seat in range(2):
        if state.won[seat]:
            log_event(log, Event.WON, seat, 0, 0)


@rule
def play_decision(state: Any, action: int, luck: Any, log: Any) -> None:
    """Play one legal decision of the seat that is asked, up to the next decision or the end."""
    decide(state.battle, action, luck, log)
    go_on(state, log)
