"""Records: every game replays bit for bit without its seed, and what is wrong with a file is said with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env.batch import Batch
from titan_env.contract import Game
from titan_env.replay import BadRecord, Recorder, hash_of, positions, read


def record(path: Path, game: Game, options: dict[str, Any], seed: int = 3, most: int = 10_000) -> list[str]:
    """Write a random game down; the hash of each of its positions."""
    batch = Batch(game, 1, **options)
    batch.seed(seed)
    batch.start()
    about: dict[str, Any] = {"options": options, "agents": ["random"], "seed": seed}
    recorder = Recorder(path, game, batch.states[0], batch.luck[0], **about)
    hashes = [hash_of(batch.states[0])]
    while not batch.over[0] and len(hashes) <= most:
        action = batch.sample()
        recorder.decide(batch.states[0], int(action[0]))
        batch.step(action)
        recorder.happened(batch.states[0], batch.luck[0])
        hashes.append(hash_of(batch.states[0]))
    return hashes


def lines_of(path: Path) -> list[Any]:
    """The lines of a record as objects."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path: Path, lines: list[Any]) -> Path:
    """A record of these objects."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_record_replays_bit_for_bit_without_its_seed(tmp_path: Path, game: Game, options: dict[str, Any]) -> None:
    hashes = record(tmp_path / "game.jsonl", game, options)
    lines = lines_of(tmp_path / "game.jsonl")
    lines[0]["seed"] = None
    again = read(write(tmp_path / "game.jsonl", lines))
    assert [hash_of(moment.state) for moment in positions(again)] == hashes
    assert again.result is not None
    assert again.result["decisions"] == len(hashes) - 1


def test_a_record_that_was_cut_off_keeps_every_whole_decision(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    hashes = record(path, game, {}, most=6)
    text = path.read_text()
    path.write_text(text + text.splitlines()[-1][:25])
    cut = read(path)
    assert cut.result is None
    assert [hash_of(moment.state) for moment in positions(cut)] == hashes


def test_a_whole_last_line_is_kept_without_its_end(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    hashes = record(path, game, {})
    text = path.read_bytes()
    for whole in (text[:-1], text.replace(b"\n", b"\r\n"), text.replace(b"\n", b"\r\n")[:-2]):
        path.write_bytes(whole)
        assert read(path).result is not None
        assert [hash_of(moment.state) for moment in positions(read(path))] == hashes
    path.write_bytes(b"\n".join(text.split(b"\n")[:4]))
    assert len(read(path).decisions) == 3


def test_a_kill_within_a_letter_loses_that_line_only_and_one_amid_the_file_is_named(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=6)
    text = path.read_bytes()
    path.write_bytes(text + '{"n":7,"say":"é'.encode()[:-1])
    assert len(read(path).decisions) == len(text.splitlines()) - 1
    lines = text.splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"\xc3\n", *lines[4:]]))
    with pytest.raises(BadRecord, match="line 4: expected text"):
        read(path)


def test_a_damaged_line_is_named(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=6)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], lines[3][:-10], *lines[4:]]) + "\n")
    with pytest.raises(BadRecord, match="line 4: expected a line of JSON"):
        read(path)
    path.write_text("\n".join([*lines[:3], *lines[4:]]) + "\n")
    with pytest.raises(BadRecord, match="line 4: expected decision 3, got 4: lines are gone"):
        read(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadRecord, match="line 1: expected text"):
        read(path)
    path.write_text("")
    with pytest.raises(BadRecord, match="line 1: expected a line of JSON"):
        read(path)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": 2}, "line 1: expected format 1 or older, got 2: made by a newer version"),
        ({"format": None}, "line 1: expected the header of a record"),
        ({"format": 0}, "line 1: expected the header of a record, with its format from 1 to 1, got 0"),
        ({"format": True}, "line 1: expected the header of a record"),
        ({"agents": [1, None]}, "line 1: expected the names of agents"),
        ({"agents": ["greedy"] * 7}, "line 1: expected up to . agents, got 7"),
        ({"agents": ["\ud800"]}, "line 1: expected a line of JSON"),
        ({"game": "chess_v0"}, "line 1: expected the name of a game"),
        ({"game": "{name}_v99"}, "line 1: expected a record of .*its rules are not those here"),
        ({"chance": "dice"}, "line 1: expected 'chance' as list"),
        ({"chance": [-1]}, "line 1: expected answers of chance from 0 to 127"),
        ({"options": {"luck": 1}}, "line 1: expected options of"),
        ({"hash": "0" * 12}, "line 1: the start: leads to"),
    ],
)
def test_a_header_that_cannot_be_replayed_is_refused(
    tmp_path: Path, game: Game, change: dict[str, Any], complaint: str
) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=3)
    header, *rest = lines_of(path)
    changed = {key: value.format(name=game.name) if key == "game" else value for key, value in change.items()}
    write(path, [{**header, **changed}, *rest])
    with pytest.raises(BadRecord, match=complaint):
        list(positions(read(path)))


def test_the_first_decision_that_differs_is_named(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {})
    good = lines_of(path)
    for change, complaint in (
        ({"hash": "0" * 12}, "line 4: decision 3, .*: leads to .*, to 000000000000 when it was played"),
        ({"action": "cheat"}, "line 4: decision 3, cheat: no such action"),
        ({"seat": 5}, "line 4: decision 3, .*: another seat is asked"),
        ({"chance": [*good[3]["chance"], 0]}, "line 4: decision 3, .*: chance was asked"),
    ):
        write(path, [*good[:3], {**good[3], **change}, *good[4:]])
        with pytest.raises(BadRecord, match=complaint):
            list(positions(read(path)))
    write(path, [*good[:-1], {**good[-1], "won": []}])
    with pytest.raises(BadRecord, match="expected the result"):
        list(positions(read(path)))


@pytest.mark.parametrize(
    "thought",
    [
        {"value": float("inf")},
        {"value": float("nan")},
        {"value": 10**400},
        {"value": "1"},
        {"value": True},
        {"value": None},
        {"chances": None},
        {"chances": [0.5]},
        {"chances": {"e4": "0.5"}},
        {"chances": {"e4": 1.5}},
        {"chances": {"e4": float("nan")}},
        {"chances": {str(number): 0.0 for number in range(1000)}},
    ],
    ids=lambda thought: str(thought)[:30],
)
def test_thoughts_that_cannot_be_drawn_are_refused(tmp_path: Path, game: Game, thought: dict[str, Any]) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=3)
    lines = lines_of(path)
    write(path, [*lines[:2], {**lines[2], **thought}, *lines[3:]])
    with pytest.raises(BadRecord, match=f"line 3: expected '{next(iter(thought))}' .{{1,400}}$"):
        read(path)


def test_a_file_that_would_be_nested_too_deep_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("[" * 100_000)
    with pytest.raises(BadRecord, match="line 1: expected a line of JSON"):
        read(path)


def test_a_decision_is_told_in_the_words_of_the_game_whatever_the_file_says(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=3)
    lines = lines_of(path)
    forged = write(path, [*lines[:2], {**lines[2], "say": "Checkmate."}, *lines[3:]])
    told = [moment.decision["say"] for moment in positions(read(forged)) if moment.decision]
    assert told == [line["say"] for line in lines[1:] if "say" in line]


def test_an_illegal_decision_is_refused_with_the_rule(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=3)
    lines = lines_of(path)
    start = next(positions(read(path))).state
    mask = np.zeros(len(game.actions), np.int8)
    game.legal(start, mask)
    for illegal in np.flatnonzero(mask == 0)[:1]:
        lines[1]["action"] = game.actions.texts[illegal]
        with pytest.raises(BadRecord) as caught:
            list(positions(read(write(path, lines))))
        assert str(game.why_not(start, int(illegal))) in str(caught.value)
