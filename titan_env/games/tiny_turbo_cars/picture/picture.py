"""A race as shapes: the track in strips, and beneath it what the players have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from titan_env.contract.shapes import Shape, Sheet, bounds
from titan_env.games.tiny_turbo_cars.picture.last_move import ghost, happened, ways_here
from titan_env.games.tiny_turbo_cars.picture.side_panel import (
    CONTROLLER,
    PanelContents,
    controller,
    draft,
    drivers,
    heading,
    legend,
)
from titan_env.games.tiny_turbo_cars.picture.track import Layout, Offers, cars, put_track
from titan_env.games.tiny_turbo_cars.rules import actions
from titan_env.games.tiny_turbo_cars.rules.abilities import landing_lane
from titan_env.games.tiny_turbo_cars.rules.controller import LONGEST_PUSH, STRIDE, hole_of
from titan_env.games.tiny_turbo_cars.rules.legal import legal
from titan_env.games.tiny_turbo_cars.rules.state import BOARD_ROWS, UNPLACED, Ask, Event
from titan_env.games.tiny_turbo_cars.rules.track import starting_place
from titan_env.games.tiny_turbo_cars.words.presentation import COMMANDS

WIDE = Layout(0.4, 3)
NARROW = Layout(0.46, 1)
_MARGIN = 0.4
_CHOICE = 1.75
"""The room of a car to choose."""
_LEAST_BEHIND = 2
"""Rows behind the last car that are drawn where strips are left out: nobody drives further back at once."""


def picture(
    state: Any,
    seat: int | None = None,
    events: Any = (),
    before: Any = None,
    narrow: bool = False,
    names: Sequence[str] = (),
) -> list[Shape]:
    """Draw the race as `seat` sees it (None: every controller open), driving to the right, blue above.

    `events` (n, 4) of the latest step become paths and marks; `before`, the state it began with, tells where
    they begin. `narrow` lays each board in a strip of its own, beneath the controller, from that of the last car on.
    `names` are the players'.
    """
    offers = _offers(state, seat)
    shown = _Shown(state, seat, offers, PanelContents(seat is None, current_command(state, events), names))
    draw = _narrow if narrow else _wide
    layout, above, panels = draw(shown)
    shapes = Sheet()
    shapes += above
    put_track(shapes, state, layout, offers)
    shapes += ghost(state, seat, layout)
    shapes += happened(state, events, before, layout)
    shapes += cars(state, layout, ways_here(state, events, before, layout))
    for panel in panels:
        shapes.begin_panel()
        shapes += panel
    return shapes


def current_command(state: Any, events: Any) -> int | None:
    """Return the command, of eight, that the driving seat carries out while its turn is shown; None otherwise."""
    rows = np.asarray(events, np.int64).reshape(-1, 4)
    drove = rows[rows[:, 0] == Event.DROVE]
    if state.over or state.ask != Ask.DRIVE or not len(drove) or drove[0, 1] != state.seat:
        return None
    count = int(np.isin(rows[:, 0], COMMANDS).sum())
    return count - 1 if count else None


class _Shown(NamedTuple):
    """The contents of the panel beside the track, and the seat that sees it."""

    state: Any
    seat: int | None
    offers: Offers
    panel: PanelContents

    def puzzle(self, left: float, top: float, wide: float) -> list[Shape]:
        """Draw the controller of who looks on (or is asked, where all is open), or the cars to choose from."""
        state, seat = self.state, self.seat
        columns = max(1, int(wide / _CHOICE))
        if state.ask != Ask.PROGRAM:
            return draft(state, self.offers, left, top, wide, columns)
        who = int(state.seat) if seat is None else seat
        is_player = 0 <= who < int(state.seats)
        return controller(state, who, self.offers, left, top - 0.25) if is_player else []


_Laid = tuple[Layout, list[Shape], list[list[Shape]]]
"""How the track is laid, what is drawn with it, and the panels."""


def _wide(shown: _Shown) -> _Laid:
    """Strips of three boards; the controller where the last strip leaves room, or else beside the drivers."""
    state, layout = shown.state, WIDE
    boards = int(state.boards)
    strips = layout.strip(boards * BOARD_ROWS, boards) + 1
    free = (strips * layout.boards - boards) * BOARD_ROWS * layout.cell
    top = -strips * layout.high - 0.1
    below = top - 0.6
    is_free = free > CONTROLLER
    wide, free_width = (layout.wide, free - _MARGIN) if is_free else (layout.wide - CONTROLLER, CONTROLLER - 0.25)
    corner = (layout.wide - free_width, layout.top(strips - 1) + 0.2) if is_free else (wide + 0.25, top + 0.1)
    if is_free and state.ask == Ask.PROGRAM:  # in the middle
        corner = (layout.wide - (free_width + CONTROLLER) / 2, corner[1])
    puzzle = shown.puzzle(*corner, min(free_width, 2 * _CHOICE + _MARGIN))
    head = heading(state, 0, top)
    players = drivers(state, shown.offers, 0, below, wide, 2, shown.panel, range(int(state.seats)))
    if not is_free:
        return layout, [], [puzzle, head + _with_legend(players, wide)]
    if not puzzle:
        return layout, legend(corner[0], corner[1] - 0.4, layout.wide), [head + players]
    beside = legend(bounds(head, 0)[2] + 2 * _MARGIN, top + 0.1, wide)
    has_room = bounds(beside, 0)[1] > bounds(players, 0)[3]
    return layout, puzzle, [head + (beside + players if has_room else _with_legend(players, wide))]


def _narrow(shown: _Shown) -> _Laid:
    """Lay out the controller, or who drives, above; a strip for each board from the last car's on; drivers."""
    state, offers = shown.state, shown.offers
    boards, wide = int(state.boards), NARROW.wide
    above = [int(state.seat)] if state.ask in (Ask.DRIVE, Ask.FLY, Ask.SHIELD) else []
    beneath = [who for who in range(int(state.seats)) if who not in above]
    shapes = heading(state, 0, 0) + shown.puzzle(0, -0.5, wide)
    shapes += drivers(state, offers, 0, -0.5, wide, 1, shown.panel, above)
    rows = [int(driver.row) for driver in state.drivers[: int(state.seats)] if driver.row != UNPLACED]
    last = max(1, min(rows, default=1) - _LEAST_BEHIND)
    first = min((last - 1) // BOARD_ROWS, boards - 1)
    layout = replace(NARROW, first=first, begin=bounds(shapes, 0)[1] - 0.6)
    below = layout.top(layout.strip(boards * BOARD_ROWS, boards) + 1)
    return layout, shapes, [_with_legend(drivers(state, offers, 0, below, wide, 1, shown.panel, beneath), wide)]


def _with_legend(players: list[Shape], wide: float) -> list[Shape]:
    """Return the drivers, and the legend beneath them."""
    return players + legend(0.0, bounds(players, 0)[1] - 0.4, wide)


def _offers(state: Any, seat: int | None) -> Offers:
    """Return the legal actions that a click on each thing offers; none to a seat that is not asked."""
    found: dict[str, tuple[int, ...]] = {}
    if state.over or (seat is not None and seat != state.seat):
        return found
    mask = np.zeros(len(actions.ACTIONS), np.int8)
    legal(state, mask)
    for action in np.flatnonzero(mask).tolist():
        key = _offered_by(state, action)
        found[key] = (*found.get(key, ()), action)
    return found


def _offered_by(state: Any, action: int) -> str:
    """Return the thing on the table that stands for an action."""
    who = int(state.seat)
    driver = state.drivers[who]
    if action < actions.FINISH:
        direction, tiles = divmod(action - actions.PUSH, LONGEST_PUSH)
        return f"tile:{hole_of(driver) + int(STRIDE[direction]) * (tiles + 1)}"
    if action == actions.FINISH:
        return "finish"
    if state.ask == Ask.CAR:
        return f"choose:{action - actions.CAR}"
    if state.ask == Ask.PLACE:
        row, lane = starting_place(state, action - actions.PLACE)
        return f"cell:{row},{lane}"
    if action in (actions.FLY_LEFT, actions.FLY_RIGHT):
        return f"cell:{int(driver.row)},{landing_lane(state, who, action - actions.FLY_STAY)}"
    return f"seat:{who}"
