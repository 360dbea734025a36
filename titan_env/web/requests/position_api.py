"""Positions that people edit by hand: what a request moves or adds, the picture and the tray."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from titan_env.compiler.record_copies import copy_records
from titan_env.contract import Game
from titan_env.contract.translation import mark
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.validation import parse_checked_position
from titan_env.pictures.render import svg_of
from titan_env.pictures.svg import svg
from titan_env.web.requests.request_validation import MOST_TEXT, asked_game, asked_look, asked_options
from titan_env.web.views.translation import _

_PIECE = 72
"""The width in pixels of a piece in the tray."""


def edited_position(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Validate a position's text (none: a new setup), put a thing elsewhere if asked to, and draw it with its tray."""
    game, text = asked_game(asked), asked.get("text")
    states = _first_states(game, asked_options(asked)) if text == "" else parse_checked_position(game, text)
    what, where = asked.get("what"), asked.get("where", "")
    if what is not None:
        if game.presentation.edit_position is None:
            message = mark("expected a game whose positions can be edited, got {game}")
            raise ValueError(_(message, game=game.metadata.title))
        if not all(isinstance(key, str) and len(key) <= MOST_TEXT for key in (what, where)):
            raise ValueError(_("expected the keys of two things in the picture"))
        game.presentation.edit_position(states[0], what, where)
        game.text.validate_position(states[0])
    look = asked_look(asked)
    keys = {} if game.presentation.edit_position is None else asdict(game.presentation.edit_keys)
    return {
        "text": game.text.position_text(states[0]),
        "seats": int(states[0].seats),
        "svg": svg_of(game, states[0], narrow=look.narrow, theme=look.theme),
        "keys": keys,
        "tray": _drawn_tray(game, states[0], look.theme),
    }


def _first_states(game: Game, options: Mapping[str, Any]) -> Any:
    """Return the states (1,) of a new setup, at the first question at which the tray has pieces.

    The first legal actions lead there, such as those by which first legions are divided: people then change the result.
    """
    batch = Batch(game, 1, templates=GameSetup.of(game, options).template)
    batch.start()
    begun = copy_records(batch.states)
    while game.presentation.tray and not batch.over[0]:
        if game.presentation.tray(batch.states[0]):
            return batch.states
        batch.step(batch.masks.argmax(axis=1))
    return begun


def _drawn_tray(game: Game, state: Any, theme: str) -> list[dict[str, Any]]:
    """Return the pieces that can be added to a position, with their pictures."""
    if game.presentation.tray is None:
        return []
    return [
        {
            "key": piece.key,
            "title": piece.title,
            "group": piece.group,
            "left": piece.left,
            "svg": svg(piece.picture, width=_PIECE, theme=theme, title=piece.title),
        }
        for piece in game.presentation.tray(state)
    ]
