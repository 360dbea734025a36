"""What agents lose against best play in duels: all that can happen is weighed, so it adds up."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.titan_battle.table import Table
from titan_env import agents
from titan_env.agents.uniform import best as best_of
from titan_env.engine.batch import Batch
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.agents.state_from_observation import positions
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.lands import LAND_NAMES
from titan_env.games.titan_battle.rules.state import OUTSIDE, Ask, Side
from titan_env.games.titan_battle.solver.best_play import FIGHTERS, BestPlay, Duel
from titan_env.games.titan_battle.solver.duel import BEGINNING, main
from titan_env.games.titan_battle.solver.duel import DUELS as MEASURED
from titan_env.games.titan_battle.solver.loss import Course
from titan_env.play.turn_solver import TurnSolver

pytestmark = pytest.mark.thorough

SIDES = pytest.mark.parametrize("side", Side)
DUELS = pytest.mark.parametrize("land", ["tower", "tundra"])


@cache
def solved_on(land: str) -> BestPlay:
    """A duel on a land, solved once for all tests."""
    return BestPlay({"tower": Duel("ranger", "gargoyle", "tower"), "tundra": Duel("troll", "warbear", "tundra")}[land])


class Perfect:
    """An agent that looks the worth of each answer up."""

    def __init__(self, solved: BestPlay) -> None:
        self.solved = solved

    def __call__(self, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        scores = np.full(masks.shape, -1.0)
        for row, battle in enumerate(positions(GAME.rules.fields.split(observations))[0]):
            for action in np.flatnonzero(masks[row]):
                scores[row, action] = self.worth(battle, int(action))
        return best_of(scores.round(9), masks, rng)

    def worth(self, battle: Any, action: int) -> float:
        """What an answer is worth to the side that is asked."""
        solved, half, begun = self.solved, Side(int(battle.asked)), int(battle.rounds_begun)
        fighters = battle.fighters[list(FIGHTERS)]
        place, hits = [int(number) for number in fighters["hex"]], tuple(int(number) for number in fighters["hits"])
        sign = 1 if half == Side.ATTACKER else -1
        if battle.ask == Ask.STRIKE:
            after = Course(GAME, self, solved, half, np.random.default_rng(0))._after(begun, half)
            solved.duel.set(place, half, begun, battle.phase)
            odds = solved.duel.shot(half)
            if odds is not None and action != actions.END:
                after = Course._shot(after[tuple(place)], odds, half)
            else:
                after = after[tuple(place)]
            return float(sign * after[hits])
        goals = solved.duel.goals(place, half, begun)
        if battle.ask == Ask.GO:
            goals = [action - actions.TO]
        elif action == actions.END:
            goals = [place[half]]
        there = [tuple(goal if side == half else place[side] for side in Side) for goal in goals]
        return float(max(sign * solved.fought[begun, half][goal][hits] for goal in there))


def course(solved: BestPlay, side: Side, agent: Any) -> Course:
    """A duel that has been fought by an agent on one side."""
    fought = Course(GAME, agent, solved, side, np.random.default_rng(0))
    fought.run()
    return fought


@DUELS
@SIDES
def test_who_plays_best_loses_nothing(land: str, side: Side) -> None:
    solved = solved_on(land)
    fought = course(solved, side, Perfect(solved))
    assert fought.lost == pytest.approx(0, abs=1e-7)
    assert fought.won == pytest.approx(solved.worth, abs=1e-7)
    assert fought.decisions >= 1


@DUELS
@SIDES
@pytest.mark.parametrize("name", ["random", "greedy", "expert"])
def test_what_the_decisions_lose_is_what_the_battle_loses(land: str, side: Side, name: str) -> None:
    solved = solved_on(land)
    fought = course(solved, side, agents.load(name, GAME))
    assert fought.lost > 0 or name != "random"
    assert fought.won + fought.sign * fought.lost == pytest.approx(solved.worth, abs=1e-6)


def test_who_draws_among_two_answers_stays_outside_as_often_and_is_lost() -> None:
    fought = course(solved_on("tundra"), Side.DEFENDER, agents.load("random", GAME))
    assert fought.won > 0.5, "half of the battles end before the attacker has come on"
    assert fought.lost >= 0.5 * (1 - solved_on("tundra").worth)


@SIDES
def test_an_agent_is_asked_in_the_positions_of_the_game(side: Side) -> None:
    names = {"attacker": ["ranger"], "defender": ["gargoyle"], "land": "tower", "attacker_seat": 0}
    batch = Batch(GAME, 20, reinforcement=False, **names)
    batch.seed(1)
    batch.start()
    laid, asked = Course(GAME, agents.load("random", GAME), solved_on("tower"), side, np.random.default_rng(0)), set()
    while not batch.over.all():
        for state in batch.states[~batch.over & (batch.masks.sum(axis=1) > 1)]:
            if state.battle.asked != side:
                continue
            fighters = state.battle.fighters[list(FIGHTERS)]
            node = np.array([[*fighters["hex"], *fighters["hits"]]], np.int64)
            again = laid._states(node, int(state.battle.rounds_begun), side, Ask(int(state.ask)))[0]
            again.decisions = state.decisions
            assert again.tobytes() == state.tobytes(), GAME.text.position_text(state)
            asked.add(int(state.ask))
        batch.step(batch.sample(), ~batch.over)
    assert asked >= {Ask.MANEUVER, Ask.GO} | ({Ask.STRIKE} if side == Side.ATTACKER else set())


def test_the_last_half_is_worth_what_the_turn_wins_when_all_that_can_happen_is_listed() -> None:
    solved = BestPlay(Duel("ranger", "ogre", "brush"))
    table = Table("brush", "ranger C3 1", "ogre C5 4", phase="maneuver", begun=7)
    table.states[0].battle.may_reinforce = 0
    state = table.states[0]
    place = [int(state.battle.fighters[who].hex) for who in FIGHTERS]
    worth = solved.begun[7, Side.ATTACKER][(*place, 1, 4)]
    assert 0.5 < worth < 0.99
    assert TurnSolver(GAME, state).value(state) == pytest.approx(worth)


def test_the_beginning_is_the_defenders_first_half() -> None:
    moment, place = BEGINNING
    assert solved_on("tower").worth == solved_on("tower").begun[moment][place]
    assert place[:2] == (OUTSIDE, OUTSIDE)


def test_the_duels_are_one_on_each_land_and_the_command_prints_what_they_are_worth(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [land for _, _, land, _ in MEASURED] == list(LAND_NAMES)
    monkeypatch.setattr("titan_env.games.titan_battle.solver.duel.DUELS", MEASURED[-1:])
    monkeypatch.setattr(sys, "argv", ["duel"])
    main()
    assert capsys.readouterr().out.splitlines()[2:] == [
        f"| ranger | gargoyle | tower | B | {solved_on('tower').worth:.4f} |"
    ]


def test_the_command_prints_what_agents_lose(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["duel", "ogre", "centaur", "--agents", "random", "greedy"])
    main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| agent | loses per battle | as attacker |")
    assert [line.split()[1] for line in lines[2:]] == ["greedy", "random"]
