"""The arena: published ratings, challenges to rated agents, and any agent in one's own seat with the same dice."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool

from titan_env import agents
from titan_env.contract import Game
from titan_env.records.published_ratings import published_ratings
from titan_env.records.session import GameSession, result_sentence
from titan_env.web.requests.catalogue_api import about_agent
from titan_env.web.requests.request_validation import asked_game, short
from titan_env.web.views.game_view import MOST_DECISIONS, PERSON, ranking
from titan_env.web.views.live_game import LiveGame
from titan_env.web.views.translation import _

LONGEST_GAME = 600.0
"""The time limit of a game that agents play for comparison, in seconds."""


def ladders(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return a game's published ratings: of each ladder the options, the number of seats, and its agents in words."""
    game = asked_game(asked)
    return {
        "ladders": [
            {**ladder, "agent": [_rated_agent_view(one, game) for one in ladder["agent"]]}
            for ladder in published_ratings(game)
        ]
    }


def rated_agents(game: Game) -> set[str]:
    """Return the names of the agents on a game's ladders."""
    return {agent["name"] for ladder in published_ratings(game) for agent in ladder["agent"]}


async def instead(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Play a finished challenge again with an agent in the person's seat and the same dice; return how it ended."""
    live_game: Any = server.sessions.find(owner, str(asked.get("id")))
    known = server.players(live_game.game)[1:]
    if not isinstance(live_game, LiveGame) or not live_game.by_clock or not live_game.session.is_over:
        raise ValueError(_("expected a challenge that is over: in other games the dice hang on what was decided"))
    if (name := asked.get("agent")) not in known:
        raise ValueError(_("expected an agent among {known}, got {got}", known=", ".join(known), got=short(name)))
    key = ("instead", name)
    if key not in live_game.analysed:
        found = await server.scheduler.work(owner, lambda go_on: _played(live_game, str(name), go_on), LONGEST_GAME)
        live_game.analysed[key] = found
    return await run_in_threadpool(_ended, live_game, str(name), live_game.analysed[key])


def _ended(live_game: LiveGame, name: str, session: GameSession) -> dict[str, Any]:
    """Return how a game ended that an agent has played in the seats of people."""
    return {
        "agent": name,
        "seats": [seat for seat, player in enumerate(live_game.names) if player == PERSON],
        "result": result_sentence(session.state),
        "ranking": ranking(live_game.game, session.state),
        "record": session.recorder.text,
    }


def _played(live_game: LiveGame, name: str, go_on: Callable[[], None]) -> GameSession:
    """Return the game of a challenge as it goes with an agent in the seats of people."""
    game, header = live_game.game, live_game.session.recorder.lines[0]
    names = [name if player == PERSON else player for player in live_game.names]
    session = GameSession(live_game.setup, header["seed"], None, names, by_clock=True)
    players = {player: agents.load(player, game) for player in names}
    while not session.is_over:
        if int(session.state.decisions) >= MOST_DECISIONS:
            raise ValueError(_("expected at most {n} decisions in a game on the page", n=MOST_DECISIONS))
        session.decide(session.ask_agent(players[names[int(session.state.seat)]], go_on))
    return session


def _rated_agent_view(agent: Mapping[str, Any], game: Game) -> dict[str, Any]:
    """Return who an agent is, and its rating, as JSON: None for what has no bound."""
    numbers = {name: agent[name] for name in ("rating", "low", "high")}
    about = {"name": agent["name"], "about": about_agent(agent["name"], game)}
    return {**about, **{name: n if math.isfinite(n) else None for name, n in numbers.items()}}
