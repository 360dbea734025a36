"""Rendering to pixels and terminals: a game's shapes, drawn without a display.

Pixels need the extra ``pictures``, windows the extra ``window``, the colours of a terminal the extra ``cli``.
"""

from __future__ import annotations

import functools
import inspect
import io
import itertools
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.contract.frozen_record import freeze
from titan_env.contract.options import brief
from titan_env.contract.protocols import Picture
from titan_env.contract.shapes import POINTS, Box, Circle, Label, Line, Point, Polygon, Shape, arrow_head, bounds, shaft
from titan_env.extras import extra
from titan_env.pictures.svg import colour_of, lines, theme_of

if TYPE_CHECKING:
    from rich.text import Text

_FINER = 2
"""The factor of supersampling, which smooths the edges."""
_MOST_TEXTS = 1024
"""The number of drawn texts that are cached for each size of font."""


def shapes_of(
    game: Game,
    state: Any,
    seat: int | None = None,
    events: Any = (),
    before: Any = None,
    narrow: bool = False,
    names: Sequence[str] = (),
) -> list[Shape]:
    """Return the shapes of a position as `seat` sees it (None: everything), with the latest step's `events` (n, 4).

    `before` is the state before those events, if known; `narrow` asks for the form for telephones; `names` are the
    players' in seat order. A game whose picture takes fewer arguments gets fewer.
    """
    before = None if before is None else freeze(game.rules.seen_by(before, seat))
    arguments = (freeze(game.rules.seen_by(state, seat)), seat, events, before, narrow, names)
    picture = game.presentation.picture
    return picture(*arguments[: _taken(picture)])


@functools.cache
def _taken(picture: Picture) -> int:
    """Return the number of arguments that a game's picture takes."""
    return len(inspect.signature(picture).parameters)


def painted(game: Game, text: str) -> Text:
    """Return the text of a position as a rich `Text`, in the game's colours."""
    with extra("cli"):
        from rich.text import Text

    found = Text(text)
    for pattern, style in game.text.styles.items():
        for match in re.finditer(pattern, text):
            for group in range(1, len(match.groups()) + 1):
                found.stylize(style, *match.span(group))
    return found


def ansi(game: Game, state: Any, seat: int | None = None) -> str:
    """Return a seat's view of the position as text (None: everything), with the escape codes of a colour terminal."""
    with extra("cli"):
        from rich.console import Console

    text = game.position_text_for(state, seat)
    console = Console(color_system="truecolor", force_terminal=True, width=max(map(len, text.splitlines())) + 1)
    with console.capture() as captured:
        console.print(painted(game, text), end="")
    return captured.get()


def svg_of(
    game: Game,
    state: Any,
    seat: int | None = None,
    events: Any = (),
    before: Any = None,
    narrow: bool = False,
    names: Sequence[str] = (),
    theme: str = "light",
) -> str:
    """Return the picture of a position as SVG; the arguments are those of `shapes_of`."""
    return "\n".join(svg_lines_of(game, state, seat, events, before, narrow, names, theme))


def svg_lines_of(
    game: Game,
    state: Any,
    seat: int | None = None,
    events: Any = (),
    before: Any = None,
    narrow: bool = False,
    names: Sequence[str] = (),
    theme: str = "light",
) -> list[str]:
    """Return the picture of a position as SVG lines, which stay equal where it does; arguments as of `shapes_of`."""
    return lines(shapes_of(game, state, seat, events, before, narrow, names), theme=theme, title=game.metadata.title)


def rgb(
    shapes: Sequence[Shape], width: int = 900, theme: str = "light", height: int | None = None
) -> NDArray[np.uint8]:
    """Render a picture as an RGB array (height, width, 3), without a display; both sizes are even, for videos.

    It is as high as it comes out, or put into the middle of a sheet of this `height`.
    """
    colours = theme_of(theme)
    left, bottom, right, top = bounds(shapes)
    width += width % 2
    scale = width / (right - left)
    if height is None:
        height = 2 * round((top - bottom) * scale / 2)
    scale = min(scale, height / (top - bottom))
    corner = ((left + right - width / scale) / 2, (top + bottom + height / scale) / 2)
    return paint(shapes, colours, (width, height), corner, scale)


def paint(
    shapes: Sequence[Shape], theme: Mapping[str, str], size: tuple[int, int], corner: Point, scale: float
) -> NDArray[np.uint8]:
    """Draw shapes on an image of `size` (width, height) with its upper left corner at `corner`: (height, width, 3)."""
    with extra("pictures"):
        from PIL import Image, ImageDraw

    fine = scale * _FINER
    sheet = Image.new("RGB", (size[0] * _FINER, size[1] * _FINER), theme["paper"])
    brush = _Brush(ImageDraw.Draw(sheet), theme, corner, fine)
    for shape in shapes:
        brush.draw(shape)
    return np.array(sheet.reduce(_FINER))  # to be drawn on


