"""Records: every game replays bit for bit without its seed, and what is wrong with a file is said with its line."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.games import frontier
from tests.records import lines_of, write
from titan_env import registry
from titan_env.contract import Game
from titan_env.contract.luck import MOST_ANSWERS
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.records.record_file import MOST_LINE
from titan_env.records.recorder import Recorder, hash_of
from titan_env.records.replay import BadRecord, positions, read, verify_chance
from titan_env.records.session import GameSession

pytestmark = pytest.mark.one_preset_per_seating


def record(path: Path, game: Game, options: dict[str, Any], seed: int = 1, most: int = 10_000) -> list[str]:
    """Write a random game down; the hash of each of its positions."""
    batch = Batch(game, 1, **options)
    batch.seed(seed)
    batch.start()
    about: dict[str, Any] = {"options": options, "agents": ["random"], "seed": seed}
    recorder = Recorder(path, game, batch.states[0], batch.luck[0], **about)
    hashes = [hash_of(game, batch.states[0])]
    while not batch.over[0] and len(hashes) <= most:
        action = batch.sample()
        recorder.decide(batch.states[0], int(action[0]))
        batch.step(action)
        recorder.happened(batch.states[0], batch.luck[0])
        hashes.append(hash_of(game, batch.states[0]))
    return hashes


def record_of_six(path: Path, game: Game) -> list[str]:
    """Write the first decisions of a random game down; the hash of each position. Some games are over too soon."""
    hashes = record(path, game, {}, most=6)
    if len(hashes) < 8:
        pytest.skip("a game of a few decisions")
    return hashes


def test_a_record_replays_bit_for_bit_without_its_seed(tmp_path: Path, game: Game, options: dict[str, Any]) -> None:
    hashes = record(tmp_path / "game.jsonl", game, options)
    lines = lines_of(tmp_path / "game.jsonl")
    lines[0]["seed"] = None
    again = read(write(tmp_path / "game.jsonl", lines))
    assert [hash_of(game, moment.state) for moment in positions(again)] == hashes
    assert again.result is not None
    assert again.result["decisions"] == len(hashes) - 1


def test_a_record_that_was_cut_off_keeps_every_whole_decision(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    hashes = record_of_six(path, game)
    text = path.read_text()
    path.write_text(text + text.splitlines()[-1][:25])
    cut = read(path)
    assert cut.result is None
    assert [hash_of(game, moment.state) for moment in positions(cut)] == hashes


def test_a_whole_last_line_is_kept_without_its_end(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    hashes = record(path, game, {})
    text = path.read_bytes()
    if len(hashes) < 4:
        pytest.skip("a game of a few decisions")
    for whole in (text[:-1], text.replace(b"\n", b"\r\n"), text.replace(b"\n", b"\r\n")[:-2]):
        path.write_bytes(whole)
        assert read(path).result is not None
        assert [hash_of(game, moment.state) for moment in positions(read(path))] == hashes
    path.write_bytes(b"\n".join(text.split(b"\n")[:4]))
    assert len(read(path).decisions) == 3


def test_blank_lines_that_an_editor_leaves_are_passed_over(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    hashes = record_of_six(path, game)
    header, *lines = path.read_text().splitlines(keepends=True)
    path.write_text("\n" + header + "\n" * 50 + " \n".join(lines) + "\n" * 20)
    assert [hash_of(game, moment.state) for moment in positions(read(path))] == hashes


def test_a_kill_within_a_letter_loses_that_line_only_and_one_amid_the_file_is_named(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record_of_six(path, game)
    text = path.read_bytes()
    path.write_bytes(text + '{"n":7,"say":"é'.encode()[:-1])
    assert len(read(path).decisions) == len(text.splitlines()) - 1
    lines = text.splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], b"\xc3\n", *lines[4:]]))
    with pytest.raises(BadRecord, match="line 4: expected text"):
        read(path)


def test_a_damaged_line_is_named(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record_of_six(path, game)
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
        ({"format": 3}, "line 1: expected format 2, got 3: made by a newer version, which can read it"),
        ({"format": 1}, "line 1: expected format 2, got 1: made by an older version, which can read it"),
        ({"format": None}, "line 1: expected the header of a record"),
        ({"format": 0}, "line 1: expected the header of a record, with its format, which is 2 here, got 0"),
        ({"format": True}, "line 1: expected the header of a record"),
        ({"agents": [1, None]}, "line 1: expected the names of agents"),
        ({"agents": ["greedy"] * 7}, "line 1: expected up to . agents, got 7"),
        ({"seed": "2"}, "line 1: expected a seed from 0 to"),
        ({"seed": [1]}, "line 1: expected a seed from 0 to"),
        ({"seed": -5}, "line 1: expected a seed from 0 to"),
        ({"game": "chess_v0"}, "line 1: expected the name of a game"),
        ({"game": "{name}_v99"}, "line 1: expected a record of .*its rules are not those here"),
        ({"chance": "dice"}, "line 1: expected 'chance' as list"),
        ({"chance": [-1]}, "line 1: expected answers of chance from 0 to 32767"),
        ({"chance": [True]}, "line 1: expected answers of chance from 0 to 32767"),
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


def test_an_answer_of_chance_is_one_of_those_that_it_could_give(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=12)
    lines = lines_of(path)
    answered = next((line for line in lines if line.get("chance")), {"chance": [0]})

    def refused(answer: int) -> str:
        answered["chance"] = [answer, *answered["chance"][1:]]
        write(path, lines)
        with pytest.raises(BadRecord, match=f"chance answered {answer}, expected 0 to") as error:
            list(positions(read(path)))
        return str(error.value)

    if answered in lines:
        most = int(refused(30_000).split()[-1])
        refused(most + 1)


def test_a_record_of_an_earlier_version_says_what_to_import_instead(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=3)
    header, *rest = lines_of(path)
    for version in range(game.metadata.version):
        write(path, [{**header, "game": f"{game.name}_v{version}"}, *rest])
        with pytest.raises(BadRecord, match=f"line 1: .*_v{version} is no more: .* import {game.id} instead"):
            list(positions(read(path)))


def test_the_first_decision_that_differs_is_named(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {})
    good = lines_of(path)
    if len(good) < 6:
        pytest.skip("a game of a few decisions")
    for change, complaint in (
        ({"hash": "0" * 12}, "line 4: decision 3, .*: leads to .*, to 000000000000 when it was played"),
        ({"action": "cheat"}, "line 4: decision 3, cheat: no such action"),
        ({"seat": 5}, "line 4: decision 3, .*: another seat is asked"),
        ({"chance": [*good[3]["chance"], 0]}, "line 4: decision 3, .*: chance was asked"),
    ):
        write(path, [*good[:3], {**good[3], **change}, *good[4:]])
        with pytest.raises(BadRecord, match=complaint):
            list(positions(read(path)))
    decisions = good[-1]["decisions"]
    for wrong in ({"won": []}, {"won": [won != 0 for won in good[-1]["won"]]}, {"decisions": float(decisions)}):
        write(path, [*good[:-1], {**good[-1], **wrong}])
        with pytest.raises(BadRecord, match=r"expected the result|decisions, got"):
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
        {"scores": {"e4": None}},
        {"visits": [3]},
        {"values": {"e4": float("nan")}},
        {"line": "e4"},
        {"line": [1]},
        {"line": ["e4"] * 9},
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


def test_every_line_is_part_of_the_chain(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {})
    good = lines_of(path)
    changes: list[tuple[int, str, Any]] = [(0, "agents", ["another"]), (0, "seed", 4)]
    changes += [(2, "say", "Checkmate."), (2, "value", 0.5), (3, "chain", "0" * 16), (3, "chain", None)]
    for number, name, value in [*changes, (len(good) - 1, "places", "nowhere")]:
        lines = [dict(line) for line in good]
        lines[number][name] = value
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        with pytest.raises(BadRecord, match=f"line {number + 1}: expected the chain .*: the line was changed"):
            read(path)
    path.write_text('{"format": 2, "agents": ["\\ud800"]}\n')
    with pytest.raises(BadRecord, match="line 1: expected a line of JSON"):
        read(path)


def test_chance_is_proven_by_the_seed(tmp_path: Path, game: Game, options: dict[str, Any]) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, options)
    verify_chance(read(path))
    header, *rest = lines_of(path)
    if not any(line.get("chance") for line in (header, *rest)):
        pytest.skip("chance has no part in this game")
    forged = read(write(path, [{**header, "seed": 4}, *rest]))
    list(positions(forged))
    with pytest.raises(BadRecord, match=r"chance answered .*, and answers .* with the seed 4"):
        verify_chance(forged)


def test_reading_takes_no_more_than_twice_the_size_of_a_file(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=3)
    header, first, *_ = lines_of(path)
    write(path, [header, *({**first, "n": n, "say": "so " * 60} for n in range(1, 2001))])
    read(path)
    tracemalloc.start()
    again = read(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2 * path.stat().st_size
    assert (len(again.decisions), again.decisions[-1]["n"], len(again.decisions[10:20])) == (2000, 2000, 10)


@pytest.mark.parametrize("text", ["x" * 50_000_000, "[" * 50_000_000, "\n" * 50_000_000], ids=["long", "deep", "empty"])
def test_lines_are_bounded(tmp_path: Path, game: Game, text: str) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=3)
    with path.open("a") as file:
        file.write(text)
    tracemalloc.start()
    with pytest.raises(BadRecord, match=r"line 5: expected a line of (at most|JSON)"):
        read(path)
    assert tracemalloc.get_traced_memory()[1] < 20 * MOST_LINE
    tracemalloc.stop()


def test_a_decision_is_told_in_the_words_of_the_game_whatever_the_file_says(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=3)
    lines = lines_of(path)
    forged = write(path, [*lines[:2], {**lines[2], "say": "Checkmate."}, *lines[3:]])
    sentences = [moment.decision["say"] for moment in positions(read(forged)) if moment.decision]
    assert sentences == [line["say"] for line in lines[1:] if "say" in line]


def test_an_illegal_decision_is_refused_with_the_rule(tmp_path: Path, game: Game) -> None:
    path = tmp_path / "game.jsonl"
    record(path, game, {}, most=3)
    lines = lines_of(path)
    start = next(positions(read(path))).state
    mask = np.zeros(len(game.rules.actions), np.int8)
    game.rules.legal(start, mask)
    for illegal in np.flatnonzero(mask == 0)[:1]:
        lines[1]["action"] = game.rules.actions.texts[illegal]
        with pytest.raises(BadRecord) as caught:
            list(positions(read(write(path, lines))))
        assert str(game.text.why_not(start, int(illegal))) in str(caught.value)


def test_many_answers_of_many_sides_are_recorded_and_replayed(tmp_path: Path) -> None:
    """Frontier asks chance more often in one step than usual, for up to 300 ducats; their sum is beyond 16 bits."""
    path, rng = tmp_path / "game.jsonl", np.random.default_rng(1)
    session = GameSession(GameSetup.of(frontier.GAME, {"players": 4}), 3, path, ["random"] * 4)
    answers = session.recorder.lines[0]["chance"]
    assert len(answers) > MOST_ANSWERS
    assert max(answers) > 127
    hashes = [hash_of(frontier.GAME, session.state)]
    while not session.is_over:
        session.play(int(rng.choice(np.flatnonzero(session.mask))))
        hashes.append(hash_of(frontier.GAME, session.state))
    replayed = list(positions(read(path)))
    assert [hash_of(frontier.GAME, step.state) for step in replayed] == hashes
    assert max(int(step.events[:, 3].max(initial=0)) for step in replayed) > 2**15


def test_a_record_with_more_answers_than_the_game_has_room_for_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session = GameSession(GameSetup.of(frontier.GAME, {}), 3, path, ["random"] * 3)
    session.play(0)
    lines = lines_of(path)
    lines[0]["chance"] += [0] * 128
    write(path, lines)
    with pytest.raises(BadRecord, match="line 1: expected at most 128 answers"):
        list(positions(read(path)))


def test_an_option_that_came_later_changes_no_hash_of_a_game_without_it() -> None:
    """A record's hashes are the same with and without the fields of an option that it does not use."""
    game = registry.load("tiny_turbo_cars")
    assert game.rules.later == ("podium",)
    hashes = []
    for podium in (False, True):
        batch = Batch(game, 1, podium=podium)
        batch.seed(1)
        batch.start()
        hashes.append(hash_of(game, batch.states[0]))
    assert hashes[0] == "fd01fd0fbdb3"
    assert hashes[1] != hashes[0]
