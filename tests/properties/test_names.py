"""A game and an agent may be given by name wherever users give one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from titan_env import Batch, agents, explain
from titan_env.contract import Game
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.schema import schema_of
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.evaluation.matches.focal import play_alone
from titan_env.evaluation.matches.match import play, win_rates

DOORS: dict[str, Callable[[Any, Any], Any]] = {
    "Batch": lambda game, agent: Batch(game, 2).templates.tobytes(),
    "ObservationView": lambda game, agent: ObservationView(game).choice,
    "schema_of": lambda game, agent: schema_of(game).hash,
    "explain": lambda game, agent: explain(game, np.ones(ObservationView(game).layout.size, np.float32)),
    "names": lambda game, agent: agents.names(game),
    "default_agent": lambda game, agent: agents.default_agent(game),
    "parse": lambda game, agent: agents.parse("random", game),
    "counts": lambda game, agent: agents.counts("random", game),
    "win_rates": lambda game, agent: win_rates(game, {"a": agent, "b": agent}, 2, 3),
    "play": lambda game, agent: [part.tolist() for part in play(game, [agent, agent], 2, 3)],
    "play_blocks": lambda game, agent: play_blocks(game, [agent, agent], [3]).tolist(),
    "play_alone": lambda game, agent: play_alone(game, [agent, agent], [3]).shares.tolist(),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_name_does_what_the_game_itself_does(game: Game, door: str) -> None:
    by_name = DOORS[door](game.name, "random")
    assert by_name == DOORS[door](game, agents.load("random", game))


@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_game_is_one_clear_line(door: str) -> None:
    with pytest.raises(ValueError, match="did you mean titan_race") as misspelt:
        DOORS[door]("titan_rase", "random")
    with pytest.raises(TypeError, match="expected a game or its name, got 7") as wrong:
        DOORS[door](7, "random")
    assert "\n" not in f"{misspelt.value}{wrong.value}"
