"""A game is configured once: the value that is handed down holds its first state, its seats and its sides."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.frontier import GAME as FRONTIER
from tests.games.pig import GAME as PIG
from titan_env import registry
from titan_env.contract import Game, seeded
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup


def test_games_of_a_setup_begin_as_those_of_a_batch_and_leave_it_unchanged(game: Game, options: dict[str, Any]) -> None:
    setup = GameSetup.of(game, options)
    before = setup.template.tobytes()
    batch = Batch(game, 1, **options)
    batch.seed(3)
    batch.start()
    luck = seeded([3], game.rules.luck)
    assert setup.first_states(luck).tobytes() == batch.states.tobytes()
    assert luck["stream"] == batch.luck["stream"]
    assert setup.template.tobytes() == before
    assert (setup.seats, setup.sides) == (batch.states["seats"][0], batch.states[game.rules.sides][0])


def test_a_position_is_played_on_without_another_setup() -> None:
    text = PIG.text.position_text(GameSetup.of(PIG, {"players": 3}).first_states(seeded([1], PIG.rules.luck))[0])
    luck = seeded([5], PIG.rules.luck)
    setup = GameSetup.at(PIG, text, {})
    assert PIG.text.position_text(setup.first_states(luck)[0]) == text
    assert luck.tobytes() == seeded([5], PIG.rules.luck).tobytes()


def test_an_option_that_a_game_does_not_have_is_a_value_to_people_and_a_keyword_to_functions() -> None:
    with pytest.raises(ValueError, match=r"expected an option of .*, got 'goals'; did you mean goal\?"):
        GameSetup.of(PIG, {"goals": 20})
    with pytest.raises(TypeError, match=r"expected an option of .*, got 'thread'; did you mean threads\?"):
        GameSetup.of_keywords(PIG, {"thread": 2}, Batch)


@pytest.mark.parametrize("agents", [0, 1, 5])
def test_as_many_agents_are_compared_as_there_are_sides(agents: int) -> None:
    setup = GameSetup.of(FRONTIER, {"players": 4})
    setup.check_agents(setup.sides)
    with pytest.raises(
        ValueError, match=f"expected 2 to {setup.sides} agents at a table of {setup.sides}, got {agents}"
    ):
        setup.check_agents(agents)


def test_every_game_understands_players_as_the_number_of_its_seats(game: Game) -> None:
    fewest, most = game.rules.seats
    for players in range(fewest, most + 1):
        assert GameSetup.of(game, {"players": players}).seats == players
    for options in game.rules.presets.values():
        seats = GameSetup.of(game, options).seats
        assert GameSetup.of(game, {**options, "players": seats}).seats == seats
    for wrong in (fewest - 1, most + 1, True, "2", 2.0, None):
        if wrong is None and "players" in game.rules.options:
            continue  # the game's own option may have a default
        with pytest.raises(ValueError, match=r"players"):
            GameSetup.of(game, {"players": wrong})


def test_another_number_of_players_than_the_options_seat_is_refused() -> None:
    race = registry.load("titan_race")
    with pytest.raises(ValueError, match=r"players: expected 3 with these options, got 4"):
        GameSetup.of(race, {"titans": 3, "players": 4})
    assert GameSetup.of(race, {"variant": "two_players", "players": 2}).template["titans_in_race"][0] == 4
