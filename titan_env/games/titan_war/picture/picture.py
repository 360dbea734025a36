"""A war as shapes: the masterboard with every legion, or the battle that is fought; beside it or beneath the players.

A legion whose player is not the one who looks is drawn by the public record: who it holds for certain, and how many
more are not known.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from titan_env.contract.shapes import Box, Shape, Sheet, bounds
from titan_env.games.titan_battle.picture.click_targets import Offers
from titan_env.games.titan_battle.picture.last_move import event_rows
from titan_env.games.titan_battle.picture.picture import battle_shapes
from titan_env.games.titan_battle.picture.side_panel import player_name
from titan_env.games.titan_war.picture.click_targets import fight_offers, war_offers
from titan_env.games.titan_war.picture.laid import laid
from titan_env.games.titan_war.picture.last_move import moves, outcomes, ways_here
from titan_env.games.titan_war.picture.legions import LINE, ROW_WIDE, legion_row, own_rows, put_markers
from titan_env.games.titan_war.picture.masterboard import put_ground
from titan_env.games.titan_war.picture.places import BOARD_HIGH, BOARD_WIDE
from titan_env.games.titan_war.picture.reach import put_musters, told_of_land
from titan_env.games.titan_war.picture.side_panel import HEADING, PLAYER, heading, players
from titan_env.games.titan_war.picture.small import high_as, put_small_board
from titan_env.games.titan_war.rules.state import Event, Stage
from titan_env.games.titan_war.words.legions import Seen, may_see, seen_legions

_GAP = 0.35
"""Between the board and what is beside it."""
_NARROW = BOARD_WIDE / (ROW_WIDE + 0.12)
"""The factor by which everything beneath the board is larger on a telephone."""
_COLUMN = ROW_WIDE + 0.25
_MOST_COLUMNS, _SHORTEST = 3, 3
"""The number of columns of legions below the board at most, and the lines of a column before another one begins."""
_SMALL = 3.2
"""The width of the masterboard beside a battle."""


def picture(
    state: Any,
    seat: int | None = None,
    events: Any = (),
    before: Any = None,
    narrow: bool = False,
    names: Sequence[str] = (),
) -> list[Shape]:
    """Draw the war as `seat` sees it (None: everything, as who is asked).

    `events` (n, 4) of the latest step become arrows and marks; `before` is the state it began with. `narrow` puts the
    players beneath the board; `names` are theirs.
    """
    happened, offers, seen = event_rows(events), war_offers(state, seat), seen_legions(state, seat)
    shapes, panels = Sheet(), list[list[Shape]]()
    shapes += [Box(0, -BOARD_HIGH, BOARD_WIDE, BOARD_HIGH, "paper", title="", key="board")]
    if state.stage == Stage.BATTLE:
        board, *panels = _battle(state, seat, events, before, narrow, names)
        shapes += board
    else:
        put_ground(shapes, offers, partial(told_of_land, state), narrow)
        shapes += moves(happened)
        put_markers(shapes, state, seen, offers, ways_here(state, happened), narrow)
        shapes += outcomes(happened)
        put_musters(shapes, state, offers, narrow)
    for panel in panels:
        shapes.begin_panel()
        shapes += panel
    shapes.begin_panel()
    put_players = _put_beneath if narrow else _put_beside
    put_players(shapes, state, seat, seen, offers, names)
    return shapes


def _battle(
    state: Any, seat: int | None, events: Any, before: Any, narrow: bool, names: Sequence[str]
) -> Iterator[list[Shape]]:
    """Yield the parts of the battle that is fought, together as large as the board: the land, then panels."""
    seats = [int(state.legions[marker].owner) for marker in (state.attacker, state.defender)]
    fought = [event for event in events if Event.BATTLE < int(event[0]) <= Event.TIME_LOSS]
    earlier = before.battle if before is not None and before.stage == Stage.BATTLE else None
    battle = _without_donors(state, seat, seats[0])
    offers = fight_offers(state, seat)
    drawn = battle_shapes(battle, offers, [player_name(one, names) for one in seats], False, fought, earlier, narrow)
    left, _bottom, right, top = bounds(drawn, 0)
    scale = BOARD_WIDE / (right - left)
    for part in drawn.parts:
        yield laid([shape for piece in part for shape in piece], scale, -left * scale, -top * scale)


def _without_donors(state: Any, seat: int | None, attacker: int) -> Any:
    """Return the battle without the angels that wait elsewhere, of which the attacker alone knows."""
    if may_see(state, seat, attacker):
        return state.battle
    battle = state.battle.copy()
    battle.angel_waits = battle.archangel_waits = 0
    return battle


def _put_beside(
    shapes: Sheet, state: Any, seat: int | None, seen: list[Seen], offers: Offers, names: Sequence[str]
) -> None:
    """Put the question, the players and the legions to the right; legions for which there is no room go below."""
    x = BOARD_WIDE + _GAP
    shapes += laid(heading(state, seat, offers), 1.0, x, 0)
    shapes += laid(players(state, names), 1.0, x, -HEADING)
    y = -HEADING - (int(state.seats) + 0.9) * PLAYER - 0.3
    ordered, bottom = _ordered(state, seat, seen), bounds(shapes, 0)[1]
    lines = int((y - bottom) / LINE)
    shapes.begin_panel()
    shapes += own_rows(ordered[:lines], x, y, 1.0)
    for row, one in enumerate(ordered[:lines]):
        shapes += legion_row(state, one, offers, x, y - row * LINE, is_open=seat is None)
    if state.stage == Stage.BATTLE:
        shapes.begin_panel()
        put_small_board(shapes, state, seen, 0.1, bottom - 0.2, _SMALL)
    bottom, rest = bounds(shapes, 0)[1], ordered[lines:]
    high = max(_SHORTEST, math.ceil(len(rest) / _MOST_COLUMNS))
    for number, one in enumerate(rest):
        column, row = divmod(number, high)
        if not row:
            shapes.begin_panel()
        shapes += legion_row(state, one, offers, column * _COLUMN, bottom - 0.25 - row * LINE, is_open=seat is None)


def _put_beneath(
    shapes: Sheet, state: Any, seat: int | None, seen: list[Seen], offers: Offers, names: Sequence[str]
) -> None:
    """Put the question, the players and the legions below, large enough for a telephone."""
    y = min(bounds(shapes, 0)[1], -BOARD_HIGH) - 0.3
    shapes += laid(heading(state, seat, offers), _NARROW, 0.05, y)
    y -= HEADING * _NARROW
    shapes += laid(players(state, names), _NARROW, 0.05, y)
    y -= ((int(state.seats) + 0.9) * PLAYER + 0.3) * _NARROW
    if state.stage == Stage.BATTLE:
        put_small_board(shapes, state, seen, 0.2 * BOARD_WIDE, y, 0.6 * BOARD_WIDE)
        y -= high_as(0.6 * BOARD_WIDE) + 0.4
    ordered = _ordered(state, seat, seen)
    shapes += own_rows(ordered, 0.05, y, _NARROW)
    for row, one in enumerate(ordered):
        line = legion_row(state, one, offers, 0.0, -row * LINE, is_open=seat is None)
        shapes += laid(line, _NARROW, 0.05, y)


def _ordered(state: Any, seat: int | None, seen: list[Seen]) -> list[Seen]:
    """Return the legions, those of who looks first, then those of the others in turn order."""
    first = int(state.seat) if seat is None or seat < 0 else seat
    return sorted(seen, key=lambda one: ((one.owner - first) % int(state.seats), one.land, one.age))
