"""Championships: points by place add up over several games, equals share, and titles are rated."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pytest
import typer

from titan_env import registry
from titan_env.evaluation.matches.mixed_tables import Block
from titan_env.evaluation.ratings import championship
from titan_env.evaluation.ratings.championship import (
    Championships,
    game_points,
    play_championships,
    scale_of,
    setups_of,
)
from titan_env.records.journal import Journal, journal_of
from titan_env.records.replay import read

pytestmark = pytest.mark.thorough

ORCHARD, PIG = registry.load("orchard"), registry.load("pig")


def test_points_go_by_place_and_equals_share_those_of_their_places() -> None:
    block = Block(1, ("a", "b", "c"), "0 1 01", "132 211 113")
    assert game_points(block, np.array([10.0, 6, 1])).tolist() == [[10, 1, 6], [1, 8, 8], [8, 8, 1]]


def test_in_a_game_without_places_winners_share_the_first_points_and_the_others_the_rest() -> None:
    block = Block(1, ("a", "b", "c"), "0 12 -")
    assert game_points(block, np.array([10.0, 6, 1])).tolist() == [[10, 3.5, 3.5], [1, 8, 8], [17 / 3] * 3]


def test_the_most_points_of_all_games_win_the_title_and_equals_share_it() -> None:
    known = Championships([("a", "b", "c")], np.array([[[5.0, 9, 1], [7, 7, 1], [3, 3, 3]]]))
    assert known.titles().tolist() == [[[0, 1, 0], [0.5, 0.5, 0], [1 / 3] * 3]]
    assert known.mean_points("a") == 5


def test_everybody_sits_on_another_place_in_each_game_and_each_championship(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has the first seat wins: over three games everybody wins one, in each of three championships."""
    first_seat = Block(0, ("a", "b", "c"), "0 2 1")
    monkeypatch.setattr(championship, "play_tables", lambda setup, tables, *_: [first_seat for _ in tables])
    scale = np.array([3.0, 0, 0])
    known = play_championships(setups_of(ORCHARD, [{"players": 3}] * 3), ["a", "b", "c"], scale, 2, 0)
    assert (known.points == 3).all()


def test_games_are_played_recorded_and_rated_and_the_same_seed_gives_the_same_table(tmp_path: Path) -> None:
    games = [{"players": 2, "rounds": rounds} for rounds in (2, 4)]
    played = [
        play_championships(setups_of(ORCHARD, games), ["random", "constant:pick"], scale_of(None, 2), 4, 5, folder)
        for folder in (tmp_path / "records", None)
    ]
    np.testing.assert_array_equal(played[0].points, played[1].points)
    assert played[0].points.sum(axis=2).tolist() == [[2, 2]] * 4, "a point for each side that was beaten"
    assert {rating.name for rating in played[0].ratings(["random", "constant:pick"])} == {"random", "constant:pick"}
    kept = sorted((tmp_path / "records").rglob("*.jsonl"))
    assert len(kept) == 2 * 2 * 4
    assert {read(path).header["options"]["rounds"] for path in kept} == {2, 4}


def test_the_command_prints_and_writes_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "table.md"
    names = ["random", "constant:roll", "constant:hold"]
    games = {"game": "pig", "option": ["players=3"], "over": ["goal=10,20"], "rounds": 2}
    championship.main(names=names, **games, points="5,2,1", blocks=2, out=out)
    assert out.read_text("utf-8") in capsys.readouterr().out
    assert "4 games each, points by place 5, 2, 1" in out.read_text("utf-8")


@pytest.mark.parametrize("what", [signal.SIGINT, signal.SIGTERM])
def test_a_championship_that_was_stopped_goes_on_where_it_was(
    what: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = {"names": ["random", "constant:hold"], "game": "pig", "over": ["goal=10,20"], "blocks": 4}
    championship.main(**command, out=tmp_path / "whole.md")
    add, out = Journal.add, tmp_path / "table.md"

    def stopped(journal: Journal, line: dict[str, object]) -> None:
        os.kill(os.getpid(), what)
        add(journal, line)

    monkeypatch.setattr(Journal, "add", stopped)
    with pytest.raises(typer.Exit) as done:
        championship.main(**command, out=out)
    monkeypatch.undo()
    assert done.value.exit_code == 128 + what
    assert "the same command goes on" in capsys.readouterr().err
    assert len(Journal(journal_of(out), "games").lines) == 1
    championship.main(**command, out=out)
    parts, whole = (path.read_text("utf-8").rpartition("```")[2] for path in (out, tmp_path / "whole.md"))
    assert parts == whole
    assert not journal_of(out).exists()


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ("5,2", "expected points of 3 places, none more than the place before it, got '5,2'"),
        ("1,2,3", "none more than the place before it"),
        ("five", "expected points by place such as 10,6,3,1, got 'five'"),
    ],
)
def test_points_that_fit_no_table_are_refused(points: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        scale_of(points, 3)


def test_games_of_different_tables_make_no_championship() -> None:
    with pytest.raises(ValueError, match="expected games with the same number of sides, got 2, 3"):
        setups_of(PIG, [{"players": 2}, {"players": 3}])
