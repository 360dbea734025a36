"""The board is the page: at a decision in mid-game little of the window is left empty, in any game.

The window is cut into tiles of 20 x 20 pixels; a tile of one colour is bare, and the largest rectangle of bare tiles of
the same colour is the largest empty one. ``pytest -s`` prints the figures.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.web.conftest import Visit
from tests.web.mid_game import RECORDED, sit_down_in_mid_game
from titan_env.web.views.translation import COOKIE

pytestmark = pytest.mark.thorough

TILE = 20
NOTHING = -1
"""In place of a colour: of a tile on which something is drawn."""
LARGEST = 0.05
"""The share of the window that the largest empty rectangle takes at most."""

BOARD_SEEN = """() => {
  const [frame, board] = ["#board", "#board > svg > [data-part=board]"]
    .map(found => document.querySelector(found).getBoundingClientRect());
  const seen = Math.min(frame.bottom, board.bottom) - Math.max(frame.top, board.top);
  return seen / Math.min(frame.height, board.height);
}"""
"""The share of the board that is seen in its frame, of a board that is higher than the frame: of the frame."""


WIDTHS = "counters => counters.map(counter => counter.querySelector('rect').getBoundingClientRect().width)"
"""The widths of counters, in pixels."""
SPARE = """counters => counters.map(counter => {
  const wide = part => part.getBoundingClientRect().width;
  const name = counter.nextElementSibling.nextElementSibling;
  return name.tagName === "text" ? wide(counter.querySelector("rect")) - wide(name) : -1;
})"""
"""By how many pixels counters are wider than their names, which come after the name's colour."""

OWN_PIECES_SEEN = """() => {
  const [frame, own] = ["#board", "#own"].map(found => document.querySelector(found).getBoundingClientRect());
  const isSeen = ({ top, bottom }) => top > own.top - 1 && bottom < own.bottom + 1;
  const panels = [...document.querySelectorAll("#own [data-shows]")].filter(one => isSeen(one.getBoundingClientRect()));
  const keys = panels.flatMap(panel => panel.dataset.shows.split(" "));
  const board = document.querySelector("#board > svg > [data-part=board]");
  const pieces = keys.map(key => board.querySelector(`[data-key="${key}"]`)).filter(Boolean);
  return pieces.map(one => one.getBoundingClientRect()).every(at => at.top >= frame.top && at.bottom <= frame.bottom);
}"""
"""Whether the pieces on the board that one's own panel shows lie in the frame."""


def tile_colours(screenshot: bytes) -> NDArray[np.int64]:
    """Return the colour of each tile as one number, NOTHING where it has several: (rows, columns)."""
    pixels = np.asarray(Image.open(io.BytesIO(screenshot)).convert("RGB"), np.int64) @ (65536, 256, 1)
    rows, columns = (size // TILE for size in pixels.shape)
    whole = pixels[: rows * TILE, : columns * TILE].reshape(rows, TILE, columns, TILE)
    tiles = whole.swapaxes(1, 2).reshape(rows, columns, -1)
    return np.where((tiles == tiles[..., :1]).all(2), tiles[..., 0], NOTHING)


def rectangles(colours: NDArray[np.int64]) -> Iterator[tuple[int, int, int, int]]:
    """Yield rectangles of bare tiles of one colour, the largest among them: tiles, then left, top and width."""
    rows, columns = colours.shape
    heights = np.zeros((rows, columns), np.int64)
    for row in range(rows):
        for column in range(columns):
            if colours[row, column] == NOTHING:
                continue
            is_same = row > 0 and colours[row - 1, column] == colours[row, column]
            heights[row, column] = 1 + (heights[row - 1, column] if is_same else 0)
        for left in range(columns):
            high = rows
            for right in range(left, columns):
                if colours[row, right] == NOTHING or colours[row, right] != colours[row, left]:
                    break
                high = min(high, int(heights[row, right]))
                yield high * (right - left + 1), left, row - high + 1, right - left + 1


def largest_empty(screenshot: bytes) -> tuple[float, float, str]:
    """Return the shares of the largest empty rectangle and of all bare tiles, and where the former is, in pixels."""
    colours = tile_colours(screenshot)
    tiles, left, top, wide = max(rectangles(colours), default=(0, 0, 0, 1))
    rectangle = f"{wide * TILE} x {tiles // wide * TILE} at ({left * TILE}, {top * TILE})"
    return tiles / colours.size, float((colours != NOTHING).mean()), rectangle


def test_the_largest_rectangle_of_one_colour_is_found() -> None:
    sheet = np.random.default_rng(1).integers(0, 255, (100, 200, 3)).astype(np.uint8)
    sheet[40:80, 60:160] = 255
    sheet[0:40, 0:80] = 0
    drawn = io.BytesIO()
    Image.fromarray(sheet).save(drawn, "PNG")
    assert largest_empty(drawn.getvalue()) == (10 / 50, 18 / 50, "100 x 40 at (60, 40)")


@pytest.mark.parametrize("name", RECORDED)
def test_little_of_the_window_is_empty_at_a_decision(chromium: Browser, address: str, name: str) -> None:
    visit = Visit(chromium, address, viewport={"width": 1440, "height": 900})
    sit_down_in_mid_game(visit, name)
    visit.page.mouse.move(1, 1)
    empty, bare, rectangle = largest_empty(visit.page.screenshot())
    print(f"\n{name}: largest empty rectangle {empty:.1%} of the window, {rectangle}; bare {bare:.0%}")
    assert empty <= LARGEST
    sentence = visit.page.locator("#say").inner_text()
    assert not re.search(r"(player \d+): \1\b", sentence, re.IGNORECASE), "a sentence says its subject once"
    visit.context.close()
    assert visit.faults == []


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_a_war_begins_with_characters_of_56_pixels_whose_names_are_on_them(
    chromium: Browser, address: str, language: str
) -> None:
    visit = Visit(chromium, address, viewport={"width": 1440, "height": 900})
    visit.begin("person", "greedy", game="titan_war", seed=7)
    visit.context.add_cookies([{"name": COOKIE, "value": language, "url": address}])
    visit.page.reload()
    counters = visit.page.locator("#board [data-part=panel] [data-notes^='character:']")
    expect(counters.first).to_be_visible()
    assert min(counters.evaluate_all(WIDTHS)) >= 56
    assert min(counters.evaluate_all(SPARE)) >= 0, "every name lies on its counter"
    assert visit.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0
    visit.context.close()
    assert visit.faults == []


@pytest.mark.parametrize("name", RECORDED)
def test_board_own_things_and_first_choice_are_on_a_phone_together(chromium: Browser, address: str, name: str) -> None:
    visit = Visit(chromium, address, viewport={"width": 390, "height": 844})
    sit_down_in_mid_game(visit, name)
    for part in ("#board", "#own", "#actions button"):
        expect(visit.page.locator(part).first).to_be_in_viewport(ratio=0.95)
    assert visit.page.evaluate(BOARD_SEEN) > 0.95, "the board, or what a tall one has room for, lies in its frame"
    assert visit.page.evaluate(OWN_PIECES_SEEN), "one's own piece lies in the frame, where the game says which that is"
    visit.context.close()
    assert visit.faults == []
