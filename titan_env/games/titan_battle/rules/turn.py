"""The course of a battle: seven rounds of two halves, each with arrivals, maneuvers and strikes; and how it ends.

A battle runs on by itself to the next question. One with a single answer is not asked, but for STRIKE: so a step
rolls the dice of one strike at most.
"""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_battle.rules.arrivals import close_arrivals, may_reinforce, may_summon
from titan_env.games.titan_battle.rules.characters import NATIVE
from titan_env.games.titan_battle.rules.fighters import (
    enemies_around,
    is_on_map,
    living,
    living_hexes,
    side_of,
    spot,
    take_hits,
)
from titan_env.games.titan_battle.rules.lands import HAZARDS
from titan_env.games.titan_battle.rules.maneuver import begin_maneuvers, end_maneuvers, may_anybody_go
from titan_env.games.titan_battle.rules.rangestrikes import can_shoot, targets
from titan_env.games.titan_battle.rules.state import (
    FIGHTERS,
    GONE,
    NOBODY,
    ROUNDS,
    SLOTS,
    Ask,
    Character,
    Event,
    Hazard,
    Phase,
    Result,
    Side,
    Window,
)


@rule
def ask(battle: Any, what: int, side: int) -> None:
    """Ask a side for a decision."""
    battle.ask = what
    battle.asked = side


# Beginning


@rule
def begin_battle(battle: Any) -> None:
    """The defender's half of the first round; both legions are outside, and nobody is picked."""
    battle.rounds_begun = 1
    battle.half = Side.DEFENDER
    battle.phase = Phase.ARRIVAL
    battle.picked = battle.target = NOBODY


@rule
def next_half(battle: Any, log: Any) -> None:
    """The attacker's half follows the defender's; after it the next round begins.

    Time-loss: if both sides still stand after round 7, the attacker's legion is eliminated.
    """
    battle.phase = Phase.ARRIVAL
    if battle.half == Side.DEFENDER:
        battle.half = Side.ATTACKER
    elif battle.rounds_begun < ROUNDS:
        battle.half = Side.DEFENDER
        battle.rounds_begun += 1
    else:
        log_event(log, Event.TIME_LOSS, Side.ATTACKER, 0, 0)
        battle.result = Result.TIME_LOSS


# The phases


@rule
def offer_arrival(battle: Any) -> None:
    """The defender may be reinforced in round 4, the attacker may summon while the window is open."""
    if battle.half == Side.DEFENDER and may_reinforce(battle):
        ask(battle, Ask.REINFORCE, Side.DEFENDER)
    elif battle.half == Side.ATTACKER and may_summon(battle):
        ask(battle, Ask.SUMMON, Side.ATTACKER)
    else:
        leave_arrivals(battle)


@rule
def leave_arrivals(battle: Any) -> None:
    """Whoever arrives has been called: the maneuvers begin."""
    close_arrivals(battle)
    begin_maneuvers(battle)


@rule
def leave_maneuvers(battle: Any, log: Any) -> None:
    """If somebody was left outside and a side is eliminated the battle ends; else the strikes begin, with drift."""
    if end_maneuvers(battle, log):
        settle(battle)
    if battle.result == Result.RUNNING:
        battle.phase = Phase.STRIKE
        freeze(battle, log)


@rule
def freeze(battle: Any, log: Any) -> None:
    """At the start of every strike phase each non-native character on a drift hex, of both sides, takes 1 hit."""
    for who in range(FIGHTERS):
        fighter = battle.fighters[who]
        if is_on_map(battle, who) and HAZARDS[battle.land, fighter.hex] == Hazard.DRIFT:
            if not NATIVE[fighter.kind, Hazard.DRIFT]:
                log_event(log, Event.FROZEN, side_of(who), spot(fighter), 1)
                take_hits(battle, who, 1, log)


@rule
def must_strike(battle: Any, who: int, enemies: int) -> bool:
    """Each character in contact with a living enemy must strike once; those slain in this phase strike too.

    `enemies`: the hexes of the living enemies.
    """
    if not is_on_map(battle, who) or battle.fighters[who].struck:
        return False
    return enemies_around(battle, who, enemies) != 0


@rule
def must_anybody_strike(battle: Any, side: int) -> bool:
    """Whether somebody of a side still has to strike."""
    enemies = living_hexes(battle, 1 - side)
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if must_strike(battle, who, enemies):
            return True
    return False


@rule
def may_shoot(battle: Any, who: int) -> bool:
    """Whether somebody may rangestrike now."""
    return can_shoot(battle, who) and targets(battle, who) != 0


@rule
def may_anybody_shoot(battle: Any, side: int) -> bool:
    """Whether somebody of a side may rangestrike."""
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if may_shoot(battle, who):
            return True
    return False


@rule
def offer_strikes(battle: Any, log: Any) -> None:
    """All strikes of the side whose half it is, then all strikes of the other side, then the slain are taken off."""
    side = battle.half if battle.phase == Phase.STRIKE else 1 - battle.half
    if must_anybody_strike(battle, side) or may_anybody_shoot(battle, side):
        ask(battle, Ask.STRIKE, side)
    elif battle.phase == Phase.STRIKE:
        battle.phase = Phase.STRIKE_BACK
    else:
        leave_strikes(battle, log)


@rule
def leave_strikes(battle: Any, log: Any) -> None:
    """The slain are taken off, at once and together; the battle may be over, else the next half begins."""
    take_slain_off(battle)
    settle(battle)
    if battle.result == Result.RUNNING:
        next_half(battle, log)


@rule
def take_slain_off(battle: Any) -> None:
    """Who has been slain leaves the map; the first slain defender opens the window for the attacker's summoning."""
    for who in range(FIGHTERS):
        fighter = battle.fighters[who]
        fighter.struck = 0
        if fighter.slain:
            fighter.slain = fighter.hits = 0
            fighter.hex = GONE
            if side_of(who) == Side.DEFENDER and battle.window == Window.NOT_YET:
                battle.window = Window.OPEN


# The end


@rule
def is_eliminated(battle: Any, side: int) -> bool:
    """A side is eliminated when it has no character left, or its titan was slain."""
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        if fighter.hex == GONE and fighter.kind == Character.TITAN:
            return True
    return living(battle, side) == 0


@rule
def settle(battle: Any) -> None:
    """One side eliminated: the other wins. Both in the same phase: mutual elimination."""
    attacker_falls = is_eliminated(battle, Side.ATTACKER)
    defender_falls = is_eliminated(battle, Side.DEFENDER)
    if attacker_falls and defender_falls:
        battle.result = Result.MUTUAL
    elif attacker_falls:
        battle.result = Result.DEFENDER_WINS
    elif defender_falls:
        battle.result = Result.ATTACKER_WINS


@rule
def run_on(battle: Any, log: Any) -> None:
    """Let the battle run on by itself to the next question or its end."""
    while battle.ask == Ask.NOTHING and battle.result == Result.RUNNING:
        if battle.phase == Phase.ARRIVAL:
            offer_arrival(battle)
        elif battle.phase == Phase.MANEUVER:
            if battle.may_concede or may_anybody_go(battle):
                ask(battle, Ask.MANEUVER, battle.half)
            else:
                leave_maneuvers(battle, log)
        else:
            offer_strikes(battle, log)
