"""The values of strikes: the target, the handicap, and the surplus; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_battle.agents.odds import HITS, MOST_DICE, MOST_LEFT
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.characters import SKILL, VALUE
from titan_env.games.titan_battle.rules.decision import aims
from titan_env.games.titan_battle.rules.fighters import fighter_at
from titan_env.games.titan_battle.rules.rangestrikes import number_of_shot, shot_dice
from titan_env.games.titan_battle.rules.state import BATTLE, FIGHTERS, HEXES, NOBODY, OUTSIDE, SLOTS, Character
from titan_env.games.titan_battle.rules.strikes import (
    announce,
    living_enemies,
    may_announce,
    may_carry,
    number_of_strike,
    strike_dice,
)
from titan_env.games.titan_battle.rules.turn import may_shoot

PASSES = 2  # how often each striker looks again at its target

SCRATCH = np.dtype(
    [
        ("battle", BATTLE),  # as it is seen
        ("worth", np.float64, FIGHTERS),  # what each fighter is worth
        ("aim", np.int64, FIGHTERS),  # whom each one strikes at, or NOBODY
        ("odds", np.float64, MOST_LEFT + 1),  # of the hits on one target
        ("more", np.float64, MOST_LEFT + 1),  # and after one strike more
        ("at", np.int64, FIGHTERS),  # where each one stands, as planned
        ("quiet", np.int64, FIGHTERS),  # and in the first plan
        ("bold", np.int64),  # 1: as if no enemy struck back
        ("begin", np.int64, FIGHTERS),  # and where it stood
        ("value", np.float64),  # of the plan
        ("last", np.int64),  # who left its place last in it, or NOBODY
        ("there", np.int64, HEXES),  # who stands on each hex, or NOBODY
        ("hits", np.float64, FIGHTERS),  # expected
        ("busy", np.int64, FIGHTERS),  # 1: in contact
        ("shoots", np.int64, FIGHTERS),  # 1: rangestrikes
        ("alive", np.float64, FIGHTERS),  # how likely each one still strikes
        ("slain", np.float64),  # the share of a fighter's worth that goes when it is slain, not hit by hit
    ],
    align=True,
)
"""The arrays of the agents."""


@inline_rule
def appraise(battle: Any, side: int, scratch: Any, weights: Any) -> None:
    """Write each fighter's value to a side: power times skill, and more for each titan."""
    scratch.slain = weights.slain
    for who in range(FIGHTERS):
        fighter = battle.fighters[who]
        scratch.worth[who] = 0.0
        if fighter.hex <= OUTSIDE:
            scratch.worth[who] = float(VALUE[fighter.kind])
            if fighter.kind == Character.TITAN:
                titan = weights.titan if who // SLOTS == side else weights.regicide
                scratch.worth[who] = titan * SKILL[Character.TITAN] * fighter.power


@inline_rule
def worth_of(battle: Any, scratch: Any, whom: int, hits: int) -> float:
    """Return the value of so many hits on a fighter."""
    fighter = battle.fighters[whom]
    left = fighter.power - fighter.hits
    if left <= 0:
        return 0.0
    if hits >= left:
        return float(scratch.worth[whom] * ((1 - scratch.slain) * left / fighter.power + scratch.slain))
    return float(scratch.worth[whom] * (1 - scratch.slain) * hits / fighter.power)


@inline_rule
def strike_of(battle: Any, who: int, whom: int) -> tuple[int, int]:
    """Dice and strike number of one fighter against another, at hand or from afar."""
    if living_enemies(battle, who) != 0:
        return strike_dice(battle, who, whom), number_of_strike(battle, who, whom)
    return shot_dice(battle, who), number_of_shot(battle, who, whom)


@inline_rule
def worth_of_strike(battle: Any, scratch: Any, who: int, whom: int) -> float:
    """Return the expected value of one strike."""
    dice, number = strike_of(battle, who, whom)
    dice = min(dice, MOST_DICE)
    value = 0.0
    for hits in range(dice + 1):
        value += HITS[dice, number, hits] * worth_of(battle, scratch, whom, hits)
    return value


# Several strikers


@inline_rule
def strikes_now(battle: Any, who: int) -> bool:
    """Return whether a fighter of the side that is asked still strikes in this phase."""
    fighter = battle.fighters[who]
    if fighter.hex >= OUTSIDE or fighter.struck:
        return False
    return living_enemies(battle, who) != 0 or may_shoot(battle, who)


