"""Analysis of a finished game for its visitor: chances of winning, the best choices, and what an agent would do.

A game that is still played is not analysed: that would tell what is hidden. The work is done beside the planners, in
turns with theirs, and what was found is kept with the game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from titan_env import agents
from titan_env.agents.judge import critic_of, judge_of
from titan_env.contract import Status
from titan_env.play.agent_calls import ask_agent
from titan_env.play.determinization import agent_rng
from titan_env.records.analysis import Analysis, ComparedChoices
from titan_env.records.estimates import ChanceEstimate, Expected
from titan_env.records.recorder import hash_of
from titan_env.records.replay import ReplayStep
from titan_env.records.session import observation_of
from titan_env.records.thoughts import read_thoughts, thoughts_entry
from titan_env.web.requests.request_validation import asked_number, short
from titan_env.web.views.game_view import GameView
from titan_env.web.views.translation import _

MOST_MOMENTS = 32
"""The bound on the moments of one request for play-outs."""
ROUND, MOST_WORLDS = 8, 64
"""The play-outs of each moment of a request that does not say, and the most that one may ask for."""
SECONDS = ("seconds",)
"""The key of the processor time that the chances of a game have taken."""

GoOn = Callable[[], None]


async def chances(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return every seat's chance of winning at some moments of a finished game, with errors, as far as it is known.

    Afterwards there are at least `worlds` play-outs for each; without any all moments may be asked for, of which those
    are told that the game's end or a critic judges. `seconds` is the processor time that was spent on the game so far.
    """
    game_view, moments = _finished(server, owner, asked)
    asked_moments, worlds = asked.get("moments"), asked_number(asked, "worlds", ROUND)
    most = MOST_MOMENTS if worlds else len(moments)
    if not isinstance(asked_moments, list) or not 0 < len(asked_moments) <= most:
        raise ValueError(_("expected 1 to {most} moments, got {got}", most=most, got=short(asked_moments)))
    if not 0 <= worlds <= MOST_WORLDS:
        raise ValueError(_("expected 0 to {most} play-outs, got {got}", most=MOST_WORLDS, got=worlds))
    numbers = sorted({_moment({"at": moment}, len(moments)) for moment in asked_moments})

    def work(go_on: GoOn) -> dict[int, dict[str, Any]]:
        began, analysis = time.thread_time(), _analysis(game_view, go_on)
        found = _refined(game_view, analysis, [moments[at] for at in numbers], worlds)
        spent = game_view.analysed.get(SECONDS, 0.0) + time.thread_time() - began
        game_view.analysed[SECONDS] = spent
        return {at: _estimate_view(one, one.expected) for at, one in zip(numbers, found, strict=True) if one.expected}

    found = await server.scheduler.work(owner, work)
    seconds = round(game_view.analysed[SECONDS], 3)
    return {"by": judge_of(game_view.game), "seconds": seconds, "moments": found}


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
    """Return an analysis by the agent that judges the game, and its values."""
    by = agents.load(judge_of(game_view.game), game_view.game)
    return Analysis(game_view.game, by, go_on=go_on, critic=critic_of(by))


def _refined(
    game_view: GameView, analysis: Analysis, moments: Sequence[ReplayStep], worlds: int
) -> Sequence[ChanceEstimate]:
    """Return the estimates at these moments with at least so many play-outs, and keep them."""
    keys = [("chances", hash_of(game_view.game, moment.state)) for moment in moments]
    new = {key: moment for key, moment in zip(keys, moments, strict=True) if key not in game_view.analysed}
    if new:
        states = np.concatenate([moment.states for moment in new.values()]).view(np.recarray)
        game_view.analysed.update(zip(new, analysis.estimates(states), strict=True))
    unlike = list(dict.fromkeys(keys))
    refined = analysis.refine([game_view.analysed[key] for key in unlike], worlds)
    game_view.analysed.update(zip(unlike, refined, strict=True))
    return [game_view.analysed[key] for key in keys]


def _estimate_view(estimate: ChanceEstimate, expected: Expected) -> dict[str, Any]:
    """Return what is expected at a moment as the page draws it: shares with 95 % intervals, and the play-outs.

    The end of a game needs none: None.
    """
    chances, errors = expected.chances.tolist(), (1.96 * expected.errors).tolist()
    spread = {"chances": [round(chance, 3) for chance in chances], "errors": [round(error, 3) for error in errors]}
    return {**spread, "worlds": None if estimate.is_final else expected.worlds}


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
            "action": choice.action,
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
