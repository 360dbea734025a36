"""Turn puzzles: exact by another implementation too, and scores that know no luck."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluation.plain_turn_search import brute
from tests.games import pig
from tests.play.test_turn_solver import chance_to_reach, position
from tests.training import scripts
from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.evaluation.puzzles import puzzle_making, puzzles
from titan_env.evaluation.puzzles.puzzle_files import Puzzle
from titan_env.evaluation.puzzles.puzzle_making import found, is_confirmed, puzzle_of
from titan_env.evaluation.puzzles.puzzles import Score, lengths_text, score, table
from titan_env.play.determinization import agent_rng
from titan_env.play.turn_solver import SearchLimit, TurnSolver, result_value, turn_of

pytestmark = pytest.mark.thorough

PIG, ORCHARD = registry.load("pig"), registry.load("orchard")
ROLL, HOLD = "roll", "hold"


def endings(game: Game, games: int, **options: Any) -> Iterator[Any]:
    """Positions of games at random."""
    batch = Batch(game, games, **options)
    batch.seed(1)
    batch.start()
    while not batch.over.all():
        yield from batch.states[~batch.over].copy()
        batch.step(batch.sample())


def test_the_best_chance_is_what_brute_force_says() -> None:
    found = []
    for state in list(endings(ORCHARD, 6))[-12:]:  # the last turns, some of which win
        value = TurnSolver(ORCHARD, state).value(state)
        assert value == pytest.approx(brute(ORCHARD, state, int(state.seat), turn_of(ORCHARD, state)))
        found.append(value)
    assert max(found) > 0.5


def test_the_rest_of_a_game_is_searched_through_the_turns_of_others() -> None:
    state = pig.configure(2, 20, limit=4)[0]
    state.points[0], state.heap, state.ask = 14, 1, pig.Ask.ROLL_OR_HOLD
    value = TurnSolver(PIG, state, whole=True).value(state)
    assert value == pytest.approx(brute(PIG, state, 0, None))
    assert value > TurnSolver(PIG, state).value(state)
    puzzle = puzzle_of(PIG, state, agent_rng(0), whole=True)
    assert puzzle is not None
    assert puzzle.whole
    assert puzzle.best == pytest.approx(value)


def test_others_who_are_asked_within_the_turn_do_their_worst() -> None:
    state = position(0, 0)
    assert TurnSolver(PIG, state).value(position(0, 20)) == 1.0
    turn = TurnSolver(PIG, state)
    turn.seat = 1  # it is seat 1's turn, in which seat 0 is asked
    assert turn.value(position(0, 20)) == 0.0


def test_what_has_too_many_outcomes_is_no_puzzle() -> None:
    with pytest.raises(SearchLimit, match="expected at most 1 decisions"):
        TurnSolver(PIG, position(0, 3), most=1).value(position(0, 3))


def test_the_search_stops_at_the_first_sure_win() -> None:
    state = position(14, 6)  # to hold wins; to roll on and on has many outcomes
    turn = TurnSolver(PIG, state, most=2)
    assert turn.value(state) == 1.0
    with pytest.raises(SearchLimit):
        turn.action_values(state)


@pytest.mark.parametrize(
    ("points", "heap", "length"),
    [
        (14, 6, 1),  # to hold
        (14, 5, 2),  # to roll, then to hold
        (14, 1, 4),  # to roll 2, 2 and anything, then to hold
        (0, 0, 10),  # to roll 2 ten times, the first time because one has to, then to hold
    ],
)
def test_the_length_counts_the_decisions_that_matter(points: int, heap: int, length: int) -> None:
    state = position(points, heap)
    assert TurnSolver(PIG, state, 4_000).length(state) == length


def test_puzzles_may_have_to_be_long() -> None:
    short, long = position(14, 6), position(14, 5)
    found = [puzzle_of(PIG, state, np.random.default_rng(0), decisions=2) for state in (short, long)]
    assert found[0] is None
    assert found[1] is not None
    assert found[1].decisions == 2


def test_puzzles_are_turns_that_can_be_won_and_in_which_it_matters_what_is_done() -> None:
    for puzzle, _ in islice(found(ORCHARD, ["random"], 0, {}), 4):
        assert 0 < puzzle.best <= 1
        assert min(puzzle.worths.values()) < puzzle.best == max(puzzle.worths.values())


class Plays:
    """An agent that always prefers one action."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, observations: Any, masks: Any, rng: Any) -> Any:
        wanted = PIG.rules.actions.numbers[self.text]
        return np.where(masks[:, wanted] != 0, wanted, masks.argmax(axis=1))


def test_an_agent_gives_away_what_its_play_wins_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    state, sure = position(14, 1), position(14, 6)
    asked = [
        Puzzle("a", chance_to_reach(5), {}, PIG.text.position_text(state)),
        Puzzle("b", 1.0, {}, PIG.text.position_text(sure)),
    ]
    monkeypatch.setattr("titan_env.agents.load", lambda name, game: Plays(name))
    held, rolled = (score(PIG, name, asked) for name in (HOLD, ROLL))
    assert held.given_away.tolist() == pytest.approx([chance_to_reach(5), 0.0])
    assert (held.missed, held.sure.tolist()) == (0.0, [False, True])
    assert held.mean == pytest.approx(chance_to_reach(5) / 2)
    monkeypatch.setattr("titan_env.evaluation.puzzles.puzzles.DEEPEST", 8)
    assert rolled.given_away[0] == pytest.approx(chance_to_reach(5))  # it never holds, so it never wins
    assert rolled.missed == 1.0


