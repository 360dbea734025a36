"""A battle as shapes: the battleland with its fighters and the latest step, and beside it or beneath the legions.

What is drawn is the battle's record, which knows sides and no seats: a war draws its battles with `battle_shapes` too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from titan_env.contract.shapes import Box, Label, Polygon, Shape, Sheet, cached_drawing, moving, ring
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.picture.battleland import BOTTOM, LEFT, RADIUS, RIGHT, TOP, centre, put_ground
from titan_env.games.titan_battle.picture.click_targets import Offers, offers_of
from titan_env.games.titan_battle.picture.last_move import event_rows, moves, outcomes, ways_here
from titan_env.games.titan_battle.picture.legend import legend
from titan_env.games.titan_battle.picture.odds import odds, strikes_offered
from titan_env.games.titan_battle.picture.pieces import fighter
from titan_env.games.titan_battle.picture.side_panel import HEADING, PANEL, player_name, table
from titan_env.games.titan_battle.rules.decision import seat_of
from titan_env.games.titan_battle.rules.fighters import is_on_map, occupied
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.state import FIGHTERS, HEXES, NOBODY, Ask, Entry, Side
from titan_env.games.titan_battle.words.sentences import say_in_battle
from titan_env.games.titan_battle.words.translation import _, land_name, sentence

_SIDES = {Entry.RIGHT: mark("right"), Entry.BOTTOM: mark("bottom"), Entry.LEFT: mark("left")}
_TABLE = 4.3
"""The width of the panel beside the map."""
_ROOM, _ASIDE = 0.2, 0.13
"""Below the map and beside it, for those who come on."""
_GAP = 0.42
"""Between the map and the table beside it."""
_LIFT = 0.085
"""The height of a counter above the middle of its hex, over the name."""


def picture(
    state: Any,
    seat: int | None = None,
    events: Any = (),
    before: Any = None,
    narrow: bool = False,
    names: Sequence[str] = (),
) -> list[Shape]:
    """Draw the battle as `seat` sees it (None: as who is asked); one unit is the height of a hex.

    `events` (n, 4) of the latest step become arrows and marks; `before` is the state it began with. `narrow` puts the
    table beneath the map; `names` are the players'.
    """
    offers = offers_of(state.battle) if not state.over and seat in (None, state.seat) else {}
    players = [player_name(int(seat_of(state, side)), names) for side in Side]
    earlier = None if before is None else before.battle
    return battle_shapes(state.battle, offers, players, bool(state.over), events, earlier, narrow)


def battle_shapes(
    battle: Any, offers: Offers, players: Sequence[str], is_over: bool, events: Any, before: Any, narrow: bool
) -> Sheet:
    """Draw a battle; `offers` is what can be clicked, `players` are those of the attacker and the defender."""
    happened = event_rows(events)
    shapes = Sheet()
    shapes += _frame(int(battle.land), int(battle.entry))
    put_ground(shapes, battle, int(occupied(battle)), offers, partial(say_in_battle, battle))
    shapes += moves(battle, before, happened)
    _put_fighters(shapes, battle, ways_here(battle, before, happened))
    shapes += _destinations(battle, offers)
    strikes = list(strikes_offered(battle, offers))
    shapes += outcomes(before, happened, {(here, there) for here, there, _text in strikes})
    shapes += odds(strikes)
    left, top, wide = (LEFT, BOTTOM - _ROOM - 0.1, RIGHT - LEFT) if narrow else (RIGHT + _GAP, TOP + 0.45, _TABLE)
    shapes.begin_panel()
    shapes += table(battle, before, offers, players, is_over, left, top, wide)
    shapes += legend(int(battle.land), left, top - HEADING - 2 * PANEL - 0.18, left + wide)
    return shapes


@cached_drawing
def _frame(land: int, entry: int) -> list[Shape]:
    """Keep room around the map, so that no picture is larger than the next, and name the land above it."""
    frame = Box(LEFT - _ASIDE, BOTTOM - _ROOM, RIGHT - LEFT + 2 * _ASIDE, TOP - BOTTOM + _ROOM + 0.5, "paper")
    return [frame, Label(LEFT, TOP + 0.3, _heading(land, entry), "ink", 15, "left", True)]


def _heading(land: int, entry: int) -> str:
    """Return the name of the land, and the side on which the attacker comes in."""
    where = _(_SIDES[Entry(entry)])
    return sentence(_("{land} · side {letter} ({where})", land=land_name(land), letter=ENTRY_NAMES[entry], where=where))


def _put_fighters(shapes: Sheet, battle: Any, ways: Any) -> None:
    """Put everybody who stands on the map; the picked one has a frame, the target another."""
    for who in range(FIGHTERS):
        if not is_on_map(battle, who):
            continue
        number = int(battle.fighters[who].hex)
        x, y = centre(number)
        if battle.ask != Ask.NOTHING and who in (battle.picked, battle.target):
            shapes += _framed(number, bool(who == battle.picked))
        shapes += moving(fighter(battle, who, x, y + _LIFT), ways.get(number, ()), x, y + _LIFT)


@cached_drawing
def _framed(number: int, is_picked: bool) -> list[Shape]:
    """Draw a frame around the picked one, a double one around the target."""
    rings = [ring(*centre(number), RADIUS * share, 6) for share in (0.96, 0.84)]
    if is_picked:
        return [Polygon(rings[0], "", "accent", 0.08)]
    return [Polygon(corners, "", "alarm", 0.035) for corners in rings]


def _destinations(battle: Any, offers: Offers) -> list[Shape]:
    """Draw a dot wherever the picked one may go."""
    if battle.ask != Ask.GO or battle.picked == NOBODY:
        return []
    shapes: list[Shape] = []
    for number in range(HEXES):
        if f"hex:{number}" in offers:
            x, y = centre(number)
            shapes += [Polygon(ring(x, y + 0.04, 0.15, 6), "accent", "paper", 0.03)]
    return shapes
