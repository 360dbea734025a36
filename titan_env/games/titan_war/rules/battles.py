"""A battle within a war: legions take the field, answers go to the battle, and what it does comes back to the war."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_battle.rules import actions as battle_actions
from titan_env.games.titan_battle.rules.characters import POWER, SKILL
from titan_env.games.titan_battle.rules.decision import decide
from titan_env.games.titan_battle.rules.fighters import is_on_map
from titan_env.games.titan_battle.rules.state import (
    ARRIVAL_SLOT,
    EMPTY,
    FIGHTERS,
    GONE,
    KINDS,
    NOBODY,
    OUTSIDE,
    SLOTS,
    Character,
    Result,
    Side,
)
from titan_env.games.titan_battle.rules.state import Ask as BattleAsk
from titan_env.games.titan_battle.rules.turn import begin_battle, run_on
from titan_env.games.titan_war.rules.aftermath import both_fall, win
from titan_env.games.titan_war.rules.lands import TERRAIN
from titan_env.games.titan_war.rules.legions import gain, lose, return_later, titan_power, value_of
from titan_env.games.titan_war.rules.record import conclude
from titan_env.games.titan_war.rules.state import Event, Stage
from titan_env.games.titan_war.rules.summoning import give, has_donor_of

# The beginning


@rule
def open_battle(state: Any, log: Any) -> None:
    """They fight on the battleland of the land's terrain."""
    battle = state.battle
    attacker, defender = state.legions[state.attacker], state.legions[state.defender]
    log_event(log, Event.BATTLE, attacker.owner, defender.owner, attacker.land)
    state.stage = Stage.BATTLE
    state.clock += 1
    battle.land = TERRAIN[attacker.land]
    battle.entry = attacker.entry
    battle.lean = state.lean
    battle.concessions = state.concede
    battle.may_reinforce = 1
    see_what_waits(state)
    for kind in range(KINDS):
        if state.supply[kind] > 0:
            battle.supply |= 1 << kind
    take_field(state, Side.ATTACKER.value, state.attacker)
    take_field(state, Side.DEFENDER.value, state.defender)
    begin_battle(battle)
    run_on(battle, log)
    take_over(state, log)


@rule
def see_what_waits(state: Any) -> None:
    """Whether an angel or an archangel waits to be summoned."""
    state.battle.angel_waits = has_donor_of(state, Character.ANGEL.value)
    state.battle.archangel_waits = has_donor_of(state, Character.ARCHANGEL.value)


@rule
def take_field(state: Any, side: int, marker: int) -> None:
    """A legion's characters wait outside the map, in the order of their kinds; a titan is as strong as its score."""
    legion = state.legions[marker]
    who = side * SLOTS
    for kind in range(KINDS):
        for _ in range(legion.holds[kind]):
            fighter = state.battle.fighters[who]
            fighter.kind = kind
            fighter.power = titan_power(state, legion.owner) if kind == Character.TITAN else POWER[kind]
            fighter.hex = OUTSIDE
            who += 1
    for empty in range(who, side * SLOTS + SLOTS):
        state.battle.fighters[empty].hex = EMPTY


# One decision in it


@rule
def fighting_legion(state: Any, side: int) -> int:
    """The marker of the legion on a side."""
    return int(state.attacker if side == Side.ATTACKER else state.defender)


@rule
def decide_in_battle(state: Any, action: int, luck: Any, log: Any) -> None:
    """Carry out an answer to the battle's question; arrivals concern the supply and other legions."""
    battle = state.battle
    half = (int(battle.rounds_begun), int(battle.half))
    called = int(battle.fighters[SLOTS + ARRIVAL_SLOT].kind)
    is_called = is_waiting(battle, Side.DEFENDER.value)
    if battle.ask == BattleAsk.REINFORCE and action != battle_actions.PASS:
        called, is_called = action - battle_actions.MUSTER, True
        state.supply[called] -= 1
    decide(battle, action, luck, log)
    if is_called and not is_waiting(battle, Side.DEFENDER.value):
        settle_reinforcement(state, called)
    if state.donor != NOBODY and not is_waiting(battle, Side.ATTACKER.value):
        settle_summoning(state, log)
    if half != (int(battle.rounds_begun), int(battle.half)):
        state.clock += 1
    take_over(state, log)


@rule
def is_waiting(battle: Any, side: int) -> bool:
    """Whether a side's reinforcement or angel has been called and is still outside."""
    return battle.fighters[side * SLOTS + ARRIVAL_SLOT].hex == OUTSIDE


@rule
def settle_reinforcement(state: Any, kind: int) -> None:
    """A reinforcement that has entered belongs to the legion; one that has not goes back to the supply."""
    if state.battle.fighters[SLOTS + ARRIVAL_SLOT].hex == EMPTY:
        state.supply[kind] += 1
    else:
        gain(state.legions[state.defender], kind)
        conclude(state, state.legions[state.defender].owner)


