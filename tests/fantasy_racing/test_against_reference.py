"""Two implementations of the same rules play the same races: same questions, same choices, same results."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from tests.fantasy_racing import reference
from titan_env.contract import COMPILED, LOG, SILENT, outcomes, seeded
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.circuits import SYMBOLS
from titan_env.games.fantasy_racing.rules.definition import PRESETS
from titan_env.games.fantasy_racing.rules.legal import legal
from titan_env.games.fantasy_racing.rules.setup import configure
from titan_env.games.fantasy_racing.rules.state import COLUMNS, SQUARES

RACES = int(os.environ.get("PLAIN_RACES", 3)) if COMPILED else 1
"""Races of each kind."""


class Pair:
    """One race, played by the package and by `plain` side by side."""

    def __init__(self, seed: int, **options: Any) -> None:
        self.states = configure(**options)
        self.luck = seeded([seed])
        self.log = np.zeros(1, LOG).view(np.recarray)
        self.log.count = SILENT
        self.rng = np.random.default_rng(seed)
        GAME.rules.setup(self.states[0], self.luck[0])
        self.race = reference.Race(**options)
        self.generator = self.race.play()
        self._feed()
        self.question = next(self.generator)

    def _feed(self) -> None:
        assert not self.race.answers, "every answer of chance was asked for by both"
        self.race.answers.extend(outcomes(self.luck[0])[:, 0].tolist())

    def choices(self) -> list[str]:
        """What the package says is legal; both must agree."""
        mask = np.zeros(len(ACTIONS), np.int8)
        legal(self.states[0], mask)
        texts = [ACTIONS.texts[action] for action in np.flatnonzero(mask)]
        assert (int(self.states[0].seat), sorted(texts)) == (self.question[0], sorted(self.question[1]))
        return texts

    def play(self, text: str) -> None:
        """Play one decision in both races."""
        GAME.rules.step(self.states[0], ACTIONS.read(text), self.luck[0], self.log[0])
        self._feed()
        with suppress(StopIteration):
            self.question = self.generator.send(text)
        self.compare()

    def compare(self) -> None:
        """Every racer, trap and square is the same in both."""
        state = self.states[0]
        assert bool(state.over) == self.race.over
        for racer in self.race.racers:
            ours = state.racers[racer.seat]
            row, column = racer.square
            assert (int(ours.square), int(state.scores[racer.seat])) == (row * COLUMNS + column, racer.points)
            assert ours.objects.tolist() == list(racer.objects.values())
            assert (ours.laps, ours.highest, ours.poisoned) == (racer.laps, racer.highest, racer.poisoned)
            assert ours.protected == racer.protected
        traps = {_square(square): state.traps[square] - 1 for square in np.flatnonzero(state.traps)}
        assert traps == {square: owner.seat for square, owner in self.race.traps.items()}
        assert {_square(square) for square in np.flatnonzero(state.gone)} == self.race.gone

    def play_out(self) -> int:
        """Play to the end at random; how many decisions that took."""
        decisions = 0
        while not self.states[0].over:
            self.play(self.rng.choice(self.choices()))
            decisions += 1
        best = max(racer.points for racer in self.race.racers)
        won = [racer.points == best for racer in self.race.racers]
        assert self.states[0].won[: len(won)].astype(bool).tolist() == won
        return decisions

    def enrich(self) -> None:
        """Full hands, so that everything is used; and everybody is open to it."""
        hands = self.rng.integers(0, 4, (len(self.race.racers), 10))
        for racer in self.race.racers:
            self.states[0].racers[racer.seat].objects[:] = hands[racer.seat]
            racer.objects = dict(zip(racer.objects, hands[racer.seat].tolist(), strict=True))

    def crowd(self) -> None:
        """A board that nobody drew with care, full of terrain and traps."""
        state = self.states[0]
        printed = self.rng.choice(len(SYMBOLS), SQUARES, p=[0.48, 0.08, 0.06, 0.1, 0.1, 0.04, 0.04, 0.04, 0.06])
        printed[:COLUMNS] = 0
        state.printed[:] = printed
        state.gone[:] = 0
        owners = self.rng.integers(0, len(self.race.racers), SQUARES)
        trapped = (printed == 0) & (self.rng.random(SQUARES) < 0.2)
        trapped[:COLUMNS] = False
        state.traps[:] = np.where(trapped, owners + 1, 0)
        for square in range(SQUARES):
            self.race.board[_square(square)] = SYMBOLS[printed[square]]
        self.race.gone.clear()
        self.race.traps = {_square(square): self.race.racers[owners[square]] for square in np.flatnonzero(trapped)}


def _square(number: int) -> reference.Square:
    """A square as `plain` has it."""
    return int(number) // COLUMNS, int(number) % COLUMNS


def _until(pair: Pair, verb: str) -> bool:
    """Play at random until this is asked; whether it ever is."""
    while not pair.states[0].over and not pair.question[1][0].startswith(verb):
        pair.play(pair.rng.choice(pair.choices()))
    return not pair.states[0].over


@pytest.mark.parametrize("preset", PRESETS)
def test_random_races(preset: str) -> None:
    decisions = sum(Pair(seed, **PRESETS[preset]).play_out() for seed in range(RACES))
    assert decisions > 50 * RACES


@pytest.mark.parametrize("players", range(2, 7))
def test_races_with_full_hands(players: int) -> None:
    for seed in range(RACES):
        pair = Pair(1000 + seed, players=players)
        while _until(pair, "skid"):
            pair.enrich()
            for _ in range(30):
                if not pair.states[0].over:
                    pair.play(pair.rng.choice(pair.choices()))


@pytest.mark.parametrize("players", range(2, 7))
def test_races_on_crowded_boards(players: int) -> None:
    for seed in range(RACES):
        pair = Pair(2000 + seed, players=players)
        if _until(pair, "die"):
            pair.crowd()
        if _until(pair, "skid"):
            pair.enrich()
            pair.play_out()
