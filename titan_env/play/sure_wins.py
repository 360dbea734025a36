"""The actions that win for sure: whatever chance answers and other seats do, found by a search with bounds.

The search is compiled and knows no game. It follows an action through the turn of the game's clock (`chance_clock`); in
a game whose clock counts decisions, up to the end. A seat does not know the whole position: an action wins for sure if
it does so in each of several imagined worlds. The bounds count steps, not time, so that the same is found everywhere.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import as_arrays, zero_records
from titan_env.contract import Game, rule, scattered, specialize, specialize_part
from titan_env.engine.batch import Records, null_log
from titan_env.engine.chance_outcomes import set_next

WORLDS = 16
"""The imagined worlds, besides the first one, in which an action must win."""
MOST_STEPS = 2_000
"""The bound on the steps of the search, for the actions of a position and for each further world."""
DEEPEST = 8
"""The bound on the decisions of a line of play."""

legal: Any = None
step: Any = None
imagine: Any = None
is_sure: Any = None


class SearchLine(NamedTuple):
    """A line of play: arrays with a row for each of its decisions, and one more of the position it leads to."""

    states: Any
    clocks: Any
    """The clocks of `states`, a view."""
    luck: Any
    masks: Any
    actions: Any
    log: Any
    steps: Any
    """The number of steps of the search so far (1,)."""


@rule
def is_won(state: Any, seat: int) -> bool:
    """Return whether the game is over and won by the seat, not by everybody."""
    losers = 0
    for other in range(state.seats):
        losers += state.won[other] == 0
    return state.over != 0 and state.won[seat] != 0 and losers > 0


@rule
def next_legal(mask: Any, begin: int) -> int:
    """Return the first legal action from `begin` on; -1 if there is none."""
    for action in range(begin, len(mask)):
        if mask[action] != 0:
            return action
    return -1


@rule
def begin_action(line: Any, depth: int, action: int) -> None:
    """Set the action that is tried in a row, and the first sequence of chance answers to it."""
    line.actions[depth] = action
    luck = line.luck[depth]
    luck.asked = 0
    luck.given = len(luck.answers)
    luck.answers[:] = 0


def wins_for_sure(line: SearchLine, seat: int, action: int, most: int) -> bool:
    """Return whether an action wins for sure from the position in row 0; False once `most` steps are made.

    The seat needs one winning action at each of its decisions; all actions of others and answers of chance must win.
    """
    depth = 0
    begin_action(line, 0, action)
    while line.steps[0] < most:
        line.steps[0] += 1
        luck = line.luck[depth]
        line.states[depth + 1] = line.states[depth]
        step(line.states[depth + 1], line.actions[depth], luck, line.log[0])
        if luck.asked > len(luck.answers):
            return False
        after = line.states[depth + 1]
        impossible = luck.odds == 0
        goes_on = after.over == 0 and line.clocks[depth + 1] == line.clocks[0] and depth + 1 < len(line.actions)
        if goes_on and not impossible:
            depth += 1
            legal(line.states[depth], line.masks[depth])
            begin_action(line, depth, next_legal(line.masks[depth], 0))
            continue
        won = impossible or is_won(after, seat)
        while True:  # back to the last answer of chance or action that is not settled
            if won:
                set_next(line.luck[depth])
                if line.luck[depth].given != 0:
                    break
            if depth == 0:
                return won
            if won != (line.states[depth].seat == seat):
                following = next_legal(line.masks[depth], line.actions[depth] + 1)
                if following >= 0:
                    begin_action(line, depth, following)
                    break
            depth -= 1
    return False


def choose_rows(states: Any, masks: Any, chosen: Any, luck: Any, line: SearchLine, worlds: int, most: int) -> None:
    """Replace the chosen action (B,) of each position by one that wins for sure, unless it does or there is none.

    All actions of a position are tried in the same worlds.
    """
    for i in range(len(states)):
        seat = states[i].seat
        stream = luck[i].stream
        line.steps[0] = 0
        action = chosen[i]
        following = 0
        while action >= 0 and line.steps[0] < most:
            line.states[0] = states[i]
            sure = is_sure(line, seat, action, most)
            steps = line.steps[0]
            luck[i].stream = stream
            for _ in range(worlds):
                if not sure:
                    break
                luck[i].asked = 0
                luck[i].given = 0
                imagine(line.states[0], seat, luck[i])
                legal(line.states[0], line.masks[0])
                line.steps[0] = 0
                sure = line.masks[0, action] != 0 and is_sure(line, seat, action, most)
            line.steps[0] = steps
            if sure:
                chosen[i] = action
                break
            action = next_legal(masks[i], following)
            following = action + 1


@rule
def imagine_nothing(state: Any, seat: int, luck: Any) -> None:
    """Leave a position as it is: nothing in it is hidden."""


def choose_sure_wins(
    game: Game, states: Records, masks: NDArray[np.int8], chosen: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the chosen actions (B,), each replaced by one that wins for sure unless it does or none is found.

    `states` (B,) are imagined worlds of the seats to act, `masks` (B, A) their legal actions.
    """
    rules = game.rules
    positions = zero_records(rules.state, DEEPEST + 1)
    line = SearchLine(
        positions,
        positions["over" if rules.chance_clock == "decisions" else rules.chance_clock],
        zero_records(rules.luck, DEEPEST),
        np.zeros((DEEPEST, masks.shape[1]), np.int8),
        np.zeros(DEEPEST, np.int64),
        as_arrays(null_log(game)),
        np.zeros(1, np.int64),
    )
    parts: dict[str, Any] = {"step": rules.step, "legal": rules.legal}
    parts["is_sure"] = specialize_part(wins_for_sure, parts, counts=False)
    parts["imagine"] = rules.imagine or imagine_nothing
    luck, sure = scattered(rng, len(states), rules.luck), chosen.copy()
    worlds = 0 if rules.imagine is None else WORLDS
    run = specialize(choose_rows, parts, counts=False)
    run(as_arrays(states), masks, sure, as_arrays(luck), line, worlds, MOST_STEPS)
    return sure
