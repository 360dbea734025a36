"""Analysis of a finished game for its visitor: chances of winning, the best choices, and what an agent would do.

A game that is still played is not analysed: that would tell what is hidden. The work is done beside the planners, in
turns with theirs, and what was found is kept with the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from titan_env import agents
from titan_env.contract import Status
from titan_env.play.agent_calls import ask_agent
from titan_env.play.determinization import agent_rng
from titan_env.records.analysis import Analysis, ComparedChoices, Expected
from titan_env.records.replay import ReplayStep, hash_of
from titan_env.records.session import observation_of
from titan_env.records.thoughts import read_thoughts, thoughts_entry
from titan_env.web.requests.request_validation import asked_number, short
from titan_env.web.views.game_view import GameView
from titan_env.web.views.translation import _

MOST_MOMENTS = 16
"""The bound on the moments of one request."""

GoOn = Callable[[], None]


async def chances(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return every seat's chance of winning at some moments of a finished game, with its standard error."""
    game_view, moments = _finished(server, owner, asked)
    asked_moments = asked.get("moments")
    if not isinstance(asked_moments, list) or not 0 < len(asked_moments) <= MOST_MOMENTS:
        raise ValueError(_("expected 1 to {most} moments, got {got}", most=MOST_MOMENTS, got=short(asked_moments)))
    numbers = [_moment({"at": moment}, len(moments)) for moment in asked_moments]

    def work(go_on: GoOn) -> list[Expected]:
        analysis = _analysis(game_view, go_on)
        return [_kept(game_view, "chances", moments[at], analysis.expected) for at in numbers]

    found = await server.scheduler.work(owner, work)
    return {
        "by": agents.default_agent(game_view.game),
        "chances": {
            at: [round(chance, 3) for chance in one.chances.tolist()] for at, one in zip(numbers, found, strict=True)
        },
    }


async def choices(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return the best choices at one moment of a finished game, and the mark of the one that was played."""
    game_view, moments = _finished(server, owner, asked)
    at = _moment(asked, len(moments))
    decision = moments[at + 1].decision if at + 1 < len(moments) else None
    played = None if decision is None else game_view.game.rules.actions.numbers[decision["action"]]

    def work(go_on: GoOn) -> dict[str, Any]:
        analysis, here = _analysis(game_view, go_on), moments[at]
        found = _kept(
            game_view, "choices", here, lambda states: analysis.choices(states, played, len(moments) - at), played
        )
        return {"at": at, **({} if found is None else _analysis_view(game_view, analysis, here, found))}

    return await server.scheduler.work(owner, work)


async def advise(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return what an agent would do at one moment of a finished game, and its thoughts."""
    game_view, moments = _finished(server, owner, asked)
    at, name, known = _moment(asked, len(moments)), asked.get("agent"), server.players(game_view.game)[1:]
    if name not in known:
        raise ValueError(_("expected an agent among {known}, got {got}", known=", ".join(known), got=short(name)))
    if moments[at].state.over != Status.RUNNING:
        raise ValueError(_("expected a moment at which somebody decides, got the end"))

    def work(go_on: GoOn) -> dict[str, Any]:
        game, states = game_view.game, moments[at].states.copy().view(np.recarray)
        state, mask = states[0], game.rules.mask(states[0])
        asked_of = (agents.load(str(name), game), game, states, observation_of(game, states), mask[None], agent_rng(at))
        (action,), (words,), (opinion,) = ask_agent(*asked_of, None, go_on, weighed=True)
        thoughts = read_thoughts(game, states, thoughts_entry(game, state, mask, words, opinion))
        return {"at": at, "seat": int(state.seat), "say": game.text.describe_action(state, int(action)), **thoughts}

    return await server.scheduler.work(owner, work)


def _finished(server: Any, owner: str, asked: Mapping[str, Any]) -> tuple[GameView, Sequence[ReplayStep]]:
    """Return a visitor's game and its moments. Raises ValueError while it is played."""
    game_view: GameView = server.sessions.find(owner, str(asked.get("id")))
    moments = game_view.open_moments
    if game_view.live and moments[-1].state.over == Status.RUNNING:
        raise ValueError(_("expected a game that is over: its analysis would tell what is hidden"))
    return game_view, moments


def _moment(asked: Mapping[str, Any], count: int) -> int:
    """Return the number of a moment. Raises ValueError out of range."""
    at = asked_number(asked, "at")
    if not 0 <= at < count:
        raise ValueError(_("expected a moment from {first} to {last}, got {at}", first=0, last=count - 1, at=at))
    return at


def _analysis(game_view: GameView, go_on: GoOn) -> Analysis:
    """Return an analysis by the game's default agent."""
    return Analysis(game_view.game, agents.load(agents.default_agent(game_view.game), game_view.game), go_on=go_on)


def _kept(game_view: GameView, kind: str, here: ReplayStep, find: Callable[[Any], Any], *more: Any) -> Any:
    """Return what was found at a position before, or find it; an undo may have put another one in its place."""
    key = (kind, hash_of(game_view.game, here.state), *more)
    if key not in game_view.analysed:
        game_view.analysed[key] = find(here.states)
    return game_view.analysed[key]


def _analysis_view(game_view: GameView, analysis: Analysis, here: ReplayStep, found: ComparedChoices) -> dict[str, Any]:
    """Return choices as the page shows them: chances and margins in percent, with 95 % intervals."""
    compared = [
        {
            "say": game_view.game.text.describe_action(here.state, choice.action),
            "chance": round(100 * choice.chance, 1),
            "margin": round(100 * choice.margin, 1),
            "error": round(196 * choice.error, 1),
            "played": choice is found.played,
        }
        for choice in found.compared
    ]
    line = analysis.say(here.states, found)
    return {"seat": int(here.state.seat), "choices": compared, "mark": found.mark, "line": line, "worlds": found.worlds}
