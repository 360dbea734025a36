"""Engagements: which comes next, and the talk before the battle: flight, concession, agreement."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_war.rules.aftermath import both_fall, win
from titan_env.games.titan_war.rules.battles import open_battle
from titan_env.games.titan_war.rules.legions import enemy_at, has_lord, is_engaged, oldest_at, value_of
from titan_env.games.titan_war.rules.record import conclude, reveal
from titan_env.games.titan_war.rules.state import LANDS, Ask, Event, Phase, Stage


@rule
def offer_engagement(state: Any) -> None:
    """One engagement after the other, in the order the mover likes; a dead mover has none. Then comes enlistment."""
    state.land = 0
    if not state.out[state.mover]:
        for land in range(LANDS):
            if is_engaged(state, state.mover, land):
                state.ask = Ask.ENGAGE
                state.seat = state.mover
                return
    state.phase = Phase.ENLISTMENT


@rule
def engage(state: Any, land: int, log: Any) -> None:
    """Both legions are shown to everybody. The mover is the attacker; the defender speaks first."""
    state.attacker = oldest_at(state, state.mover, land)
    state.defender = enemy_at(state, state.mover, land)
    state.stage = Stage.TALK
    state.clock += 1
    log_event(log, Event.ENGAGED, state.mover, state.legions[state.defender].owner, land)
    for marker in (state.attacker, state.defender):
        reveal(state.legions[marker])
        conclude(state, state.legions[marker].owner)
    ask_marker(state, Ask.DEFEND, state.defender)


@rule
def ask_marker(state: Any, ask: int, marker: int) -> None:
    """Ask the owner of a legion."""
    state.ask = ask
    state.seat = state.legions[marker].owner


@rule
def may_flee(state: Any) -> bool:
    """The defender may flee without a lord; demi-lords may."""
    return state.ask == Ask.DEFEND and not has_lord(state.legions[state.defender])


@rule
def may_concede(state: Any) -> bool:
    """Either may concede; the defender at first only with a lord: otherwise fleeing is cheaper."""
    return state.concede == 1 and (state.ask != Ask.DEFEND or has_lord(state.legions[state.defender]))


@rule
def may_offer(state: Any) -> bool:
    """Either may offer mutual elimination, once."""
    return state.agreements == 1 and state.ask != Ask.ANSWER and state.offered == 0


@rule
def may_agree(state: Any) -> bool:
    """Who has been offered mutual elimination may agree."""
    return state.ask == Ask.ANSWER or (state.ask == Ask.ATTACK and state.offered == 1)


@rule
def speaker(state: Any) -> int:
    """The marker of the legion whose player speaks."""
    return int(state.attacker if state.ask == Ask.ATTACK else state.defender)


@rule
def flee(state: Any, log: Any) -> None:
    """Half the value of the fled legion, rounded down, to the attacker; no summoning."""
    _say(state, Event.FLED, log)
    win(state, state.attacker, state.defender, value_of(state, state.defender) // 2, 0, log)


@rule
def concede(state: Any, log: Any) -> None:
    """Full value of the conceding legion to the other; the attacker may summon."""
    loser = speaker(state)
    winner = state.attacker + state.defender - loser
    _say(state, Event.CONCEDED, log)
    state.may_summon = winner == state.attacker
    win(state, winner, loser, value_of(state, loser), 0, log)


@rule
def offer(state: Any, log: Any) -> None:
    """Offer mutual elimination."""
    _say(state, Event.OFFERED, log)
    if state.ask == Ask.DEFEND:
        state.offered = 1
        ask_marker(state, Ask.ATTACK, state.attacker)
    else:
        ask_marker(state, Ask.ANSWER, state.defender)


@rule
def agree(state: Any, log: Any) -> None:
    """Both legions are eliminated; no points."""
    _say(state, Event.AGREED, log)
    both_fall(state, 0, log)


@rule
def fight(state: Any, log: Any) -> None:
    """The defender demands battle: the attacker speaks. The attacker does, or the defender again: they fight."""
    if state.ask == Ask.DEFEND:
        ask_marker(state, Ask.ATTACK, state.attacker)
    else:
        state.ask = Ask.NOTHING
        open_battle(state, log)


@rule
def _say(state: Any, event: int, log: Any) -> None:
    """Write down who says something to whom, and where."""
    marker = speaker(state)
    legion, other = state.legions[marker], state.legions[state.attacker + state.defender - marker]
    log_event(log, event, legion.owner, other.owner, legion.land)
