"""The compiled rules and a second, plain implementation of RULES.md agree, decision by decision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tiny_turbo_cars.reference import CARS, TILES, Plain, Player
from titan_env.contract import COMPILED, Status
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.state import DRIVER, NO_CAR, UNDEALT, Ask, Cause, Event, Gain

GAMES = 150 if COMPILED else 4
NUMBERS = {tile: number for number, tile in enumerate([*TILES, "hole"])}
VARIANTS: dict[str, dict[str, Any]] = {
    "four": {},
    "three": {"players": 3},
    "two": {"players": 2, "slides": 4, "countdown": 2},
    "long": {"length": 4, "slides": 100, "countdown": 1, "players": 2},
    "sprint": {"length": 1, "cars": "random"},
    "lines": {"line_pushes": True, "slides": 12, "countdown": 4},
    "podium": {"podium": True, "length": 1},
    "podium of three": {"podium": True, "length": 1, "players": 3, "line_pushes": True, "slides": 5, "countdown": 2},
    "short": {"length": 2, "round_limit": 3, "slides": 1},
}
TEXTS = GAME.rules.actions.texts


DRIVEN = [name for name in DRIVER.names if name != "controller"]
PUBLIC = ["over", "ask", "seat", "line", "first", "rounds", "time_left"]


def as_tuple(plain: Plain) -> tuple[Any, ...]:
    """The position as the plain implementation tells it, in our numbers."""
    over = Status.TRUNCATED if plain.truncated else Status.RUNNING if plain.ask else Status.TERMINATED
    ask = Ask[plain.ask.upper()] if plain.ask else Ask.NOTHING
    return over, ask, plain.seat, plain.line, plain.first, plain.round, plain.left or 0


def driver(player: Player) -> tuple[Any, ...]:
    """One seat as the plain implementation tells it, in our numbers and in the order of our record."""
    car = CARS.index(player.car) if player.car else NO_CAR
    counted = (player.batteries, player.shields, player.lying, player.slip, player.token, player.slides)
    return car, player.row, player.lane, *counted, player.asked


def controller(player: Player) -> list[int]:
    """A controller, place by place."""
    return [NUMBERS[tile] for tile in player.controller] or [UNDEALT] * 16


def numbered(what: str, seat: int, second: str | int, third: str | int) -> list[int]:
    """What happened as the plain implementation tells it, in our numbers."""
    if what == "gained":
        third = Gain[str(third).upper()].value
    names = {name: number for number, name in enumerate(CARS)} if what == "chose" else NUMBERS
    return [
        Event[what.upper()].value,
        seat,
        second if isinstance(second, int) else names[second],
        third if isinstance(third, int) else Cause[third.upper()].value,
    ]


def chances(batch: Batch) -> list[list[int]]:
    """What chance answered in the latest step of each game."""
    luck = batch.luck
    return [answers[:asked] for answers, asked in zip(luck.answers.tolist(), luck.asked.tolist(), strict=True)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_plain_implementation_plays_the_same_games(variant: str) -> None:
    options = VARIANTS[variant]
    batch = Batch(GAME, GAMES, events=True, **options)
    batch.seed(7)
    batch.start()
    kept = {name: value for name, value in options.items() if name != "cars"}
    games = [Plain(chance, draft="cars" not in options, **kept) for chance in chances(batch)]
    rng = np.random.default_rng(3)
    hurry = rng.random(GAMES)  # some slide for long, some finish soon
    finish = GAME.rules.actions.read("finish")
    for decision in range(2000):
        running = np.flatnonzero(~batch.over).tolist()
        if not running:
            break
        actions = batch.sample()
        actions[(batch.masks[:, finish] == 1) & (rng.random(GAMES) < 0.3 * hurry)] = finish
        for row in running[decision % 7 :: 7]:
            assert games[row].legal() == {TEXTS[action] for action in np.flatnonzero(batch.masks[row])}
        batch.step(np.maximum(actions, 0))
        states = batch.states[PUBLIC].tolist()
        drivers = batch.states["drivers"][DRIVEN].tolist()
        controllers = batch.states["drivers"]["controller"].tolist()
        answers = chances(batch)
        for row in running:
            game = games[row]
            game.chance = answers[row]
            game.play(TEXTS[actions[row]])
            assert as_tuple(game) == states[row]
            assert [numbered(*event) for event in game.happened] == batch.last_events(row).tolist()
            if game.ask != "program" or decision % 4 == 0:
                assert [driver(player) for player in game.players] == drivers[row][: len(game.players)]
                assert [controller(player) for player in game.players] == controllers[row][: len(game.players)]
    assert batch.over.all()
    for game, state in zip(games, batch.states, strict=True):
        if game.podium:
            assert state.place[: len(game.players)].tolist() == [player.place for player in game.players]
            assert state.won.tolist() == [int(seat == game.winner) for seat in range(6)]
        elif game.winner is not None:
            places = [game.order().index(seat) + 1 for seat in range(len(game.players))]
            assert state.place[: len(places)].tolist() == places
            assert state.won.tolist() == [int(seat == game.winner) for seat in range(6)]
