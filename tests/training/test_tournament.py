"""Tournaments: the same table however they are played, nothing played twice."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.games import game_with
from tests.training.scripts import run
from tests.training.small_tournament import NAMES, lines_of, play
from titan_env import registry
from titan_env.evaluation import arena, tournament
from titan_env.evaluation.fingerprints import sources
from titan_env.evaluation.results import Results, Unit, header_of, units
from titan_env.evaluation.tournament import play_unit, ratings
from titan_env.records.replay import positions, read

PIG, RACE = registry.load("pig"), registry.load("titan_race")


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
    assert ratings(NAMES, forwards.outcomes()) == ratings(NAMES, Results(backwards, json.loads(header)).outcomes())


def test_a_stronger_agent_has_the_higher_rating_and_intervals_hold_it(played: Path) -> None:
    results = Results(played / "results.jsonl", header_of(PIG, {}, NAMES))
    table = ratings(NAMES, results.outcomes())
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
    monkeypatch.setattr("titan_env.evaluation.results.fingerprint", lambda name, game: "0" * 12)
    for code, said in (play(tmp_path), run(arena.main, "--update", str(tmp_path), "--ladder", str(tmp_path / "new"))):
        assert code == 2
        assert "random, flat:20, mcts:8 has changed since" in said or "flat:20, mcts:8, random has changed" in said
    assert not (tmp_path / "new").exists()


def test_an_agent_is_made_of_all_that_it_imports_but_the_engine_and_the_rules() -> None:
    made = {name: {path.name for path in sources(name, RACE)} for name in ("random", "mcts:8", "expert")}
    assert made["random"] == {"uniform.py"}
    assert {"mcts.py", "planning.py", "tree.py", "worlds.py", "imagine.py"} <= made["mcts:8"]
    assert {"deeds.py", "expert.py", "uniform.py"} <= made["expert"]
    assert not {"batch.py", "contract.py", "state.py"} & (made["mcts:8"] | made["expert"])
    assert sources("flat:8,prior=ppo@titan_race-v1", RACE)[-1].suffix == ".onnx"


def test_an_agent_that_a_game_names_is_made_of_all_that_it_imports_but_the_engine_and_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    files = {
        "solo_agent.py": "import solo_part\nfrom solo_bag.inner import X\nfrom tests.games import pig\n",
        "solo_part.py": "import numpy\nfrom titan_env.agents.uniform import make\n",
        "solo_stranger.py": "",
        "solo_bag/__init__.py": "",
        "solo_bag/inner.py": "X = 1\n",
        "bag_of_mine/__init__.py": "",
        "bag_of_mine/agent.py": "from .deep import part\nfrom bag_of_mine import other\nimport titan_env.engine\n",
        "bag_of_mine/other.py": "",
        "bag_of_mine/stranger.py": "",
        "bag_of_mine/deep/__init__.py": "",
        "bag_of_mine/deep/part.py": "from ..further import Y\n",
        "bag_of_mine/further.py": "Y = 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text + "def make(game):\n    return None\n")

    def made(module: str) -> set[str]:
        own = game_with(PIG, agents={"careful": f"{module}:make"})
        return {path.name for path in sources("careful", own)}

    assert made("solo_agent") == {"solo_agent.py", "solo_part.py", "inner.py", "uniform.py"}
    assert made("bag_of_mine.agent") == {"__init__.py", "agent.py", "part.py", "other.py", "further.py"}


def test_a_rating_from_a_few_blocks_that_all_went_the_same_way_is_no_certainty(tmp_path: Path) -> None:
    results = Results(tmp_path / "results.jsonl", {"game": "pig_v0", "options": {}, "agents": {}})
    results.add(Unit("a", "b", (0, 1)), [1.0, 1.0], 0.1)
    best, worst = ratings(["a", "b"], results.outcomes())
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
        found += ratings(names, results.outcomes())
    held = np.mean([rating.low <= true[rating.name] <= rating.high for rating in found])
    assert 0.93 <= held <= 0.97
    for name in names:
        points = [rating.points for rating in found if rating.name == name]
        assert abs(np.mean(points) - true[name]) < max(3, 0.3 * np.std(points))


def test_ctrl_c_ends_a_tournament_at_once_and_it_goes_on(tmp_path: Path) -> None:
    small = ["--blocks", "400", "--at-once", "1", "--processes", "2", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "titan_env.evaluation.tournament", "random", "flat:64", *small]
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


def test_a_unit_is_the_same_wherever_it_is_played() -> None:
    unit = Unit("random", "flat:8", (7, 8, 9))
    assert play_unit("pig", unit, {}) == play_unit("pig", unit, {})


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
