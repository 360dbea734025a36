"""Wars in the middle of things, written as text, for cases that both implementations play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.titan_battle.reference_data import KINDS
from tests.titan_battle.reference_questions import Play
from tests.titan_war.compared_war import ComparedWar
from tests.titan_war.reference import War
from tests.titan_war.reference_legions import Legion
from tests.titan_war.reference_movement import Movement
from titan_env.games.titan_war.rules.state import Phase


class FixedDice:
    """Chance that shows these dice, and lets every die of a strike hit or miss."""

    def __init__(self, *dice: int, all_hit: bool = False) -> None:
        self.left, self.all_hit = list(dice), all_hit

    def die(self) -> int:
        return self.left.pop(0)

    def reversed_lot(self) -> bool:
        return False

    def hits(self, dice: int, number: int) -> int:
        return dice if self.all_hit else 0


def war_at(text: str, scores: Iterable[int] = (0, 0), **options: Any) -> ComparedWar:
    """A war after everybody's first turn: lines such as `0 on 41: titan ogre ogre`, the oldest legions first."""
    scores = list(scores)
    war = ComparedWar([100 * (seat + 1) for seat in range(len(scores))], **options)
    table = war.table
    table.scores = scores
    table.had_turn = [True] * len(scores)
    for line in text.strip().splitlines():
        place, kinds = line.split(":")
        seat, _, land = place.split()
        legion = Legion(int(seat), int(land), table.next_age(), Counter(kinds.split()))
        legion.most |= dict.fromkeys(KINDS, legion.height)
        table.legions.append(legion)
        table.supply.subtract(kinds.split())
    for seat_number in range(len(scores)):
        table.conclude(seat_number)
    return war


def begin_movement(war: ComparedWar, die: int, seat: int = 0) -> War:
    """Begin a player's movement."""
    war.table.mover = seat
    return war.start(FixedDice(die), Movement(war.table, seat).play(), Phase.THROW)


def begin_turn(war: ComparedWar, die: int, seat: int = 0, all_hit: bool = False) -> War:
    """Begin a player's turn; where there is no commencement the die is thrown at once."""
    war.table.mover = seat
    for legion in war.table.legions:
        legion.moved = False
    return war.start(FixedDice(die, all_hit=all_hit), war.turn(seat), Phase.COMMENCEMENT)


def begin_engagements(war: ComparedWar, seat: int = 0) -> War:
    """Begin a player's engagements, and his enlistment after them."""

    def script() -> Play:
        yield from war.engagements(seat)
        if war.table.alive[seat]:
            yield from war.enlistment(seat)

    war.table.mover = seat
    for legion in war.table.of(seat):
        legion.moved, legion.side = True, "B"
    return war.start(FixedDice(), script(), Phase.ENGAGEMENT)


def answer(war: War, *texts: str, all_hit: bool = False) -> War:
    """Answer one question after the other."""
    for text in texts:
        war.answer(text, FixedDice(1, 1, all_hit=all_hit))
    return war
