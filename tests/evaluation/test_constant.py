"""The best constant policy of a game is found and measured: what presses one button wins so much."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.evaluate import compare
from titan_env.evaluation.reports import constant

pytestmark = pytest.mark.thorough

PIG = registry.load("pig")


def test_it_plays_its_action_wherever_that_is_legal_and_elsewhere_any(game: Game) -> None:
    action = len(game.rules.actions) - 1
    act = agents.load(constant.name_of(game.rules.actions.texts[action]), game)
    masks = np.ones((64, len(game.rules.actions)), np.int8)
    masks[32:, action] = 0
    chosen = act(np.zeros((64, game.rules.fields.size), np.float32), masks, np.random.default_rng(0))
    assert (chosen[:32] == action).all()
    assert masks[np.arange(64), chosen].all()


def test_an_action_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"expected the text of an action, got 'rol'; there are: .*did you mean roll"):
        agents.load("constant:rol", PIG)


def test_every_action_is_tried_and_the_best_one_is_first() -> None:
    ranked = constant.rank_actions(GameSetup.of(PIG, {"players": 2}), "random", 0, 32)
    assert {action for action, _ in ranked} == set(PIG.rules.actions.texts)
    assert ranked[0][1].rate >= ranked[1][1].rate
    assert all(known.games == 64 for _, known in ranked)


def test_the_best_one_is_measured_on_seeds_on_which_nobody_tried_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    began: list[tuple[Any, ...]] = []

    def noted(*given: Any, **named: Any) -> Any:
        began.append(given[1:4])
        return compare(*given, **named)

    monkeypatch.setattr(constant, "compare", noted)
    out = tmp_path / "constant.md"
    constant.main(
        game="pig", others=["random", "constant:roll"], option=["players=2"], trial=8, blocks=8, seed=5, out=out
    )
    assert [seed for *_, seed in began] == [5, 5, 13, 13]
    assert out.read_text("utf-8") in capsys.readouterr().out
    assert "| `constant:roll` |" in out.read_text("utf-8")
