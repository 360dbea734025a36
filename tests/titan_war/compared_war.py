"""A war of the second implementation that is held against the package at every question."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.titan_battle.reference_questions import Play
from tests.titan_war.reference import War
from tests.titan_war.reference_lands import ORDER
from tests.titan_war.reference_table import Chance, TheEndError
from tests.titan_war.table import NAMES, as_draws, check_question, check_table
from titan_env.contract import preset, seeded
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.decision import answer
from titan_env.games.titan_war.rules.legions import raise_legion
from titan_env.games.titan_war.rules.offers import only_answer
from titan_env.games.titan_war.rules.state import Ask, Phase
from titan_env.games.titan_war.rules.turn import advance

SIDES = {"": 0, "R": 0, "B": 1, "L": 2}
OPTIONS = ("goal", "turns", "lean", "agreements", "concede", "open", "mulligan", "first_teleport")
SEED = 4


class RecordedChance:
    """Chance whose answers are written down as the package asks for them."""

    def __init__(self, chance: Chance | None) -> None:
        self.chance, self.answers = chance, list[int]()

    def die(self) -> int:
        die = self._chance.die()
        self.answers.append(die - 1)
        return die

    def reversed_lot(self) -> bool:
        is_reversed = self._chance.reversed_lot()
        self.answers.append(int(is_reversed))
        return is_reversed

    def hits(self, dice: int, number: int) -> int:
        hits = self._chance.hits(dice, number)
        self.answers.append(hits)
        return hits

    @property
    def _chance(self) -> Chance:
        assert self.chance
        return self.chance


class ComparedWar(War):
    """The same war on both, compared for as long as the second implementation asks."""

    def __init__(self, towers: list[int], **options: Any) -> None:
        super().__init__(towers, **options)
        self.states: Any = None

    @property
    def state(self) -> Any:
        return self.states[0]

    def start(self, chance: Chance | None = None, script: Play | None = None, phase: Phase = Phase.START) -> War:
        """Begin the war, or a part of it: of the mover's turn, from a phase on."""
        self.states = self._laid(phase)
        heard = RecordedChance(chance)
        super().start(heard, script)
        self.luck, self.log = seeded([SEED], GAME.rules.luck), np.zeros(1, GAME.rules.log).view(np.recarray)
        if script is None:
            preset(self.luck[0], as_draws(self.table.towers))
            GAME.rules.setup(self.state, self.luck[0])
        else:
            preset(self.luck[0], heard.answers)
            self._run_on()
        self._compare()
        return self

    def answer(self, text: str, chance: Chance | None = None) -> None:
        heard = RecordedChance(chance)
        try:
            super().answer(text, heard)
        except TheEndError:
            self.question = None
            self._play(text, heard)
            assert self.state.over
            check_table(self.state, self.table)
            assert {seat for seat in range(self.table.players) if self.state.won[seat]} == self.table.won
            raise
        self._play(text, heard)
        self._compare()

    def _play(self, text: str, heard: RecordedChance) -> None:
        preset(self.luck[0], heard.answers)
        GAME.rules.step(self.state, GAME.rules.actions.read(text), self.luck[0], self.log[0])

    def _compare(self) -> None:
        if self.ask:
            check_question(self.state, self)
            check_table(self.state, self.table)

    def _run_on(self) -> None:
        """Let the package go on to its next question."""
        while not self.state.over:
            if self.state.ask == Ask.NOTHING:
                advance(self.state, self.luck[0], self.log[0])
            elif (action := only_answer(self.state)) >= 0:
                answer(self.state, action, self.luck[0], self.log[0])
            else:
                return

    def _laid(self, phase: Phase) -> Any:
        """The table in the package's record, at the beginning of a phase of the mover's turn."""
        table = self.table
        known = {name: table.options[name] for name in OPTIONS}
        states = GAME.rules.configure(players=table.players, limit=None, **known)
        state = states[0]
        if phase == Phase.START:
            return states
        state.phase, state.mover = phase, table.mover
        state.towers[: table.players] = [tower // 100 for tower in table.towers]
        state.had_turn[: table.players], state.scores[: table.players] = table.had_turn, table.scores
        state.supply[:] = [table.supply[kind] for kind in NAMES]
        for legion in sorted(table.legions, key=lambda one: one.age):
            marker = next(i for i, one in enumerate(state.legions) if one.owner == legion.owner and not one.height)
            raise_legion(state, marker, ORDER[legion.land])
            row = state.legions[marker]
            row.height, row.moved, row.entry = legion.height, legion.moved, SIDES[legion.side]
            for name, numbers in (("holds", legion.holds), ("at_least", legion.least), ("at_most", legion.most)):
                row[name][:] = [numbers[kind] for kind in NAMES]
        return states
