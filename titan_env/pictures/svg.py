"""Rendering to SVG text: for the notebook, the web page and files. Needs the standard library only."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from html import escape

from titan_env.contract.shapes import (
    MOST_CACHED,
    POINTS,
    Box,
    Circle,
    Label,
    Line,
    Path,
    Piece,
    Point,
    Polygon,
    Shape,
    Sheet,
    arrow_head,
    bounds,
    shaft,
)

_HUES = {
    "yellow": "#F0E442",
    "blue": "#56B4E9",
    "brown": "#B07A4A",
    "red": "#D55E00",
    "green": "#009E73",
    "purple": "#CC79A7",
    "black": "#1B1B1B",
    "white": "#FFFFFF",
}
"""The colours of both themes, distinguishable by colour-blind people too (after Okabe and Ito 2008)."""

THEMES: Mapping[str, Mapping[str, str]] = {
    "light": {
        **_HUES,
        "paper": "#FFFFFF",
        "panel": "#F4F4F2",
        "ink": "#1F2328",
        "faint": "#6B7078",
        "edge": "#A9ADB3",
        "accent": "#0057B8",
        "alarm": "#B3261E",
        "soft_sand": "#F5F1E8",
        "soft_yellow": "#FFF3B0",
        "soft_orange": "#F7B79B",
        "soft_red": "#F4A582",
        "soft_grey": "#CFD2D6",
        "soft_brown": "#E3CDB4",
        "soft_purple": "#E2CCEF",
        "soft_blue": "#CDEBFA",
        "soft_green": "#CFE8CF",
    },
    "dark": {
        **_HUES,
        "paper": "#15181C",
        "panel": "#20252B",
        "ink": "#ECEFF2",
        "faint": "#A0A7B0",
        "edge": "#59616B",
        "accent": "#7CC4FF",
        "alarm": "#FF8A80",
        "soft_sand": "#2B2E31",
        "soft_yellow": "#4A431C",
        "soft_orange": "#5E3524",
        "soft_red": "#64301F",
        "soft_grey": "#434950",
        "soft_brown": "#4A3A2A",
        "soft_purple": "#46325A",
        "soft_blue": "#1E4459",
        "soft_green": "#234530",
    },
}
"""Theme -> name of a colour -> ``#rrggbb``."""

PAGE_FONT = "system-ui, DejaVu Sans, Arial, sans-serif"
"""The fonts of pictures on pages, the first that is there."""
FIGURE_FONT = "DejaVu Sans, Verdana, sans-serif"
"""The fonts of figures in papers: those of the package's own font, or of its widths."""
_MOST_WRITERS = 8
"""The number of themes, scales and places for which a shape's SVG is cached."""
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


def theme_of(name: str) -> Mapping[str, str]:
    """Return the colours of a theme. Raises ValueError for an unknown one."""
    if name not in THEMES:
        raise ValueError(f"expected a theme of {', '.join(THEMES)}, got {name!r}")
    return THEMES[name]


def colour_of(name: str, theme: Mapping[str, str]) -> str:
    """Return the ``#rrggbb`` of a colour; "" for none. Raises ValueError for a name that the theme lacks."""
    if name.startswith("#") or not name:
        return name
    if name not in theme:
        raise ValueError(f"expected #rrggbb or a colour of {', '.join(theme)}, got {name!r}")
    return theme[name]


def svg(
    shapes: Sequence[Shape], *, width: int = 900, theme: str = "light", title: str = "", font: str = PAGE_FONT
) -> str:
    """Return a picture as one SVG element: its `lines`, joined."""
    return "\n".join(lines(shapes, width=width, theme=theme, title=title, font=font))


def lines(
    shapes: Sequence[Shape], *, width: int = 900, theme: str = "light", title: str = "", font: str = PAGE_FONT
) -> list[str]:
    """Return a picture as one SVG element, `width` pixels wide and as high as the shapes need; a piece is one line.

    The board and the panels of a sheet are groups with ``data-part``. A shape's `key` becomes ``data-key``, its actions
    ``data-action="3 4"``, its notes ``data-notes``, what it shows ``data-shows``, its path ``data-along`` (see
    `_Drawer.along`), its title a tooltip. A picture with clickable shapes has the role of a group: screen readers skip
    the contents of an image.
    """
    colours = theme_of(theme)
    left, bottom, right, top = bounds(shapes)
    scale = width / (right - left)
    height = round((top - bottom) * scale)
    drawer = _drawer(theme, left, top, scale)
    if isinstance(shapes, Sheet):
        written = _parts(drawer, shapes.parts)
        offers = any(piece.offers for piece in shapes.pieces)
    else:
        written = [_alike(drawer, shape) for shape in shapes]
        offers = Piece(shapes).offers
    role = "group" if offers else "img"
    named = f' role="{role}"' + (f" aria-label={_quoted(title)}" if title else "")
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    fonts = f'font-family="{font}"'
    caption = f"<title>{escape(title, quote=False)}</title>" if title else ""
    paper = f'<rect width="{width}" height="{height}" fill="{colours["paper"]}"/>'
    begun = f'{head} {fonts} style="max-width:100%;height:auto"{named}>{caption}{paper}'
    return [begun, *written, "</svg>"]


@functools.lru_cache(64)
def _drawer(theme: str, left: float, top: float, scale: float) -> _Drawer:
    """Return the cached writer of shapes at this place and scale."""
    return _Drawer(theme_of(theme), left, top, scale)


