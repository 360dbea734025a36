"""Thoughts that agents leave in records: their opinions of the best choices, bounded, and none of a forced move."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.contract.translation import use_language
from titan_env.engine.game_setup import GameSetup
from titan_env.play.opinions import LONGEST_LINE, MOST_CHOICES, Opinion
from titan_env.records.record_file import WEIGHED
from titan_env.records.replay import parse, positions
from titan_env.records.session import GameSession
from titan_env.records.thoughts import THOUGHTS, read_thoughts

RACE = registry.load("titan_race")
PIG = registry.load("pig")

LEFT_BY = {
    "greedy": {"scores"},
    "flat:16": {"visits", "values", "value"},
    "mcts:128": {"visits", "values", "value"},
    "rollout:2,prior=ppo@titan_race-v3": {"chances", "value"},
    "improve:2,by=greedy": {"visits", "values", "value"},
    "delegate:flat:16,shove=random": {"visits", "values", "value"},
    "random": set(),
}
"""Agent -> the thoughts that it leaves of each decision with a choice."""


def played(name: str, decisions: int) -> list[dict[str, Any]]:
    """The lines of the decisions of a race among agents of one kind; "forced" where there was no choice."""
    session = GameSession(GameSetup.of(RACE, {"titans": 2}), 3, None, [name] * 2)
    agent = agents.load(name, RACE)
    forced = []
    while len(forced) < decisions:
        forced.append(int(session.mask.sum()) == 1)
        session.decide(session.ask_agent(agent))
    return [{**line, "forced": alone} for line, alone in zip(session.recorder.lines[1:], forced, strict=True)]


@pytest.mark.thorough
@pytest.mark.parametrize("name", LEFT_BY)
def test_planners_and_agents_that_score_leave_what_they_found(name: str) -> None:
    lines = played(name, 24)
    free = [line for line in lines if not line["forced"]]
    assert free
    for line in free:
        assert LEFT_BY[name] <= set(line)
        assert all(len(line[kind]) <= MOST_CHOICES for kind in WEIGHED if kind in line)
        assert len(line.get("line", [])) <= LONGEST_LINE
    if name == "mcts:128":
        assert any("line" in line for line in free)
        assert all(line["line"][0] == line["action"] for line in free if "line" in line)


@pytest.mark.parametrize("name", ["greedy", "ppo@titan_race-v3", "mcts:4"])
def test_a_decision_without_a_choice_leaves_no_thought(name: str) -> None:
    forced = [line for line in played(name, 40) if line["forced"]]
    assert forced
    assert not any(set(THOUGHTS) & set(line) for line in forced)


def test_the_action_that_was_tried_most_is_the_one_that_a_tree_search_takes() -> None:
    for line in played("mcts:128", 12):
        if "visits" in line:
            assert line["say"] == max(line["visits"], key=line["visits"].__getitem__)


def test_an_opinion_keeps_the_best_choices_the_best_first() -> None:
    visits, values = np.arange(9), np.linspace(1, -1, 9)
    best = Opinion(np.arange(9), visits=visits, values=values, value=0.5, line=range(20)).best()
    assert best.actions.tolist() == [8, 7, 6, 5, 4, 3]
    assert best.visits is not None
    assert best.visits.tolist() == [8, 7, 6, 5, 4, 3]
    assert len(best.line) == LONGEST_LINE
    equal = Opinion(np.arange(3), visits=np.ones(3), values=np.array([0.1, np.nan, 0.4])).best()
    assert equal.actions.tolist() == [2, 0, 1]
    unscored = Opinion(np.arange(3), scores=np.array([np.nan, -np.inf, 1.0])).best()
    assert unscored.actions.tolist() == [2]


def test_a_record_with_thoughts_is_read_again_and_told_in_the_readers_language() -> None:
    session = GameSession(GameSetup.of(RACE, {"titans": 2}), 3, None, ["mcts:128", "greedy"])
    players = [agents.load(name, RACE) for name in ("mcts:128", "greedy")]
    for _ in range(12):
        session.decide(session.ask_agent(players[int(session.state.seat)]))
    moments = list(positions(parse(session.recorder.text)))
    steps = [(before, after.decision) for before, after in pairwise(moments) if after.decision]
    with_line = next((before, decision) for before, decision in steps if "line" in decision)
    thoughts = read_thoughts(RACE, with_line[0].states, with_line[1])
    assert thoughts["line"][0] == f"Player {with_line[1]['seat'] + 1}: {with_line[1]['say']}"
    with use_language("fr"):
        french = read_thoughts(RACE, with_line[0].states, with_line[1])
    assert french["line"][0].startswith("Joueur")
    assert list(french["visits"].values()) == list(thoughts["visits"].values())
    assert set(french["visits"]) != set(thoughts["visits"])


def test_a_line_of_play_of_a_damaged_record_ends_where_it_cannot_go_on() -> None:
    session = GameSession(GameSetup.of(PIG, {"goal": 20}), 1, None, ["random"] * 2)
    assert read_thoughts(PIG, session.states, {"line": ["roll", "no such action"]})["line"][1:] == []
