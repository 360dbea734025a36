"""Reinforcement and summoning: who arrives in the middle of a battle."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_battle.rules.characters import POWER
from titan_env.games.titan_battle.rules.fighters import living
from titan_env.games.titan_battle.rules.musters import held_by, may_muster
from titan_env.games.titan_battle.rules.state import (
    ARRIVAL_SLOT,
    KINDS,
    LEGION,
    OUTSIDE,
    SLOTS,
    Character,
    Event,
    Side,
    Window,
)

REINFORCEMENT_ROUND = 4


@rule
def may_reinforce_with(battle: Any, kind: int) -> bool:
    """The defender may muster one, in round 4, if he has fewer than 7 living characters and qualifies in this terrain.

    Only while the supply has one.
    """
    if not battle.may_reinforce or battle.rounds_begun != REINFORCEMENT_ROUND or not battle.supply >> kind & 1:
        return False
    return living(battle, Side.DEFENDER) < LEGION and may_muster(
        held_by(battle, Side.DEFENDER), battle.land, kind, battle.lean
    )


@rule
def may_reinforce(battle: Any) -> bool:
    """Whether the defender can be reinforced at all."""
    for kind in range(KINDS):
        if may_reinforce_with(battle, kind):
            return True
    return False


@rule
def may_summon_one(battle: Any, kind: int) -> bool:
    """The attacker may summon an angel or archangel that waits elsewhere, if he has fewer than 7 living characters."""
    if battle.window != Window.OPEN or living(battle, Side.ATTACKER) >= LEGION:
        return False
    waits = battle.angel_waits if kind == Character.ANGEL else battle.archangel_waits
    return waits == 1 and (kind == Character.ANGEL or kind == Character.ARCHANGEL)


@rule
def may_summon(battle: Any) -> bool:
    """Whether the attacker can summon at all."""
    return may_summon_one(battle, Character.ANGEL) or may_summon_one(battle, Character.ARCHANGEL)


@rule
def arrive(battle: Any, side: int, kind: int) -> None:
    """One more waits outside; it must enter in this maneuver phase."""
    fighter = battle.fighters[side * SLOTS + ARRIVAL_SLOT]
    fighter.kind = kind
    fighter.power = POWER[kind]
    fighter.hex = OUTSIDE
    fighter.hits = 0


@rule
def reinforce(battle: Any, log: Any, kind: int) -> None:
    """The defender musters one: once in a battle."""
    log_event(log, Event.REINFORCED, Side.DEFENDER, kind, battle.land)
    arrive(battle, Side.DEFENDER, kind)


@rule
def summon(battle: Any, log: Any, kind: int) -> None:
    """The attacker summons one."""
    log_event(log, Event.SUMMONED, Side.ATTACKER, kind, battle.land)
    arrive(battle, Side.ATTACKER, kind)


@rule
def close_arrivals(battle: Any) -> None:
    """The window opens once, for one half; declined or impossible, it is over. So is the reinforcement in round 4."""
    if battle.half == Side.ATTACKER:
        if battle.window == Window.OPEN:
            battle.window = Window.PAST
    elif battle.rounds_begun == REINFORCEMENT_ROUND:
        battle.may_reinforce = 0