def test_the_table_has_paired_differences_and_losses_by_length() -> None:
    asked = [Puzzle(name, 1.0, {}, "", decisions=length) for name, length in (("a", 1), ("b", 2), ("c", 5), ("d", 3))]
    sure = np.ones(4, bool)
    scores = {
        "worse": Score(np.array([0.5, 0.1, 1.0, 0.0]), sure),
        "better": Score(np.array([0.4, 0.0, 0.9, -0.1]), sure),
    }
    headings, lines = table(scores, asked)
    assert headings[2:6] == ["more than the first", "1 decision", "2 decisions", "3 or more"]
    assert [line[0] for line in lines] == ["better", "worse"]
    assert lines[0][2] == ""
    assert lines[1][2:6] == ["10.00% ±0.00%", "50.00%", "10.00%", "50.00%"]
    assert lengths_text(asked) == "1 decision in 1, 2 decisions in 1, 3 or more in 2"


run = partial(scripts.run, puzzles.main)


def test_puzzles_are_made_into_a_file_and_agents_scored_by_it(tmp_path: Path) -> None:
    file, page = tmp_path / "new" / "orchard.jsonl", tmp_path / "table.md"
    code, output = run("random", "--game", "orchard", "--make", "5", "--file", str(file))
    assert (code, "5 puzzles" in output) == (0, True), output
    assert run("random", "--game", "orchard", "--make", "5", "--file", str(file))[0] == 2  # nothing is written over
    code, output = run("random", "mcts:200", "--game", "orchard", "--file", str(file), "--out", str(page))
    assert (code, "5 turns of orchard_v0; the best play wins" in output) == (0, True), output
    assert page.read_text("utf-8").index("mcts:200") < page.read_text("utf-8").index("random")
    assert "2 turns of orchard_v0" in run("random", "--game", "orchard", "--file", str(file), "--first", "2")[1]


def test_a_position_that_can_only_be_looked_at_is_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.load("titan_race")
    batch = Batch(game, 64, titans=2)
    batch.seed(0)
    batch.start()
    batch.rollout(30)
    batch.step(batch.sample())
    in_the_middle = [state for state in batch.states if not state.over and "looked at" in complaint(game, state)]
    assert in_the_middle
    monkeypatch.setattr(puzzle_making, "_may_be_won", lambda *asked: True)
    monkeypatch.setattr(puzzle_making, "TurnSolver", lambda *asked: pytest.fail("nobody could set it up"))
    assert all(puzzle_of(game, state, agent_rng(0)) is None for state in in_the_middle)


def complaint(game: Game, state: Any) -> str:
    """What is wrong with a position that is to be played on from; nothing: ""."""
    try:
        game.text.validate_position(state)
    except ValueError as error:
        return str(error)
    return ""


def test_what_is_not_the_best_may_have_to_lose_so_much() -> None:
    state, rng = position(14, 1), np.random.default_rng(0)  # to hold loses for certain, to roll wins sometimes
    clear = puzzle_of(PIG, state, rng, margin=chance_to_reach(5) - 0.01)
    assert clear is not None
    assert clear.worths == {ROLL: pytest.approx(chance_to_reach(5)), HOLD: 0.0}
    assert puzzle_of(PIG, state, rng, margin=chance_to_reach(5) + 0.01) is None


def test_a_turn_that_an_agent_could_play_beyond_the_bounds_is_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    state, rng = position(14, 6), np.random.default_rng(0)  # to hold wins at once; to roll on and on is listed too
    assert puzzle_of(PIG, state, rng) is not None
    monkeypatch.setattr(puzzle_making, "MOST_REACHED", 20)
    assert TurnSolver(PIG, state, 20).value(state) == 1.0
    assert puzzle_of(PIG, state, rng) is None


def test_a_draw_of_all_is_a_share_of_a_win() -> None:
    state = position(20, 0)
    state.over = 1
    for won, worth in (((1, 0), 1.0), ((0, 1), 0.0), ((1, 1), 0.5), ((0, 0), 0.0)):
        state.won[:2] = won
        assert result_value(state, 0) == worth


def test_a_puzzle_is_confirmed_where_the_game_too_is_won_by_its_best_action() -> None:
    state = position(14, 6)
    state.points[1] = 19
    now = Puzzle("abc", 1.0, {HOLD: 1.0, ROLL: 5 / 6}, PIG.text.position_text(state))
    assert is_confirmed(PIG, now, Plays(HOLD), 200), "who rolls on may lose it"
    later = Puzzle("abc", 1.0, {HOLD: 0.0, ROLL: 1.0}, PIG.text.position_text(state))
    assert not is_confirmed(PIG, later, Plays(HOLD), 200)
