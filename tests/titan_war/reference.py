"""Titan's war once more, plain and slow, from the written rules alone: nothing of the game's code is used.

Rules are generators that yield a `Question` and are sent one of its texts; chance is an object that is handed in.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.titan_battle.reference_data import in_order, musters, ways_to_muster
from tests.titan_battle.reference_questions import Play, Question, ask
from tests.titan_war.reference_engagement import Engagement, enlist
from tests.titan_war.reference_lands import LANDS, ORDER
from tests.titan_war.reference_legions import Legion
from tests.titan_war.reference_movement import Movement, commencement
from tests.titan_war.reference_table import FULL, Chance, Table, TheEndError

WITH_THE_TITAN = 3
"""Of the six creatures with which a player starts, two of each kind."""


class War:
    """One war: `legal` says what may be answered to `ask`, `answer` goes on to the next question."""

    def __init__(self, towers: list[int], **options: Any) -> None:
        self.table = Table(towers, **options)
        self.turns = 0
        self.question: Question | None = None
        self.turn_began = [self.table.summary(), *self.table.position()]

    def start(self, chance: Chance | None = None, script: Play | None = None) -> War:
        """Begin the war, or a part of it."""
        self.table.chance = chance
        self.script = script or self.play()
        self.question = next(self.script, None)
        return self

    # What others ask of a war

    @property
    def ask(self) -> str:
        return self.question.ask if self.question else ""

    @property
    def seat(self) -> int:
        return self.question.who if self.question else -1

    def legal(self) -> set[str]:
        return set(self.question.options) if self.question else set()

    def answer(self, text: str, chance: Chance | None = None) -> None:
        assert text in self.legal(), (text, self.question)
        self.table.chance = chance
        try:
            self.question = self.script.send(text)
        except StopIteration:
            self.question = None

    # The course of a war

    def play(self) -> Play:
        try:
            yield from self.set_up()
            seat = self.order()[0]
            while True:
                yield from self.turn(seat)
                self.end_by_count()
                seat = next(s for s in self.seats_after(seat) if self.table.alive[s])
        except TheEndError:
            pass

    def order(self) -> list[int]:
        """The seat with the highest tower first; then round the table."""
        first = self.table.towers.index(max(self.table.towers))
        return [first, *self.seats_after(first)[:-1]]

    def seats_after(self, seat: int) -> list[int]:
        players = self.table.players
        return [(seat + i) % players for i in range(1, players + 1)]

    def set_up(self) -> Play:
        """Each player chooses secretly who goes with the titan; which legion is the older one is drawn by lot."""
        table = self.table
        creatures = dict.fromkeys(table.starting, 2)
        has = {"titan": 1, "angel": 1, **creatures}
        for kind, count in has.items():
            table.supply[kind] -= count * table.players
        for seat in self.order():
            chosen: list[str] = []
            while len(chosen) < WITH_THE_TITAN:
                answer = yield from ask(seat, "START", [f"pick:{kind}" for kind in self._may_go(chosen)])
                chosen.append(answer.removeprefix("pick:"))
            rest = Counter(creatures) - Counter(chosen)
            halves = [Counter(["titan", *chosen]), Counter(["angel"]) + rest]
            if table.dice.reversed_lot():
                halves.reverse()
            for holds in halves:
                legion = Legion(seat, table.towers[seat], table.next_age(), holds)
                legion.most |= has
                table.legions.append(legion)
            table.conclude(seat)

    def _may_go(self, chosen: list[str]) -> list[str]:
        """Kinds in ascending order, of which three can still be reached."""
        starting = self.table.starting
        left = {kind: 2 - chosen.count(kind) for kind in starting}
        lowest = max((starting.index(kind) for kind in chosen), default=0)
        found = []
        for i, kind in enumerate(starting):
            from_here = sum(left[later] for later in starting[i:])
            if left[kind] and i >= lowest and from_here + len(chosen) >= WITH_THE_TITAN:
                found.append(kind)
        return found

    def turn(self, seat: int) -> Play:
        """Commencement, movement, engagements, enlistment."""
        table = self.table
        table.mover, table.summoned, table.teleported = seat, False, False
        for legion in table.legions:
            legion.moved, legion.side = False, ""
        self.turn_began = [table.summary(), *table.position()]
        if table.had_turn[seat]:
            yield from commencement(table, seat)
        yield from Movement(table, seat).play()
        yield from self.engagements(seat)
        if table.alive[seat]:
            yield from self.enlistment(seat)
        table.had_turn[seat] = True
        self.turns += 1

    def engagements(self, seat: int) -> Play:
        """One after the other, in the order the mover likes."""
        table = self.table
        while table.alive[seat]:
            engaged = [legion for legion in table.of(seat) if table.enemies_of(legion)]
            if not engaged:
                return
            lands = sorted((legion.land for legion in engaged), key=lambda land: ORDER[land])
            answer = yield from ask(seat, "ENGAGE", [f"pick:{land}" for land in lands])
            attacker = next(legion for legion in engaged if f"pick:{legion.land}" == answer)
            yield from Engagement(table, attacker, table.enemies_of(attacker)[0]).play()

    def enlistment(self, seat: int) -> Play:
        """Each legion that has moved may muster one character, in the order of their lands."""
        for legion in sorted(self.table.of(seat), key=lambda one: ORDER[one.land]):
            if legion.moved and legion.height < FULL:
                yield from self.muster(legion)

    def muster(self, legion: Legion) -> Play:
        """Muster something, and show what qualifies for it."""
        terrain = LANDS[legion.land].terrain
        lean = self.table.options["lean"]
        found = [kind for kind in in_order(musters(legion.kinds, terrain, lean)) if self.table.supply[kind]]
        answer = yield from ask(legion.owner, "MUSTER", [*(f"muster:{kind}" for kind in found), "pass"])
        if answer == "pass":
            return
        kind = answer.removeprefix("muster:")
        ways = ways_to_muster(legion.kinds, terrain, kind, lean)
        shown = list(ways)
        if self.table.is_public(legion):
            shown = shown[:1]
        answer = yield from ask(legion.owner, "SHOW", [f"pick:{way}" for way in shown])
        way = answer.removeprefix("pick:")
        if way:
            legion.show(way, ways[way])
        enlist(self.table, legion, kind)

    # The end by goal or by turns

    def end_by_count(self) -> None:
        """At the end of a turn after which somebody has the goal, or of the last turn, the highest number wins."""
        table = self.table
        goal, turns = table.options["goal"], table.options["turns"]
        numbers = {seat: table.scores[seat] for seat in table.living()}
        reached = goal and max(numbers.values()) >= goal
        if turns and self.turns >= turns and not reached:
            numbers = {seat: score + sum(map(table.value, table.of(seat))) for seat, score in numbers.items()}
            reached = True
        if reached:
            for seat, number in numbers.items():
                table.places[seat] = 1 + sum(other > number for other in numbers.values())
            table.won = {seat for seat in numbers if table.places[seat] == 1}
            raise TheEndError
