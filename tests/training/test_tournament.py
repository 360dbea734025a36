"""Tournaments: the same table however they are played, nothing played twice; and a ladder that is checked."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from titan_env import registry
from titan_env.replay import positions, read
from training import arena, tournament
from training.arena import LADDER, fingerprint, judge
from training.tournament import Results, Unit, play_unit, ratings, units

PIG = registry.load("pig")
NAMES = ["random", "flat:20", "mcts:8"]


def run(main: object, *arguments: str) -> tuple[int, str]:
    """Exit code and output of a script."""
    app = typer.Typer()
    app.command()(main)  # type: ignore[type-var]
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, " ".join(done.output.split())


def play(out: Path, *more: str) -> tuple[int, str]:
    """A small tournament."""
    small = ["--game", "pig", "--blocks", "12", "--at-once", "4", "--processes", "1", "--out", str(out)]
    return run(tournament.main, *NAMES, *small, *more)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished tournament."""
    out = tmp_path_factory.mktemp("tournament")
    assert play(out)[0] == 0
    return out


def test_every_pair_plays_every_block_once() -> None:
    work = units(["a", "b", "c"], 10, 4, 100)
    for pair in (("a", "b"), ("a", "c"), ("b", "c")):
        mine = [unit for unit in work if (unit.one, unit.other) == pair]
        assert [seed for unit in mine for seed in range(unit.seed, unit.seed + unit.blocks)] == list(range(100, 110))


def test_a_tournament_writes_its_table_and_its_picture(played: Path) -> None:
    assert (played / "table.md").read_text().count("\n") == 2 + len(NAMES)
    assert (played / "table.csv").read_text().startswith("agent,rating,low,high")
    assert (played / "ratings.png").stat().st_size > 1000


def test_a_killed_tournament_goes_on_to_the_same_table(played: Path, tmp_path: Path) -> None:
    lines = (played / "results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_text("".join(lines[:4]) + lines[4][: len(lines[4]) // 2])
    assert play(tmp_path)[0] == 0
    assert (tmp_path / "table.md").read_text() == (played / "table.md").read_text()


def test_the_table_does_not_depend_on_the_order_of_the_results(played: Path) -> None:
    header, *lines = (played / "results.jsonl").read_text().splitlines()
    backwards = played / "backwards.jsonl"
    backwards.write_text("\n".join([header, *reversed(lines)]) + "\n")
    forwards = Results(played / "results.jsonl", json.loads(header))
    assert ratings(NAMES, forwards, 0) == ratings(NAMES, Results(backwards, json.loads(header)), 0)


def test_a_stronger_agent_has_the_higher_rating_and_intervals_hold_it(played: Path) -> None:
    results = Results(played / "results.jsonl", {"game": "pig_v0", "options": {}})
    table = ratings(NAMES, results, 0)
    assert table[-1].name == "random"
    assert all(rating.low <= rating.points <= rating.high for rating in table)


def test_results_of_another_tournament_and_damaged_ones_are_refused(played: Path, tmp_path: Path) -> None:
    code, said = play(played, "--option", "goal=30")
    assert code == 2
    assert "those of another one" in said
    lines = (played / "results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_text(lines[0] + "{damaged\n" + lines[2])
    code, said = play(tmp_path)
    assert code == 2
    assert "damaged in line 2" in said


def test_one_agent_is_no_tournament() -> None:
    assert "expected two or more different agents" in run(tournament.main, "random", "--game", "pig")[1]


def test_a_ladder_holds_until_an_agent_or_a_result_changes(played: Path, tmp_path: Path) -> None:
    ladder = tmp_path / "LADDER.toml"
    code, said = run(arena.main, "--update", str(played), "--ladder", str(ladder), "--check")
    assert (code, said.count("exactly")) == (0, 3), said
    good = ladder.read_text()
    ladder.write_text(good.replace(fingerprint("random", PIG), "0" * 12))
    assert "random has changed" in run(arena.main, "--check", "--ladder", str(ladder))[1]
    pair = tomllib.loads(good)["pair"][0]
    ladder.write_text(good.replace(pair["first_unit"], " ".join(["0"] * 4)))
    code, said = run(arena.main, "--check", "--ladder", str(ladder))
    assert code == 1
    assert "the first 4 blocks gave 0.0%" in said
    ladder.write_text(good.replace("pig_v0", "pig_v1"))
    assert "the ladder is for pig_v1" in run(arena.main, "--check", "--ladder", str(ladder))[1]
    ladder.write_text(good[:100])
    assert run(arena.main, "--check", "--ladder", str(ladder))[0] == 2


def test_a_few_ties_that_fell_otherwise_are_within_chance() -> None:
    then = np.array([0.0, 1.0, 0.5, 0.5] * 16)
    now = then.copy()
    now[3] = 1.0
    assert judge(then, now).startswith("within chance")
    assert judge(then, 1 - now).startswith("no longer")
    assert judge(then, np.ones(64)).startswith("no longer")


def test_a_unit_is_the_same_wherever_it_is_played() -> None:
    unit = Unit("random", "flat:8", 7, 3)
    assert play_unit("pig", unit, {}) == play_unit("pig", unit, {})


def test_the_published_ladder_holds() -> None:
    wrong = arena.check(LADDER, every=False, console=Console(quiet=True))
    assert not wrong, "\n".join(wrong)


def test_every_game_of_a_tournament_can_be_written_down_and_replays(tmp_path: Path) -> None:
    assert play(tmp_path / "out", "--records", str(tmp_path / "records"))[0] == 0
    files = sorted((tmp_path / "records").glob("*/*.jsonl"))
    assert len(files) == 3 * 12 * 2
    for path in files[::12]:
        record = read(path)
        assert set(record.header["agents"]) <= set(NAMES)
        assert record.result is not None
        assert len(list(positions(record))) == len(record.decisions) + 1


def test_the_pages_of_ratings_are_made_from_the_ladder() -> None:
    ladder = arena.read(arena.LADDER)
    assert arena.PAGE.read_text() == arena.page(ladder)
    readme = arena.README.read_text("utf-8")
    assert readme == arena.with_ratings(readme, ladder)
    with pytest.raises(ValueError, match="to write the ratings between them"):
        arena.with_ratings("# titan_env", ladder)
