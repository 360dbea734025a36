"""Legions as shapes: markers on the board, and beside it a line for each with the characters that are known."""

from __future__ import annotations

from typing import Any

from titan_env.contract.shapes import Box, Label, Path, Point, Shape, Sheet, moving
from titan_env.games.titan_battle.picture.click_targets import Offers
from titan_env.games.titan_battle.rules.state import LEGION
from titan_env.games.titan_battle.words.translation import character_name
from titan_env.games.titan_war.picture.masterboard import along_base
from titan_env.games.titan_war.picture.pieces import COLOURS, COUNTER_WIDE, MARKER_WIDE, counter, marker, unknown
from titan_env.games.titan_war.picture.reach import shown_by, told_of_moves
from titan_env.games.titan_war.words.legions import Seen, content_of, legion_name, power_of
from titan_env.games.titan_war.words.sentences import describe_action
from titan_env.games.titan_war.words.translation import _, number_of

_STAND = 0.56
"""The distance of a land's legions from its long side, in heights."""
LINE = 0.45
"""The height of a legion's line."""
_COUNTERS = 0.5
"""The place on a legion's line at which its characters begin."""
ROW_WIDE = _COUNTERS + LEGION * (COUNTER_WIDE + 0.02)


def stand(seen: list[Seen], one: Seen) -> Point:
    """Return where a legion stands on its land: side by side with others."""
    there = [other for other in seen if other.land == one.land]
    x, y = along_base(one.land, _STAND)
    apart = min(MARKER_WIDE * 0.82, 0.5 / max(1, len(there) - 1))
    return x + (there.index(one) - (len(there) - 1) / 2) * apart, y


def put_markers(
    shapes: Sheet, state: Any, seen: list[Seen], offers: Offers, ways: dict[int, Path], narrow: bool
) -> None:
    """Put every legion on the board; the one that is asked about has a rim."""
    for one in seen:
        x, y = stand(seen, one)
        offered = offers.get(f"row:{one.marker}", ())
        title, shows = _legion_text(state, one, offered), shown_by(state, one.marker) if offered else ()
        scale, key = 1.35 if narrow else 1.0, f"marker:{one.marker}"
        drawn = marker(one.owner, one.height, x, y, scale, key, offered, title, one.has_moved, shows)
        shapes += moving(drawn, ways.get(one.marker, ()), x, y)
        if one.marker == state.picked and state.ask:
            shapes += [Box(x - 0.24, y - 0.21, 0.48, 0.42, "", "accent", 0.05, 0.08)]


def told_of(one: Seen) -> str:
    """Return what hovering over a legion tells."""
    return _("{name}: {text}", name=legion_name(one), text=content_of(one))


def _legion_text(state: Any, one: Seen, offered: tuple[int, ...]) -> str:
    """Return what hovering over a legion tells: what it holds, and where it can go if it may be picked."""
    moves = told_of_moves(state, one.marker) if offered else []
    return "\n".join([told_of(one), *(moves or [describe_action(state, action) for action in offered])])


def own_rows(ordered: list[Seen], left: float, top: float, scale: float) -> list[Shape]:
    """Return the frame of the first player's legions, if there are any; the first line has its middle at the top."""
    count = sum(one.owner == ordered[0].owner for one in ordered)
    if not count:
        return []
    frame = (left, top - (count - 0.5) * LINE * scale, (ROW_WIDE + 0.06) * scale, count * LINE * scale)
    return [Box(*frame, "", key=f"legions:{ordered[0].owner}")]


def legion_row(
    state: Any, one: Seen, offers: Offers, left: float, y: float, group: str = "row", is_open: bool = False
) -> list[Shape]:
    """Draw the line of a legion: marker over its land, and the characters under it, as far as they are known.

    `is_open`: each character is a thing of its own, which people take who edit the position.
    """
    offered = offers.get(f"row:{one.marker}", ())
    title = _legion_text(state, one, offered)
    edge = ("accent", 0.04) if offered else ("", 0.0)
    shapes: list[Shape] = [
        Box(
            left,
            y - LINE / 2 + 0.01,
            ROW_WIDE + 0.06,
            LINE - 0.02,
            "paper",
            *edge,
            0.05,
            key=f"{group}:{one.marker}",
            title=title,
            action=offered or None,
            notes=("legion",),
            shows=shown_by(state, one.marker) if offered else (),
        ),
        *marker(one.owner, one.height, left + 0.24, y + 0.08, 0.8, "", (), title, one.has_moved),
        Label(left + 0.24, y - 0.13, number_of(one.land), "ink", 10, bold=True),
    ]
    for i, kind in enumerate(one.known):
        x = left + _COUNTERS + (i + 0.5) * (COUNTER_WIDE + 0.02)
        key = f"held:{one.marker}:{i}" if is_open else ""
        shapes += counter(kind, power_of(state, one.owner, kind), x, y, 1.0, key, (), character_name(kind))
    for i in range(len(one.known), one.height):
        shapes += unknown(left + _COUNTERS + (i + 0.5) * (COUNTER_WIDE + 0.02), y, 1.0, content_of(one))
    return shapes


def swatch(seat: int, x: float, y: float) -> list[Shape]:
    """Draw the colour of a player."""
    return [Box(x, y - 0.09, 0.18, 0.18, COLOURS[seat], "black", 0.015, 0.03)]