@inline_rule
def worth_together(battle: Any, scratch: Any, first: int, whom: int) -> float:
    """Return the expected value of all strikes at one target, by those that aim at it."""
    odds, more = scratch.odds, scratch.more
    target = battle.fighters[whom]
    left = min(MOST_LEFT, target.power - target.hits)
    odds[:] = 0
    odds[0] = 1
    for who in range(first, first + SLOTS):
        if scratch.aim[who] == whom:
            dice, number = strike_of(battle, who, whom)
            dice = min(dice, MOST_DICE)
            more[: left + 1] = 0
            for before in range(left + 1):
                for hits in range(dice + 1):
                    more[min(left, before + hits)] += odds[before] * HITS[dice, number, hits]
            for hits in range(left + 1):
                odds[hits] = more[hits]
    value = 0.0
    for hits in range(left + 1):
        value += odds[hits] * worth_of(battle, scratch, whom, hits)
    return value


@inline_rule
def worth_of_aim(battle: Any, scratch: Any, first: int, who: int, whom: int) -> float:
    """Return the gain if a fighter strikes at a target in addition to those that do so already."""
    scratch.aim[who] = NOBODY
    before = worth_together(battle, scratch, first, whom)
    scratch.aim[who] = whom
    return worth_together(battle, scratch, first, whom) - before


@inline_rule
def share_targets(battle: Any, scratch: Any, side: int) -> None:
    """Let each of a side's strikers choose where it adds most, one after the other, some times over."""
    first = side * SLOTS
    scratch.aim[:] = NOBODY
    for _ in range(PASSES):
        for who in range(first, first + SLOTS):
            if not strikes_now(battle, who):
                continue
            hexes = aims(battle, who)
            best, most = NOBODY, -1.0
            for number in range(HEXES):
                if hexes >> number & 1:
                    whom = fighter_at(battle, number)
                    value = worth_of_aim(battle, scratch, first, who, whom)
                    if value > most:
                        best, most = whom, value
            scratch.aim[who] = best


@inline_rule
def count_aims(hexes: int) -> int:
    """Return the number of hexes in a set."""
    count = 0
    for number in range(HEXES):
        count += hexes >> number & 1
    return count


# Answers


@inline_rule
def score_strikes(battle: Any, scratch: Any, scores: Any) -> None:
    """STRIKE: all that can; those with one target first, since the others can choose when they have seen more."""
    side = battle.asked
    scores[actions.END] = 0.0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if strikes_now(battle, who):
            scores[actions.PICK + battle.fighters[who].hex] = 1.0 + 1.0 / count_aims(aims(battle, who))


@inline_rule
def score_targets(battle: Any, scratch: Any, together: bool, scores: Any) -> None:
    """TARGET: where the picked strike adds most, alone or to what the others will do."""
    side, who = battle.asked, battle.picked
    scratch.aim[:] = NOBODY
    if together:
        share_targets(battle, scratch, side)
    hexes = aims(battle, who)
    for number in range(HEXES):
        if hexes >> number & 1:
            scores[actions.HIT + number] = worth_of_aim(battle, scratch, side * SLOTS, who, fighter_at(battle, number))


@inline_rule
def worth_as_announced(battle: Any, scratch: Any) -> float:
    """Return the value of the strike as announced, with the best single carry."""
    target = battle.target
    dice, number = min(MOST_DICE, battle.dice), battle.number
    left = battle.fighters[target].power - battle.fighters[target].hits
    carried = 0
    for hexagon in range(HEXES):
        if may_carry(battle, hexagon) and hexagon != battle.fighters[target].hex:
            carried |= 1 << hexagon
    value = 0.0
    for hits in range(dice + 1):
        most = 0.0
        for hexagon in range(HEXES):
            if hits > left and carried >> hexagon & 1:
                most = max(most, worth_of(battle, scratch, fighter_at(battle, hexagon), hits - left))
        value += HITS[dice, number, hits] * (worth_of(battle, scratch, target, hits) + most)
    return value


@inline_rule
def score_handicaps(battle: Any, scratch: Any, scores: Any) -> None:
    """HANDICAP: the plain strike, or the worse one that can carry."""
    dice, number = battle.dice, battle.number
    scores[actions.PLAIN] = worth_as_announced(battle, scratch)
    for hexagon in range(HEXES):
        if may_announce(battle, hexagon):
            announce(battle, hexagon)
            scores[actions.CARRY + hexagon] = worth_as_announced(battle, scratch)
            battle.dice = dice
            battle.number = number


@inline_rule
def score_carries(battle: Any, scratch: Any, scores: Any) -> None:
    """CARRY: to whom the surplus does most harm."""
    scores[actions.PASS] = 0.0
    for hexagon in range(HEXES):
        if may_carry(battle, hexagon):
            scores[actions.CARRY + hexagon] = worth_of(battle, scratch, fighter_at(battle, hexagon), battle.surplus)


@inline_rule
def score_arrivals(battle: Any, scores: Any) -> None:
    """REINFORCE and SUMMON: the most valuable one, and never nobody."""
    scores[actions.PASS] = 0.0
    for kind in range(len(VALUE)):
        scores[actions.MUSTER + kind] = float(VALUE[kind])
        scores[actions.PICK_KIND + kind] = float(VALUE[kind])
