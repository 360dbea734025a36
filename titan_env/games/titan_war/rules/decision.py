"""One decision: where each answer goes."""

from __future__ import annotations

from typing import Any

from titan_env.contract import Status, rule
from titan_env.games.titan_war.rules import actions
from titan_env.games.titan_war.rules.aftermath import take_angel
from titan_env.games.titan_war.rules.battles import concede_battle, decide_in_battle
from titan_env.games.titan_war.rules.movement import (
    arrive,
    end_movement,
    move,
    pick_destination,
    pick_stack,
    reroll,
)
from titan_env.games.titan_war.rules.offers import is_of_battle, only_answer
from titan_env.games.titan_war.rules.record import show
from titan_env.games.titan_war.rules.recruiting import end_muster, muster, recruit, show_and_muster
from titan_env.games.titan_war.rules.splits import pass_split, pick_for_split, split
from titan_env.games.titan_war.rules.start import choose_start
from titan_env.games.titan_war.rules.state import Ask, Phase, Stage
from titan_env.games.titan_war.rules.summoning import give, pick_donor, show_angel
from titan_env.games.titan_war.rules.talk import agree, concede, engage, fight, flee, offer
from titan_env.games.titan_war.rules.turn import advance


@rule
def play_decision(state: Any, action: int, luck: Any, log: Any) -> None:
    """Play one legal decision of the seat that is asked, up to the next decision or the end.

    A question with one possible answer is not asked, the game answers it itself.
    """
    while action != actions.NO_ACTION:
        answer(state, action, luck, log)
        while state.ask == Ask.NOTHING and not state.over:
            advance(state, luck, log)
        action = only_answer(state)
    if not state.over and state.limit > 0 and state.decisions >= state.limit:
        state.over = Status.TRUNCATED


@rule
def answer(state: Any, action: int, luck: Any, log: Any) -> None:
    """Carry out the answer to a question."""
    asked = state.ask
    if is_of_battle(state):
        state.ask = Ask.NOTHING
        if action == actions.CONCEDE:
            concede_battle(state, log)
        else:
            decide_in_battle(state, action, luck, log)
    elif asked == Ask.DEFEND or asked == Ask.ATTACK or asked == Ask.ANSWER:
        answer_talk(state, action, log)
    else:
        state.ask = Ask.NOTHING
        if asked == Ask.SUMMON or asked == Ask.SUMMON_KIND:
            answer_summoning(state, asked, action, luck, log)
        elif state.phase == Phase.ENGAGEMENT:
            answer_engagement(state, asked, action, log)
        elif state.phase == Phase.MOVEMENT:
            answer_movement(state, asked, action, log)
        else:
            answer_other(state, asked, action, luck, log)


@rule
def answer_talk(state: Any, action: int, log: Any) -> None:
    """Flight, concession, an offer, agreement, or battle."""
    if action == actions.FLEE:
        flee(state, log)
    elif action == actions.CONCEDE:
        concede(state, log)
    elif action == actions.OFFER:
        offer(state, log)
    elif action == actions.AGREE:
        agree(state, log)
    else:
        fight(state, log)


@rule
def answer_summoning(state: Any, asked: int, action: int, luck: Any, log: Any) -> None:
    """No angel, or a legion that gives one, or which one it gives; in a battle it then has to enter."""
    in_battle = state.stage == Stage.BATTLE
    if asked == Ask.SUMMON and action != actions.PASS:
        pick_donor(state, action - actions.PICK_LAND)
        return
    state.may_summon = 0
    if asked == Ask.SUMMON_KIND:
        show_angel(state, action - actions.PICK_KIND, log)
    if in_battle:
        decide_in_battle(state, action, luck, log)
    elif asked == Ask.SUMMON_KIND:
        give(state, action - actions.PICK_KIND, log)


@rule
def answer_engagement(state: Any, asked: int, action: int, log: Any) -> None:
    """Which engagement comes next; whether an angel or a reinforcement is taken after one."""
    if asked == Ask.ENGAGE:
        engage(state, action - actions.PICK_LAND, log)
    elif asked == Ask.ANGEL:
        if action != actions.PASS:
            take_angel(state, action - actions.MUSTER, log)
        state.hundred += 1
    else:
        state.may_reinforce = 0
        if action != actions.PASS:
            recruit(state, state.winner, action - actions.MUSTER, log)


@rule
def answer_movement(state: Any, asked: int, action: int, log: Any) -> None:
    """Which legion moves, where to, on which side, and which lord is shown."""
    if asked == Ask.MOVE:
        if action == actions.END:
            state.phase = Phase.ENGAGEMENT
            end_movement(state, log)
        else:
            state.land = action - actions.PICK_LAND
            state.ask = Ask.STACK
    elif asked == Ask.STACK:
        pick_stack(state, action - actions.STACK)
    elif asked == Ask.SIDE:
        move(state, action - actions.SIDE, log)
    elif asked == Ask.SHOW:
        show(state, state.picked, action - actions.PICK_KIND, 1, log)
        arrive(state, log)
    elif action == actions.TELEPORT:
        state.teleporting = 1
        state.ask = Ask.GO_LAND
    else:
        pick_destination(state, action - actions.TO_LAND, log)


@rule
def answer_other(state: Any, asked: int, action: int, luck: Any, log: Any) -> None:
    """The first legions, splits, the first die, and musters."""
    if asked == Ask.START:
        choose_start(state, action - actions.PICK_KIND, luck)
    elif asked == Ask.MULLIGAN:
        if action == actions.REROLL:
            reroll(state, luck, log)
        else:
            state.phase = Phase.MOVEMENT
    elif asked == Ask.SPLIT:
        if action == actions.PASS:
            pass_split(state)
        elif action == actions.END:
            split(state, log)
        else:
            pick_for_split(state, action - actions.PICK_KIND)
    elif asked == Ask.SHOW:
        show_and_muster(state, action - actions.PICK_KIND, log)
    elif action == actions.PASS:
        end_muster(state)
    else:
        muster(state, action - actions.MUSTER, log)
