"""A moment of a recorded game as a figure for a paper: SVG or PDF, drawn with lines and letters that scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from titan_env.contract.shapes import Shape
from titan_env.pictures.pdf import pdf
from titan_env.pictures.render import shapes_of
from titan_env.pictures.svg import FIGURE_FONT, svg, theme_of
from titan_env.records.replay import Record, positions


def _svg(shapes: Sequence[Shape], theme: str, title: str) -> bytes:
    """Return a picture as an SVG file."""
    return svg(shapes, theme=theme, title=title, font=FIGURE_FONT).encode()


def _pdf(shapes: Sequence[Shape], theme: str, title: str) -> bytes:
    """Return a picture as a PDF file."""
    return pdf(shapes, theme=theme, title=title)


FIGURES: Mapping[str, Callable[[Sequence[Shape], str, str], bytes]] = {".svg": _svg, ".pdf": _pdf}
"""The function that makes each kind of file from shapes, a theme and a title, by the ending of its name."""


def save_figure(record: Record, path: Path, at: int | None = None, theme: str = "light") -> None:
    """Write the position after decision `at` (0: the start; None: the last), with all that is hidden in it.

    Raises ValueError for a moment that the record has not, or another ending than .svg and .pdf.
    """
    if path.suffix not in FIGURES:
        raise ValueError(f"expected a file that ends in {' or '.join(FIGURES)}, got {path.name}")
    theme_of(theme)
    last = len(record.decisions)
    at = last if at is None else at
    if not 0 <= at <= last:
        raise ValueError(f"expected a moment from 0 to {last} after --at, got {at}")
    before = None
    for number, moment in enumerate(positions(record)):
        if number == at:
            names = record.header["agents"]
            shapes = shapes_of(record.game, moment.state, None, moment.events, before, False, names)
            path.write_bytes(FIGURES[path.suffix](shapes, theme, record.game.metadata.title))
        before = moment.state