def _parts(drawer: _Drawer, parts: Sequence[Sequence[Piece]]) -> list[str]:
    """Return the lines of a board and its panels, each panel in a group of its own; no groups without panels."""
    written = [[piece.written.get(drawer) or _drawn(drawer, piece) for piece in part] for part in parts]
    if len(parts) == 1:
        return written[0]
    opened = ['<g data-part="board">', *['</g><g data-part="panel">'] * (len(parts) - 1)]
    return [line for begun, part in zip(opened, written, strict=True) for line in (begun, *part)] + ["</g>"]


def _drawn(drawer: _Drawer, piece: Piece) -> str:
    """Return the SVG of a piece, cached: most pieces are equal from one moment of a game to the next."""
    if len(piece.written) >= _MOST_WRITERS:
        piece.written.clear()
    written = piece.written[drawer] = "".join([_alike(drawer, shape) for shape in piece])
    return written


@functools.lru_cache(4 * MOST_CACHED)
def _alike(drawer: _Drawer, shape: Shape) -> str:
    """Return the SVG of a shape, cached for equal shapes of other pieces."""
    return drawer.draw(shape)


def _text(content: str) -> str:
    """Return a text escaped for an element, in one line of the file."""
    return escape(content, quote=False).replace("\n", "&#10;")


def _quoted(content: str) -> str:
    """Return a text escaped and quoted as an attribute."""
    return f'"{escape(content)}"'.replace("\n", "&#10;")


class _Drawer:
    """Writes shapes at one scale in one theme."""

    def __init__(self, theme: Mapping[str, str], left: float, top: float, scale: float) -> None:
        self.theme, self.left, self.top, self.scale = theme, left, top, scale

    def draw(self, shape: Shape) -> str:
        """Return the SVG of a shape with its marks."""
        drawn = self._looks(shape)
        marks = f" data-key={_quoted(shape.key)}" if shape.key else ""
        if shape.actions:
            marks += f' data-action="{" ".join(str(number) for number in shape.actions)}"'
        if shape.press:
            marks += f" data-press={_quoted(shape.press)}"
        if shape.notes:
            marks += f" data-notes={_quoted(' '.join(shape.notes))}"
        if shape.shows:
            marks += f" data-shows={_quoted(' '.join(shape.shows))}"
        if shape.along:
            marks += f' data-along="{self.along(shape.along)}"'
        hover = f"<title>{_text(shape.title)}</title>" if shape.title else ""
        return f"<g{marks}>{hover}{drawn}</g>" if marks or hover else drawn

    def along(self, path: Path) -> str:
        """Return a path in pixels relative to the shape: ``-30,0:0,0`` for one segment, more separated by spaces."""
        ways = ((self._off(begin), self._off(end)) for begin, end in path)
        return " ".join(f"{begin}:{end}" for begin, end in ways)

    def _off(self, point: Point) -> str:
        x, y = point
        return f"{x * self.scale:.0f},{-y * self.scale:.0f}"

    def _looks(self, shape: Shape) -> str:
        if isinstance(shape, Label):
            return self._label(shape)
        if isinstance(shape, Line):
            return self._line(shape)
        paint = self._paint(shape.fill, shape.line, shape.width)
        if isinstance(shape, Polygon):
            return f'<polygon points="{self._points(shape.corners)}" {paint}/>'
        if isinstance(shape, Circle):
            x, y = self._at(shape.x, shape.y)
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{shape.radius * self.scale:.1f}" {paint}/>'
        return self._box(shape, paint)

    def _at(self, x: float, y: float) -> Point:
        return (x - self.left) * self.scale, (self.top - y) * self.scale

    def _points(self, points: Sequence[Point]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in (self._at(*point) for point in points))

    def _paint(self, fill: str, line: str, width: float) -> str:
        inside = colour_of(fill, self.theme) or "none"
        outside = colour_of(line, self.theme)
        stroke = f' stroke="{outside}" stroke-width="{width * self.scale:.2f}" stroke-linejoin="round"'
        return f'fill="{inside}"' + (stroke if outside else "")

    def _box(self, box: Box, paint: str) -> str:
        x, y = self._at(box.x, box.y + box.high)
        wide, high, bend = (size * self.scale for size in (box.wide, box.high, box.round))
        return f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="{bend:.1f}" {paint}/>'

    def _line(self, line: Line) -> str:
        colour = colour_of(line.colour, self.theme)
        wide = line.width * self.scale
        dashes = f' stroke-dasharray="{2.5 * wide:.1f} {2 * wide:.1f}"' if line.dashed else ""
        ends = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
        points = self._points(shaft(line))
        drawn = f'<polyline points="{points}" {ends} stroke="{colour}" stroke-width="{wide:.2f}"{dashes}/>'
        return drawn + (f'<polygon points="{self._points(arrow_head(line))}" fill="{colour}"/>' if line.head else "")

    def _label(self, label: Label) -> str:
        x, y = self._at(label.x, label.y)
        size = label.size / POINTS * self.scale
        bold = ' font-weight="700"' if label.bold else ""
        where = f'x="{x:.1f}" y="{y + 0.36 * size:.1f}" text-anchor="{_ANCHORS[label.align]}"'
        paint = f'font-size="{size:.1f}"{bold} fill="{colour_of(label.colour, self.theme)}"'
        mute = "" if label.key or label.actions else ' pointer-events="none"'
        return f"<text {where} {paint}{mute}>{_text(label.text)}</text>"
