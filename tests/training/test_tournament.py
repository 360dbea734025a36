"""Tournaments: the same table however they are played, nothing played twice; and a ladder that is checked."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.training.scripts import run
from titan_env import registry
from titan_env.records.replay import positions, read
from titan_env.training import arena, tournament
from titan_env.training.arena import LADDER, judge
from titan_env.training.fingerprints import fingerprint, sources
from titan_env.training.results import Results, Unit, header_of, units
from titan_env.training.tournament import play_unit, ratings

PIG, RACE = registry.load("pig"), registry.load("titan_race")
NAMES = ["random", "flat:20", "mcts:8"]


def lines_of(out: Path) -> list[dict[str, Any]]:
    """The results of a tournament, line by line."""
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]


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
    work = units(["c", "a", "b"], range(100, 110), 4, {("a", "c"): {103, 104}})
    for pair in (("a", "b"), ("a", "c"), ("b", "c")):
        played = [seed for unit in work if (unit.one, unit.other) == pair for seed in unit.seeds]
        assert played == [seed for seed in range(100, 110) if pair != ("a", "c") or seed not in (103, 104)]
    assert max(len(unit.seeds) for unit in work) == 4


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
    assert ratings(NAMES, forwards) == ratings(NAMES, Results(backwards, json.loads(header)))


def test_a_stronger_agent_has_the_higher_rating_and_intervals_hold_it(played: Path) -> None:
    results = Results(played / "results.jsonl", header_of(PIG, {}, NAMES))
    table = ratings(NAMES, results)
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


def test_other_units_and_more_blocks_play_only_what_is_missing(played: Path, tmp_path: Path) -> None:
    small = ["--game", "pig", "--processes", "1", "--out", str(tmp_path)]
    assert run(tournament.main, *NAMES[::-1], *small, "--blocks", "5", "--at-once", "5")[0] == 0
    few = (tmp_path / "table.md").read_text()
    assert run(tournament.main, *NAMES, *small, "--blocks", "12", "--at-once", "12")[0] == 0
    seeds = [seed for line in lines_of(tmp_path)[1:] for seed in line["seeds"]]
    assert sorted(seeds) == sorted(3 * [*range(12)])
    assert (tmp_path / "table.md").read_text() == (played / "table.md").read_text()
    assert run(tournament.main, *NAMES, *small, "--blocks", "5")[0] == 0
    assert (tmp_path / "table.md").read_text() == few


def test_whatever_a_kill_left_behind_the_same_command_goes_on(played: Path, tmp_path: Path) -> None:
    text = (played / "results.jsonl").read_text()
    for left in ("", text[:20], text[: text.index("\n") + 30], text[:-1]):
        (tmp_path / "results.jsonl").write_text(left)
        assert play(tmp_path)[0] == 0
        assert (tmp_path / "table.md").read_text() == (played / "table.md").read_text()
        assert len(lines_of(tmp_path)) == len(lines_of(played))


def test_agents_that_have_changed_do_not_go_on_with_the_results_of_the_old_ones(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "results.jsonl").write_text((played / "results.jsonl").read_text())
    monkeypatch.setattr("titan_env.training.results.fingerprint", lambda name, game: "0" * 12)
    for code, said in (play(tmp_path), run(arena.main, "--update", str(tmp_path), "--ladder", str(tmp_path / "new"))):
        assert code == 2
        assert "random, flat:20, mcts:8 has changed since" in said or "flat:20, mcts:8, random has changed" in said
    assert not (tmp_path / "new").exists()


def test_an_agent_is_made_of_all_that_it_imports_but_the_engine_and_the_rules() -> None:
    made = {name: {path.name for path in sources(name, RACE)} for name in ("random", "mcts:8", "expert")}
    assert made["random"] == {"uniform.py"}
    assert {"mcts.py", "planning.py", "tree.py", "worlds.py", "imagine.py"} <= made["mcts:8"]
    assert {"moves.py", "titan_race.py", "uniform.py"} <= made["expert"]
    assert not {"batch.py", "contract.py", "state.py"} & (made["mcts:8"] | made["expert"])
    assert sources("flat:8,prior=ppo@titan_race-v1", RACE)[-1].suffix == ".onnx"


def test_a_rating_from_a_few_blocks_that_all_went_the_same_way_is_no_certainty(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl", {"game": "pig_v0", "options": {}, "agents": {}})
    results.add(Unit("a", "b", (0, 1)), [1.0, 1.0], 0.1)
    best, worst = ratings(["a", "b"], results)
    assert worst.low < worst.points < worst.high
    assert best.high - best.low > 100


@pytest.mark.parametrize(("strengths", "blocks"), [((0, 590, 808), 64), ((0, 50, 100), 64), ((0, 590, 808), 1024)])
def test_intervals_of_ratings_hold_95_percent_of_simulated_ladders(
    tmp_path: Path, strengths: tuple[int, ...], blocks: int
) -> None:
    rng, names = np.random.default_rng(5), ["a", "b", "c"]
    true = dict(zip(names, strengths - np.mean(strengths), strict=True))
    results = Results(tmp_path / "results.jsonl", {"game": "pig_v0", "options": {}, "agents": {}})
    found = []
    for _ in range(400):
        for one, other in itertools.combinations(names, 2):
            chance = 1 / (1 + 10 ** ((true[other] - true[one]) / 400))
            results.shares[one, other] = dict(enumerate(rng.binomial(2, chance, blocks) / 2))
        found += ratings(names, results)
    held = np.mean([rating.low <= true[rating.name] <= rating.high for rating in found])
    assert 0.93 <= held <= 0.97
    for name in names:
        points = [rating.points for rating in found if rating.name == name]
        assert abs(np.mean(points) - true[name]) < max(3, 0.3 * np.std(points))


def test_ctrl_c_ends_a_tournament_at_once_and_it_goes_on(tmp_path: Path) -> None:
    small = ["--blocks", "400", "--at-once", "1", "--processes", "2", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "titan_env.training.tournament", "random", "flat:64", *small]
    running = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 300
    while not (tmp_path / "results.jsonl").exists() or len(lines_of(tmp_path)) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    assert "the same command goes on" in said
    assert len(lines_of(tmp_path)) < 401


def test_a_process_that_is_killed_is_one_clear_error() -> None:
    work = [Unit("flat:64", "random", (seed,)) for seed in range(400)]
    playing = tournament.on_cores("titan_race", work, {}, None, 2)
    next(playing)
    active_children()[0].kill()
    with pytest.raises(tournament.ProcessDied, match=r"one was killed .* the same command goes on"):
        list(playing)


def test_a_cluster_that_is_not_there_is_said_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> None:
        raise ConnectionError("nobody answers")

    for found, error in ((None, "expected ray"), (SimpleNamespace(init=refuse), "found none: nobody answers")):
        monkeypatch.setitem(sys.modules, "ray", found)
        code, said = play(tmp_path / "out", "--ray")
        assert (code, (tmp_path / "out").exists()) == (2, False)
        assert error in said


@pytest.mark.parametrize(
    ("more", "error"),
    [
        (["-o", "gaol=3"], "expected an option of Pig, got 'gaol'"),
        (["--out", "setup.cfg"], "setup.cfg"),
        (["--records", "setup.cfg"], "setup.cfg"),
    ],
)
def test_what_cannot_be_played_or_written_is_one_clear_error(tmp_path: Path, more: list[str], error: str) -> None:
    code, said = play(tmp_path / "out", *more)
    assert code == 2
    assert error in said


def test_one_agent_is_no_tournament() -> None:
    assert "expected two or more different agents" in run(tournament.main, "random", "--game", "pig")[1]


def test_a_ladder_holds_until_an_agent_or_a_result_changes(played: Path, tmp_path: Path) -> None:
    ladder = tmp_path / "LADDER.toml"
    code, said = run(arena.main, "--update", str(played), "--ladder", str(ladder), "--check")
    assert (code, said.count("exactly")) == (0, 3), said
    good = ladder.read_text()
    ladder.write_text(good.replace(fingerprint("random", PIG), "0" * 12))
    assert "random has changed" in run(arena.main, "--check", "--ladder", str(ladder))[1]
    pair = next(pair for pair in tomllib.loads(good)["pair"] if "random" in (pair["one"], pair["other"]))
    ladder.write_text(good.replace(pair["first_blocks"], " ".join(["0"] * 12)))
    code, said = run(arena.main, "--check", "--ladder", str(ladder))
    assert code == 1
    assert "the first 12 blocks gave 0.0%" in said
    ladder.write_text(good.replace("pig_v0", "pig_v1"))
    assert "the ladder is for pig_v1" in run(arena.main, "--check", "--ladder", str(ladder))[1]
    for damaged in (good[:100], good.replace("seconds = ", "minutes = "), good.replace('name = "', 'name = "not ')):
        ladder.write_text(damaged)
        assert run(arena.main, "--check", "--ladder", str(ladder))[0] == 2


def test_an_agent_that_was_rewritten_and_plays_as_before_keeps_its_rating(played: Path, tmp_path: Path) -> None:
    ladder = tmp_path / "LADDER.toml"
    arena.update([played], ladder)
    good = ladder.read_text()
    of_old = good.replace(fingerprint("random", PIG), "0" * 12)
    ladder.write_text(of_old)
    code, said = run(arena.main, "--rewritten", "--ladder", str(ladder))
    assert (code, ladder.read_text()) == (0, good), said
    assert "random: 24 blocks as they were" in said
    pair = next(pair for pair in tomllib.loads(good)["pair"] if "random" in (pair["one"], pair["other"]))
    other = of_old.replace(pair["first_blocks"], " ".join(["0"] * 12))
    ladder.write_text(other)
    code, said = run(arena.main, "--rewritten", "--ladder", str(ladder))
    assert (code, ladder.read_text()) == (1, other)
    assert f"{pair['one']} against {pair['other']}: " in said
    assert "blocks came out otherwise; play the ladder anew" in " ".join(said.split())


def test_a_ladder_is_written_from_a_finished_tournament_only(played: Path, tmp_path: Path) -> None:
    lines = (played / "results.jsonl").read_text().splitlines(keepends=True)
    header = json.loads(lines[0])
    half = [line for line in lines[1:] if json.loads(line)["one"] == "flat:20"]
    old = json.dumps({"game": "pig_v0", "options": {}}) + "\n"
    ladder = tmp_path / "LADDER.toml"
    ladder.write_text("as it was")
    for text, error in (
        ("", "found none"),
        ("{}\n", "found none"),
        (old, "found none"),
        (lines[0], "missing: flat:20 against mcts:8"),
        (lines[0] + "".join(half), "missing: mcts:8 against random"),
    ):
        (tmp_path / "results.jsonl").write_text(text)
        code, said = run(arena.main, "--update", str(tmp_path), "--ladder", str(ladder))
        assert code == 2
        assert error in said
        assert ladder.read_text() == "as it was"
    (tmp_path / "results.jsonl").write_text(
        json.dumps({**header, "options": {"limit": None}}) + "\n" + "".join(lines[1:])
    )
    assert "delete it" in run(arena.main, "--update", str(tmp_path), "--ladder", str(ladder))[1]
    ladder.unlink()
    assert run(arena.main, "--update", str(tmp_path), "--ladder", str(ladder))[0] == 0
    assert tomllib.loads(ladder.read_text())["options"] == {"limit": "none"}


def test_a_few_ties_that_fell_otherwise_are_within_chance() -> None:
    then = np.array([0.0, 1.0, 0.5, 0.5] * 16)
    now = then.copy()
    now[3] = 1.0
    assert judge(then, now).startswith("within chance")
    assert judge(then, np.ones(64)).startswith("no longer")


def test_a_unit_is_the_same_wherever_it_is_played() -> None:
    unit = Unit("random", "flat:8", (7, 8, 9))
    assert play_unit("pig", unit, {}) == play_unit("pig", unit, {})


def test_a_ladder_of_which_too_few_blocks_are_as_they_were_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, played: Path, tmp_path: Path
) -> None:
    def others(game: str, unit: Unit, options: dict[str, Any]) -> list[float]:
        return play_unit(game, replace(unit, seeds=tuple(seed + 5000 for seed in unit.seeds)), options)

    monkeypatch.setattr("titan_env.training.arena.play_unit", others)
    arena.update([played], tmp_path / "LADDER.toml")
    wrong = arena.check(tmp_path / "LADDER.toml", every=False, console=Console(quiet=True), seconds=20)
    for name in NAMES:
        assert any(re.match(rf"{name}: only \d+ of \d+ blocks are as they were, 90% should be", said) for said in wrong)


def test_a_check_takes_the_time_that_it_is_given_and_two_blocks_of_each_agent(
    monkeypatch: pytest.MonkeyPatch, played: Path, tmp_path: Path
) -> None:
    ladder = arena.ladder_of(played)
    ladder["pair"] = [{**pair, "seconds": 0.6} for pair in ladder["pair"]]
    path, asked, clock = tmp_path / "LADDER.toml", [], [0.0]
    path.write_text(arena.text_of(ladder))

    def again(game: str, pair: dict[str, Any], blocks: int, options: dict[str, Any]) -> Any:
        asked.append((pair["one"], pair["other"], blocks))
        clock[0] += 0.6 * blocks
        return np.ones(blocks), np.ones(blocks)

    monkeypatch.setattr(arena, "again", again)
    monkeypatch.setattr(arena, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    for seconds, blocks in ((0.0, [2, 2]), (10.0, [5, 5, 6]), (1000.0, [16, 16, 16])):
        asked.clear()
        assert not arena.check(path, every=False, console=Console(quiet=True), seconds=seconds)
        assert [number for _, _, number in asked] == blocks
        assert {name for one, other, _ in asked for name in (one, other)} == set(NAMES)


def test_ladders_of_other_tables_lie_beside_the_first_and_are_checked_with_it(played: Path, tmp_path: Path) -> None:
    lines = (played / "results.jsonl").read_text().splitlines(keepends=True)
    other = tmp_path / "other"
    other.mkdir()
    header = json.dumps({**json.loads(lines[0]), "options": {"players": 2}}) + "\n"
    (other / "results.jsonl").write_text(header + "".join(lines[1:]))
    path = tmp_path / "LADDER.toml"
    both = ["--update", str(played), "--update", str(other)]
    code, said = run(arena.main, *both, "--ladder", str(path), "--check")
    assert (code, said.count("exactly")) == (0, 6), said
    assert (tmp_path / "LADDER-players=2.toml").exists()
    assert "got two alike" in run(arena.main, *both, "--update", str(other), "--ladder", str(path))[1]
    told = arena.page([arena.read(file) for file in arena.every_ladder(path)])
    assert (told.count("\n## "), "## pig_v0, players=2" in told) == (2, True)
    first = path.read_text("utf-8")
    (tmp_path / "LADDER-players=2.toml").write_text(first.replace("[options]", "[options]\nplayers = 2"), "utf-8")
    assert run(arena.main, "--update", str(other), "--ladder", str(path))[0] == 0
    assert path.read_text("utf-8") == first, "what was not played again stays"
    assert arena.read(tmp_path / "LADDER-players=2.toml") == arena.ladder_of(other)


def test_ladders_of_other_games_lie_beside_the_first_under_their_names(played: Path) -> None:
    ladder = arena.ladder_of(played)
    assert arena.beside(Path("LADDER.toml"), ladder, "chess_v0").name == "LADDER-pig.toml"
    three = {**ladder, "options": {"players": 3}}
    assert arena.beside(Path("LADDER.toml"), three, "chess_v0").name == "LADDER-pig-players=3.toml"


def test_the_published_ladder_holds() -> None:
    wrong = arena.check(LADDER, every=False, console=Console(quiet=True), seconds=20)
    assert not wrong, "\n".join(wrong)


def test_every_game_of_a_tournament_can_be_written_down_and_replays(tmp_path: Path) -> None:
    assert play(tmp_path / "out", "--records", str(tmp_path / "records"))[0] == 0
    files = sorted((tmp_path / "records").glob("*/*.jsonl"))
    assert len(files) == 3 * 12 * 2
    for path in files[1::12]:  # killed while it was written
        path.write_text(path.read_text("utf-8").rpartition("\n{")[0] + "\n", "utf-8")
    for path in files[::5]:
        path.unlink()
    assert play(tmp_path / "out", "--records", str(tmp_path / "records"))[0] == 0
    assert sorted((tmp_path / "records").glob("*/*.jsonl")) == files
    for path in [*files[::12], *files[1::12]]:
        record = read(path)
        assert set(record.header["agents"]) <= set(NAMES)
        assert record.result is not None
        assert len(list(positions(record))) == len(record.decisions) + 1


def test_the_pages_of_ratings_are_made_from_the_ladder() -> None:
    ladder = arena.read(arena.LADDER)
    ladders = [arena.read(path) for path in arena.every_ladder(arena.LADDER)]
    assert arena.PAGE.read_text() == arena.page(ladders)
    readme = arena.README.read_text("utf-8")
    assert readme == arena.with_ratings(readme, ladder)
    with pytest.raises(ValueError, match="to write the ratings between them"):
        arena.with_ratings("# titan_env", ladder)