@rule
def settle_summoning(state: Any, log: Any) -> None:
    """An angel that has entered belongs to the legion; one that has not stays with the donor."""
    arrival = state.battle.fighters[ARRIVAL_SLOT]
    if arrival.hex == EMPTY:
        state.donor = NOBODY
    else:
        give(state, arrival.kind, log)


@rule
def take_over(state: Any, log: Any) -> None:
    """Take over what the battle asks, and how it has ended."""
    battle = state.battle
    if battle.result != Result.RUNNING:
        end_battle(state, log)
        return
    state.ask = battle.ask
    state.seat = state.legions[fighting_legion(state, battle.asked)].owner


# The end


@rule
def lose_slain(state: Any, side: int) -> None:
    """The slain of a winning legion are gone."""
    legion = state.legions[fighting_legion(state, side)]
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        fighter = state.battle.fighters[who]
        if fighter.hex == GONE:
            lose(legion, fighter.kind)
            return_later(state, fighter.kind, 1)


@rule
def value_on_field(battle: Any, side: int, fallen: bool) -> int:
    """The value of those of a side who have fallen, or of those who live: power x skill."""
    value = 0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        if (fighter.hex == GONE) if fallen else (fighter.hex <= OUTSIDE):
            value += int(fighter.power) * int(SKILL[fighter.kind])
    return value


@rule
def was_reinforced(battle: Any) -> bool:
    """Whether the defender took a reinforcement in the battle."""
    return battle.fighters[SLOTS + ARRIVAL_SLOT].hex != EMPTY


@rule
def end_battle(state: Any, log: Any) -> None:
    """Points for every character of the losing legion; after its titan's death only for those slain so far.

    Time-loss and mutual elimination bring none.
    """
    battle = state.battle
    result = battle.result
    attacker_wins = result == Result.ATTACKER_WINS
    if result == Result.MUTUAL:
        rest = value_on_field(battle, Side.DEFENDER.value, False) + value_on_field(battle, Side.ATTACKER.value, False)
        clear_battle(battle)
        both_fall(state, rest, log)
        return
    side = Side.ATTACKER.value if attacker_wins else Side.DEFENDER.value
    points = value_on_field(battle, 1 - side, True)
    rest = value_on_field(battle, 1 - side, False)
    if result == Result.TIME_LOSS:
        points = rest = 0
    state.may_summon = attacker_wins
    state.may_reinforce = not attacker_wins and not was_reinforced(battle)
    win_battle(state, side, points, rest, log)


@rule
def win_battle(state: Any, side: int, points: int, rest: int, log: Any) -> None:
    """A side has won: its slain are gone, the other legion is eliminated."""
    lose_slain(state, side)
    clear_battle(state.battle)
    win(state, fighting_legion(state, side), fighting_legion(state, 1 - side), points, rest, log)


@rule
def concede_battle(state: Any, log: Any) -> None:
    """Concede in the battle: the full value of the conceding legion to the other.

    The defender may be reinforced after it, but not if the attacker has not placed anybody. Who has been called and is
    still outside goes back.
    """
    battle = state.battle
    loser = int(battle.asked)
    marker = fighting_legion(state, loser)
    other = state.legions[fighting_legion(state, 1 - loser)].owner
    log_event(log, Event.CONCEDED, state.legions[marker].owner, other, state.legions[marker].land)
    arrival = battle.fighters[loser * SLOTS + ARRIVAL_SLOT]
    if arrival.hex == OUTSIDE:
        log_event(log, Event.RETURNED, loser, arrival.kind, 0)
        if loser == Side.DEFENDER:
            state.supply[arrival.kind] += 1
        state.donor = NOBODY
    state.may_summon = loser == Side.DEFENDER
    state.may_reinforce = loser == Side.ATTACKER and has_placed(battle) and not was_reinforced(battle)
    win_battle(state, 1 - loser, value_of(state, marker), 0, log)


@rule
def has_placed(battle: Any) -> bool:
    """Whether the attacker has anybody on the map."""
    for who in range(SLOTS):
        if is_on_map(battle, who):
            return True
    return False


@rule
def clear_battle(battle: Any) -> None:
    """Nothing is left of the battle."""
    battle.land = battle.entry = battle.rounds_begun = battle.half = battle.phase = battle.result = 0
    battle.ask = battle.asked = battle.window = battle.angel_waits = battle.archangel_waits = battle.may_reinforce = 0
    battle.supply = battle.lean = battle.concessions = battle.may_concede = 0
    battle.picked = battle.target = battle.dice = battle.number = battle.surplus = 0
    for who in range(FIGHTERS):
        fighter = battle.fighters[who]
        fighter.kind = fighter.hex = fighter.hits = fighter.power = 0
        fighter.moved = fighter.locked = fighter.struck = fighter.slain = 0
