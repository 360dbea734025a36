"""The moment that is shown as a figure to keep: SVG, or PDF where its library is installed."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from titan_env.extras import MissingExtra
from titan_env.records.figure import FIGURES
from titan_env.web.requests.request_validation import asked_look, asked_number, short
from titan_env.web.views.translation import _


def figure(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return a visitor's picture of one moment as a file in base64; ``form`` is the ending of its name."""
    form = asked.get("form")
    if not isinstance(form, str) or form not in FIGURES:
        raise ValueError(_("expected a form of {known}, got {got}", known=", ".join(FIGURES), got=short(form)))
    game_view: Any = server.sessions.find(owner, str(asked.get("id")))
    shapes = game_view.shapes(asked_number(asked, "at"), server.look(game_view, owner, asked))
    try:
        file = FIGURES[form](shapes, asked_look(asked).theme, game_view.game.metadata.title)
    except MissingExtra as error:
        raise ValueError(str(error)) from None
    return {"file": base64.b64encode(file).decode()}
