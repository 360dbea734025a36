"""One war, played by the package and by the second implementation side by side; all that is known here of its state."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tests.titan_battle.reference_data import KINDS
from tests.titan_war.reference import War
from tests.titan_war.reference_legions import Legion
from tests.titan_war.reference_table import Table
from titan_env.contract import outcomes, preset, seeded
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS

NAMES = list(KINDS)
EAGER = 0.85
"""How often a random player goes on where it could end, pass or give up."""
TIMID = {"end", "pass", "flee", "concede", "agree"}


class Answered:
    """Chance that says to the second implementation what it has said to the package."""

    def __init__(self, luck: Any) -> None:
        self.left = outcomes(luck).tolist()

    def die(self) -> int:
        return self._next(6) + 1

    def reversed_lot(self) -> bool:
        return self._next(2) == 1

    def hits(self, dice: int, number: int) -> int:
        return self._next(-(dice + 1))

    def _next(self, sides: int) -> int:
        answer, had = self.left.pop(0)
        assert had == sides
        return int(answer)


def rows_of(legions: Any) -> list[tuple[Any, ...]]:
    """Owner, land, contents and public record of each of the package's legions on the board, in order."""
    there = legions[legions["height"] > 0]
    lands = [LAND_NUMBERS[land] for land in there["land"].tolist()]
    counts = (map(tuple, there[name].tolist()) for name in ("holds", "at_least", "at_most"))
    return sorted(zip(there["owner"].tolist(), lands, *counts, strict=True))


def row_of_reference(legion: Legion) -> tuple[Any, ...]:
    counts = (tuple(numbers[kind] for kind in NAMES) for numbers in (legion.holds, legion.least, legion.most))
    return (legion.owner, legion.land, *counts)


def check_question(state: Any, war: War) -> list[str]:
    """What the package says is legal; both must agree on that, on the question and on who is asked."""
    texts = [GAME.rules.actions.texts[action] for action in np.flatnonzero(GAME.rules.mask(state))]
    ask = GAME.rules.asks(int(state.ask)).name
    assert (ask, int(state.seat), set(texts)) == (war.ask, war.seat, war.legal())
    return texts


def check_table(state: Any, table: Table) -> None:
    """Both tables hold the same legions, public records, scores, supplies and markers."""
    players = range(int(state.seats))
    legions = np.asarray(state.legions)  # its columns at once: reading legion by legion takes most of the time
    assert rows_of(legions) == sorted(map(row_of_reference, table.legions))
    assert state.scores[: len(players)].tolist() == table.scores
    assert [not state.out[seat] for seat in players] == table.alive
    lying = legions["owner"][legions["height"] == 0].tolist()
    assert list(map(lying.count, players)) == list(map(table.free_markers, players))
    if not state.over:
        left = {kind: int(count) for kind, count in zip(NAMES, state.supply, strict=True)}
        assert {kind: left[kind] for kind in NAMES[1:]} == {kind: table.supply[kind] for kind in NAMES[1:]}


class Pair:
    """A war of the package, and the same war of the second implementation."""

    def __init__(self, seed: int = 0, drawn: list[int] | None = None, **options: Any) -> None:
        self.states = GAME.rules.configure(**options)
        self.state = self.states[0]
        self.luck = seeded([seed], GAME.rules.luck)
        self.log = np.zeros(1, GAME.rules.log).view(np.recarray)
        self.rng = np.random.default_rng(seed)
        if drawn:
            preset(self.luck[0], as_draws(drawn))
        GAME.rules.setup(self.state, self.luck[0])
        players = int(self.state.seats)
        known = {name: value for name, value in options.items() if name not in ("players", "towers", "limit")}
        self.war = War([100 * int(tower) for tower in self.state.towers[:players]], **known).start()
        self.seen: Counter[str] = Counter()

    def choices(self) -> list[str]:
        """What the package says is legal; both must agree on that, on the question and on who is asked."""
        return check_question(self.state, self.war)

    def check_table(self) -> None:
        check_table(self.state, self.war.table)

    def play(self, text: str) -> None:
        """Play one decision in both wars, with the same chance."""
        GAME.rules.step(self.state, GAME.rules.actions.read(text), self.luck[0], self.log[0])
        chance = Answered(self.luck[0])
        self.war.answer(text, chance)
        assert not chance.left, "every answer of chance was asked for by both"

    def play_out(self) -> int:
        """Play to the end at random; return how many decisions that took."""
        decisions = 0
        while not self.state.over:
            texts = self.choices()
            self.check_table()
            self.seen[self.war.ask] += 1
            onward = [text for text in texts if text not in TIMID]
            self.play(str(self.rng.choice(onward if onward and self.rng.random() < EAGER else texts)))
            decisions += 1
        self.check_end()
        return decisions

    def check_end(self) -> None:
        """Both wars are over, with the same winners and places."""
        self.check_table()
        players = range(int(self.state.seats))
        assert not self.war.ask
        assert {seat for seat in players if self.state.won[seat]} == self.war.table.won
        assert self.state.place[: len(players)].tolist() == self.war.table.places


def as_draws(towers: list[int]) -> list[int]:
    """What chance answers where these towers are drawn one after the other."""
    left, answers = [100 * number for number in range(1, 7)], []
    for tower in towers:
        answers.append(left.index(tower))
        left.remove(tower)
    return answers
