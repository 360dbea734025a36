"""Titan's battle once more, plain and slow, from the written rules alone: nothing of the game's code is used.

Rules are generators: what needs a decision yields a `Question` and is sent one of its texts. Chance is a function
that is handed in with each answer and says how many of so many dice hit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.titan_battle.reference_board import BOARDS, DEPLOYMENT, ENTRIES, HEXES
from tests.titan_battle.reference_data import KINDS, in_order, musters, titan_power
from tests.titan_battle.reference_questions import Fighter, Hits, Play, Question, ask
from tests.titan_battle.reference_strikes import Pair, may_carry, rangestrike, strike, up_a_dune

ROUNDS = 7
FULL = 7
"""Characters in the largest legion."""

SIDES = ("attacker", "defender")


class Battle:
    """One battle: `legal` says what may be answered to `ask`, `answer` goes on to the next question."""

    concessions = lean = False

    def __init__(
        self,
        land: str,
        side: str,
        attacker: Iterable[str],
        defender: Iterable[str],
        scores: tuple[int, int] = (0, 0),
        reinforcement: bool = True,
        summon: str = "none",
        supply: Mapping[str, int] | None = None,
    ) -> None:
        self.board, self.entry = BOARDS[land], side
        self.scores = dict(zip(SIDES, scores, strict=True))
        self.fighters = [self._fighter("attacker", kind) for kind in in_order(attacker)]
        self.fighters += [self._fighter("defender", kind) for kind in in_order(defender)]
        self.supply = dict(supply or {})
        self.waiting = summon
        self.may_reinforce = reinforcement
        self.round, self.half = 0, ""
        self.window = "not yet"
        self.result = self.conceded = ""
        self.fallen_titans: set[str] = set()
        self.halves: list[str] = []
        """The position at the start of each half."""
        self.hits: Hits = _no_dice
        self.question: Question | None = None

    def start(self, script: Play | None = None) -> Battle:
        """Begin the battle, or a part of it: `strikes()`, `maneuvers()`."""
        self.script = script or self.play()
        self.question = next(self.script, None)
        return self

    # What others ask of a battle

    @property
    def ask(self) -> str:
        return self.question.ask if self.question else ""

    @property
    def side_to_answer(self) -> str:
        return self.question.who if self.question else ""

    def legal(self) -> set[str]:
        return set(self.question.options) if self.question else set()

    def answer(self, text: str, hits: Hits | None = None) -> None:
        assert text in self.legal(), (text, self.question)
        self.hits = hits or _no_dice
        try:
            self.question = self.script.send(text)
        except StopIteration:
            self.question = None

    @property
    def winners(self) -> set[str]:
        won = {"mutual": SIDES, "time-loss": ("defender",)}
        return set(won.get(self.result, (self.result,))) if self.result else set()

    def living(self, side: str) -> list[Fighter]:
        return [one for one in self.fighters if one.side == side and one.living]

    def position(self) -> str:
        here = [one for one in self.fighters if one.living]
        return "; ".join(f"{one.side[0].upper()} {one.kind} {one.hex or 'outside'} {one.hits}" for one in here)

    # The course of a battle

    def play(self) -> Play:
        """Rounds 1 to 7, each of the defender's half and the attacker's; after them time is lost."""
        for self.round in range(1, ROUNDS + 1):
            for self.half in ("defender", "attacker"):
                self.halves.append(f"round {self.round}, {self.half}: {self.position()}")
                yield from self.arrivals()
                yield from self.maneuvers()
                if not self.result and not self.deploying():
                    yield from self.strikes()
                if self.result:
                    return
        self.result = "time-loss"

    def deploying(self) -> bool:
        """In a tower the defender's first half is his deployment and nothing else."""
        return self.board.terrain == "tower" and self.round == 1 and self.half == "defender"

    def end_if_decided(self) -> None:
        """A side without characters, or whose titan was slain, is eliminated; both may be."""
        lost = [side for side in SIDES if side in self.fallen_titans or not self.living(side)]
        if len(lost) == 2:
            self.result = "mutual"
        elif lost:
            self.result = "defender" if lost == ["attacker"] else "attacker"

    def arrivals(self) -> Play:
        """Reinforcement in the defender's half of round 4; summoning while the attacker's window is open."""
        if self.half == "defender" and self.round == 4:
            yield from self.reinforce()
        if self.half == "attacker" and self.window == "open":
            self.window = "past"
            if len(self.living("attacker")) < FULL:
                yield from self.summon()

    def reinforce(self) -> Play:
        """One character for which the living defenders qualify, if they are fewer than seven."""
        living = self.living("defender")
        if not self.may_reinforce or len(living) >= FULL:
            return
        found = musters([one.kind for one in living], self.board.terrain, self.lean)
        options = [f"muster:{kind}" for kind in in_order(found) if self.supply.get(kind, 0)]
        answer = yield from ask("defender", "REINFORCE", [*options, "pass"])
        if answer != "pass":
            kind = answer.removeprefix("muster:")
            self.supply[kind] -= 1
            self.fighters.append(self._fighter("defender", kind, late=True))

    def summon(self) -> Play:
        """The angel or archangel that waits elsewhere."""
        if self.waiting == "none":
            return
        answer = yield from ask("attacker", "SUMMON", [f"pick:{self.waiting}", "pass"])
        if answer != "pass":
            self.fighters.append(self._fighter("attacker", self.waiting, late=True))

    def undo_arrival(self, arrival: Fighter) -> None:
        """A reinforcement that did not enter goes back to the supply; an angel where it came from."""
        self.fighters.remove(arrival)
        if arrival.side == "defender":
            self.supply[arrival.kind] += 1

    def entered(self, arrival: Fighter) -> None:
        """Say that a reinforcement or an angel has come onto the map."""

    def _fighter(self, side: str, kind: str, late: bool = False) -> Fighter:
        power = titan_power(self.scores[side]) if kind == "titan" else KINDS[kind].power
        return Fighter(side, kind, power, late)

    # Maneuvers

    def maneuvers(self) -> Play:
        """One character after the other enters or moves, each at most once, none that was in contact at the start."""
        mine = self.living(self.half)
        for one in mine:
            one.moved, one.locked = False, bool(self.enemies_in_contact(one))
        conceding = ["concede"] if self.concessions else []
        while options := [*self._movable(mine), *conceding]:
            answer = yield from ask(self.half, "MANEUVER", [*options, "end"])
            if answer == "concede":
                self.conceded, self.result = self.half, "concession"
            if answer in ("end", "concede"):
                break
            conceding = []
            name = answer.removeprefix("pick:")
            ready = [one for one in mine if name == (one.hex or one.kind) and not one.moved]
            goal = yield from ask(self.half, "GO", [f"to:{spot}" for spot in sorted(self.destinations(ready[0]))])
            came = not ready[0].hex
            ready[0].hex, ready[0].moved = goal.removeprefix("to:"), True
            if came and ready[0].late:
                self.entered(ready[0])
        self._leave_outside()

    def _movable(self, mine: list[Fighter]) -> list[str]:
        """Kinds outside that can enter, and hexes whose characters can move; two of a kind outside are one choice."""
        ready = [one for one in mine if not one.moved and not one.locked and self.destinations(one)]
        return list(dict.fromkeys(f"pick:{one.hex or one.kind}" for one in ready))

    def destinations(self, one: Fighter) -> set[str]:
        taken = {other.hex for other in self.fighters if other.on_map}
        if not one.hex and self.deploying():
            return set(DEPLOYMENT) - taken
        start = one.hex or ENTRIES[self.entry][one.side == "defender"]
        return self.board.destinations(one.kind, start, taken)

    def _leave_outside(self) -> None:
        """Who did not enter in its side's first maneuver phase is eliminated; a late arrival is undone."""
        outside = [one for one in self.living(self.half) if not one.hex]
        for one in outside:
            if one.late:
                self.undo_arrival(one)
            elif not self.conceded:
                one.gone = True
                if one.kind == "titan":
                    self.fallen_titans.add(one.side)
        if any(one.gone for one in outside):
            self.end_if_decided()

    # Strikes

    def in_contact(self, one: Fighter) -> list[Fighter]:
        """Enemies in contact, the slain that still lie there included, in the order of their hexes."""
        found = [other for other in self.fighters if other.on_map and other.side != one.side and one.hex]
        found = [other for other in found if self.board.in_contact(one.hex, other.hex)]
        return sorted(found, key=lambda other: HEXES.index(other.hex))

    def enemies_in_contact(self, one: Fighter) -> list[Fighter]:
        return [other for other in self.in_contact(one) if other.living]

    def pair(self, one: Fighter, other: Fighter) -> Pair:
        pair = strike(self.board, one.kind, one.power, one.hex, other.kind, other.hex)
        assert pair
        return pair

    def strikes(self) -> Play:
        """Drift; the strikes of the side whose half it is, then the other's; then the slain are taken off."""
        for one in self.fighters:
            one.struck = False
            if one.on_map and self.board.hazard[one.hex] == "drift" and not KINDS[one.kind].at_home("drift"):
                one.hits += 1
        other = "attacker" if self.half == "defender" else "defender"
        for side in (self.half, other):
            yield from self._strikes_of(side)
        for one in self.fighters:
            if one.on_map and not one.living:
                one.gone = True
                if one.kind == "titan":
                    self.fallen_titans.add(one.side)
                if one.side == "defender" and self.window == "not yet":
                    self.window = "open"
        self.end_if_decided()

    def _strikes_of(self, side: str) -> Play:
        """Everybody in contact with a living enemy must strike; in the own half others may rangestrike."""
        while True:
            ready = [one for one in self.fighters if one.side == side and one.on_map and not one.struck]
            must = [one for one in ready if self.enemies_in_contact(one)]
            may = [one for one in ready if side == self.half and self.targets_afar(one)]
            options = [f"pick:{one.hex}" for one in must + may]
            if not options:
                return
            answer = yield from ask(side, "STRIKE", options if must else [*options, "end"])
            if answer == "end":
                return
            one = next(one for one in ready if one.hex == answer.removeprefix("pick:"))
            one.struck = True
            targets = self.enemies_in_contact(one) if one in must else self.targets_afar(one)
            answer = yield from ask(side, "TARGET", [f"hit:{target.hex}" for target in targets])
            target = next(target for target in targets if f"hit:{target.hex}" == answer)
            if one in must:
                yield from self._strike(one, target)
            else:
                self._hit(target, self.hits(*self.pair_afar(one, target) or (0, 0)))

    def targets_afar(self, one: Fighter) -> list[Fighter]:
        """Living enemies that may be rangestruck: none while an enemy, even a slain one, is in contact."""
        if self.in_contact(one):
            return []
        return [other for other in self.living(_enemy(one)) if other.hex and self.pair_afar(one, other)]

    def pair_afar(self, one: Fighter, other: Fighter) -> Pair | None:
        standing = [third.hex for third in self.fighters if third.on_map]
        return rangestrike(self.board, one.kind, one.power, one.hex, other.kind, other.hex, standing)

    def _hit(self, target: Fighter, hits: int) -> int:
        """Take hits, as many as are left to take; return the surplus."""
        taken = min(hits, target.left)
        target.hits += taken
        return hits - taken

    def _carries(self, one: Fighter, target: Fighter, other: Fighter, announced: Pair) -> bool:
        """Whether surplus of a strike at `target` may go to another enemy."""
        up, other_up = (up_a_dune(self.board, one.hex, spot.hex) for spot in (target, other))
        return may_carry(announced, up, self.pair(one, other), other_up)

    def handicaps(self, one: Fighter, target: Fighter) -> dict[str, Pair]:
        """Worse strikes that could carry to a certain other enemy, by that enemy's hex."""
        plain = self.pair(one, target)
        found: dict[str, Pair] = {}
        for other in self.enemies_in_contact(one):
            pair = self.pair(one, other)
            worse = min(plain[0], pair[0]), max(plain[1], pair[1])
            useful = worse[0] > target.left and worse not in (plain, *found.values())
            if other is not target and useful and self._carries(one, target, other, worse):
                found[other.hex] = worse
        return found

    def _strike(self, one: Fighter, target: Fighter) -> Play:
        """Announce, roll, and carry over what the target can no longer take."""
        worse = self.handicaps(one, target)
        answer = yield from ask(one.side, "HANDICAP", ["plain", *(f"carry:{spot}" for spot in worse)])
        announced = worse.get(answer.removeprefix("carry:"), self.pair(one, target))
        surplus = self._hit(target, self.hits(*announced))
        while surplus:
            others = [o for o in self.enemies_in_contact(one) if self._carries(one, target, o, announced)]
            answer = yield from ask(one.side, "CARRY", [*(f"carry:{other.hex}" for other in others), "pass"])
            if answer == "pass":
                return
            other = next(other for other in others if f"carry:{other.hex}" == answer)
            surplus = self._hit(other, surplus)


def _enemy(one: Fighter) -> str:
    return "defender" if one.side == "attacker" else "attacker"


def _no_dice(dice: int, number: int) -> int:
    raise AssertionError(f"{dice} dice at {number} are rolled, and nobody said how they fall")
