"""A call that an API refuses has changed nothing, and is refused in words: nonsense for every argument of every API."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from titan_env import GameAEC, GameEnv, GameVectorEnv, registry
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.illegal_actions import IllegalAction
from titan_env.envs import openspiel, sb3
from titan_env.play.outcomes import chance_outcomes

NONSENSE: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        10**6,
        2**63,
        2**70,
        0.5,
        1.5,
        [0.5] * 3,
        float("nan"),
        "x",
        "",
        b"x",
        [],
        {},
        (),
        object(),
        [1, "x"],
        {"x": 1},
    ),
    *(np.int64(-1), np.float32(1), np.array(["x"]), np.zeros((2, 2), np.int64), np.array(True), np.zeros(3, np.bool_)),
    *({"game": 1}, {"game": {"nothing": 1}}, {"reset_mask": 1}, {"reset_mask": np.zeros(3, np.bool_)}, [None] * 3),
    *([1, 2, -3], [1, 2, "x"], [-1, 0, 1], [10**6] * 3, [{}, {}, {"game": 1}], [{}], np.array([5.0, 5.0, 5.0])),
)
ROWS = 3


class Api:
    """One API under test: how it is made, its calls by name, how it goes on, and what it is made of."""

    def __init__(self, game: Game) -> None:
        raise NotImplementedError

    def calls(self) -> dict[str, Callable[[Any], Any]]:
        raise NotImplementedError

    def go_on(self) -> Any:
        raise NotImplementedError

    def records(self) -> Batch:
        raise NotImplementedError

    def shown(self) -> list[Any]:
        """Everything on which the game's future depends, and what is shown of it."""
        batch = self.records()
        named = [value for name, value in sorted(vars(batch).items()) if isinstance(value, np.ndarray)]
        return [array.tobytes() for array in named]


class Rows(Api):
    def __init__(self, game: Game) -> None:
        self.batch = Batch(game, ROWS)
        self.batch.seed(1)
        self.batch.start()

    def calls(self) -> dict[str, Callable[[Any], Any]]:
        batch, actions = self.batch, self.batch.masks.argmax(axis=1)
        return {
            "seed": batch.seed,
            "start": batch.start,
            "step": batch.step,
            "step, rows": lambda rows: batch.step(actions, rows),
            "refresh": batch.refresh,
            "observe": batch.observe,
            "observe, out": lambda out: batch.observe(np.zeros(ROWS, np.int8), out),
            "payoffs": batch.payoffs,
            "sample": batch.sample,
            "rollout": batch.rollout,
            "rollout, restart": lambda restart: batch.rollout(1, restart),
            "rollout, look": lambda look: batch.rollout(1, look=look),
            "restore": batch.restore,
            "select": batch.select,
        }

    def go_on(self) -> Any:
        self.batch.step(self.batch.masks.argmax(axis=1))
        self.batch.step(self.batch.sample(), ~self.batch.over)
        return self.batch.observations.copy()

    def records(self) -> Batch:
        return self.batch


class Aec(Api):
    def __init__(self, game: Game) -> None:
        self.env = GameAEC(game)
        self.env.reset(seed=1)

    def calls(self) -> dict[str, Callable[[Any], Any]]:
        env = self.env
        return {
            "reset, seed": lambda seed: env.reset(seed=seed),
            "reset, options": lambda options: env.reset(seed=2, options=options),
            "step": env.step,
            "observe": env.observe,
            "why_not": env.why_not,
            "say": env.say,
            "restore": env.restore,
        }

    def go_on(self) -> Any:
        self.env.step(int(self.env.observe(self.env.agent_selection)["action_mask"].argmax()))
        return [self.env.state(), self.env.rewards, self.env.infos, self.env.agent_selection]

    def records(self) -> Batch:
        return self.env.batch

    def shown(self) -> list[Any]:
        env = self.env
        attributes = (
            env.agents,
            env.agent_selection,
            env.rewards,
            env.terminations,
            env.truncations,
            env.infos,
            env._taken,
        )
        return [*super().shown(), copy.deepcopy(attributes)]


class Solo(Api):
    def __init__(self, game: Game) -> None:
        self.env = GameEnv(game, on_illegal="raise")
        self.env.reset(seed=1)

    def calls(self) -> dict[str, Callable[[Any], Any]]:
        env = self.env
        return {
            "reset, seed": lambda seed: env.reset(seed=seed),
            "reset, options": lambda options: env.reset(seed=2, options=options),
            "step": env.step,
            "set_opponents": env.set_opponents,
        }

    def go_on(self) -> Any:
        shown = self.env.step(int(self.env.action_masks().argmax()))
        return [*shown, self.env.np_random.bit_generator.state]

    def records(self) -> Batch:
        return self.env.batch

    def shown(self) -> list[Any]:
        return [*super().shown(), self.env.np_random.bit_generator.state, self.env.batch.rng.bit_generator.state]


class Vector(Api):
    seats = "one"

    def __init__(self, game: Game) -> None:
        self.env = GameVectorEnv(game, ROWS, seats=self.seats, on_illegal="raise")
        self.env.reset(seed=1)

    def calls(self) -> dict[str, Callable[[Any], Any]]:
        env = self.env
        return {
            "reset, seed": lambda seed: env.reset(seed=seed),
            "reset, options": lambda options: env.reset(seed=2, options=options),
            "step": env.step,
            "set_opponents": env.set_opponents,
            "restore": env.batch.restore,
        }

    def go_on(self) -> Any:
        return self.env.step(self.env.batch.masks.argmax(axis=1))

    def records(self) -> Batch:
        return self.env.batch

    def shown(self) -> list[Any]:
        return [*super().shown(), self.env.batch.rng.bit_generator.state]


