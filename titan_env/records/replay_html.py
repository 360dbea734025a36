"""A replayed game as one HTML file: opens by double click, needs no network, fits into a supplement.

Every position is drawn as SVG, all of them are packed together (they are much alike), and the few lines of `replay.js`
step through them: buttons, a slider, or the keys left, right, space, home and end. It is light or dark as its reader
prefers, or says with a button, and drawn for a telephone too. A long step is told part by part, as on the page; who is
in a hurry goes on to where it leads. In a notebook the same player is a widget (`titan_env.records.widget`).
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
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

import numpy as np

from titan_env.contract import Game
from titan_env.contract.shapes import MOST_CACHED
from titan_env.contract.translation import language
from titan_env.pictures.render import shapes_of
from titan_env.pictures.svg import lines, theme_of
from titan_env.records.replay import Record, ReplayStep, positions
from titan_env.records.thoughts import read_thoughts
from titan_env.records.translation import _
from titan_env.records.visible import audible_parts, heard, sentence_of_decision

_COLOUR = re.compile("#[0-9A-F]{6}")


class ReplayPages:
    """The moments of a game as `replay.js` shows them: pages of texts, each of which stands once, as most are alike.

    They show what seat `viewer` may know; None shows everything.
    """

    def __init__(self, game: Game, names: Sequence[str], viewer: int | None = None) -> None:
        self._game, self._names, self._viewer = game, names, viewer
        self._texts: dict[str, int] = {}
        self._pages: list[dict[str, Any]] = []
        self._latest: ReplayStep | None = None

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, moment: ReplayStep, offers: bool = False) -> None:
        """Append the moment after the latest one; with `offers` a person chooses among its legal actions."""
        earlier, viewer, game = self._latest, self._viewer, self._game
        before: Any = earlier.state if earlier else None
        entry = self._entry(earlier, moment, offers)
        entry["barred"] = [self._numbered(pair) for pair in entry["barred"]]
        events = heard(game, moment, viewer)
        entry |= self._drawn(moment.state, events, before)
        entry["parts"] = [
            {"told": count, **self._drawn(state, events[:count], before)}
            for count, state in audible_parts(game, before, moment, viewer)
        ]
        self._pages.append(entry)
        self._latest = moment

    def packed(self, texts: int = 0, pages: int = 0) -> str:
        """Return the texts and pages from these numbers on as JSON, compressed, in base64."""
        content = {"texts": list(itertools.islice(self._texts, texts, None)), "pages": self._pages[pages:]}
        return base64.b64encode(zlib.compress(json.dumps(content).encode(), 9)).decode()

    def _entry(self, earlier: ReplayStep | None, moment: ReplayStep, offers: bool) -> dict[str, Any]:
        """Texts of a position: the decision, events, legal actions, reasons for the others, the agent's bars."""
        game, viewer, state, decision = self._game, self._viewer, moment.state, moment.decision
        is_seen = viewer in (None, int(state.seat))
        barred = game.illegal_reasons(state) if is_seen else {}
        legal = np.flatnonzero(game.rules.mask(state)).tolist() if is_seen else []
        choices = [(action, game.text.describe_action(state, action)) for action in legal]
        sentences = (game.event_text_for(state, event, viewer) for event in moment.events)
        entry: dict[str, Any] = {
            "say": self._sentence(earlier, decision),
            "events": [sentence for sentence in sentences if sentence is not None],
            "legal": [sentence for _action, sentence in choices],
            "barred": [
                (reason, ", ".join(barred[reason])) for reason in sorted(barred, key=lambda why: len(barred[why]))
            ],
        }
        if offers:
            entry["choices"] = choices
        if earlier and decision and viewer is None:
            entry |= read_thoughts(game, earlier.states, decision)
        return entry

    def _sentence(self, earlier: ReplayStep | None, decision: Mapping[str, Any] | None) -> str:
        """Return the sentence of a decision, with who took it."""
        if earlier is None or decision is None:
            return _("The start")
        say = sentence_of_decision(self._game, earlier.state, decision, self._viewer) or "…"
        return _("Player {n}: {say}", n=decision["seat"] + 1, say=say)

    def _drawn(self, state: Any, events: Any, before: Any) -> dict[str, list[int]]:
        """Return both forms of the picture of a position, by the numbers of their lines among all texts."""
        drawn = {}
        for form in ("wide", "narrow"):
            # Shape by shape, not by the pieces of a sheet: most of a piece is as it was when a part of it has changed.
            asked = (self._game, state, self._viewer, events, before, form == "narrow", self._names)
            shapes = list(shapes_of(*asked))
            pairs = zip(lines(shapes), lines(shapes, theme="dark"), strict=True)
            drawn[form] = self._numbered(itertools.starmap(_in_both_themes, pairs))
        return drawn

    def _numbered(self, texts: Iterable[str]) -> list[int]:
        """Return the numbers of some texts among all; a new one takes the next."""
        return [self._texts.setdefault(text, len(self._texts)) for text in texts]


def pages_of(record: Record) -> ReplayPages:
    """Return all pages of a record. Raises BadRecord where it does not replay."""
    pages = ReplayPages(record.game, record.header["agents"])
    for moment in positions(record):
        pages.add(moment)
    return pages


def title_of(game: Game, names: Sequence[str]) -> str:
    """Return the heading of a game between these players."""
    return f"{game.metadata.title}: {', '.join(names)}" if names else game.metadata.title


def render_html(record: Record, theme: str | None = None) -> str:
    """Render a record as a page, in a `theme` or its reader's. Raises BadRecord where it does not replay."""
    if theme is not None:
        theme_of(theme)
    title = title_of(record.game, record.header["agents"])
    filled = {"scheme": theme or "light dark", "pages": pages_of(record).packed(), "language": language()}
    return filled_page(title, filled)


def filled_page(title: str, filled: Mapping[str, str]) -> str:
    """Return `replay.html` in the current language, with a title and what else is filled in, and its script."""
    folder = files("titan_env.records")
    page = folder.joinpath("replay.html").read_text("utf-8")
    page = re.sub(r"\{\{(.+?)\}\}", lambda gap: html.escape(_(gap[1])), page)
    page = page.replace("[[script]]", folder.joinpath("replay.js").read_text("utf-8"))
    gaps = {"title": html.escape(title), "policy": _security_policy(page), **filled}
    return re.sub(r"\[\[(\w+)\]\]", lambda gap: gaps[gap[1]], page)


def _security_policy(page: str) -> str:
    """Return a content security policy: nothing runs but the page's own script, and nothing is loaded."""
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{digest}'; style-src 'unsafe-inline'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


@functools.lru_cache(4 * MOST_CACHED)
def _in_both_themes(light: str, dark: str) -> str:
    """Return a line of a picture whose colours follow the scheme of the page."""
    others = iter(_COLOUR.findall(dark))
    return _COLOUR.sub(lambda colour: _either(colour[0], next(others)), light)


def _either(light: str, dark: str) -> str:
    """Return a colour of two themes as CSS says it."""
    return light if light == dark else f"light-dark({light},{dark})"
