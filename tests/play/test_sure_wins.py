"""The search for actions that win for sure, beside the exact solver of turns and in a game where a formula says it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.games import pig
from titan_env import games, registry
from titan_env.contract import Game
from titan_env.engine.validation import parse_checked_position
from titan_env.evaluation.puzzles.puzzle_files import Puzzle, read
from titan_env.evaluation.puzzles.puzzles import sure_of
from titan_env.play import sure_wins
from titan_env.play.determinization import Determinizations, agent_rng, batch_of
from titan_env.play.sure_wins import choose_sure_wins, is_won
from titan_env.play.turn_solver import ALIKE, TurnSolver

PIG = registry.load("pig")
WITH_PUZZLES = [path.parent.name for path in sorted(Path(games.__file__).parent.glob("*/puzzles.jsonl"))]
FIRST = 300
"""The puzzles of a file that are tried."""
WORLDS = 64
"""The imagined worlds of the exact solver."""
SURE = 1 - ALIKE
BEYOND = 0.02
"""The share of the sure wins that may lie beyond the bounds of the search."""


def chosen_in_pig(points: int, heap: int, before: int, goal: int = 20) -> int:
    """The action in a game of Pig in which seat 0 is to roll or hold, if its agent would do the one `before`."""
    states = pig.configure(2, goal)
    states["points"][:, 0], states["heap"], states["ask"] = points, heap, pig.Ask.ROLL_OR_HOLD
    batch = batch_of(PIG, states, agent_rng(0))
    return int(choose_sure_wins(PIG, batch.states, batch.masks, np.array([before]), agent_rng(0))[0])


def test_a_win_that_no_die_can_take_away_is_played() -> None:
    assert chosen_in_pig(points=12, heap=8, before=pig.ROLL) == pig.HOLD
    assert chosen_in_pig(points=12, heap=8, before=pig.HOLD) == pig.HOLD


@pytest.mark.parametrize("before", [pig.ROLL, pig.HOLD])
def test_a_win_that_one_face_takes_away_changes_nothing(before: int) -> None:
    """Rolling wins with five faces of six; holding leaves the other seat a turn."""
    assert chosen_in_pig(points=12, heap=7, before=before) == before


def test_beyond_the_bounds_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sure_wins, "MOST_STEPS", 0)
    assert chosen_in_pig(points=12, heap=8, before=pig.ROLL) == pig.ROLL


def test_a_draw_of_all_is_no_win() -> None:
    state = pig.configure(2)[0]
    state.over, state.won[0] = 1, 1
    assert is_won(state, 0)
    state.won[1] = 1
    assert not is_won(state, 0)
    state.over, state.won[1] = 0, 0
    assert not is_won(state, 0)


def puzzles_of(name: str) -> tuple[Game, list[Puzzle], list[Puzzle]]:
    """A game, its first puzzles with a sure win, and those without."""
    game, puzzles = read(Path(registry.load(name).metadata.folder) / "puzzles.jsonl", FIRST)
    sure = sure_of(puzzles)
    return game, [puzzles[i] for i in np.flatnonzero(sure)], [puzzles[i] for i in np.flatnonzero(~sure)]


def worst_replaced(game: Game, puzzles: list[Puzzle]) -> tuple[list[str], list[str]]:
    """The action worth least in each puzzle, and what is chosen instead."""
    states = np.concatenate([parse_checked_position(game, puzzle.position) for puzzle in puzzles]).view(np.recarray)
    worst = [min(puzzle.worths, key=lambda text, puzzle=puzzle: puzzle.worths[text]) for puzzle in puzzles]
    batch = batch_of(game, states, agent_rng(0))
    before = np.array([game.rules.actions.numbers[text] for text in worst])
    after = choose_sure_wins(game, batch.states, batch.masks, before, agent_rng(1))
    assert (choose_sure_wins(game, batch.states, batch.masks, after, agent_rng(1)) == after).all(), "a win is kept"
    return worst, [game.rules.actions.texts[action] for action in after]


def is_sure_for_the_seat(game: Game, puzzle: Puzzle) -> bool:
    """Whether an action that wins for sure does so in imagined worlds, too, by the exact solver of turns."""
    state = parse_checked_position(game, puzzle.position)
    worlds = Determinizations(game, state, agent_rng(2)).imagine(WORLDS, agent_rng(3)).states
    return any(
        all(
            TurnSolver(game, world, 20_000, puzzle.whole).action_value(world, game.rules.actions.numbers[text]) > SURE
            for world in worlds
        )
        for text, worth in puzzle.worths.items()
        if worth > SURE
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", WITH_PUZZLES)
def test_every_win_is_found_that_is_sure_for_the_seat(name: str) -> None:
    """Only games of secrets have wins that are sure in the true position alone; the exact solver has no such bounds."""
    game, sure, _ = puzzles_of(name)
    _, chosen = worst_replaced(game, sure)
    missed = [puzzle for puzzle, text in zip(sure, chosen, strict=True) if puzzle.worths[text] < SURE]
    assert game.rules.imagine is not None or not missed
    assert sum(is_sure_for_the_seat(game, puzzle) for puzzle in missed) <= BEYOND * len(sure)


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in WITH_PUZZLES if puzzles_of(name)[2]])
def test_where_no_win_is_sure_the_choice_stays(name: str) -> None:
    game, _, unsure = puzzles_of(name)
    before, after = worst_replaced(game, unsure)
    assert before == after
