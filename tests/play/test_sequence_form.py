"""Small games of two are solved exactly: OpenSpiel finds the same values and best responses in a tree of its own."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.agents.action_chances import action_chances
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars.solver.last_round import last_round
from titan_env.play.outcomes import chance_outcomes
from titan_env.play.sequence_form import SmallGame

pytestmark = pytest.mark.compiled

CARS = registry.load("tiny_turbo_cars")


class Gambit:
    """A game from a position on as a text in the format of Gambit, with the chances of an agent's actions."""

    def __init__(self, game: Game, state: Any, plays: Any) -> None:
        self.game, self.plays = game, plays
        self.numbers: tuple[dict[tuple[Any, ...], int], ...] = ({}, {})
        self.policy: dict[str, dict[str, float]] = {}
        self.lines = ['EFG 2 R "small" { "first" "second" }', ""]
        self.chances = self.ends = 0
        self.write(state, ((), ()))

    def write(self, state: Any, past: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
        if state.over:
            self.ends += 1
            payoff = int(state.won[0] != 0) - int(state.won[1] != 0)
            self.lines.append(f't "" {self.ends} "" {{ {payoff} {-payoff} }}')
            return
        who = int(state.seat)
        one = Batch(self.game, 1, templates=np.array([state]).view(np.recarray))
        one.refresh()
        legal = np.flatnonzero(one.masks[0]).tolist()
        own = (*past[who], one.observations[0].tobytes())
        number = self.numbers[who].setdefault(own, len(self.numbers[who]) + 1)
        name = f"{who}i{number}"
        texts = [self.game.rules.actions.texts[action] for action in legal]
        named = " ".join(f'"{text}"' for text in texts)
        self.lines.append(f'p "" {who + 1} {number} "{name}" {{ {named} }} 0')
        if name not in self.policy:
            likely = self.plays(one.states.copy())[0]
            self.policy[name] = dict(zip(texts, likely[legal], strict=True))
        for action in legal:
            then = tuple((*own, action) if seat == who else past[seat] for seat in (0, 1))
            after = chance_outcomes(self.game, state, action)
            if len(after) > 1:
                self.chances += 1
                odds = " ".join(f'"c{way}" {chance!r}' for way, (chance, _) in enumerate(after))
                self.lines.append(f'c "" {self.chances} "" {{ {odds} }} 0')
            for _, position in after:
                self.write(position, then)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in (2, 8))])
@pytest.mark.parametrize("name", ["random", "greedy", "expert"])
def test_openspiel_finds_the_same_value_and_the_same_best_responses(name: str, seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.policy import tabular_policy_from_callable

    plays = partial(action_chances, CARS, agents.load(name, CARS), rng=np.random.default_rng(0))
    state = last_round(seed, slides=2)
    small, text = SmallGame(CARS, state), Gambit(CARS, state, plays)
    game = pyspiel.load_efg_game("\n".join(text.lines))

    def policy(node: Any) -> dict[int, float]:
        likely = text.policy[node.information_state_string().split("-")[-1]]
        return {action: likely[node.action_to_string(action)] for action in node.legal_actions()}

    table = tabular_policy_from_callable(game, policy)
    assert 2 * small.exploitability(plays).mean == pytest.approx(exploitability.nash_conv(game, table), abs=1e-6)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert pyspiel.nash_conv(game, average) < 0.05
    value = pyspiel.expected_returns(game.new_initial_state(), average, -1, True)[0]
    assert small.solution[0] == pytest.approx(value, abs=0.05)


def test_an_equilibrium_is_not_exploitable_and_secures_the_value() -> None:
    small = SmallGame(CARS, last_round(2))
    value, (first, second) = small.solution
    assert small.best_response(1, first) == pytest.approx(-value, abs=1e-6)
    assert small.best_response(0, second) == pytest.approx(value, abs=1e-6)


def test_a_game_of_three_is_refused() -> None:
    batch = Batch(CARS, 1, players=3)
    batch.start()
    with pytest.raises(ValueError, match="expected a game of two, got one of 3"):
        SmallGame(CARS, batch.states[0])


def test_a_game_that_is_too_large_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("titan_env.play.sequence_form.MOST_POSITIONS", 100)
    with pytest.raises(ValueError, match="expected a game of at most 100 positions"):
        SmallGame(CARS, last_round(2))
