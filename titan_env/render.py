"""Pictures: shapes that any game gives of its state, drawn without knowing which game it is.

Drawing needs matplotlib and pillow (the extra ``demo``).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.shapes import Label, Polygon, Shape

_ROOM_FOR_TEXT = 2.4
"""How far a text beside the board may reach, in units of the picture."""


def draw(shapes: Sequence[Shape], axes: Any, title: str = "") -> None:
    """Draw shapes on matplotlib axes, at equal scale, without a frame."""
    from matplotlib.patches import Polygon as Patch

    axes.clear()
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_title(title, fontsize=10, loc="left")
    for shape in shapes:
        if isinstance(shape, Polygon):
            axes.add_patch(Patch(shape.corners, closed=True, facecolor=shape.fill, edgecolor=shape.line))
        else:
            where = {"ha": shape.align, "va": "center_baseline"}
            axes.text(shape.x, shape.y, shape.text, color=shape.colour, fontsize=shape.size, **where)
    axes.autoscale_view()
    beside = [shape.x for shape in shapes if isinstance(shape, Label) and shape.align == "left"]
    if beside:
        axes.set_xlim(right=max(beside) + _ROOM_FOR_TEXT)


def frames(pictures: Sequence[tuple[list[Shape], str]], dots_per_inch: int = 90) -> list[NDArray[np.uint8]]:
    """Each picture with its title as an RGB array (height, width, 3), without a display."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 6.4), dpi=dots_per_inch, layout="constrained")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    drawn = []
    for shapes, title in pictures:
        draw(shapes, axes, title)
        canvas.draw()
        drawn.append(np.asarray(canvas.buffer_rgba())[..., :3].copy())
    return drawn


def save_animation(path: Path, pictures: Sequence[NDArray[np.uint8]], seconds_each: float = 0.7) -> None:
    """Save pictures as an animated GIF."""
    from PIL import Image

    images = [Image.fromarray(picture).quantize(64) for picture in pictures]
    images[0].save(path, save_all=True, append_images=images[1:], duration=int(seconds_each * 1000), loop=0)
