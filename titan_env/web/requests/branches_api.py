"""Branches: practice games that leave a visitor's own game at a past moment, and the tree of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from titan_env import registry
from titan_env.contract.translation import mark
from titan_env.engine.game_setup import GameSetup
from titan_env.records.seeding import draw_seed
from titan_env.records.visible import sentence_of_decision
from titan_env.web.requests.request_validation import asked_number
from titan_env.web.sessions.reopening import keep
from titan_env.web.views.game_view import PERSON
from titan_env.web.views.live_game import LiveGame
from titan_env.web.views.translation import _

MOST_LISTED = 100
"""The bound on a visitor's kept games among which branches are looked for."""


def branch(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Begin a practice game at a past moment of a visitor's own game, and play an action there if one is given.

    The visitor decides for the seat that is asked there, agents for all others. Return its id and first view. Raises
    ValueError for a game of others, one in play that hides anything from them or is no practice, and for its end.
    """
    game_view = server.sessions.find(owner, str(asked.get("id")))
    moments, at, game = game_view.open_moments, asked_number(asked, "at"), game_view.game
    now = moments[-1].read
    if not game_view.is_owner(owner):
        raise ValueError(_("expected a game that you have begun; save the record of this one, and open it"))
    is_alone = game_view.is_practice and not game_view.guests
    if game_view.viewer(now, server.look(game_view, owner, asked)) is not None or not (
        is_alone or not game_view.live or now.over
    ):
        message = mark("expected a game that is over, or a practice game of yours alone that hides nothing from you")
        raise ValueError(_(message))
    if not 0 <= at < len(moments) or moments[at].read.over:
        raise ValueError(_("expected a moment at which somebody decides, got {at}", at=at))
    action = None if asked.get("action") is None else asked_number(asked, "action")
    mask = game.rules.mask(moments[at].state)
    if action is not None and not (0 <= action < len(mask) and mask[action]):
        raise ValueError(_("expected a legal action, got {action}", action=action))
    setup = GameSetup.at(game, game.text.position_text(moments[at].read), {})
    seat, agents = int(moments[at].read.seat), server.players(game)[1:]
    names = [name if name in agents else agents[0] for name in game_view.names]
    names[seat] = PERSON
    begun = LiveGame(setup, names, draw_seed(), True)
    begun.branch = (str(asked["id"]), at)
    name = server.sessions.add(owner, begun)
    if server.store is not None:
        keep(server.store, name, owner, begun)
    if action is not None:
        begun.play(action, 0, begun.held_by(owner))
    return {"id": name, **server.view(begun, owner, asked)}


def branches(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return the tree of a visitor's own games that a game belongs to, from its main line on; None for a guest.

    Each has its id, the moment at which it leaves the game above it, its first decision in words, and its branches.
    """
    name = str(asked.get("id"))
    if not server.sessions.find(owner, name).is_owner(owner):
        return {"tree": None}
    known = _own_games(server, owner)
    while (above := known[name][0]) is not None and above[0] in known:
        name = above[0]
    return {"tree": _tree(known, name)}


def _tree(known: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a game with its branches, those that leave it first at the head."""
    left, say = known[name]
    own = sorted((about[0][1], other) for other, about in known.items() if about[0] and about[0][0] == name)
    entry = {"id": name, "at": left and left[1], "say": say}
    return {**entry, "branches": [_tree(known, other) for _at, other in own]}


def _own_games(server: Any, owner: str) -> dict[str, tuple[tuple[str, int] | None, str | None]]:
    """Return where each of a visitor's games leaves another, and its first decision in words."""
    known: dict[str, tuple[tuple[str, int] | None, str | None]] = {}
    for name, game_view in server.sessions.of_owner(owner):
        say = None
        if game_view.branch is not None and len(game_view.moments) > 1:
            say = _first_sentence(game_view.setup, game_view.moments[1].decision)
        known[name] = (game_view.branch, say)
    games = {game.id: game for game in map(registry.load, registry.names())}
    for name, header, _decisions, line in [] if server.store is None else server.store.of_owner(owner, MOST_LISTED):
        about = json.loads(header)
        if name not in known and about["game"] in games:
            left, say = about.get("branch"), None
            if left and line:
                say = _first_sentence(GameSetup.at(games[about["game"]], about["position"], {}), json.loads(line))
            known[name] = (left and (left[0], left[1]), say)
    return known


def _first_sentence(setup: GameSetup, decision: Mapping[str, Any]) -> str | None:
    """Return the first decision of a game in words."""
    return sentence_of_decision(setup.game, setup.template[0], decision, None)
