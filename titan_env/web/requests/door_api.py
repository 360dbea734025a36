"""The front door: the games with what people want to know before they choose one, and a visitor's own games."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from titan_env import registry
from titan_env.contract import Game
from titan_env.records.session import result_sentence
from titan_env.web.views.game_view import GameView

MOST_LISTED = 12
"""The bound on a visitor's games that are listed."""


def mine(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return a visitor's own games, the latest first: of each its id, title, players and number of decisions.

    A game in memory tells its result too; of one that is kept in the file alone only the header is read.
    """
    opened = {name: _opened(game_view) for name, game_view in server.sessions.of_owner(owner)}
    kept = [] if server.store is None else server.store.of_owner(owner, MOST_LISTED)
    titles = {game.id: game.metadata.title for game in map(registry.load, registry.names())}
    for name, header, decisions, _line in kept:
        about = json.loads(header)
        if name not in opened and about["game"] in titles:
            entry = {"title": titles[about["game"]], "names": about["agents"]}
            opened[name] = {**entry, "decisions": decisions, "result": None}
    return {"games": [{"id": name, **entry} for name, entry in list(opened.items())[:MOST_LISTED]]}


def _opened(game_view: GameView) -> dict[str, Any]:
    """Return what is listed of a game in memory."""
    moments = tuple(game_view.moments)
    entry = {"title": game_view.game.metadata.title, "names": game_view.names, "decisions": len(moments) - 1}
    return {**entry, "result": result_sentence(moments[-1].read)}


def pitch(game: Game) -> dict[str, Any]:
    """Return what the front door says of a game: one sentence, and the minutes it takes, 0 where nobody knows."""
    form = game.presentation.setup_form()
    return {"pitch": form.about or form.presets[0].about, "minutes": form.minutes}
