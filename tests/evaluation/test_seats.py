"""How often an agent wins in each seat, beside an equal one in the same games."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.test_evaluate import PIG, first, steady
from tests.training import scripts
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.reports import seats

pytestmark = pytest.mark.thorough

run = partial(scripts.run, seats.main)
LONG = GameSetup.of(PIG, {"limit": 200})


def test_an_agent_that_meets_itself_gains_nothing_in_either_seat() -> None:
    played = seats.play_seats(LONG, [steady, steady], [steady, steady], 6, 0)
    assert played.one.shape == played.equal.shape == (6, 2)
    assert (played.one == played.equal).all()


def test_seats_are_told_apart() -> None:
    played = seats.play_seats(LONG, [steady, first], [first, first], 6, 0)
    other = seats.play_seats(LONG, [first, steady], [steady, steady], 6, 0)
    decided = played.one.sum(axis=1) + other.one.sum(axis=1) == 2
    assert (played.one[decided, 0] == 1 - other.one[decided, 1]).all()


def test_the_interval_is_two_standard_errors() -> None:
    mean = seats.MeanInterval(np.array([0.0, 1.0, 1.0, 1.0]))
    assert mean.rate == 0.75
    assert mean.half_width == pytest.approx(1.96 * 0.5 / 2, abs=1e-3)


def test_it_writes_a_line_for_each_value_and_the_command_that_made_it(tmp_path: Path) -> None:
    out = tmp_path / "seats.md"
    code, output = run(
        "random", "random", "--game", "pig", "--over", "limit=100,200", "--blocks", "4", "--out", str(out)
    )
    assert code == 0, output
    text = out.read_text("utf-8")
    assert "python -m titan_env.evaluation.reports.seats" in text
    assert [line.split(" | ")[0] for line in text.splitlines()[-3:]] == ["| limit=100", "| limit=200", "| all"]
    code, output = run("random", "random", "--game", "pig", "--out", str(out))
    assert code == 2
    assert "expected a new file" in output
