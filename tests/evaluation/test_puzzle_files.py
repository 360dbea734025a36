"""Files of puzzles: damage is told, and the published ones are worth what a second implementation says."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.plain_turn_search import brute, sequences
from tests.training import scripts
from titan_env import registry
from titan_env.contract import Game
from titan_env.evaluation.puzzles import puzzles
from titan_env.evaluation.puzzles.puzzle_files import FORMAT, Puzzle, read
from titan_env.evaluation.puzzles.puzzle_making import MOST_REACHED
from titan_env.play.turn_solver import SearchLimit, TurnSolver, turn_of
from titan_env.records.journal import Journal, journal_of
from titan_env.records.sealed import sealed_lines, unsealed_lines

pytestmark = pytest.mark.thorough

run = partial(scripts.run, puzzles.main)


def test_damaged_files_and_those_of_others_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "orchard.jsonl"
    run("random", "--game", "orchard", "--make", "2", "--file", str(file))
    good = file.read_text("utf-8")
    head, lines = unsealed_lines(good, FORMAT)
    of_others = sealed_lines({**head, "game": "orchard_v7"}, lines, FORMAT)
    forged = sealed_lines(head, [{**lines[0], "id": "0" * 12}], FORMAT)
    for text, error in (
        ("", "damaged"),
        (good[:-20], "damaged"),
        (of_others, "expected puzzles of orchard_v0"),
        (forged, "expected the position of puzzle"),
    ):
        file.write_text(text)
        code, output = run("random", "--game", "orchard", "--file", str(file))
        assert (code, error in output) == (2, True), output
    assert "found no" in run("random", "--game", "orchard", "--file", str(tmp_path / "none"))[1]


def test_a_search_for_puzzles_that_was_stopped_goes_on_to_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("random", "--game", "orchard", "--make", "3", "--file")
    whole, file = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    assert run(*command, str(whole))[0] == 0
    add = Journal.add

    def stopped(journal: Journal, line: dict[str, Any]) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        add(journal, line)

    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "add", stopped)
            code, output = run(*command, str(file))
        assert (code, "the same command goes on" in output) == (128 + signal.SIGTERM, True), output
        assert not file.exists()
    assert run(*command, str(file))[0] == 0
    assert file.read_bytes() == whole.read_bytes()
    assert not journal_of(file).exists()


FOLDERS = [Path(registry.load(name).metadata.folder) for name in registry.names()]
PUBLISHED = [path for folder in FOLDERS for path in sorted(folder.glob("puzzles*.jsonl"))]


published_files = pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: f"{path.parent.name}/{path.stem}")


@published_files
def test_published_puzzles_are_of_the_game_as_it_is_and_what_they_say(path: Path) -> None:
    game, published = read(path)
    assert len({puzzle.id for puzzle in published}) == len(published)
    quick = min(published, key=lambda puzzle: len(puzzle.worths))
    state = game.text.parse_position(quick.position)[0]
    turn = TurnSolver(game, state, MOST_REACHED, quick.whole)
    worths = turn.action_values(state)
    turn.list_all(state)  # an agent that is scored may take any action
    assert quick.decisions == turn.length(state)
    assert {game.rules.actions.texts[action]: round(worth, 9) for action, worth in worths.items()} == quick.worths


def unpruned(turn: TurnSolver, state: Any, known: dict[bytes, float]) -> float:
    """The value of a position within its turn, of all actions of all positions: nothing is left out."""
    key = state.tobytes()
    if key not in known:
        worths = []
        for action in turn.legal(state):
            ended, going, _ = turn.after(state, action)
            worths.append(min(1.0, math.fsum(ended + [odds * unpruned(turn, after, known) for odds, after in going])))
        known[key] = max(worths) if int(state.seat) == turn.seat else min(worths)
    return known[key]


@pytest.mark.parametrize("name", ["titan_race", "tiny_turbo_cars"])
def test_what_is_left_out_changes_no_value(name: str) -> None:
    listed, needed = 0, 0
    game, published = read(Path(registry.load(name).metadata.folder) / "puzzles.jsonl")
    for puzzle in published[:4]:
        state = game.text.parse_position(puzzle.position)[0]
        turn, every = TurnSolver(game, state, 20_000), TurnSolver(game, state, 20_000)
        assert turn.value(state) == pytest.approx(unpruned(every, state, {}), abs=1e-12)
        listed, needed = listed + len(every._after), needed + len(turn._after)
    assert needed < 0.7 * listed


def small(game: Game, published: list[Puzzle], most: int) -> Iterator[tuple[Puzzle, Any]]:
    """The puzzles, with their positions, of which every decision may be listed without a memory in no time."""
    for puzzle in published:
        state = game.text.parse_position(puzzle.position)[0]
        with suppress(SearchLimit):
            TurnSolver(game, state, most, puzzle.whole).action_values(state)
            yield puzzle, state


@published_files
def test_published_puzzles_are_worth_what_brute_force_says(path: Path) -> None:
    game, published = read(path)
    solved = list(islice(small(game, published, 10), 3))
    assert len(solved) == 3
    for puzzle, state in solved:
        seat, turn = int(state.seat), None if puzzle.whole else int(turn_of(game, state))
        worths = {
            action: sum(
                odds * brute(game, after, seat, turn, 1)
                for odds, after in sequences(game, state, game.rules.actions.numbers[action])
            )
            for action in puzzle.worths
        }
        assert worths == pytest.approx(puzzle.worths, abs=1e-8), puzzle.id
