"""The battle inside a war: angels come from own legions, either side may concede."""

from __future__ import annotations

from tests.titan_battle.reference import SIDES, Battle
from tests.titan_battle.reference_data import in_order, value_of
from tests.titan_battle.reference_questions import Fighter, Play, Question, ask
from tests.titan_war.reference_lands import LANDS, ORDER
from tests.titan_war.reference_legions import Legion
from tests.titan_war.reference_table import Table


def summoning(table: Table, taker: Legion) -> Play:
    """Ask which legion gives which angel, and show it; None is returned for `pass`, or where none may be summoned."""
    donors = {} if table.summoned else table.donors(taker)
    lands = sorted((donor.land for donor in donors), key=lambda land: ORDER[land])
    answer = yield from ask(taker.owner, "SUMMON", [*(f"pick:{land}" for land in lands), "pass"])
    if answer == "pass":
        return None
    donor = next(donor for donor in donors if f"pick:{donor.land}" == answer)
    answer = yield from ask(taker.owner, "SUMMON_KIND", [f"pick:{kind}" for kind in donors[donor]])
    kind = answer.removeprefix("pick:")
    donor.show(kind, 1)
    table.conclude(taker.owner)
    return donor, kind


class WarBattle(Battle):
    """A battle of two legions of a war, whose players answer by their seats."""

    def __init__(self, table: Table, attacker: Legion, defender: Legion) -> None:
        self.table, self.legion_of = table, dict(zip(SIDES, (attacker, defender), strict=True))
        scores = table.scores[attacker.owner], table.scores[defender.owner]
        super().__init__(LANDS[attacker.land].terrain, attacker.side, attacker.kinds, defender.kinds, scores)
        self.supply = table.supply
        self.concessions = table.options["concede"]
        self.lean = table.options["lean"]
        self.reinforced = False
        self.hits = lambda dice, number: table.dice.hits(dice, number)

    def as_seats(self) -> Play:
        """The questions of the battle, to seats."""
        script = self.play()
        question = next(script, None)
        while question:
            answer = yield Question(self.legion_of[question.who].owner, question.ask, question.options)
            try:
                question = script.send(answer)
            except StopIteration:
                return

    def summon(self) -> Play:
        # The battle asks sides; this asks the attacker's seat, so its questions are renamed back.
        script = summoning(self.table, self.legion_of["attacker"])
        try:
            question = next(script)
            while True:
                answer = yield Question("attacker", question.ask, question.options)
                question = script.send(answer)
        except StopIteration as done:
            if done.value:
                self.donor, kind = done.value
                self.fighters.append(self._fighter("attacker", kind, late=True))

    def entered(self, arrival: Fighter) -> None:
        legion = self.legion_of[arrival.side]
        if arrival.side == "attacker":
            self.table.give(self.donor, legion, arrival.kind)
        else:
            self.reinforced = True
            legion.gain(arrival.kind)
            self.table.conclude(legion.owner)

    # How it ended

    def lived(self, side: str) -> list[str]:
        return in_order(fighter.kind for fighter in self.living(side))

    def fell(self, side: str) -> list[str]:
        return in_order(one.kind for one in self.fighters if one.side == side and not one.living)

    def worth(self, side: str, kinds: list[str]) -> int:
        return value_of(kinds, self.scores[side])

    def placed(self, side: str) -> bool:
        """Whether a side ever placed anybody."""
        return any(one.hex for one in self.fighters if one.side == side)
