"""A replayed game as a GIF or an MP4: a picture for every decision, the decision in words above it.

A long step is told part by part, each in a picture of its own.

Needs the extra ``pictures``, whose pillow draws; an MP4 the extra ``video``, whose imageio-ffmpeg brings ffmpeg along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.shapes import POINTS, Label, Shape, bounds
from titan_env.extras import extra
from titan_env.pictures.render import paint, shapes_of
from titan_env.pictures.svg import theme_of
from titan_env.records.replay import Record, parts_of, positions
from titan_env.records.translation import _

SECONDS_EACH = 0.75
"""The seconds for which a decision is shown."""
SECONDS_A_PART = 0.5
"""The seconds for which each part of a long step is shown."""
_FRAMES_A_SECOND = 4
"""Of an MP4; some players stumble over a film of one picture a second, and each frame takes 15 ms."""
_QUICK = ["-preset", "veryfast"]
"""Of ffmpeg: two thirds of the time, and for drawn pictures not a byte more."""
_SAMPLES, _COLOURS = 8, 255
"""The pictures from which the palette of a GIF is made, at least, and its colours; the last index is `_UNCHANGED`."""
_UNCHANGED = 255
"""The index of a GIF's pixels that stay as they were."""


def save_video(
    record: Record,
    path: Path,
    theme: str = "light",
    width: int = 900,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> None:
    """Write a record as an animation, `width` pixels wide; the ending says of which kind.

    `progress` is called after each picture, with the number of those done and of all. Raises ValueError for another
    ending than .gif and .mp4, BadRecord where the record does not replay.
    """
    if path.suffix not in WRITERS:
        raise ValueError(f"expected a file that ends in {' or '.join(WRITERS)}, got {path.name}")
    theme_of(theme)
    shots = list(_shots(record))
    draw = _painter(shots, theme, width)

    def pictures() -> Iterator[NDArray[np.uint8]]:
        for number, shot in enumerate(shots):
            yield draw(shot)
            progress(number + 1, len(shots))

    WRITERS[path.suffix](path, shots, draw, pictures())


class Frame(NamedTuple):
    """A picture, the decision in words above it, and how long it is shown."""

    shapes: Sequence[Shape]
    title: str
    seconds: float


Draw = Callable[[Frame], NDArray[np.uint8]]
"""Draws a frame as an RGB array (height, width, 3)."""


def _shots(record: Record) -> Iterator[Frame]:
    """Yield the frames of a record: each position, and before it the parts in which its step is shown."""
    game, before, names = record.game, None, record.header["agents"]
    for moment in positions(record):
        sentence = moment.decision["say"] if moment.decision else _("The start")
        for count, state in parts_of(game, before, moment):
            yield Frame(
                shapes_of(game, state, None, moment.events[:count], before, False, names), sentence, SECONDS_A_PART
            )
        yield Frame(shapes_of(game, moment.state, None, moment.events, before, False, names), sentence, SECONDS_EACH)
        before = moment.state


def _painter(shots: Sequence[Frame], theme: str, width: int) -> Draw:
    """Return the function that draws a frame with its title above, all of one size (height, width, 3), both even."""
    spans = [bounds(shot.shapes) for shot in shots]
    left, bottom = min(span[0] for span in spans), min(span[1] for span in spans)
    right, top = max(span[2] for span in spans), max(span[3] for span in spans)
    width += width % 2
    scale = width / (right - left)
    high = (right - left) / 36
    height = 2 * round((top + 2 * high - bottom) * scale / 2)

    def draw(shot: Frame) -> NDArray[np.uint8]:
        title = Label(left + high / 2, top + high * 0.8, shot.title, "ink", high * POINTS * 0.7, "left")
        return paint([*shot.shapes, title], theme_of(theme), (width, height), (left, top + 2 * high), scale)

    return draw


def _write_gif(path: Path, shots: Sequence[Frame], draw: Draw, pictures: Iterable[NDArray[np.uint8]]) -> None:
    """Write a GIF with one palette, that of some shots: a palette for each picture takes thirty times as long."""
    with extra("pictures"):
        from PIL import Image

    samples = [draw(shot) for shot in shots[:: max(1, len(shots) // _SAMPLES)]]
    palette = Image.fromarray(np.vstack(samples)).quantize(_COLOURS)
    colours = palette.getpalette()
    assert colours is not None
    before = np.full(samples[0].shape[:2], _UNCHANGED, np.uint8)
    changes = []
    for picture in pictures:
        now = np.asarray(Image.fromarray(picture).quantize(palette=palette, dither=Image.Dither.NONE))
        change = Image.fromarray(np.where(now == before, np.uint8(_UNCHANGED), now))
        change.putpalette(colours)
        changes.append(change)
        before = now
    first, *others = changes
    seconds = [round(1000 * shot.seconds) for shot in shots]
    pixels: dict[str, Any] = {"transparency": _UNCHANGED, "optimize": False}
    first.save(path, save_all=True, append_images=others, duration=seconds, loop=0, **pixels)


def _write_mp4(path: Path, shots: Sequence[Frame], draw: Draw, pictures: Iterable[NDArray[np.uint8]]) -> None:
    """Write an MP4 by ffmpeg."""
    with extra("video"):
        import imageio_ffmpeg

    writer = None
    for picture, shot in zip(pictures, shots, strict=True):
        if writer is None:
            size = (picture.shape[1], picture.shape[0])
            writer = imageio_ffmpeg.write_frames(
                str(path), size, fps=_FRAMES_A_SECOND, macro_block_size=2, output_params=_QUICK
            )
            writer.send(None)
        for _frame in range(round(shot.seconds * _FRAMES_A_SECOND)):
            writer.send(np.ascontiguousarray(picture))
    if writer is not None:
        writer.close()
        _expect_film(path)


def _expect_film(path: Path) -> None:
    """Raise OSError where a film cannot be read: its writer says nothing of a full disk."""
    import imageio_ffmpeg

    reader = imageio_ffmpeg.read_frames(str(path))
    try:
        next(reader)
    except (OSError, RuntimeError):
        raise OSError(f"expected room for a film in {path.parent}, but it was not written to its end") from None
    finally:
        reader.close()


Writer = Callable[[Path, Sequence[Frame], Draw, Iterable[NDArray[np.uint8]]], None]
"""Takes the path, the frames, the function that draws one, and the drawn pictures of all, which are counted."""

WRITERS: Mapping[str, Writer] = {".gif": _write_gif, ".mp4": _write_mp4}
"""The function that writes each kind of file, by the ending of its name."""
