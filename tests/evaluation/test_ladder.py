"""The published ladder: written from finished tournaments, and it holds until an agent or a result changes."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomli_w
from rich.console import Console

from tests.evaluation.small_tournament import NAMES, lines_of, results_of, write_results
from tests.training.scripts import run
from titan_env import registry
from titan_env.evaluation.matches.fingerprints import fingerprint
from titan_env.evaluation.matches.mixed_tables import Block
from titan_env.evaluation.ratings import ladder as ladder_command
from titan_env.evaluation.ratings import tournament
from titan_env.evaluation.ratings.ladder import LADDER, judge
from titan_env.evaluation.ratings.ladder_file import ENTRIES, FORMAT, blocks_path, rated, texts_of
from titan_env.evaluation.ratings.results import Unit
from titan_env.evaluation.ratings.tournament import play_unit
from titan_env.records.sealed import digest_of, sealed

pytestmark = pytest.mark.thorough

PIG = registry.load("pig")


def page_of(path: Path) -> str:
    """Return the page of a ladder and those next to it."""
    ladders = map(ladder_command.read, ladder_command.every_ladder(path))
    return ladder_command.page([(ladder, list(blocks)) for ladder, blocks in ladders])


def write_sealed(path: Path, text: str, rows: str) -> None:
    """Write the two files of a ladder with seals that are right, whatever is in them."""
    ladder = {name: value for name, value in tomllib.loads(text).items() if name not in ("digest", "format", "count")}
    path.write_text(tomli_w.dumps(sealed({**ladder, "blocks": digest_of(rows)}, FORMAT, ENTRIES)))
    blocks_path(path).write_text(rows)


def test_a_ladder_holds_until_an_agent_or_a_result_changes(played: Path, tmp_path: Path) -> None:
    ladder = tmp_path / "LADDER.toml"
    code, output = run(ladder_command.main, "--update", str(played), "--ladder", str(ladder), "--check")
    assert (code, output.count("exactly")) == (0, 3), output
    assert "ratings computed again from 18 blocks, 18 of them played again" in output
    good, blocks = ladder.read_text(), blocks_path(ladder).read_text()
    write_sealed(ladder, good.replace(fingerprint("random", PIG), "0" * 12), blocks)
    assert "random has changed" in run(ladder_command.main, "--check", "--ladder", str(ladder))[1]
    write_sealed(ladder, good, re.sub(r",[01] [01],", ",0 0,", blocks))
    code, output = run(ladder_command.main, "--check", "--ladder", str(ladder))
    assert code == 1
    assert "blocks are as they were, 90% should be" in output
    write_sealed(ladder, good.replace("pig_v0", "pig_v1"), blocks)
    assert "the ladder is for pig_v1" in run(ladder_command.main, "--check", "--ladder", str(ladder))[1]
    write_sealed(ladder, good.replace("mixed tables 1", "pairs"), blocks)
    code, output = run(ladder_command.main, "--check", "--ladder", str(ladder))
    assert code == 2
    assert "its protocol is 'pairs', here it is 'mixed tables 1'" in output
    for damaged in (blocks.replace("winners", "victors"), blocks + "3,0 7,0 0,,1\n", blocks + "3,0 1,0 2,,1\n"):
        write_sealed(ladder, good, damaged)
        code, output = run(ladder_command.main, "--check", "--ladder", str(ladder))
        assert (code, "which is damaged" in " ".join(output.split())) == (2, True), output
    write_sealed(ladder, good, blocks)
    blocks_path(ladder).unlink()
    assert "found no" in run(ladder_command.main, "--check", "--ladder", str(ladder))[1]


def test_a_forged_ladder_does_not_hold(played: Path, tmp_path: Path) -> None:
    ladder = tmp_path / "LADDER.toml"
    ladder_command.update([played], ladder)
    good = ladder.read_text()
    rows, top = blocks_path(ladder).read_text(), ladder_command.read(ladder)[0]["agent"][0]
    for key, forged in (("rating", 450), ("low", top["low"] + 40), ("wins", 0.9), ("games", 1000)):
        write_sealed(ladder, good.replace(f"{key} = {top[key]}", f"{key} = {forged}", 1), rows)
        assert ladder.read_text() != good
        wrong = ladder_command.check(ladder, every=False, console=Console(quiet=True), seed=0, seconds=0)
        assert f"{top['name']}: its blocks give {key} {top[key]}, the ladder says {forged}" in wrong
    write_sealed(ladder, good.replace('anchor = "random"', 'anchor = "mcts:8"'), rows)
    wrong = ladder_command.check(ladder, every=False, console=Console(quiet=True), seed=0, seconds=0)
    assert "expected ratings over random, got mcts:8 as the anchor" in wrong


def test_an_agent_that_was_rewritten_and_plays_as_before_keeps_its_rating(played: Path, tmp_path: Path) -> None:
    ladder = tmp_path / "LADDER.toml"
    ladder_command.update([played], ladder)
    good, text = ladder.read_text(), blocks_path(ladder).read_text()
    write_sealed(ladder, good.replace(fingerprint("random", PIG), "0" * 12), text)
    of_old = ladder.read_text()
    code, output = run(ladder_command.main, "--rewritten", "--ladder", str(ladder))
    assert (code, ladder.read_text()) == (0, good), output
    assert "random: 12 blocks as they were" in output
    write_sealed(ladder, of_old, re.sub(r",[01] [01],", ",0 0,", text))
    of_old = ladder.read_text()
    code, output = run(ladder_command.main, "--rewritten", "--ladder", str(ladder))
    assert (code, ladder.read_text()) == (1, of_old)
    assert "blocks came out otherwise; play the ladder anew" in " ".join(output.split())


def test_a_ladder_is_written_from_a_finished_tournament_only(played: Path, tmp_path: Path) -> None:
    lines = (played / "results.jsonl").read_text().splitlines(keepends=True)
    header, units = results_of(played)
    old = json.dumps({"game": "pig_v0", "options": {}, "agents": {}}) + "\n"
    ladder = tmp_path / "LADDER.toml"
    for text, error in (
        ("", "found none"),
        ("{}\n", "line 1 was changed"),
        (old, "line 1 was changed"),
        (lines[0], "in which every agent has played; got no blocks of flat:20, mcts:8, random"),
    ):
        (tmp_path / "results.jsonl").write_text(text)
        code, output = run(ladder_command.main, "--update", str(tmp_path), "--ladder", str(ladder))
        assert code == 2
        assert error in output
        assert not ladder.exists()
    write_results(tmp_path, {**header, "options": {"limit": None}}, units)
    ladder.write_text("as it was")
    assert "delete it" in run(ladder_command.main, "--update", str(tmp_path), "--ladder", str(ladder))[1]
    assert ladder.read_text() == "as it was"
    ladder.unlink()
    assert run(ladder_command.main, "--update", str(tmp_path), "--ladder", str(ladder))[0] == 0
    assert tomllib.loads(ladder.read_text())["options"] == {"limit": "none"}


def test_an_agent_is_added_to_a_ladder_by_its_own_blocks(played: Path, tmp_path: Path) -> None:
    grown, new = tmp_path / "grown.toml", NAMES[-1]
    few = ["--game", "pig", "--processes", "1", "--blocks", "12"]
    assert run(tournament.main, *NAMES[:-1], *few, "--out", str(tmp_path / "before"))[0] == 0
    ladder_command.update([tmp_path / "before"], grown)
    assert new not in grown.read_text()
    before = ladder_command.read(grown)[1]
    more = ["--only", new, "--seed", "100", "--out", str(tmp_path / "new")]
    assert run(tournament.main, *NAMES, *few, *more)[0] == 0
    assert all(new in table for line in lines_of(tmp_path / "new")[1:] for _, table, *_ in line["blocks"])
    ladder_command.update([tmp_path / "new"], grown)
    ladder, after = ladder_command.read(grown)
    assert {agent["name"] for agent in ladder["agent"]} == set(NAMES)
    assert (len(before), len(after)) == (12, 24)
    assert set(before) < set(after)
    assert not ladder_command.check(grown, every=True, console=Console(quiet=True), seed=0)
    # A block of which an agent has changed since is not taken over.
    changed = grown.read_text().replace(fingerprint(NAMES[0], PIG), "0" * 12)
    write_sealed(grown, changed, blocks_path(grown).read_text())
    ladder_command.update([tmp_path / "new"], grown)
    assert len(ladder_command.read(grown)[1]) == 12 + sum(NAMES[0] not in b.agents for b in before)


def test_who_alone_shall_play_is_one_of_the_agents(tmp_path: Path) -> None:
    code, output = run(tournament.main, *NAMES, "--game", "pig", "--only", "greedy", "--out", str(tmp_path))
    assert code == 2
    assert f"expected --only with one of {', '.join(NAMES)}, got greedy" in " ".join(output.split())


def test_a_few_ties_that_fell_otherwise_are_within_chance() -> None:
    then = np.array([0.0, 1.0, 0.5, 0.5] * 16)
    now = then.copy()
    now[3] = 1.0
    assert judge(then, now).startswith("within chance")
    assert judge(then, np.ones(64)).startswith("no longer")


def test_a_ladder_of_which_too_few_blocks_are_as_they_were_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, played: Path, tmp_path: Path
) -> None:
    def others(game: str, unit: Unit, options: dict[str, Any]) -> list[Block]:
        blocks = play_unit(game, Unit(tuple((seed + 5000, table) for seed, table in unit.blocks)), options)
        return [replace(block, seed=block.seed - 5000) for block in blocks]

    monkeypatch.setattr("titan_env.evaluation.ratings.ladder.play_unit", others)
    ladder_command.update([played], tmp_path / "LADDER.toml")
    wrong = ladder_command.check(tmp_path / "LADDER.toml", every=False, console=Console(quiet=True), seed=0, seconds=8)
    for name in NAMES:
        assert any(
            re.match(rf"{name}: only \d+ of \d+ blocks are as they were, 90% should be", complaint)
            for complaint in wrong
        )


def test_the_blocks_of_a_check_are_drawn_by_its_seed_and_each_agent_sits_in_some(played: Path) -> None:
    _, timed = ladder_command.ladder_of(played)
    blocks = dict.fromkeys((replace(block, seed=18 * lap + block.seed) for lap in range(50) for block in timed), 0.5)
    drawn = ladder_command.draw_blocks(blocks, 1, 50.0)
    assert drawn == ladder_command.draw_blocks(blocks, 1, 50.0)
    assert len(set(drawn)) == len(drawn) == 100
    assert set(drawn) != set(ladder_command.draw_blocks(blocks, 2, 50.0))
    few = ladder_command.draw_blocks(blocks, 1, 0.0)
    assert all(sum(name in block.agents for block in few) >= ladder_command.FEWEST_EACH for name in NAMES)
    # A forger who writes down hours for the blocks that he has changed has them drawn all the same.
    forged = {block: 600.0 if block.seed < 450 else 0.0 for block in blocks}
    assert 0.3 < np.mean([block.seed < 450 for block in ladder_command.draw_blocks(forged, 1, 60000.0)]) < 0.7


def test_a_ladder_with_false_winners_is_refused_though_its_ratings_are_theirs(played: Path, tmp_path: Path) -> None:
    ladder, timed = ladder_command.ladder_of(played)
    path, made = tmp_path / "LADDER.toml", {agent["name"]: agent["hash"] for agent in ladder["agent"]}
    won = {block: " ".join(str(block.agents.index("random")) * 2) for block in timed if "random" in block.agents}
    lost = [block for block in won if won[block] != block.winners][:4]
    false = {block: replace(block, winners=won[block]) for block in lost}
    blocks = {false.get(block, block): seconds for block, seconds in timed.items()}
    forged = {**ladder, **rated(NAMES, list(blocks), made)}
    for file, text in texts_of(path, forged, blocks).items():
        file.write_text(text)
    for seed in range(3):
        wrong = ladder_command.check(path, every=False, console=Console(quiet=True), seed=seed)
        assert any(re.match(r"random: only \d+ of \d+ blocks are as they were", complaint) for complaint in wrong), (
            wrong
        )


def test_a_ladder_without_some_of_its_blocks_is_refused(played: Path, tmp_path: Path) -> None:
    ladder, timed = ladder_command.ladder_of(played)
    path, made = tmp_path / "LADDER.toml", {agent["name"]: agent["hash"] for agent in ladder["agent"]}
    kept = {block: seconds for block, seconds in timed.items() if block.seed not in (3, 4)}
    for file, text in texts_of(path, {**ladder, **rated(NAMES, list(kept), made)}, kept).items():
        file.write_text(text)
    (wrong,) = ladder_command.check(path, every=True, console=Console(quiet=True), seed=0)
    assert wrong.startswith("13 of 16 blocks (seeds from 5 to 17) are not at the tables that a tournament")


def test_ladders_of_other_tables_lie_beside_the_first_and_are_checked_with_it(played: Path, tmp_path: Path) -> None:
    header, units = results_of(played)
    other = tmp_path / "other"
    write_results(other, {**header, "options": {"players": 2}}, units)
    path = tmp_path / "LADDER.toml"
    both = ["--update", str(played), "--update", str(other)]
    code, output = run(ladder_command.main, *both, "--ladder", str(path), "--check")
    assert (code, output.count("exactly")) == (0, 6), output
    assert (tmp_path / "LADDER-players=2.toml").exists()
    assert "got two alike" in run(ladder_command.main, *both, "--update", str(other), "--ladder", str(path))[1]
    page = page_of(path)
    assert (page.count("\n## "), "## pig_v0, players=2" in page) == (2, True)
    first = path.read_text("utf-8")
    assert run(ladder_command.main, "--update", str(other), "--ladder", str(path))[0] == 0
    assert path.read_text("utf-8") == first, "what was not played again stays"
    assert ladder_command.read(tmp_path / "LADDER-players=2.toml")[0] == ladder_command.ladder_of(other)[0]


def test_ladders_of_other_games_lie_beside_the_first_under_their_names(played: Path) -> None:
    ladder, _ = ladder_command.ladder_of(played)
    assert ladder_command.beside(Path("LADDER.toml"), ladder, "chess_v0").name == "LADDER-pig.toml"
    three = {**ladder, "options": {"players": 3}}
    assert ladder_command.beside(Path("LADDER.toml"), three, "chess_v0").name == "LADDER-pig-players=3.toml"


def test_the_published_ladder_holds() -> None:
    wrong = ladder_command.check(LADDER, every=False, console=Console(quiet=True), seed=0, seconds=8)
    assert not wrong, "\n".join(wrong)


def test_the_pages_of_ratings_are_made_from_the_ladder() -> None:
    ladder, _ = ladder_command.read(ladder_command.LADDER)
    assert ladder_command.PAGE.read_text() == page_of(ladder_command.LADDER)
    readme = ladder_command.README.read_text("utf-8")
    assert readme == ladder_command.with_ratings(readme, ladder)
    with pytest.raises(ValueError, match="to write the ratings between them"):
        ladder_command.with_ratings("# titan_env", ladder)
