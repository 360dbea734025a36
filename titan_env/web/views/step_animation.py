"""A long step told part by part, before the moment that it leads to: a picture and the sentences for each part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from titan_env.contract import Game
from titan_env.pictures.render import svg_lines_of
from titan_env.records.replay import ReplayStep
from titan_env.records.visible import audible_parts
from titan_env.web.views.history import audible
from titan_env.web.views.svg_delta import Part, diff_lines


def frames(
    game: Game, before: Any, moment: ReplayStep, viewer: int | None, theme: str, narrow: bool, names: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the parts that `viewer` may know of but the last, each picture by its changes since the part before."""
    events, sentences = audible(game, moment, viewer)
    parts: list[dict[str, Any]] = []
    lines: list[str] = []
    for count, state in audible_parts(game, before, moment, viewer):
        held, lines = lines, svg_lines_of(game, state, viewer, events[:count], before, narrow, names, theme=theme)
        changed: list[Part] = diff_lines(held, lines)
        parts.append({"svg": changed, "events": sentences[:count]})
    return parts
