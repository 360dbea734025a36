"""The piece that is drawn on the map and beside it: a counter with name, power and skill."""

from __future__ import annotations

from typing import Any

from titan_env.contract.shapes import Box, Circle, Label, Shape, cached_drawing
from titan_env.games.titan_battle.picture.battleland import COLOURS
from titan_env.games.titan_battle.picture.drawings import SIGNS, blow, crossed, step, wings
from titan_env.games.titan_battle.picture.reach import within_reach
from titan_env.games.titan_battle.rules.characters import CHARACTERS, ENTRIES, FLIES, SKILL
from titan_env.games.titan_battle.rules.fighters import side_of
from titan_env.games.titan_battle.rules.state import GONE, HEXES, Side
from titan_env.games.titan_battle.words.translation import _, character_name, side_name

WIDE, HIGH = 0.72, 0.56
"""The size of a counter."""
BANDS = {Side.ATTACKER: "#FFC8A0", Side.DEFENDER: "#B9E6D3"}
"""The colour behind the name of a counter, by its side."""
_ROUND = {Side.ATTACKER: 0.02, Side.DEFENDER: 0.13}
_BAR, _DEEP = 0.42, 0.085
"""The width and height of the places for its hits, between the signs of its abilities."""
_APART = 9
"""Of more places than these each would be too small to be seen: they are one bar."""
_TAKEN, _LEFT = "#C81E1E", "#9AA2AC"
"""The colours of hits taken, and of those that it can still take."""
_LETTERS = 8
"""Longer names are written smaller."""


def fighter(
    battle: Any, who: int, x: float, y: float, scale: float = 1.0, offered: tuple[int, ...] = (), offer: str = ""
) -> list[Shape]:
    """Draw a fighter around (x, y): name, power and skill, hits taken, and whether it has moved or struck."""
    mine = battle.fighters[who]
    side, is_gone = Side(side_of(who)), bool(mine.hex >= GONE)
    title = _("{who}, {side}, {power}-{skill}", **_facts(mine, side))
    title += ", " + _.many("1 hit", "{n} hits", int(mine.hits)) if mine.hits else ""
    states = [(mine.moved, _("moved")), (mine.locked, _("in contact")), (mine.struck, _("struck"))]
    states += [(mine.slain, _("slain")), (is_gone, _("lost"))]
    title = ", ".join([title, *(word for is_so, word in states if is_so)])
    reach = within_reach(battle, who)
    title = "\n".join([title + offer, *reach.sentences])
    shapes = list(
        _counter(int(mine.kind), side, int(mine.power), x, y, scale, f"piece:{who}", offered, title, reach.hexes)
    )
    if mine.hex < HEXES:
        shapes += _hits(who, int(mine.hits), int(mine.power), x, y)
    if mine.moved:
        shapes += step(x + WIDE / 2 - 0.02, y + HIGH / 2 - 0.03, 0.085)
    if mine.struck:
        shapes += blow(x + WIDE / 2 - 0.02, y + HIGH / 2 - 0.03, 0.12)
    if mine.slain or is_gone:
        shapes += crossed(x, y, WIDE / 2 * scale, HIGH / 2 * scale)
    return shapes


def _facts(mine: Any, side: Side) -> dict[str, Any]:
    """Return what is told of every fighter."""
    skill = int(SKILL[mine.kind])
    return {"who": character_name(mine.kind), "side": side_name(side), "power": int(mine.power), "skill": skill}


def waiting(
    kind: int, side: Side, power: int, x: float, y: float, scale: float, key: str, offered: tuple[int, ...], offer: str
) -> list[Shape]:
    """Draw a character that may still arrive."""
    return list(_counter(kind, side, power, x, y, scale, key, offered, offer, ()))


@cached_drawing
def _counter(
    kind: int,
    side: Side,
    power: int,
    x: float,
    y: float,
    scale: float,
    key: str,
    offered: tuple[int, ...],
    title: str,
    shows: tuple[str, ...],
) -> list[Shape]:
    """Draw a counter, with sharp corners for attackers and round ones for defenders; signs for flight and range."""
    wide, high, name, said_name = WIDE * scale, HIGH * scale, CHARACTERS[kind], character_name(kind)
    line, width = ("accent", 0.06) if offered else (COLOURS[side], 0.045)
    corner = (x - wide / 2, y - high / 2)
    marks: dict[str, Any] = {"title": title, "key": key, "notes": (f"character:{name}",), "action": offered or None}
    marks["shows"] = shows
    round_by = _ROUND[side] * scale
    shapes: list[Shape] = [
        Box(*corner, wide, high, "white", line, width, round_by, **marks),
        Box(x - wide * 0.46, y + high * 0.12, wide * 0.92, high * 0.33, BANDS[side], "", 0.0, round_by * 0.8),
        Label(x, y + high * 0.285, said_name, "black", 10 * scale * min(1.0, _LETTERS / len(said_name))),
        Label(x, y - high * 0.08, f"{power}-{int(SKILL[kind])}", "black", 16 * scale, bold=True),
    ]
    if FLIES[kind]:
        shapes += wings(x - wide * 0.38, y - high * 0.33, 0.065 * scale)
    if ENTRIES[name]["ranged"] in SIGNS:
        shapes += SIGNS[ENTRIES[name]["ranged"]](x + wide * 0.38, y - high * 0.33, 0.06 * scale)
    return shapes


@cached_drawing
def _hits(who: int, hits: int, power: int, x: float, y: float) -> list[Shape]:
    """Draw a place for each hit that it can take, those taken filled, and their number."""
    left, apart = x - _BAR / 2, _BAR / power
    wide = apart * (0.82 if power <= _APART else 1.0)
    text = _("{hits} of {power} hits", hits=hits, power=power)
    around = (left - 0.01, y - HIGH * 0.47, _BAR + 0.02, 0.13)
    shapes: list[Shape] = [
        Box(*around, "white", title=text, key=f"life:{who}", notes=("hits",)),
        *(
            Box(left + k * apart, y - HIGH * 0.44, wide, _DEEP, colour, "", 0.0, 0.01 if power <= _APART else 0.0)
            for k, colour in enumerate([_TAKEN] * hits + [_LEFT] * (power - hits))
        ),
    ]
    if hits:
        middle = (x - WIDE / 2 - 0.03, y - 0.04)
        number = Label(*middle, str(hits), "white", 11, bold=True, notes=("hits",))
        shapes += [Circle(*middle, 0.13, _TAKEN, "white", 0.02), number]
    return shapes
