"""A replayed game as one HTML file: opens by double click, needs no network, fits into a supplement.

Every position is drawn as SVG, all of them are packed together (they are much alike), and a few lines of
script step through them: buttons, a slider, or the keys left, right, space, home and end. It is light or
dark as its reader prefers, or says with a button, and drawn for a telephone too. A long step is told part by part,
as on the page; who is in a hurry goes on to where it leads.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import itertools
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from titan_env.contract import Game
from titan_env.contract.shapes import MOST_CACHED
from titan_env.contract.translation import language
from titan_env.pictures.render import shapes_of
from titan_env.pictures.svg import lines, theme_of
from titan_env.records.replay import Record, ReplayStep, parts_of, positions
from titan_env.records.thoughts import read_thoughts
from titan_env.records.translation import _

_COLOUR = re.compile("#[0-9A-F]{6}")


def render_html(record: Record, theme: str | None = None) -> str:
    """Render a record as a page, in a `theme` or its reader's. Raises BadRecord where it does not replay."""
    if theme is not None:
        theme_of(theme)
    game, earlier, pages = record.game, None, []
    names = record.header["agents"]
    texts: dict[str, int] = {}  # every text once: positions are much alike
    for moment in positions(record):
        before: Any = earlier.state if earlier else None
        entry = _told(game, earlier, moment)
        entry["barred"] = [_numbered(texts, pair) for pair in entry["barred"]]
        entry |= _drawn(game, moment.state, moment.events, before, names, texts)
        entry["parts"] = [
            {"told": count, **_drawn(game, state, moment.events[:count], before, names, texts)}
            for count, state in parts_of(game, before, moment)
        ]
        pages.append(entry)
        earlier = moment
    packed = base64.b64encode(zlib.compress(json.dumps({"texts": list(texts), "pages": pages}).encode(), 9)).decode()
    agents = ", ".join(record.header["agents"])
    title = f"{game.metadata.title}: {agents}" if agents else game.metadata.title
    filled = {"title": html.escape(title), "scheme": theme or "light dark", "pages": packed, "language": language()}
    page = files("titan_env.records").joinpath("replay.html").read_text("utf-8")
    translated = re.sub(r"\{\{(.+?)\}\}", lambda gap: html.escape(_(gap[1])), page)
    filled["policy"] = _security_policy(translated)
    return re.sub(r"\[\[(\w+)\]\]", lambda gap: filled[gap[1]], translated)


def _security_policy(page: str) -> str:
    """Return a content security policy: nothing runs but the page's own script, and nothing is loaded."""
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _drawn(
    game: Game, state: Any, events: Any, before: Any, names: Sequence[str], texts: dict[str, int]
) -> dict[str, list[int]]:
    """Return both forms of the picture of a position, by the numbers of their lines among all texts."""
    drawn = {}
    for form in ("wide", "narrow"):
        # Shape by shape, not by the pieces of a sheet: most of a piece is as it was when a part of it has changed.
        shapes = list(shapes_of(game, state, None, events, before, form == "narrow", names))
        pairs = zip(lines(shapes), lines(shapes, theme="dark"), strict=True)
        drawn[form] = _numbered(texts, itertools.starmap(_in_both_themes, pairs))
    return drawn


def _numbered(texts: dict[str, int], pair: Iterable[str]) -> list[int]:
    """Return the numbers of some texts among all; a new one takes the next."""
    return [texts.setdefault(text, len(texts)) for text in pair]


@functools.lru_cache(4 * MOST_CACHED)
def _in_both_themes(light: str, dark: str) -> str:
    """Return a line of a picture whose colours follow the scheme of the page."""
    others = iter(_COLOUR.findall(dark))
    return _COLOUR.sub(lambda colour: _either(colour[0], next(others)), light)


def _either(light: str, dark: str) -> str:
    """Return a colour of two themes as CSS says it."""
    return light if light == dark else f"light-dark({light},{dark})"


def _told(game: Game, earlier: ReplayStep | None, moment: ReplayStep) -> dict[str, Any]:
    """Texts of a position: the decision, its events, the legal actions, reasons for the others, the agent's bars."""
    state, decision = moment.state, moment.decision
    barred = game.illegal_reasons(state)
    entry: dict[str, Any] = {
        "say": _("Player {n}: {say}", n=decision["seat"] + 1, say=decision["say"]) if decision else _("The start"),
        "events": [game.text.describe_event(state, event) for event in moment.events],
        "legal": [game.text.describe_action(state, int(action)) for action in np.flatnonzero(game.rules.mask(state))],
        "barred": [(reason, ", ".join(barred[reason])) for reason in sorted(barred, key=lambda why: len(barred[why]))],
    }
    return {**entry, **read_thoughts(game, earlier.states, decision)} if earlier and decision else entry
