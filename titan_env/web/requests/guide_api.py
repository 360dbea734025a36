"""Guided first games: how they are begun, and their steps in the visitor's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.translation import mark
from titan_env.engine.game_setup import GameSetup
from titan_env.web.requests.catalogue_api import typed
from titan_env.web.requests.request_validation import asked_game
from titan_env.web.views.game_view import PERSON
from titan_env.web.views.translation import _


def guide(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return what begins the guided first game of a game, and its steps. Raises ValueError if it has none."""
    game = asked_game(asked)
    if game.presentation.first_game is None:
        message = mark("expected a game with a guided first game, got {game}")
        raise ValueError(_(message, game=game.metadata.title))
    first = game.presentation.first_game()
    opponents = GameSetup.of(game, first.options).seats - 1
    return {
        "begin": {
            "game": game.name,
            "options": {name: typed(value) for name, value in first.options.items()},
            "names": [PERSON, *[server.players(game)[1]] * opponents],
            "seed": str(first.seed),
            "practice": True,
        },
        "steps": [
            {"text": step.text, "at": step.at, "ask": game.rules.asks(step.question).name if step.question else None}
            for step in first.steps
        ],
    }
