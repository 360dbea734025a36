"""Nobody who plays reaches the seed of the game, chance to come, or what is hidden, through anything it is handed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from titan_env.agents.uniform import act
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.envs import aec, single_agent, vector
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.evaluation.matches.match import play
from titan_env.play import event_statistics
from titan_env.records.session import GameSession

pytestmark = pytest.mark.one_preset_per_seating

SEED = 987_654_321_987_654
DEEPEST = 12


def reachable(thing: Any, depth: int = 0, seen: set[int] | None = None) -> Iterator[Any]:
    """Everything that attributes, items and closures lead to, from what an agent is handed."""
    seen = set() if seen is None else seen
    if id(thing) in seen or depth > DEEPEST or isinstance(thing, type | ModuleType | Game):
        return
    seen.add(id(thing))
    yield thing
    if isinstance(thing, dict):
        inside = [*thing.keys(), *thing.values()]
    elif isinstance(thing, list | tuple | set | frozenset):
        inside = list(thing)
    elif isinstance(thing, np.ndarray):
        inside = [] if thing.base is None else [thing.base]
    elif isinstance(thing, FunctionType):
        inside = [cell.cell_contents for cell in thing.__closure__ or ()] + list(thing.__defaults__ or ())
    elif isinstance(thing, MethodType):
        inside = [thing.__self__]
    elif isinstance(thing, str | bytes | int | float | bool | None | np.generic):
        inside = []
    else:
        inside = list(getattr(thing, "__dict__", {}).values())
        for name in dir(thing):
            with suppress(Exception):  # some attributes want a library that is not there
                inside.append(getattr(thing, name))
        inside = [one for one in inside if not callable(one) or isinstance(one, FunctionType | MethodType)]
    for one in inside:
        yield from reachable(one, depth + 1, seen)


class Spy:
    """An agent that plays at random and looks at all that it can reach: at first always, later at every tenth call."""

    def __init__(self, plans: bool, forbidden: Callable[[], set[int]] = set) -> None:
        self.plans = plans
        self.found: set[int] = set()
        self.arrays: list[NDArray[Any]] = []
        self._forbidden = forbidden
        self._calls = 0

    def __call__(self, *handed: Any) -> NDArray[np.int64]:
        self._calls += 1
        if self._calls < 40 or self._calls % 10 == 0:
            for thing in reachable(handed):
                if isinstance(thing, int | np.integer):
                    self.found.add(int(thing))
                elif isinstance(thing, np.ndarray):
                    self.arrays.append(thing)
                    if thing.dtype.names and "stream" in thing.dtype.names:
                        self.found |= {int(stream) for stream in thing["stream"].ravel()}
                elif isinstance(thing, bytes) and len(thing) >= 8:
                    self.found.add(hash(thing))
        assert not self.found & self._forbidden()
        return act(*handed[:3])


def streams(batch: Batch) -> set[int]:
    """Where chance of every row stands, and stood."""
    return {int(stream) for stream in (*batch.luck["stream"], *batch.choices["stream"])}


@pytest.mark.thorough
@pytest.mark.parametrize("plans", [False, True], ids=["acts", "plans"])
def test_no_agent_in_a_match_reaches_a_seed(game: Game, plans: bool, tmp_path: Path) -> None:
    spy = Spy(plans)
    play(game, [spy, act], 2, SEED)
    play_blocks(game, [spy, act], [SEED], tmp_path, ["spy", "random"])
    event_statistics.play_and_count(game, spy, 2, SEED)
    assert spy.found
    assert not spy.found & {SEED, SEED + 1, SEED % 2**64}


@pytest.mark.parametrize("plans", [False, True], ids=["acts", "plans"])
def test_no_agent_at_a_table_reaches_chance_or_the_state(game: Game, plans: bool) -> None:
    envs = vector.make(2, game=game, opponents=act)
    spy = Spy(plans, lambda: {SEED, SEED + 1, *streams(envs.batch)})
    envs.set_opponents(spy)
    envs.reset(seed=SEED)
    for _ in range(20):
        envs.step(envs.batch.sample())
    one = single_agent.make(game=game, opponents=act)
    spy = Spy(plans, lambda: {SEED, *streams(one.batch)})
    one.set_opponents(spy)
    one.reset(seed=SEED)
    true = (one.batch.states, one.batch.luck)
    assert not any(np.shares_memory(array, records) for array in spy.arrays for records in true)


@pytest.mark.parametrize("plans", [False, True], ids=["acts", "plans"])
def test_no_agent_at_the_page_or_in_the_terminal_reaches_the_seed(game: Game, plans: bool) -> None:
    seating = GameSession(GameSetup.of(game, {}), SEED)
    spy = Spy(plans, lambda: {SEED, int(seating.luck["stream"][0])})
    for _ in range(10):
        if not seating.is_over:
            seating.play(seating.ask_agent(spy))
    assert not any(np.shares_memory(array, seating.states) for array in spy.arrays)


def test_infos_and_observations_lead_neither_to_the_state_nor_to_chance(game: Game, options: dict[str, Any]) -> None:
    env = aec.make(game=game, events=True, on_illegal="random", **options)
    env.reset(seed=SEED)
    forbidden = streams(env.batch)
    for _ in range(60):
        if not env.agents:
            break
        agent = env.agent_selection
        handed_out = [*env.last(), *(env.observe(other) for other in env.agents if other != agent)]
        found = list(reachable(handed_out))
        state = env.batch.states.tobytes()
        assert not any(isinstance(thing, bytes) and thing and (state in thing or thing in state) for thing in found)
        assert not {int(thing) for thing in found if isinstance(thing, int | np.integer)} & {SEED, *forbidden}
        arrays = [thing for thing in found if isinstance(thing, np.ndarray)]
        assert not any(np.shares_memory(array, env.batch.states) for array in arrays)
        env.step(None if env.terminations[agent] or env.truncations[agent] else int(env.batch.sample()[0]))
