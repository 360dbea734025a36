"""What is legal: the mask of the seat that is asked, out of the `may_` functions of the rules."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule
from titan_env.games.fantasy_racing.rules import actions
from titan_env.games.fantasy_racing.rules.dice import may_take_die
from titan_env.games.fantasy_racing.rules.fights import may_shift
from titan_env.games.fantasy_racing.rules.flips import BOTH, may_flip, waiting
from titan_env.games.fantasy_racing.rules.movement import may_skid
from titan_env.games.fantasy_racing.rules.objects import free_squares, may_use, may_use_special
from titan_env.games.fantasy_racing.rules.rings import may_fly
from titan_env.games.fantasy_racing.rules.state import ALL_CHARACTERS, MOST_DICE, Aim, Ask, Flight, Object, Rule
from titan_env.games.fantasy_racing.rules.targets import REACH, REACHES, may_aim
from titan_env.games.fantasy_racing.rules.turn import MOST_COINS, is_chosen, may_advance, may_spend


@rule
def legal(state: Any, mask: Any) -> None:
    """Write the mask (162,) int8 of the seat that is asked: 1 for each legal action."""
    mask[:] = 0
    who = int(state.seat)
    if state.ask == Ask.TURN:
        _legal_turn(state, who, mask)
    elif state.ask == Ask.SKID:
        _legal_skid(state, who, mask)
    elif state.ask == Ask.DIE:
        for die in range(MOST_DICE):
            mask[actions.DIE + die] = may_take_die(state, who, die, False)
            mask[actions.FLIP + die] = may_take_die(state, who, die, True)
    elif state.ask == Ask.ROLL:
        mask[actions.KEEP] = 1
        mask[actions.FLIP] = may_flip(state, 0)
        mask[actions.FLIP + 1] = may_flip(state, 1)
        mask[actions.FLIP_BOTH] = may_flip(state, BOTH)
    elif state.ask == Ask.SHIELD:
        mask[actions.SHIELD] = mask[actions.SUFFER] = 1
    elif state.ask == Ask.SHIFT:
        mask[actions.SHIFT] = 1
        mask[actions.SHIFT + 1] = may_shift(state, who, -1)
        mask[actions.SHIFT + 2] = may_shift(state, who, 1)
    elif state.ask == Ask.SHORTCUT:
        mask[actions.STOP] = mask[actions.PASS] = 1
    elif state.ask == Ask.AIM:
        aim = int(waiting(state)[2])
        for i in range(REACHES[aim]):
            target = int(REACH[aim, i])
            mask[actions.AT + target] = may_aim(state, who, aim, target)
    elif state.ask == Ask.FIRE:
        for step in range(Flight.RELEASE + 1):
            mask[actions.FIRE + step] = may_fly(state, step)
    elif state.ask == Ask.DISTANCE:
        for squares in range(free_squares(state, who)):
            mask[actions.GO + squares] = 1
    elif state.ask == Ask.CHOOSE:
        for character in range(ALL_CHARACTERS):
            mask[actions.CHOOSE + character] = not is_chosen(state, character)
    elif state.ask == Ask.RULE:
        for special in range(Rule.BRUTE):
            mask[actions.RULE + special] = 1


@rule
def _legal_skid(state: Any, who: int, mask: Any) -> None:
    """Stay, or one or two squares diagonally back."""
    mask[actions.SKID] = 1
    for squares in range(2):
        mask[actions.SKID + 1 + squares] = may_skid(state, who, -1, squares + 1)
        mask[actions.SKID + 3 + squares] = may_skid(state, who, 1, squares + 1)


@rule
def _legal_turn(state: Any, who: int, mask: Any) -> None:
    """One main action, coins and one special, each at most once and in any order."""
    mask[actions.ADVANCE] = may_advance(state, who)
    mask[actions.REST] = not state.main_done
    mask[actions.END] = state.main_done
    for coins in range(MOST_COINS):
        mask[actions.COINS + coins] = may_spend(state, who, coins + 1)
    for thing in range(Object.SYRINGE + 1):
        mask[actions.USE + thing] = may_use(state, who, thing)
    for aim in range(Aim.BITE, Aim.THEFT + 1):
        mask[actions.SPECIAL + aim - Aim.BITE] = may_use_special(state, who, aim)
