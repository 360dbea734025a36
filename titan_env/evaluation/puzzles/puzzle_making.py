"""Make turn puzzles from games among agents (`titan_env.evaluation.puzzles.puzzles` is the command).

A turn makes a puzzle if it can be won, its actions' values differ, and hidden information does not matter: each action
has the same value in several imagined worlds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from titan_env import agents
from titan_env.compiler.record_copies import repeat_records
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.engine.validation import parse_checked_position
from titan_env.evaluation.matches.match import seated
from titan_env.evaluation.puzzles.puzzle_files import Puzzle
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import Determinizations, agent_rng, batch_of
from titan_env.play.game_loop import game_steps, play_games
from titan_env.play.turn_solver import (
    ALIKE,
    DEEPEST,
    MOST_DECISIONS,
    SearchLimit,
    TurnSolver,
    result_value,
    turn_of,
)
from titan_env.records.recorder import hash_of

TRIES = 64
"""The random plays of a turn; one of them must win before the turn's outcomes are listed."""
WORLDS = 4
"""The imagined worlds in which every action must have the value that it has in the game."""
AT_ONCE = 16
"""The games of one batch."""
MOST_REACHED = 20_000
"""The bound on the decisions of one turn that an agent may reach."""
BEYOND_CHANCE = 2.0
"""Standard errors by which the best actions must win more often where play-outs are to confirm it."""


def found(
    game: Game,
    names: Sequence[str],
    seed: int,
    options: Mapping[str, Any],
    most: int = MOST_DECISIONS,
    margin: float = ALIKE,
    confirm: int = 0,
    whole: bool = False,
    decisions: int = 1,
    before: Mapping[str, int] | None = None,
) -> Iterator[tuple[Puzzle, int]]:
    """Yield puzzles from games among agents, without end; at most `most` decisions of a turn are listed.

    Each comes with the number of its batch of games; `before` are the ids and numbers of those found before a stop, in
    the order found: the search goes on in the batch of the last one, and yields no puzzle twice.

    Every action that is not best is worth less by at least the `margin` and, with `confirm` play-outs of each action,
    wins less often in the end too. With `whole` the values are of the rest of the game, which must be listed then. At
    least so many `decisions` matter in best play.
    """
    players = [agents.load(name, game) for name in names]
    before = before or {}
    latest = max(before.values(), default=seed)
    known = {puzzle for puzzle, number in before.items() if number < latest}
    for number in range(latest, 2**31, AT_ONCE):
        rng = agent_rng(number)
        done: set[tuple[int, int]] = set()  # (game, turn) with a puzzle already
        for row, state in _choices(game, players, number, rng, options):
            turn = row, int(turn_of(game, state))
            puzzle = None if turn in done else puzzle_of(game, state, rng, most, margin, whole, decisions)
            if puzzle is not None and puzzle.id not in known:
                done.add(turn)
                known.add(puzzle.id)
                if puzzle.id not in before and (not confirm or is_confirmed(game, puzzle, players[0], confirm)):
                    yield puzzle, number


def _choices(
    game: Game, players: Sequence[agents.Agent], seed: int, rng: np.random.Generator, options: Mapping[str, Any]
) -> Iterator[tuple[int, Any]]:
    """Yield every position of some games with more than one legal action, with the number of its game."""
    batch = Batch(game, AT_ONCE, **options)
    batch.seed(seed)
    batch.start()
    sits = seated(game, batch.states, len(players))
    for running in game_steps(
        batch, sits, lambda number, rows: ask_in_batch(players[number], batch, rows, rng).actions
    ):
        for row in running[batch.masks[running].sum(axis=1) > 1]:
            yield int(row), batch.states[row].copy()


def puzzle_of(
    game: Game,
    state: Any,
    rng: np.random.Generator,
    most: int = MOST_DECISIONS,
    margin: float = ALIKE,
    whole: bool = False,
    decisions: int = 1,
) -> Puzzle | None:
    """Return the puzzle of a position; None if it is unsuitable or has fewer decisions that matter."""
    states: Records = np.array([state], game.rules.state).view(np.recarray)
    if not _may_be_won(game, states, rng) or not _can_be_set_up(game, states[0]):  # the quicker test first
        return None
    try:
        turn = TurnSolver(game, states[0], most, whole)
        worths = turn.action_values(states[0])
        best = max(worths.values())
        worse = [worth for worth in worths.values() if best - worth >= ALIKE]
        if not worse or best - max(worse) < margin:
            return None
        if game.rules.imagine is not None:
            for world in Determinizations(game, states, rng).imagine(WORLDS, rng).states:
                other = TurnSolver(game, world, most, whole)
                if other.legal(world) != list(worths) or any(
                    abs(other.action_value(world, action) - worth) > ALIKE for action, worth in worths.items()
                ):
                    return None
        turn.most = MOST_REACHED
        turn.list_all(states[0])  # an agent that is scored may take any action
        length = turn.length(states[0])
    except SearchLimit:
        return None
    if length < decisions:
        return None
    texts = {game.rules.actions.texts[action]: round(worth, 9) for action, worth in worths.items()}
    return Puzzle(hash_of(game, states[0]), round(best, 9), texts, game.text.position_text(states[0]), whole, length)


def is_confirmed(game: Game, puzzle: Puzzle, player: agents.Agent, games: int) -> bool:
    """Return whether the best actions win the game more often than every other, beyond chance, if `player` plays on.

    It plays on for everybody, so many games after each action: what is as good a turn later is no puzzle.
    """
    numbers = [game.rules.actions.numbers[text] for text in puzzle.worths]
    states = repeat_records(parse_checked_position(game, puzzle.position), games * len(numbers))
    seat, rng = int(states[0].seat), agent_rng(int(puzzle.id, 16), games)
    batch = batch_of(game, states, rng)
    batch.step(np.repeat(numbers, games))
    everybody = np.zeros((batch.num_games, int(states[0].seats)), np.int64)
    play_games(batch, everybody, lambda _, rows: ask_in_batch(player, batch, rows, rng).actions)
    shares = result_value(batch.states, seat).reshape(len(numbers), games)
    means, errors = shares.mean(axis=1), shares.std(axis=1) / games**0.5
    is_best = np.array(list(puzzle.worths.values())) > puzzle.best - ALIKE
    worst_best = int(np.where(is_best, means, np.inf).argmin())
    best_other = int(np.where(is_best, -np.inf, means).argmax())
    beyond = BEYOND_CHANCE * float(np.hypot(errors[worst_best], errors[best_other]))
    return bool(means[worst_best] - means[best_other] > beyond)


def _can_be_set_up(game: Game, state: Any) -> bool:
    """Return whether play can continue from the position's text; some positions can only be viewed."""
    try:
        game.text.validate_position(state)
    except ValueError:
        return False
    return True


def _may_be_won(game: Game, states: Records, rng: np.random.Generator) -> bool:
    """Return whether one of several random plays wins within the turn."""
    batch, turn = batch_of(game, repeat_records(states, TRIES), rng), turn_of(game, states[0])
    for _ in range(DEEPEST):
        on = ~batch.over & (turn_of(game, batch.states) == turn)
        if not on.any():
            break
        batch.step(batch.sample(), on)
    return bool((batch.states["won"][:, int(states[0].seat)] != 0).any())
