"""Rendering to PDF: one page as large as the picture, of lines, areas and texts in the package's own font.

Needs the extra ``pictures`` (reportlab).
"""

from __future__ import annotations

import functools
import io
from collections.abc import Sequence
from importlib import resources
from typing import Any

from titan_env.contract.shapes import POINTS, Box, Circle, Label, Line, Point, Polygon, Shape, arrow_head, bounds, shaft
from titan_env.extras import extra
from titan_env.pictures.svg import colour_of, theme_of

_FONTS = {False: "DejaVuSans", True: "DejaVuSans-Bold"}
"""Bold or not -> the name of the font and of its file."""
_ROUND = 1
"""The number of PDF for round joins and ends of lines."""


def pdf(shapes: Sequence[Shape], *, width: float = 675, theme: str = "light", title: str = "") -> bytes:
    """Return a picture as a PDF of one page, `width` points wide and as high as the shapes need.

    Equal pictures give equal bytes.
    """
    with extra("pictures"):
        from reportlab.pdfgen.canvas import Canvas

    _register_fonts()
    left, bottom, right, top = bounds(shapes)
    scale = width / (right - left)
    file, size = io.BytesIO(), (width, (top - bottom) * scale)
    canvas = Canvas(file, pagesize=size, invariant=1, pageCompression=1, initialFontName=_FONTS[False])
    canvas.setTitle(title)
    drawer = _Drawer(canvas, theme, (left, bottom), scale)
    drawer.fill(theme_of(theme)["paper"])
    canvas.rect(0, 0, *size, stroke=0, fill=1)
    for shape in shapes:
        drawer.draw(shape)
    canvas.save()
    return file.getvalue()


@functools.cache
def _register_fonts() -> None:
    """Tell reportlab of the package's fonts, of which it embeds the letters that a file uses."""
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    for name in _FONTS.values():
        file = resources.files("titan_env.pictures") / "fonts" / f"{name}.ttf"
        registerFont(TTFont(name, io.BytesIO(file.read_bytes())))


class _Drawer:
    """Draws shapes on a page at one scale in one theme; `corner` is the picture's lower left one."""

    def __init__(self, canvas: Any, theme: str, corner: Point, scale: float) -> None:
        self.canvas, self.theme, self.corner, self.scale = canvas, theme_of(theme), corner, scale
        canvas.setLineJoin(_ROUND)
        canvas.setLineCap(_ROUND)

    def draw(self, shape: Shape) -> None:
        """Draw one shape."""
        if isinstance(shape, Label):
            self._label(shape)
        elif isinstance(shape, Line):
            self._line(shape)
        else:
            self._area(shape)

    def fill(self, name: str) -> int:
        """Fill what follows with a colour; return 0 for none."""
        if colour := colour_of(name, self.theme):
            self.canvas.setFillColor(colour)
        return int(bool(colour))

    def _stroke(self, name: str, width: float) -> int:
        """Draw what follows with a line of this colour and width; return 0 for none."""
        if colour := colour_of(name, self.theme):
            self.canvas.setStrokeColor(colour)
            self.canvas.setLineWidth(width * self.scale)
        return int(bool(colour))

    def _at(self, x: float, y: float) -> Point:
        left, bottom = self.corner
        return (x - left) * self.scale, (y - bottom) * self.scale

    def _path(self, points: Sequence[Point]) -> Any:
        """Return a path through points, which ends at the last."""
        path = self.canvas.beginPath()
        path.moveTo(*self._at(*points[0]))
        for point in points[1:]:
            path.lineTo(*self._at(*point))
        return path

    def _area(self, shape: Polygon | Circle | Box) -> None:
        paint = {"fill": self.fill(shape.fill), "stroke": self._stroke(shape.line, shape.width)}
        if isinstance(shape, Polygon):
            path = self._path(shape.corners)
            path.close()
            self.canvas.drawPath(path, **paint)
        elif isinstance(shape, Circle):
            self.canvas.circle(*self._at(shape.x, shape.y), shape.radius * self.scale, **paint)
        else:
            bend = min(shape.round, shape.wide / 2, shape.high / 2) * self.scale
            size = (shape.wide * self.scale, shape.high * self.scale)
            self.canvas.roundRect(*self._at(shape.x, shape.y), *size, bend, **paint)

    def _line(self, line: Line) -> None:
        wide = line.width * self.scale
        self.canvas.setDash([2.5 * wide, 2 * wide] if line.dashed else [])
        self.canvas.drawPath(self._path(shaft(line)), stroke=self._stroke(line.colour, line.width), fill=0)
        self.canvas.setDash([])
        if line.head:
            self.canvas.drawPath(self._path(arrow_head(line)), stroke=0, fill=self.fill(line.colour))

    def _label(self, label: Label) -> None:
        if not self.fill(label.colour):
            return
        size = label.size / POINTS * self.scale
        self.canvas.setFont(_FONTS[label.bold], size)
        x, y = self._at(label.x, label.y)
        canvas = self.canvas
        write = {"left": canvas.drawString, "center": canvas.drawCentredString, "right": canvas.drawRightString}
        write[label.align](x, y - 0.36 * size, label.text.replace("\n", " "))
