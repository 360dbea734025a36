"""A card becomes an entry after its blocks were played again, and only if anybody can play it again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluation.cards import change, run
from titan_env.contract import Game
from titan_env.evaluation.benchmark import benchmark, entries, rounds
from titan_env.evaluation.benchmark.entries import read_entries, stale_entries
from titan_env.evaluation.benchmark.result_cards import read_card
from titan_env.evaluation.matches.round_file import read_round
from tools.benchmark_page import FOLDER, NO_ENTRIES, entries_list

HOLDING = "def make(game):\n    return lambda seen, masks, rng: masks.argmax(axis=1)\n"


@pytest.fixture
def file(pig: Game, tmp_path: Path) -> Path:
    """A closed round with an agent that holds and one from a file, the folder of entries beside it."""
    path, agent = tmp_path / "round.json", tmp_path / "mine.py"
    agent.write_text(HOLDING, "utf-8")
    assert run(rounds.main, "open", str(path))[0] == 0
    assert run(rounds.main, "enter", str(path), "constant:hold", "--label", "holds")[0] == 0
    assert run(rounds.main, "enter", str(path), f"python:{agent}", "--label", "mine")[0] == 0
    assert run(rounds.main, "close", str(path))[0] == 0
    return path


def play(file: Path, agent: str, label: str, *given: str) -> Path:
    """Play the card of an entry."""
    card = file.with_name(f"{label}.json")
    code, text = run(benchmark.main, agent, "--label", label, "--round", str(file), "--out", str(card), *given)
    assert code == 0, text
    return card


def add(card: Path, file: Path, folder: Path) -> tuple[int, str]:
    """Run the command that adds a card."""
    code, text = run(entries.main, str(card), "--round", str(file), "--folder", str(folder), "--seed", "4")
    return code, " ".join(text.split())


def test_a_checked_card_of_a_round_is_added_and_listed(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "entries"
    assert entries_list(folder) == NO_ENTRIES
    code, text = add(play(file, "constant:hold", "holds"), file, folder)
    assert (code, "holds is added; 4 blocks drawn with --seed 4 came out as on the card" in text) == (0, True), text
    round_id = read_round(file).id
    assert sorted(path.name for path in folder.iterdir()) == ["holds.json", f"round-{round_id}.json"]
    assert f"| holds | {round_id} | pig | " in entries_list(folder)
    assert [*stale_entries(folder)] == []
    code, text = add(file.with_name("holds.json"), file, folder)
    assert (code, "expected a new file" in text) == (2, True), text


def test_what_the_policy_of_entries_refuses_is_said_in_one_line(file: Path, tmp_path: Path) -> None:
    folder, card = tmp_path / "entries", tmp_path / "public.json"
    assert run(benchmark.main, "constant:hold", "--label", "holds", "--out", str(card))[0] == 0
    code, text = add(card, file, folder)
    assert (code, "got one of the round none" in text) == (2, True), text
    change(card := play(file, "constant:hold", "holds"), lambda read: read.update(label="another"))
    code, text = add(card, file, folder)
    assert (code, "expected an entry of this round as it was entered (holds, mine), got another" in text) == (2, True)
    change(card, lambda read: (read.update(label="holds"), read["tasks"][0]["blocks"][0].__setitem__(1, [1.0, 1.0])))
    change(card, lambda read: [block.__setitem__(2, "0" * 12) for block in read["tasks"][1]["blocks"]])
    code, text = add(card, file, folder)
    assert (code, "pig_v0 three: 2 of the 2 blocks that were played again come out otherwise" in text) == (1, True)
    assert not folder.exists()


@pytest.mark.thorough
def test_an_agent_from_a_file_is_taken_with_its_file_and_noticed_when_that_changes(file: Path, tmp_path: Path) -> None:
    agent = tmp_path / "mine.py"
    card = play(file, f"python:{agent}", "mine")
    code, text = add(card, file, tmp_path / "entries")
    assert (code, f"put {agent} into {tmp_path / 'entries'}, or at a hub" in text) == (2, True), text
    code, text = add(card, file, tmp_path)
    assert (code, "expected a new file" in text) == (2, True), text
    moved = card.rename(tmp_path.parent / f"{tmp_path.name}.json")
    (tmp_path / "round.json").rename(tmp_path / f"round-{read_round(file).id}.json")
    code, text = add(moved, tmp_path / f"round-{read_card(moved).head.round}.json", tmp_path)
    assert code == 0, text
    assert [*stale_entries(tmp_path)] == []
    agent.write_text(HOLDING + "# changed\n", "utf-8")
    (stale,) = stale_entries(tmp_path)
    assert f"process:{agent} has changed" in stale


def test_every_published_entry_is_made_of_the_files_that_it_was_played_with() -> None:
    assert [*stale_entries(FOLDER)] == []
    assert bool(read_entries(FOLDER)) == (entries_list(FOLDER) != NO_ENTRIES)
