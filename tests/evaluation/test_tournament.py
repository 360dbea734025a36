"""Tournaments: the same table however they are played, nothing played twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.evaluation.small_tournament import NAMES, lines_of, play, results_of, write_results
from tests.games import game_with
from tests.training.scripts import run
from titan_env import agents, registry
from titan_env.cli.console import Stop
from titan_env.evaluation.matches.fingerprints import sources
from titan_env.evaluation.matches.mixed_tables import draw_tables
from titan_env.evaluation.ratings import ladder, tournament
from titan_env.evaluation.ratings.results import Results, Unit, header_of, units
from titan_env.evaluation.ratings.tournament import Table, play_unit
from titan_env.records.replay import positions, read

pytestmark = pytest.mark.thorough

PIG, RACE = registry.load("pig"), registry.load("titan_race")


def test_every_block_is_played_once() -> None:
    keys = list(enumerate(draw_tables(["c", "a", "b"], 2, 10, 100, "a"), 100))
    work = units(keys, 4, keys[3:5])
    assert [key for unit in work for key in unit.blocks] == keys[:3] + keys[5:]
    assert max(len(unit.blocks) for unit in work) == 4
    assert work[0].names == ["a", "b", "c"]


def test_a_tournament_writes_its_table_and_its_picture(played: Path) -> None:
    table = (played / "table.md").read_text()
    assert sum(line.startswith("|") for line in table.splitlines()) == 2 + len(NAMES)
    assert "| random | 0 |" in table, "the anchor"
    assert "The largest residual of the model: " in table
    assert "Nash average of the odds between pairs: " in table
    assert (played / "table.csv").read_text().startswith("agent,rating,low,high,wins,games")
    assert (played / "ratings.png").stat().st_size > 1000


def test_a_killed_tournament_goes_on_to_the_same_table(played: Path, tmp_path: Path) -> None:
    lines = (played / "results.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "results.jsonl").write_text("".join(lines[:4]) + lines[4][: len(lines[4]) // 2])
    assert play(tmp_path)[0] == 0
    assert (tmp_path / "table.md").read_text() == (played / "table.md").read_text()


def test_the_table_does_not_depend_on_the_order_of_the_results(played: Path) -> None:
    header, lines = results_of(played)
    backwards = played / "backwards"
    write_results(backwards, header, lines[::-1])
    forwards = Results(played / "results.jsonl", header).among(NAMES)
    assert forwards == Results(backwards / "results.jsonl", header).among(NAMES)


def test_a_stronger_agent_has_the_higher_rating_and_intervals_hold_it(played: Path) -> None:
    results = Results(played / "results.jsonl", header_of(PIG, {}, NAMES))
    table = Table.of(NAMES, results.among(NAMES), "random").ratings
    assert table[-1].name == "random"
    assert all(rating.low <= rating.points <= rating.high for rating in table)


def test_results_of_another_tournament_and_damaged_ones_are_refused(played: Path, tmp_path: Path) -> None:
    code, output = play(played, "--option", "goal=30")
    assert code == 2
    assert "those of another one" in output
    lines = (played / "results.jsonl").read_text().splitlines(keepends=True)
    for damaged in ("{damaged\n", lines[1].replace('"0 ', '"1 ')):
        (tmp_path / "results.jsonl").write_text(lines[0] + damaged + lines[2])
        code, output = play(tmp_path)
        assert code == 2
        assert "line 2 was changed" in " ".join(output.split())
    header, units = results_of(played)
    forged = json.loads(json.dumps(units[0]).replace('"0 ', '"5 ').replace('"1 ', '"5 '))
    write_results(tmp_path / "forged", header, [forged])
    code, output = play(tmp_path / "forged")
    assert (code, "is damaged in line 2" in " ".join(output.split())) == (2, True), output
    write_results(tmp_path / "pairs", {**header, "protocol": "pairs 1"}, units)
    code, output = play(tmp_path / "pairs")
    assert code == 2
    assert "expected results of 'mixed tables 1'" in output
    assert "got 'pairs 1'" in output


def test_other_units_and_more_blocks_play_only_what_is_missing(played: Path, tmp_path: Path) -> None:
    small = ["--game", "pig", "--processes", "1", "--out", str(tmp_path)]
    assert run(tournament.main, *NAMES[::-1], *small, "--blocks", "5", "--at-once", "5")[0] == 0
    few = (tmp_path / "table.md").read_text()
    assert run(tournament.main, *NAMES, *small, "--blocks", "12", "--at-once", "12")[0] == 0
    seeds = [seed for line in lines_of(tmp_path)[1:] for seed, *_ in line["blocks"]]
    assert sorted(seeds) == [*range(12 * 3 // 2)]
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
    monkeypatch.setattr("titan_env.evaluation.ratings.results.fingerprint", lambda name, game: "0" * 12)
    for code, output in (
        play(tmp_path),
        run(ladder.main, "--update", str(tmp_path), "--ladder", str(tmp_path / "new")),
    ):
        assert code == 2
        assert "random, flat:20, mcts:8 has changed since" in output or "flat:20, mcts:8, random has changed" in output
    assert not (tmp_path / "new").exists()


def test_an_agent_is_made_of_all_that_it_imports_but_the_engine_and_the_rules() -> None:
    made = {name: {path.name for path in sources(name, RACE)} for name in ("random", "mcts:8", "expert")}
    assert made["random"] == {"uniform.py", "best_actions.py"}
    assert {"mcts.py", "planning.py", "tree_search.py", "determinization.py", "imagine.py"} <= made["mcts:8"]
    assert {"action_values.py", "expert.py", "uniform.py"} <= made["expert"]
    assert not {"batch.py", "contract.py", "state.py"} & (made["mcts:8"] | made["expert"])
    assert sources("flat:8,prior=ppo@titan_race-v3", RACE)[-1].suffix == ".onnx"
    improved = {path.name for path in sources("improve:8,by=greedy", registry.load("titan_battle"))}
    assert {"improve.py", "greedy.py", "forecast.py", "forecast.npz"} <= improved


def test_an_agent_that_a_game_names_is_made_of_all_that_it_imports_but_the_engine_and_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    files = {
        "solo_agent.py": "import solo_part\nfrom solo_bag.inner import X\nfrom tests.games import pig\n",
        "solo_part.py": "import numpy\nfrom titan_env.agents.uniform import make\nNETWORK = 'solo.npz'\n",
        "solo.npz": "",
        "solo_stranger.npz": "",
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

    assert made("solo_agent") == {
        "solo_agent.py",
        "solo_part.py",
        "solo.npz",
        "inner.py",
        "uniform.py",
        "best_actions.py",
    }
    assert made("bag_of_mine.agent") == {"__init__.py", "agent.py", "part.py", "other.py", "further.py"}


def test_every_network_in_the_folder_of_a_game_is_part_of_an_agent() -> None:
    for game in (game for game in map(registry.load, registry.GAMES) if game.metadata.folder):
        planners = ["improve:8,by=greedy"] if game.metadata.position_values else []
        names = [*(game.metadata.agents.keys() - {"afterstate"}), *agents.shipped(game), *planners]
        made = {path for name in names for path in sources(name, game)}
        assert set(Path(game.metadata.folder).rglob("*.npz")) <= made, game.name


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_ends_a_tournament_after_the_units_under_way_or_at_once_and_it_goes_on(
    tmp_path: Path, times: int
) -> None:
    small = ["--blocks", "400", "--at-once", "1", "--processes", "2", "-o", "titans=2", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "titan_env.evaluation.ratings.tournament", "random", "flat:64", *small]
    running = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 300
    while not (tmp_path / "results.jsonl").exists() or len(lines_of(tmp_path)) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    for _ in range(times):
        os.killpg(running.pid, signal.SIGINT)
        time.sleep(0.1)
    _, output = running.communicate(timeout=60)
    assert running.returncode == 130, output
    assert "the same command goes on" in output
    assert len(lines_of(tmp_path)) < 401


def test_a_process_that_is_killed_is_one_clear_error() -> None:
    work = [Unit(((seed, ("flat:64", "random")),)) for seed in range(400)]
    playing = tournament.on_cores("titan_race", work, {"titans": 2}, None, 2, Stop())
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
        code, output = play(tmp_path / "out", "--ray")
        assert (code, (tmp_path / "out").exists()) == (2, False)
        assert error in output


@pytest.mark.parametrize(
    ("more", "error"),
    [
        (["-o", "gaol=3"], "expected an option of Pig, got 'gaol'"),
        (["--out", "setup.cfg"], "setup.cfg"),
        (["--records", "setup.cfg"], "setup.cfg"),
    ],
)
def test_what_cannot_be_played_or_written_is_one_clear_error(tmp_path: Path, more: list[str], error: str) -> None:
    code, output = play(tmp_path / "out", *more)
    assert code == 2
    assert error in output


def test_an_anchor_is_one_of_those_that_play(tmp_path: Path) -> None:
    code, output = play(tmp_path / "out", "--anchor", "expert")
    assert code == 2
    assert "expected --anchor with one of random, flat:20, mcts:8, got expert" in output


def test_one_agent_is_no_tournament() -> None:
    assert "expected two or more different agents" in run(tournament.main, "random", "--game", "pig")[1]


def test_a_unit_is_the_same_wherever_it_is_played() -> None:
    unit = Unit(tuple((seed, ("random", "flat:8")) for seed in (7, 8, 9)))
    assert play_unit("pig", unit, {}) == play_unit("pig", unit, {})


def test_every_game_of_a_tournament_can_be_written_down_and_replays(tmp_path: Path) -> None:
    assert play(tmp_path / "out", "--records", str(tmp_path / "records"))[0] == 0
    files = sorted((tmp_path / "records").glob("*/*.jsonl"))
    assert len(files) == 12 * 3 // 2 * 2
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
