"""Kernels whose threads reach the rows of their games in another way than a loop takes them (`RowLayout`).

A row that lies elsewhere is copied into memory of the thread, the loop plays there, and the row is copied back. That
memory lies in words by thread: a warp that reads the same word of its rows reads one stretch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import cuda
from numba.cuda.extending import intrinsic

from titan_env.compiler.cuda_driver import THREADS
from titan_env.compiler.device_arrays import WORD, DeviceArray, RowAccess, RowLayout

TILE = 32
"""The words that are staged at once of each row of a block: a warp copies a tile's row in one access of 128 bytes."""
PITCH = TILE + 1  # odd, so that threads that read a column of the tile meet different banks of shared memory

loop: Any = None
gather: Any = None
scatter: Any = None
PLACE, AFTER, WORDS, SHAPE, READS = 0, 1, 1, (1, 1), True


def run_in_order(*arguments: Any) -> None:
    """Run the loop for the row that the last argument (N,) names for this thread."""
    thread = cuda.grid(1)
    if thread < len(arguments[0]):
        row = arguments[-1][thread]
        loop(row, row + 1, *arguments[:-1])


def run_in_room(*arguments: Any) -> None:
    """Run the loop for the row of this thread, with one argument's row in memory of the thread.

    The last argument has the words of all rows.
    """
    row = cuda.grid(1)
    if row < len(arguments[0]):
        room = cuda.local.array(WORDS, np.int32, alignment=8)
        tile = cuda.shared.array(SHAPE, np.int32)
        if READS:
            gather(arguments[-1], row, room, tile)
        loop(row, row + 1, *arguments[:PLACE], row_in(room, row, arguments[PLACE]), *arguments[AFTER:-1])
        scatter(arguments[-1], row, room, tile)


@intrinsic
def row_in(typingctx: Any, room: Any, row: Any, like: Any) -> Any:
    """Return an array like another one whose item at `row` lies in the room; it has no other items."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = context.make_array(room)(context, builder, args[0]).data
        array = context.make_array(like)(context, builder, args[2])
        back = builder.neg(builder.mul(args[1], builder.extract_value(array.strides, 0)))
        number = builder.ptrtoint(place, back.type)
        array.data = builder.inttoptr(builder.add(number, back), array.data.type)
        return array._getvalue()

    return like(room, row, like), codegen


def gather_words(kept: Any, row: Any, room: Any, tile: Any) -> None:
    """Copy a row of words (W, N) into the room: neighbouring threads read neighbouring words."""
    for word in range(len(room)):
        room[word] = kept[word, row]


def scatter_words(kept: Any, row: Any, room: Any, tile: Any) -> None:
    """Copy the room into a row of words (W, N)."""
    for word in range(len(room)):
        kept[word, row] = room[word]


def gather_staged(kept: Any, row: Any, room: Any, tile: Any) -> None:
    """Copy a row of words (N, W) into the room; the block reads the rows of its threads together, tile by tile."""
    thread = cuda.threadIdx.x
    first = row - thread
    rows = min(cuda.blockDim.x, len(kept) - first)  # the threads without a row have left
    for begin in range(0, len(room), TILE):
        width = min(TILE, len(room) - begin)
        cuda.syncthreads()
        for place in range(thread, rows * TILE, rows):
            of, word = place // TILE, place % TILE
            if word < width:
                tile[of, word] = kept[first + of, begin + word]
        cuda.syncthreads()
        for word in range(width):
            room[begin + word] = tile[thread, word]


def scatter_staged(kept: Any, row: Any, room: Any, tile: Any) -> None:
    """Copy the room into a row of words (N, W); the block writes the rows of its threads together, tile by tile."""
    thread = cuda.threadIdx.x
    first = row - thread
    rows = min(cuda.blockDim.x, len(kept) - first)
    for begin in range(0, len(room), TILE):
        width = min(TILE, len(room) - begin)
        cuda.syncthreads()
        for word in range(width):
            tile[thread, word] = room[begin + word]
        cuda.syncthreads()
        for place in range(thread, rows * TILE, rows):
            of, word = place // TILE, place % TILE
            if word < width:
                kept[first + of, begin + word] = tile[of, word]


def kernel_of(layout: RowLayout, arguments: tuple[Any, ...]) -> tuple[Callable[..., None], dict[str, Any]]:
    """Return the kernel of a layout, and its globals for these arguments of a loop."""
    if layout.access == RowAccess.ORDERED:
        return run_in_order, {}
    array: DeviceArray = arguments[layout.place]
    words = -(-array.dtype.itemsize * math.prod(array.shape[1:]) // WORD)
    is_staged = layout.access == RowAccess.STAGED
    copies = (gather_staged, scatter_staged) if is_staged else (gather_words, scatter_words)
    sizes = {"WORDS": words, "SHAPE": (THREADS, PITCH) if is_staged else (1, 1), "READS": layout.reads}
    places = {"PLACE": layout.place, "AFTER": layout.place + 1}
    return run_in_room, {"gather": copies[0], "scatter": copies[1], **places, **sizes}
