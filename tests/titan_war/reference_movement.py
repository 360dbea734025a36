"""A player's commencement and movement in the war's second implementation."""

from __future__ import annotations

from tests.titan_battle.reference_data import KINDS, in_order
from tests.titan_battle.reference_questions import Play, Question, ask
from tests.titan_war.reference_lands import LANDS, ORDER, TOWERS, Moves, normal_moves, tower_teleports
from tests.titan_war.reference_legions import Legion
from tests.titan_war.reference_table import Table

SPLITTING = 4
"""Fewest characters of a legion that may split."""
SMALLEST = 2
"""Fewest that split off, and that stay."""
TITAN_TELEPORT = 400


def commencement(table: Table, seat: int) -> Play:
    """The legions of four or more may split, in the order of their lands, each as often as it can."""
    for legion in sorted(table.of(seat), key=lambda one: ORDER[one.land]):
        while legion.height >= SPLITTING and table.free_markers(seat):
            part = yield from _split(seat, legion)
            if not part:
                break
            table.legions.append(legion.split(part, table.next_age()))
            table.conclude(seat)


def _split(seat: int, legion: Legion) -> Play:
    """Pick what splits off, kinds in ascending order; an empty list is returned for `pass`."""
    part: list[str] = []
    while True:
        left = legion.holds.copy()
        left.subtract(part)
        kinds = [kind for kind in in_order(left) if left[kind]]
        if part:
            kinds = [kind for kind in kinds if KINDS[kind].number >= KINDS[part[-1]].number]
        else:
            kinds = [k for k in kinds if sum(n for j, n in left.items() if KINDS[j].number >= KINDS[k].number) > 1]
        options = [f"pick:{kind}" for kind in kinds] if legion.height - len(part) > SMALLEST else []
        if not part:
            options.append("pass")
        if len(part) >= SMALLEST:
            options.append("end")
        answer = yield from ask(seat, "SPLIT", options)
        if answer in ("pass", "end"):
            return part
        part.append(answer.removeprefix("pick:"))


class Movement:
    """The legions of one player move, one after the other."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat

    def play(self) -> Play:
        yield from self.throw()
        while movable := self.movable():
            lands = sorted({legion.land for legion in movable}, key=lambda land: ORDER[land])
            options = [f"pick:{land}" for land in lands] + (["end"] if self.may_stop() else [])
            answer = yield Question(self.seat, "MOVE", tuple(options))
            if answer == "end":
                break
            yield from self.move(int(answer.removeprefix("pick:")), movable)
        self.join()

    def throw(self) -> Play:
        """One die; in the player's first turn it may be thrown again."""
        table = self.table
        table.roll = table.dice.die()
        again = not table.had_turn[self.seat]
        while again:
            often = table.options["mulligan"] == "2 or 5"
            if often and table.roll not in (2, 5):
                return
            answer = yield from ask(self.seat, "MULLIGAN", ["keep", "reroll"])
            if answer == "keep":
                return
            table.roll = table.dice.die()
            again = often

    # What may move

    def normal(self, legion: Legion) -> Moves:
        own = {other.land for other in self.table.of(self.seat) if other is not legion}
        enemies = {other.land for other in self.table.legions if other.owner != self.seat}
        return normal_moves(legion.land, self.table.roll, own, enemies)

    def teleports(self, legion: Legion) -> set[int]:
        """Lands to which a legion may teleport with a 6: one teleport in a turn."""
        table = self.table
        found: set[int] = set()
        if table.roll != 6 or table.teleported:
            return found
        if LANDS[legion.land].terrain == "tower" and legion.has_lord():
            found = tower_teleports(legion.land, {other.land for other in table.legions})
            if not table.had_turn[self.seat] and table.options["first_teleport"] != "any":
                found -= set(TOWERS)
        if legion.holds["titan"] and table.scores[self.seat] >= TITAN_TELEPORT:
            own = {other.land for other in table.of(self.seat)}
            found |= {other.land for other in table.legions if other.owner != self.seat} - own
        return found

    def movable(self) -> list[Legion]:
        mine = [legion for legion in self.table.of(self.seat) if not legion.moved]
        return [legion for legion in mine if self.normal(legion) or self.teleports(legion)]

    def may_stop(self) -> bool:
        """One must have moved if any can; of legions that share a land one must move if any can."""
        mine = self.table.of(self.seat)
        able = [legion for legion in mine if not legion.moved and self.normal(legion)]
        sharing = [legion for legion in able if len(self.table.at(legion.land, self.seat)) > 1]
        return not sharing and (not able or any(legion.moved for legion in mine))

    # Moving

    def move(self, land: int, movable: list[Legion]) -> Play:
        stack = self.table.at(land, self.seat)
        able = [f"stack:{i}" for i, legion in enumerate(stack, 1) if legion in movable]
        answer = yield from ask(self.seat, "STACK", able)
        legion = stack[int(answer.removeprefix("stack:")) - 1]
        normal, teleports = self.normal(legion), self.teleports(legion)
        options = [f"to:{there}" for there in normal] + (["teleport"] if teleports else [])
        answer = yield from ask(self.seat, "GO_LAND", options)
        if answer == "teleport":
            yield from self.teleport(legion, teleports)
        else:
            there = int(answer.removeprefix("to:"))
            yield from self.arrive(legion, there, normal[there])

    def teleport(self, legion: Legion, teleports: set[int]) -> Play:
        """A lord is shown to leave a tower; the titan, where it goes to an enemy."""
        table = self.table
        answer = yield from ask(self.seat, "GO_LAND", [f"to:{there}" for there in teleports])
        there = int(answer.removeprefix("to:"))
        table.teleported = True
        if table.at(there):
            legion.show("titan", 1)
            table.conclude(self.seat)
            yield from self.arrive(legion, there, {"R", "B", "L"})
        else:
            lords = [kind for kind in in_order(legion.holds) if legion.holds[kind] and KINDS[kind].lord]
            if table.is_public(legion):
                lords = lords[:1]
            shown = yield from ask(self.seat, "SHOW", [f"pick:{kind}" for kind in lords])
            legion.show(shown.removeprefix("pick:"), 1)
            table.conclude(self.seat)
            yield from self.arrive(legion, there, set())

    def arrive(self, legion: Legion, land: int, sides: set[str]) -> Play:
        """Where an enemy stands the player chooses the side on which he enters, if there are several."""
        legion.side = ""
        if self.table.at(land) and not self.table.at(land, self.seat):
            sides = {"B"} if LANDS[land].terrain == "tower" else sides
            answer = yield from ask(self.seat, "SIDE", [f"side:{side}" for side in "RBL" if side in sides])
            legion.side = answer.removeprefix("side:")
        legion.land, legion.moved = land, True

    def join(self) -> None:
        """Legions that still share a land join again under the oldest marker."""
        for land in {legion.land for legion in self.table.of(self.seat)}:
            oldest, *others = self.table.at(land, self.seat)
            for other in others:
                oldest.join(other)
                self.table.legions.remove(other)
        self.table.conclude(self.seat)