class EverySeat(Vector):
    seats = "all"


class Stable(Api):
    def __init__(self, game: Game) -> None:
        self.env = sb3.GameVecEnv(game, ROWS, on_illegal="raise")
        self.env.seed(1)
        self.env.reset()

    def calls(self) -> dict[str, Callable[[Any], Any]]:
        env = self.env
        return {"seed": env.seed, "set_options": env.set_options, "step": env.step, "set_opponents": env.set_opponents}

    def go_on(self) -> Any:
        return [*self.env.step(self.env.action_masks().argmax(axis=1)), self.env.reset()]

    def records(self) -> Batch:
        return self.env.batch

    def shown(self) -> list[Any]:
        return [*super().shown(), copy.deepcopy((self.env._seeds, self.env._options))]


class Spiel(Api):
    def __init__(self, game: Game) -> None:
        self.state = openspiel.load(game.name).new_initial_state()
        self.prepare()

    def prepare(self) -> None:
        while self.state.is_chance_node():
            self.state.apply_action(self.state.legal_actions()[0])

    def calls(self) -> dict[str, Callable[[Any], Any]]:
        state, observer = self.state, self.state.get_game().make_py_observer()
        return {
            "apply_action": state.apply_action,
            "child": state.child,
            "action_to_string": lambda action: state.action_to_string(0, action),
            "legal_actions": state.legal_actions,
            "observation_tensor": state.observation_tensor,
            "observation_string": state.observation_string,
            "information_state_string": state.information_state_string,
            "set_from": lambda seat: observer.set_from(state, seat),
        }

    def go_on(self) -> Any:
        for action in self.state.legal_actions()[:1]:
            self.state.apply_action(action)
        return self.shown()

    def shown(self) -> list[Any]:
        position = self.state.position
        return [str(self.state), self.state.history(), position.action, position.answers, position.state.tobytes()]


class SpielAsksChance(Spiel):
    def prepare(self) -> None:
        for _ in range(1000):
            if self.state.is_chance_node() or self.state.is_terminal():
                return
            self.state.apply_action(self.state.legal_actions()[-1])


APIS: dict[str, type[Api]] = {
    kind.__name__: kind for kind in (Rows, Aec, Solo, Vector, EverySeat, Stable, Spiel, SpielAsksChance)
}


def plainly(value: Any) -> Any:
    """What two environments show, so that it can be compared: arrays as bytes, whole and in whatever holds them."""
    if isinstance(value, np.ndarray):
        return value.tobytes() if value.dtype != object else [plainly(one) for one in value]
    if isinstance(value, dict):
        return {name: plainly(one) for name, one in value.items() if name != "episode"}
    if isinstance(value, list | tuple):
        return [plainly(one) for one in value]
    return value


def error_of(call: Callable[[Any], Any], argument: Any) -> Exception | None:
    """The error that a call raises; None where it takes the argument."""
    try:
        call(argument)
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("seed", [np.random.default_rng(0).integers(1000), np.uint8(255)], ids=repr)
def test_every_api_takes_the_seeds_that_numpy_makes(game: Game, seed: Any) -> None:
    def streams(given: Any) -> list[bytes]:
        solo, vector, stable = GameEnv(game), GameVectorEnv(game, 2), sb3.GameVecEnv(game, 2)
        aec, rows = GameAEC(game), Batch(game, 2)
        for env in (aec, solo, vector):
            env.reset(seed=given)
        stable.seed(given)
        stable.reset()
        rows.seed(given)
        return [one.luck.tobytes() for one in (aec.batch, solo.batch, vector.batch, stable.batch, rows)]

    assert streams(seed) == streams(int(seed))


@pytest.mark.parametrize("kind", APIS.values(), ids=APIS)
def test_a_call_that_was_refused_has_changed_nothing(game: Game, kind: type[Api]) -> None:
    api, twin = kind(game), kind(game)
    refused = 0
    for name in api.calls():
        for nonsense in NONSENSE:
            message, before = f"{name}({nonsense!r})", plainly(api.shown())
            error = error_of(api.calls()[name], nonsense)
            if error is None:  # it was not nonsense here
                api, twin = kind(game), kind(game)
                continue
            assert not type(error).__module__.startswith("numba"), f"{message}: {error!r}"
            assert str(error), message
            assert not isinstance(error, AttributeError | OverflowError), f"{message}: {error!r}"
            assert plainly(api.shown()) == before, f"{message} was refused ({error!r}) and has changed something"
            refused += 1
        assert plainly(api.go_on()) == plainly(twin.go_on()), f"after {name} was refused"
        api, twin = kind(game), kind(game)
    assert refused > 10


@pytest.mark.thorough
@settings(max_examples=60, deadline=None)
@given(numbers=st.lists(st.integers(-(2**31), 2**31) | st.integers(-5, 400), min_size=1, max_size=3))
@pytest.mark.parametrize("name", ["titan_race", "tiny_turbo_cars", "fantasy_racing", "goofspiel"])
def test_no_number_reaches_a_compiled_rule_that_the_rules_do_not_allow(name: str, numbers: list[int]) -> None:
    game = registry.load(name)
    for kind in (Spiel, SpielAsksChance):
        api = kind(game)
        for number in numbers:
            before, legal = plainly(api.shown()), api.state.legal_actions()
            error = error_of(api.state.apply_action, number)
            assert (error is None) == (number in legal), (number, error)
            assert error is None or plainly(api.shown()) == before
    rows = Batch(game, 1)
    rows.start()
    for number in numbers:
        is_legal = 0 <= number < len(rows.masks[0]) and rows.masks[0, number]
        if not is_legal:
            with pytest.raises(IllegalAction):
                chance_outcomes(game, rows.states[0], number)
