"""A short game through every route of the page, before visitors come: all that it takes is compiled and loaded then."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from titan_env import agents
from titan_env.contract import Game
from titan_env.contract.translation import ENGLISH
from titan_env.engine.game_setup import GameSetup
from titan_env.web.requests.api import ApiRequest
from titan_env.web.views.game_view import PERSON

_DECISIONS = 8
_OWNER = "rehearsal"
_CHANGING = ("begin", "open", "play", "act", "hand_over", "take_over", "order", "undo", "invite", "join", "stop")
_OF_ALL_GAMES = ("catalogue", "progress")


async def rehearse(server: Any, routes: Iterable[str], game: Game) -> None:
    """Play the first decisions of a game, and ask every one of these routes about it; refusals are answers too."""

    async def ask(name: str, **asked: Any) -> dict[str, Any]:
        body = json.dumps({"game": game.name, **asked}).encode()
        answer = await server.answer(ApiRequest(name, _OWNER, body, ENGLISH))
        return dict(json.loads(answer.text))

    names = [PERSON, *[agents.default_agent(game)] * (GameSetup.of(game, {}).seats - 1)]
    view = await ask("begin", names=names, seed=0, practice=True)
    about = {"id": view["id"], "key": "", "known": "", "since": 0, "text": "", "form": ".svg"}
    for _ in range(_DECISIONS):
        if view["mine"]:
            action = view["actions"][0]["number"]
            for name in sorted(set(routes) - {*_CHANGING, *_OF_ALL_GAMES}):
                await ask(name, **about, at=view["at"], action=action)
            view = await ask("play", **about, at=view["at"], action=action)
        elif view["waits"]:
            view = await ask("act", **about, at=view["at"])
    await ask("stages", **about, at=1)
    for name in ("hand_over", "take_over", "undo", "invite", "join"):
        await ask(name, **about, at=view["at"], seat=None, agent=names[-1])
