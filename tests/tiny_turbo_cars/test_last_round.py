"""The last round of a race of two, whose exploitability a command prints."""

from __future__ import annotations

import sys

import pytest

from titan_env.games.tiny_turbo_cars.solver.last_round import LAST_ROUND, ROWS, last_round, main
from titan_env.play.outcomes import first_positions
from titan_env.play.sequence_form import SmallGame
from titan_env.registry import load

pytestmark = [pytest.mark.thorough, pytest.mark.compiled]


def test_both_controllers_are_dealt_and_both_cars_are_as_far_from_the_line() -> None:
    state = last_round(5)
    assert (state.drivers["controller"][:2] >= 0).all()
    assert (state.line - state.drivers["row"][:2] == ROWS).all()
    assert last_round(5) == state
    assert last_round(6) != state


def test_as_a_game_of_its_own_each_seat_has_one_of_four_controllers_whatever_the_other_one_has() -> None:
    odds, states = first_positions(LAST_ROUND, LAST_ROUND.rules.configure())
    assert odds == pytest.approx([1 / 16] * 16)
    own = [{controller.tobytes() for controller in states["drivers"]["controller"][:, seat]} for seat in (0, 1)]
    assert [len(controllers) for controllers in own] == [4, 4]


def test_deals_are_won_by_either_seat_and_drawn() -> None:
    values = {round(SmallGame(load("tiny_turbo_cars"), last_round(seed, slides=1)).solution[0], 6) for seed in range(8)}
    assert len(values) > 1


def test_the_command_prints_a_line_for_each_agent_the_best_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["last_round", "random", "greedy", "--deals", "8"])
    main()
    lines = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    lost = {line[0]: float(line[1]) for line in lines[2:]}
    assert 0 <= lost["greedy"] < lost["random"]
    assert [line[0] for line in lines[2:]] == ["greedy", "random"]


@pytest.mark.parametrize(
    ("arguments", "reason"), [("nobody", "expected an agent among"), ("greedy --deals 0", "1 or more")]
)
def test_what_cannot_be_measured_is_refused_in_one_line(
    arguments: str, reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["last_round", *arguments.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert reason in capsys.readouterr().err
