"""The published ladder: written from finished tournaments, and it holds until an agent or a result changes."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from tests.training.scripts import run
from tests.training.small_tournament import NAMES, lines_of
from titan_env import registry
from titan_env.evaluation import arena, tournament
from titan_env.evaluation.arena import LADDER, judge
from titan_env.evaluation.fingerprints import fingerprint
from titan_env.evaluation.results import Unit
from titan_env.evaluation.tournament import play_unit

PIG = registry.load("pig")


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
        assert not ladder.exists()
    (tmp_path / "results.jsonl").write_text(
        json.dumps({**header, "options": {"limit": None}}) + "\n" + "".join(lines[1:])
    )
    ladder.write_text("as it was")
    assert "delete it" in run(arena.main, "--update", str(tmp_path), "--ladder", str(ladder))[1]
    assert ladder.read_text() == "as it was"
    ladder.unlink()
    assert run(arena.main, "--update", str(tmp_path), "--ladder", str(ladder))[0] == 0
    assert tomllib.loads(ladder.read_text())["options"] == {"limit": "none"}


def test_an_agent_is_added_to_a_ladder_by_its_own_pairs(played: Path, tmp_path: Path) -> None:
    whole, grown, new = tmp_path / "whole.toml", tmp_path / "grown.toml", NAMES[-1]
    arena.update([played], whole)
    few = ["--game", "pig", "--processes", "1", "--blocks", "12"]
    assert run(tournament.main, *NAMES[:-1], *few, "--out", str(tmp_path / "before"))[0] == 0
    arena.update([tmp_path / "before"], grown)
    assert new not in grown.read_text()
    assert run(tournament.main, *NAMES, *few, "--only", new, "--out", str(tmp_path / "new"))[0] == 0
    assert len({(line["one"], line["other"]) for line in lines_of(tmp_path / "new")[1:]}) == len(NAMES) - 1
    arena.update([tmp_path / "new"], grown)
    one, other = (tomllib.loads(path.read_text()) for path in (grown, whole))
    assert one["agent"] == other["agent"]
    timed = {"seconds"}
    assert [{k: pair[k] for k in pair.keys() - timed} for pair in one["pair"]] == [
        {k: pair[k] for k in pair.keys() - timed} for pair in other["pair"]
    ]
    # A pair whose agents have changed since, or that does not say how its blocks spread, is to be played anew.
    good = grown.read_text()
    changed = fingerprint(NAMES[0], PIG)
    for outdated in (good.replace(changed, "0" * 12), good.replace("spread = ", "spreads = ")):
        grown.write_text(outdated)
        code, said = run(arena.main, "--update", str(tmp_path / "new"), "--ladder", str(grown))
        assert code == 2
        assert "in which every pair has played; missing:" in " ".join(said.split())
        assert grown.read_text() == outdated


def test_who_alone_shall_play_is_one_of_the_agents(tmp_path: Path) -> None:
    code, said = run(tournament.main, *NAMES, "--game", "pig", "--only", "greedy", "--out", str(tmp_path))
    assert code == 2
    assert f"expected --only with one of {', '.join(NAMES)}, got greedy" in " ".join(said.split())


def test_a_few_ties_that_fell_otherwise_are_within_chance() -> None:
    then = np.array([0.0, 1.0, 0.5, 0.5] * 16)
    now = then.copy()
    now[3] = 1.0
    assert judge(then, now).startswith("within chance")
    assert judge(then, np.ones(64)).startswith("no longer")


def test_a_ladder_of_which_too_few_blocks_are_as_they_were_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, played: Path, tmp_path: Path
) -> None:
    def others(game: str, unit: Unit, options: dict[str, Any]) -> list[float]:
        return play_unit(game, replace(unit, seeds=tuple(seed + 5000 for seed in unit.seeds)), options)

    monkeypatch.setattr("titan_env.evaluation.arena.play_unit", others)
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


def test_the_pages_of_ratings_are_made_from_the_ladder() -> None:
    ladder = arena.read(arena.LADDER)
    ladders = [arena.read(path) for path in arena.every_ladder(arena.LADDER)]
    assert arena.PAGE.read_text() == arena.page(ladders)
    readme = arena.README.read_text("utf-8")
    assert readme == arena.with_ratings(readme, ladder)
    with pytest.raises(ValueError, match="to write the ratings between them"):
        arena.with_ratings("# titan_env", ladder)
