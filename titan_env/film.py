"""A replayed game as one HTML file: opens by double click, needs no network, fits into a supplement.

Every position is drawn as SVG, all of them are packed together (they are much alike), and a few lines of
script step through them: buttons, a slider, or the keys left, right, space, home and end.
"""

from __future__ import annotations

import base64
import html
import json
import zlib
from importlib.resources import files
from typing import Any

import numpy as np

from titan_env.contract import Game
from titan_env.render import shapes_of
from titan_env.replay import Record, positions
from titan_env.svg import svg


def film(record: Record, theme: str = "light") -> str:
    """The page of a record. Raises BadRecord where it does not replay."""
    game, before, pages = record.game, None, []
    texts: dict[str, int] = {}  # every text once: positions are much alike
    for moment in positions(record):
        drawn = svg(shapes_of(game, moment.state, None, moment.events, before), theme=theme)
        told = _told(game, moment.state, moment.decision, moment.events)
        told["barred"] = [texts.setdefault(text, len(texts)) for text in told["barred"]]
        elements = drawn.replace("><", ">\0<").split("\0")
        pages.append({"svg": [texts.setdefault(text, len(texts)) for text in elements], **told})
        before = moment.state
    packed = base64.b64encode(zlib.compress(json.dumps({"texts": list(texts), "pages": pages}).encode(), 9)).decode()
    page = files("titan_env").joinpath("film.html").read_text("utf-8")
    agents = ", ".join(str(agent) for agent in record.header["agents"])
    title = f"{game.title}: {agents}" if agents else game.title
    return page.replace("{{title}}", html.escape(title)).replace("{{theme}}", theme).replace("{{pages}}", packed)


def _told(game: Game, state: Any, decision: Any, events: Any) -> dict[str, Any]:
    """What is said beside a position: the decision, what happened, what is legal and why not, the agent's bars."""
    mask = np.zeros(len(game.actions), np.int8)
    game.legal(state, mask)
    barred = np.flatnonzero(mask == 0) if not state.over else np.array([], np.int64)
    said = {
        "seat": decision["seat"] if decision else None,
        "say": decision["say"] if decision else "The start",
        "events": [game.tell(state, event) for event in events],
        "legal": [game.say(state, int(action)) for action in np.flatnonzero(mask)],
        "barred": [f"{game.actions.texts[action]}: {game.why_not(state, int(action))}" for action in barred],
    }
    for name in ("value", "chances"):
        if decision and name in decision:
            said[name] = decision[name]
    return said