@functools.cache
def font(size: int, bold: bool = False) -> Any:
    """Return the package's own font for pixels, so that pictures are equal on every machine."""
    from PIL import ImageFont

    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    file = io.BytesIO((resources.files("titan_env.pictures") / "fonts" / name).read_bytes())
    found = ImageFont.truetype(file, size, layout_engine=ImageFont.Layout.BASIC)
    # Most texts stand where they stood in the picture before: pillow asks here for the pixels of each.
    found.getmask2 = functools.lru_cache(_MOST_TEXTS)(found.getmask2)  # type: ignore[assignment]
    return found


class _Brush:
    """Draws shapes with pillow at one scale in one theme."""

    def __init__(self, canvas: Any, theme: Mapping[str, str], corner: Point, scale: float) -> None:
        self.canvas, self.theme, self.corner, self.scale = canvas, theme, corner, scale

    def draw(self, shape: Shape) -> None:
        """Draw one shape."""
        if isinstance(shape, Label):
            self._label(shape)
        elif isinstance(shape, Line):
            self._line(shape)
        else:
            self._area(shape)

    def _at(self, points: Sequence[Point]) -> list[Point]:
        left, top = self.corner
        return [((x - left) * self.scale, (top - y) * self.scale) for x, y in points]

    def _colour(self, name: str) -> str | None:
        return colour_of(name, self.theme) or None

    def _thick(self, width: float) -> int:
        return max(1, round(width * self.scale))

    def _area(self, shape: Polygon | Circle | Box) -> None:
        paint: dict[str, Any] = {"fill": self._colour(shape.fill), "outline": self._colour(shape.line)}
        paint["width"] = self._thick(shape.width)
        if isinstance(shape, Polygon):
            self.canvas.polygon(self._at(shape.corners), **paint)
        elif isinstance(shape, Circle):
            r = shape.radius
            self.canvas.ellipse(self._at([(shape.x - r, shape.y + r), (shape.x + r, shape.y - r)]), **paint)
        else:
            corners = [(shape.x, shape.y + shape.high), (shape.x + shape.wide, shape.y)]
            self.canvas.rounded_rectangle(self._at(corners), shape.round * self.scale, **paint)

    def _line(self, line: Line) -> None:
        colour = self._colour(line.colour)
        points = self._at(shaft(line))
        pieces = _dashes(points, self._thick(line.width)) if line.dashed else [points]
        for piece in pieces:
            self.canvas.line(piece, fill=colour, width=self._thick(line.width), joint="curve")
        if line.head:
            self.canvas.polygon(self._at(arrow_head(line)), fill=colour)

    def _label(self, label: Label) -> None:
        size = max(1, round(label.size / POINTS * self.scale))
        anchor = {"left": "l", "center": "m", "right": "r"}[label.align] + "m"
        point = self._at([(label.x, label.y)])[0]
        colour = self._colour(label.colour)
        self.canvas.text(point, label.text, colour, font(size, label.bold), anchor)


def _dashes(points: Sequence[Point], width: int) -> list[list[Point]]:
    """Split a line into dashes."""
    pieces: list[list[Point]] = []
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        length = float(np.hypot(x1 - x0, y1 - y0))
        steps = max(1, round(length / (4 * width)))
        for i in range(steps):
            begin, end = i / steps, (i + 0.55) / steps
            pieces.append([(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in (begin, end)])
    return pieces


class Painter:
    """The renderer of an environment: text, pixels or a window, by its mode. Its frames have one size."""

    def __init__(self, game: Game, mode: str | None, width: int = 900) -> None:
        if isinstance(width, bool) or not isinstance(width, (int, np.integer)) or width < 100:
            raise ValueError(f"expected render_width to be a number of pixels from 100 on, got {brief(width)}")
        self.game, self.mode, self.width = game, mode, width
        self._height: int | None = None
        self._window: PygameWindow | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the window: copies and pickles open their own."""
        return self.__dict__ | {"_window": None}

    def render(self, state: Any, seat: int | None = None, events: Any = (), before: Any = None) -> Any:
        """Render a position by the mode: text, an array (height, width, 3), or None after showing it in a window."""
        if self.mode is None:
            gymnasium.logger.warn("expected a render_mode to render; give it when making the environment")
            return None
        if self.mode == "ansi":
            return ansi(self.game, state, seat)
        pixels = rgb(shapes_of(self.game, state, seat, events, before), self.width, height=self._height)
        self._height = len(pixels)
        if self.mode == "rgb_array":
            return pixels
        if self._window is None:
            self._window = PygameWindow(self.game.metadata.title)
        self._window.show(pixels)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


class PygameWindow:
    """A window that shows pictures; needs pygame-ce."""

    def __init__(self, title: str) -> None:
        with extra("window"):
            import pygame
        self._pygame: Any = pygame
        self._title = title
        self._screen: Any = None

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show an RGB array (height, width, 3)."""
        pygame = self._pygame
        size = pixels.shape[1::-1]
        if self._screen is None or self._screen.get_size() != size:
            pygame.display.init()
            self._screen = pygame.display.set_mode(size)
            pygame.display.set_caption(self._title)
        pygame.event.pump()
        pygame.surfarray.blit_array(self._screen, pixels.swapaxes(0, 1))
        pygame.display.flip()

    def close(self) -> None:
        """Close the window, if it is open."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
