"""A replayed game as a GIF or an MP4: a picture for every decision, the decision in words above it.

Needs the extra ``pictures``: pillow draws, imageio-ffmpeg (which brings ffmpeg along) writes the MP4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from titan_env.render import paint, shapes_of
from titan_env.replay import Record, positions
from titan_env.shapes import POINTS, Label, Shape, bounds
from titan_env.svg import theme_of

Frames = Iterable[NDArray[np.uint8]]

SECONDS_EACH = 0.7
"""How long a decision is shown."""
_FRAMES_A_SECOND = 10
"""Of an MP4; some players stumble over a film of one picture a second."""


def save_animation(record: Record, path: Path, theme: str = "light", width: int = 900) -> None:
    """Write a record as an animation, `width` pixels wide; the ending says of which kind.

    Raises ValueError for another ending than .gif and .mp4, BadRecord where the record does not replay.
    """
    if path.suffix not in WRITERS:
        raise ValueError(f"expected a file that ends in {' or '.join(WRITERS)}, got {path.name}")
    theme_of(theme)
    shots: list[tuple[Sequence[Shape], str]] = []
    before = None
    for moment in positions(record):
        said = moment.decision["say"] if moment.decision else "The start"
        shots.append((shapes_of(record.game, moment.state, None, moment.events, before), said))
        before = moment.state
    WRITERS[path.suffix](path, frames(shots, theme, width))


def frames(pictures: Sequence[tuple[Sequence[Shape], str]], theme: str, width: int) -> Iterator[NDArray[np.uint8]]:
    """Each picture with its title above as an RGB array, all of one size (height, width, 3), both even."""
    spans = [bounds(shapes) for shapes, _ in pictures]
    left, bottom = min(span[0] for span in spans), min(span[1] for span in spans)
    right, top = max(span[2] for span in spans), max(span[3] for span in spans)
    width += width % 2
    scale = width / (right - left)
    high = (right - left) / 36
    height = 2 * round((top + 2 * high - bottom) * scale / 2)
    for shapes, title in pictures:
        said = Label(left + high / 2, top + high * 0.8, title, "ink", high * POINTS * 0.7, "left")
        yield paint([*shapes, said], theme_of(theme), (width, height), (left, top + 2 * high), scale)


def _write_gif(path: Path, pictures: Frames) -> None:
    from PIL import Image

    first, *others = [Image.fromarray(picture).quantize(128) for picture in pictures]
    first.save(path, save_all=True, append_images=others, duration=int(SECONDS_EACH * 1000), loop=0)


def _write_mp4(path: Path, pictures: Frames) -> None:
    import imageio_ffmpeg

    writer = None
    for picture in pictures:
        if writer is None:
            size = (picture.shape[1], picture.shape[0])
            writer = imageio_ffmpeg.write_frames(str(path), size, fps=_FRAMES_A_SECOND, macro_block_size=2)
            writer.send(None)
        for _ in range(round(SECONDS_EACH * _FRAMES_A_SECOND)):
            writer.send(np.ascontiguousarray(picture))
    if writer is not None:
        writer.close()


WRITERS: Mapping[str, Callable[[Path, Frames], None]] = {".gif": _write_gif, ".mp4": _write_mp4}
"""How each kind of file is written."""
