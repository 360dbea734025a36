"""What `check_game` tells of agents that a game names and of rules that do not compile: a sentence, and a cure."""

from __future__ import annotations

import importlib.util
import random
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.games import game_with, pig
from tests.games.pig import GAME
from titan_env.contract import Game, Status
from titan_env.testing import BadGame, check_game

SMALL = {"goal": 8}

# Rules that the compiler does not take

TABLE = np.array([1, 2, 3])
NAMES = {1: 2}
LIST = [1, 2]
THING = types.SimpleNamespace(x=1)


def helps(state: Any) -> int:
    return 1


def writes_a_table(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    TABLE[0] = 1


def adds_to_a_list(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    LIST.append(1)


def looks_into_a_dict(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.heap += 0 * NAMES[1]


def calls_what_is_no_rule(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.heap += 0 * helps(state)


def asks_an_object(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.heap += 0 * THING.x


def asks_any_of_a_generator(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    if any(state.points[seat] < 0 for seat in range(2)):
        state.heap = 0


def holds_two_kinds(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    seen = None
    if state.heap > 3:
        seen = (1, 2)
    if seen is not None:
        state.heap += 0 * seen[0]


def catches_an_error(state: Any, action: int, luck: Any, log: Any) -> None:
    try:
        pig.play(state, action, luck, log)
    except ValueError as error:
        raise error


UNCOMPILED: list[tuple[Callable[..., None], str]] = [
    (writes_a_table, r"Cannot modify readonly array.*TABLE\[0\] = 1.*what changes belongs into the state"),
    (adds_to_a_list, r"reflected list.*line \d+: LIST.append\(1\)\); make it a table: np.array"),
    (looks_into_a_dict, r"'NAMES'.*<class 'dict'> \(test_check_game_told.py, line \d+: .*make it a table: np.array"),
    (calls_what_is_no_rule, "'helps'.*decorate what a rule calls with @rule"),
    (asks_an_object, "'THING'.*numbers, records and arrays alone"),
    (asks_any_of_a_generator, r"write a loop: any\(\) and all\(\) over a generator do not compile"),
    (holds_two_kinds, "let a name hold one kind of number throughout"),
    (catches_an_error, "rules raise and catch nothing"),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("step", "message"), UNCOMPILED, ids=[step.__name__ for step, _ in UNCOMPILED])
def test_what_the_compiler_does_not_take_is_told_in_a_sentence_with_its_cure(
    step: Callable[..., None], message: str
) -> None:
    with pytest.raises(BadGame, match=f"^Pig: expected step to compile, got .*{message}") as caught:
        check_game(game_with(GAME, step=step), SMALL)
    assert "\x1b" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "Failed in" not in str(caught.value)


@pytest.mark.thorough
@pytest.mark.compiled
def test_a_cure_hangs_on_the_cause_and_not_on_the_name_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same rules in a folder whose name holds the words of the cures, and signs, get the same cures."""
    folder = tmp_path / "a try, 100% yield # 'exception' as a constant, généré with context SETUP_ generator"
    folder.mkdir()
    file = folder / "test_check_game_told.py"
    file.write_bytes(Path(__file__).read_bytes())
    spec = importlib.util.spec_from_file_location("rules_elsewhere", file)
    assert spec is not None
    assert spec.loader is not None
    elsewhere = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "rules_elsewhere", elsewhere)
    spec.loader.exec_module(elsewhere)
    for step, message in elsewhere.UNCOMPILED:
        with pytest.raises(BadGame, match=f"^Pig: expected step to compile, got .*{message}"):
            check_game(game_with(GAME, step=step), SMALL)


@pytest.mark.compiled
def test_the_other_rules_are_told_in_the_same_way() -> None:
    def allows_by_a_dict(state: Any, mask: Any) -> None:
        pig.legal(state, mask)
        state.heap += 0 * NAMES[1]

    def sees_by_a_dict(state: Any, seat: int, vector: Any) -> None:
        pig.observe(state, seat, vector)
        vector[0] += 0 * NAMES[1]

    def sets_up_by_a_dict(state: Any, luck: Any) -> None:
        pig.set_up(state, luck)
        state.heap += 0 * NAMES[1]

    wrong = {"legal": allows_by_a_dict, "observe": sees_by_a_dict, "setup": sets_up_by_a_dict}
    for name, rule in wrong.items():
        with pytest.raises(BadGame, match=f"^Pig: expected {name} to compile, got .*'NAMES'.*np.array"):
            check_game(game_with(GAME, **{name: rule}), SMALL)


# The right cure


def rolls_by_numpy(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.points[0] = np.random.randint(50)


def rolls_by_python(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.points[0] = random.randrange(50)


@pytest.mark.parametrize("step", [rolls_by_numpy, rolls_by_python])
def test_chance_from_elsewhere_is_told_to_come_from_luck(step: Callable[..., None]) -> None:
    with pytest.raises(
        BadGame, match=r"step to do .*draw chance with draw\(luck, sides\), not with random or np.random"
    ):
        check_game(game_with(GAME, step=step), {"goal": 100})


def wins_and_goes_on(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    if state.over:
        state.over = Status.RUNNING
        state.ask = 1


@pytest.mark.thorough
@pytest.mark.parametrize("decisions", [0, 60])
def test_who_wins_in_a_game_that_goes_on_is_told_to_end_it(decisions: int) -> None:
    with pytest.raises(BadGame, match=r"won where .*; end the game with state\.over = Status\.TERMINATED"):
        check_game(game_with(GAME, step=wins_and_goes_on), SMALL, decisions=decisions)


# Agents


def make(game: Game) -> Any:
    return lambda observations, masks, rng: masks.argmax(axis=1)


def make_planner(game: Game) -> Any:
    def act(observations: Any, masks: Any, rng: np.random.Generator, worlds: Any) -> Any:
        return masks.argmax(axis=1) + 0 * worlds.imagine(1, rng).num_games

    act.plans = True  # type: ignore[attr-defined]
    return act


def make_of_a_file(game: Game, path: str = "") -> Any:
    raise ValueError("expected a file")


def make_nothing(game: Game) -> None:
    return None


def make_illegal(game: Game) -> Any:
    return lambda observations, masks, rng: np.full(len(masks), len(masks[0]))


def make_fractions(game: Game) -> Any:
    return lambda observations, masks, rng: np.zeros(len(masks))


def make_broken(game: Game) -> Any:
    return lambda observations, masks, rng: observations["heap"]


def make_with_an_argument(game: Game, depth: int) -> Any:
    return make(game)


def losses(states: Any) -> Any:
    return np.full((len(states), 2), -2.0)


def of(function: str, module: str = __name__) -> Game:
    """Pig with one agent."""
    return game_with(GAME, agents={"careful": f"{module}:{function}"})


def test_agents_that_are_there_pass() -> None:
    for function in ("make", "make_planner", "make_of_a_file"):
        check_game(of(function), SMALL, games=1)
    check_game(game_with(GAME, agents={"careful": __name__}), SMALL, games=1)


WRONG = [
    (of("make", "tests.carful"), "tests.carful:make'.*ModuleNotFoundError: No module named 'tests.carful'"),
    (of("maek"), "to name a function, got None; name a function of it; did you mean make"),
    (of("TABLE"), "to name a function, got array"),
    (
        of("make_nothing"),
        r"make_nothing to return an agent, got None; return a function act\(observations, masks, rng\)",
    ),
    (of("make_illegal"), r"careful to choose what its mask allows, got \[2, 2, 2, 2\]; choose among masks"),
    (of("make_fractions"), r"careful to return 4 action numbers for 4 decisions, got float64 of shape \(4,\)"),
    (of("make_broken"), r"careful to decide, as act\(observations, masks, rng\) does, .*observations\[\"heap\"\]"),
    (of("make_with_an_argument"), "to make the agent careful of the game alone.*TypeError: .*'depth'"),
    (
        game_with(of("make"), adviser="carful"),
        "adviser to name one of the agents, got 'carful'; .*did you mean careful",
    ),
    (game_with(of("make"), position_values=f"{__name__}:losses"), "to return a payoff from -1 to 1 .*, got .*-2"),
    (game_with(of("make"), position_values=f"{__name__}:TABLE"), "to name a function, got array"),
]


@pytest.mark.parametrize(("planted", "message"), WRONG, ids=[message[:20] for _, message in WRONG])
def test_agents_that_do_not_play_are_told(planted: Game, message: str) -> None:
    with pytest.raises(BadGame, match=f"^Pig: .*{message}"):
        check_game(planted, SMALL, games=1)
