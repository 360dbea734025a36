"""A replayed game as one HTML file: opens by double click, needs no network, fits into a supplement.

Every position is drawn as SVG, all of them are packed together (they are much alike), and a few lines of
script step through them: buttons, a slider, or the keys left, right, space, home and end. It is light or
dark as its reader prefers, or says with a button, and drawn for a telephone too.
"""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from titan_env.contract import Game
from titan_env.render import shapes_of
from titan_env.replay import Record, positions
from titan_env.shapes import Shape
from titan_env.svg import svg, theme_of

_COLOUR = re.compile("#[0-9A-F]{6}")


def film(record: Record, theme: str | None = None) -> str:
    """The page of a record; it opens in a `theme`, or in its reader's. Raises BadRecord where it does not replay."""
    if theme is not None:
        theme_of(theme)
    game, before, pages = record.game, None, []
    texts: dict[str, int] = {}  # every text once: positions are much alike
    for moment in positions(record):
        told = _told(game, moment.state, moment.decision, moment.events)
        told["barred"] = [[texts.setdefault(text, len(texts)) for text in pair] for pair in told["barred"]]
        for form in ("wide", "narrow"):
            drawn = _in_both_themes(shapes_of(game, moment.state, None, moment.events, before, form == "narrow"))
            told[form] = [texts.setdefault(text, len(texts)) for text in drawn.replace("><", ">\0<").split("\0")]
        pages.append(told)
        before = moment.state
    packed = base64.b64encode(zlib.compress(json.dumps({"texts": list(texts), "pages": pages}).encode(), 9)).decode()
    agents = ", ".join(record.header["agents"])
    title = f"{game.title}: {agents}" if agents else game.title
    filled = {"title": html.escape(title), "scheme": theme or "light dark", "pages": packed}
    page = files("titan_env").joinpath("film.html").read_text("utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda gap: filled[gap[1]], page)


def _in_both_themes(shapes: Sequence[Shape]) -> str:
    """A picture whose colours follow the scheme of the page."""
    dark = iter(_COLOUR.findall(svg(shapes, theme="dark")))
    return _COLOUR.sub(lambda light: _either(light[0], next(dark)), svg(shapes))


def _either(light: str, dark: str) -> str:
    """A colour of two themes as CSS says it."""
    return light if light == dark else f"light-dark({light},{dark})"


def _told(game: Game, state: Any, decision: Any, events: Any) -> dict[str, Any]:
    """What is said beside a position: the decision, what happened, what is legal, why not, the agent's bars."""
    mask = np.zeros(len(game.actions), np.int8)
    game.legal(state, mask)
    barred: dict[str, list[str]] = defaultdict(list)  # the actions that each sentence forbids
    for action in np.flatnonzero(mask == 0) if not state.over else ():
        barred[str(game.why_not(state, int(action)))].append(game.actions.texts[action])
    said = {
        "seat": decision["seat"] if decision else None,
        "say": decision["say"] if decision else "The start",
        "events": [game.tell(state, event) for event in events],
        "legal": [game.say(state, int(action)) for action in np.flatnonzero(mask)],
        "barred": [(reason, ", ".join(barred[reason])) for reason in sorted(barred, key=lambda why: len(barred[why]))],
    }
    for name in ("value", "chances"):
        if decision and name in decision:
            said[name] = decision[name]
    return said
