"""A race as shapes: the board with its terrain and Titans, and what the players have before them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from titan_env import icons
from titan_env.games.titan_race.actions import ACTIONS
from titan_env.games.titan_race.board import column_of, neighbour
from titan_env.games.titan_race.circuits import space_name
from titan_env.games.titan_race.legal import legal
from titan_env.games.titan_race.position import LETTERS
from titan_env.games.titan_race.state import SPACES, TRAP, Ask, Condition, Direction, Event, Face, Terrain
from titan_env.games.titan_race.words import card_name, say, titan_name
from titan_env.shapes import Box, Circle, Label, Line, Point, Polygon, Shape, placed, ring, star

COLOURS = ("yellow", "blue", "brown", "red", "green", "purple")
"""The colour of each Titan and of the face that bears it."""

_FILLS = {
    Terrain.PLAIN: "soft_sand",
    Terrain.BONUS: "soft_yellow",
    Terrain.LAVA: "soft_red",
    Terrain.PIRATES: "soft_grey",
    Terrain.STATUE: "soft_brown",
    Terrain.PENTACLE: "soft_purple",
    Terrain.ICE: "soft_blue",
}
_NAMES = {terrain: terrain.name.lower().replace("_", " ").replace("super ramp", "super-ramp") for terrain in Terrain}
_QUESTIONS = {
    Ask.DRAFT: "takes a die",
    Ask.ENTER: "chooses an entry space",
    Ask.TURN: "chooses: die, ability or card",
    Ask.DIE: "goes on with the die",
    Ask.AIM: "aims the card",
    Ask.ABILITY: "chooses a target",
    Ask.SHOVE: "chooses where to shove",
    Ask.PIRATES: "gives the pirates a card or a life",
    Ask.SHIELD: "may play the shield",
    Ask.THORNS: "may play the thorns",
}
_ROW, _RADIUS = 0.5, 1 / math.sqrt(3)
_COLUMN = 1.5 * _RADIUS
_BOARD = 6 * _COLUMN + 0.75
_TRAILS: dict[Face, list[Point]] = {
    Face.YELLOW: [(0, -0.65), (0, 0), (0, 0.7)],
    Face.BLUE: [(-0.25, -0.6), (-0.25, 0.1), (0.4, 0.5)],
    Face.BROWN: [(-0.6, -0.4), (-0.23, -0.13), (0.13, 0.13), (0.6, 0.45)],
    Face.RED: [(-0.3, -0.55), (-0.3, 0.6)],
    Face.GREEN: [(-0.55, -0.55), (-0.05, -0.2), (0.55, 0.22)],
}
_WAYS = {"S": Direction.F, "L": Direction.FL, "R": Direction.FR}


def picture(state: Any, seat: int | None = None, events: Any = (), before: Any = None) -> list[Shape]:
    """The race as `seat` sees it (None: all hands open), rows going up; one unit is the height of a space.

    `events` (n, 4) of the latest step become arrows; `before`, the state it began with, tells where they begin.
    """
    offers = _offers(state, seat)
    boards = int(state.circuits)
    shapes: list[Shape] = []
    for space in sorted(range(boards * SPACES), key=lambda space: f"space:{space}" in offers):
        shapes += _space(state, space, offers.get(f"space:{space}", ()))
    shapes += _last_move(state, events, before)
    if boards > 1:
        for board in range(boards):
            middle = board * _BOARD + 2.5 * _COLUMN
            shapes.append(Label(middle, 6.85, f"board {board + 1} of {boards}", "faint", 14))
        shapes += _table(state, seat, offers, -0.6, -0.55, 3, (boards * _BOARD - 0.75) / 3)
    else:
        shapes += _table(state, seat, offers, 5.35, 6.6, 1, 5.6)
    return shapes


def _offers(state: Any, seat: int | None) -> dict[str, tuple[int, ...]]:
    """Which legal actions a click on each thing offers; none to a seat that is not asked."""
    found: dict[str, tuple[int, ...]] = {}
    if state.over or (seat is not None and seat != state.seat):
        return found
    mask = np.zeros(len(ACTIONS), np.int8)
    legal(state, mask)
    for action in np.flatnonzero(mask).tolist():
        key = _offered_by(state, *ACTIONS.texts[action].partition(":")[::2])
        found[key] = (*found.get(key, ()), action)
    return found


def _offered_by(state: Any, verb: str, thing: str) -> str:
    """The thing on the table that stands for an action."""
    who = int(state.target if verb == "shove" and state.target >= 0 else state.asked)
    if verb == "draft":
        return f"die:{thing}"
    if verb in ("play", "discard"):
        return f"card:{thing}"
    if verb == "enter":
        return f"space:{'ACE'.index(thing[0])}"
    if verb == "move" or (thing in Direction.__members__ and verb != "copy"):
        space = int(state.titans[who].space)
        for way in [_WAYS[letter] for letter in thing] if verb == "move" else [Direction[thing]]:
            space = int(neighbour(state, space, way)) if space >= 0 else space
        return f"space:{space}" if space >= 0 else f"titan:{who}"
    return f"titan:{int(state.asked)}"


def _centre(space: int) -> Point:
    """Where a space lies; the boards of a Grand Slam stand side by side."""
    board, local = divmod(space, SPACES)
    return board * _BOARD + column_of(local) * _COLUMN, (local // 3 + 1) * _ROW


def _space(state: Any, space: int, offered: tuple[int, ...]) -> list[Shape]:
    """One space: terrain, name, trap, Titan."""
    x, y = _centre(space)
    terrain, token = Terrain(int(state.terrain[space])), int(state.on[space])
    name = space_name(space)
    said = f"{name}: {_NAMES[terrain]}" + (", trap" if token >= TRAP else "")
    said += "".join(f"\n{say(state, action)}" for action in offered)
    hexagon = ring(x, y, _RADIUS * 0.975, 6)
    line, width = ("accent", 0.05) if offered else ("edge", 0.015)
    shapes: list[Shape] = [
        Polygon(
            hexagon,
            _FILLS.get(terrain, "soft_green"),
            line,
            width,
            title=said,
            key=f"space:{space}",
            action=offered or None,
        )
    ]
    shapes.append(Label(x, y - 0.39, name, "faint", 8.5))
    who = token % TRAP - 1
    crowded = who >= 0 or token >= TRAP
    if terrain != Terrain.PLAIN:
        shapes += _icon(terrain, x - 0.385, y, 0.13) if crowded else _icon(terrain, x, y + 0.05, 0.25)
    if token >= TRAP:
        middle, size = ((x + 0.385, y), 0.13) if who >= 0 else ((x + 0.1 * (terrain != 0), y + 0.05), 0.24)
        disc, *rest = icons.jaws(*middle, size)
        shapes += [replace(disc, key=f"trap:{space}", title=said, action=offered or None), *rest]
    return shapes + (_titan(state, who, x, y + 0.07, 0.24) if who >= 0 else [])


def _icon(terrain: Terrain, x: float, y: float, size: float) -> list[Shape]:
    """What is printed on a space, recognisable without its colour."""
    drawings: dict[Terrain, Callable[[float, float, float], list[Shape]]] = {
        Terrain.LAVA: icons.flame,
        Terrain.ICE: icons.crystal,
        Terrain.PIRATES: icons.skull,
        Terrain.STATUE: icons.bust,
        Terrain.PENTACLE: icons.pentacle,
        Terrain.BONUS: icons.card,
        Terrain.SUPER_RAMP_LEFT: partial(icons.ramp, way=150),
        Terrain.SUPER_RAMP_RIGHT: partial(icons.ramp, way=30),
        Terrain.MULTI_RAMP: partial(icons.fork, ways=(90, 150, 30)),
    }
    return drawings[terrain](x, y, size)


def _titan(state: Any, who: int, x: float, y: float, radius: float, where: str = "piece") -> list[Shape]:
    """A Titan in its colour with its letters; one that is K.O. is crossed out."""
    titan = state.titans[who]
    fit = titan.condition == Condition.FIT
    kind = int(titan.kind)
    asked = who == state.asked and not state.over
    said = f"{titan_name(state, who)}, player {int(titan.seat) + 1}" + ("" if fit else ", K.O.")
    shapes: list[Shape] = [Circle(x, y, radius * 1.22, "accent")] if asked else []
    rim = Circle(x, y, radius, COLOURS[kind] if fit else "soft_grey", "black", 0.03, title=said, key=f"{where}:{who}")
    shapes += [rim, Label(x, y, LETTERS[kind], "black" if fit else "ink", radius * 66, bold=True)]
    if not fit:
        d = radius * 0.75
        shapes.append(Line(((x - d, y - d), (x + d, y + d)), "alarm", 0.04))
    return shapes


def _table(
    state: Any, seat: int | None, offers: dict[str, tuple[int, ...]], left: float, top: float, across: int, wide: float
) -> list[Shape]:
    """What is decided, each Titan's life, lap and hand, the dice in the pool, and the legend."""
    shapes: list[Shape] = [Label(left, top, _question(state), "ink", 17, "left", True)]
    shown: set[int] = set()
    for who in range(int(state.titans_in_race)):
        x, y = left + who % across * wide, top - 0.75 - who // across * 0.84
        shapes += _titan_row(state, who, x, y, wide - 0.15, offers)
        owner = int(state.titans[who].seat)
        if owner not in shown:
            shown.add(owner)
            shapes += _hand(state, owner, seat in (None, owner), offers, x + wide - 0.25, y)
    rows = -(-int(state.titans_in_race) // across)
    y = top - 0.75 - rows * 0.84
    shapes.append(Label(left, y, "Dice", "faint", 12, "left"))
    dice = [face for face in Face for _ in range(int(state.pool[face]))]
    for i, face in enumerate(dice):
        shapes += _die(face, left + 0.85 + i * 0.6, y, 0.25, offers.get(f"die:{face.name.lower()}", ()), f"die:{i}")
    rolled = "to be rolled" if state.unrolled else "" if dice else "none"
    shapes.append(Label(left + 0.6 + len(dice) * 0.6 * (not state.unrolled), y, rolled, "faint", 11, "left"))
    line, foot = (
        f"turn {int(state.turns)}   traps left {int(state.supply)}",
        (left, y - 0.5) if across == 1 else (left + 5.6, y),
    )
    shapes.append(Label(*foot, line, "faint", 11, "left", key="supply"))
    return shapes + (_legend(-0.45, -0.4, 1.26) if across == 1 else _legend(left + 0.2, y - 0.75, 1.75))


def _question(state: Any) -> str:
    """What is being decided, or who has won."""
    if state.over:
        names = [titan_name(state, w) for w in range(int(state.titans_in_race)) if state.won[state.titans[w].seat]]
        return f"{' and '.join(names)} won the race" if names else "The race was stopped"
    return f"{titan_name(state, int(state.asked))} {_QUESTIONS[Ask(int(state.ask))]}"


def _titan_row(
    state: Any, who: int, x: float, y: float, wide: float, offers: dict[str, tuple[int, ...]]
) -> list[Shape]:
    """One Titan's board: name, lap, lives, progress, die."""
    titan = state.titans[who]
    turn = who == state.titan and not state.over
    offered = offers.get(f"titan:{who}", ())
    said = "\n".join(say(state, action) for action in offered)
    edge, width = ("accent", 0.04) if turn else ("edge", 0.01)
    frame = Box(
        x, y - 0.38, wide, 0.76, "panel", edge, width, 0.1, key=f"titan:{who}", title=said, action=offered or None
    )
    shapes: list[Shape] = [frame, *_titan(state, who, x + 0.36, y, 0.24, "token")]
    shapes.append(Label(x + 0.76, y + 0.2, titan_name(state, who), "ink", 13, "left", True))
    lap = f"player {int(titan.seat) + 1}  lap {int(titan.lap)}/{int(state.laps)}"
    shapes.append(Label(x + 1.85, y + 0.2, lap, "ink", 10.5, "left"))
    for i in range(int(titan.life_max)):
        fill = "alarm" if i < titan.life else ""
        heart = icons.heart(x + 0.86 + i * 0.24, y - 0.05, 0.1)
        shapes.append(Polygon(heart, fill or "panel", "alarm", key=f"life:{who}:{i}"))
    if titan.condition != Condition.FIT:
        shapes.append(Label(x + 0.95 + int(titan.life_max) * 0.24, y - 0.04, "K.O.", "alarm", 11, "left", True))
    rows = int(state.laps) * 12
    done = min(1.0, max(0.0, float(titan.progress) / rows))
    shapes.append(
        Box(x + 0.76, y - 0.29, 1.95, 0.08, "paper", "edge", 0.01, 0.04, title=f"{int(titan.progress)} of {rows} rows")
    )
    if done:
        shapes.append(Box(x + 0.76, y - 0.29, 1.95 * done, 0.08, "ink", "", 0.0, 0.04))
    if titan.face >= 0:
        shapes += _die(Face(int(titan.face)), x + 2.98, y - 0.12, 0.17, (), f"taken:{who}")
    return shapes


def _hand(
    state: Any, seat: int, is_open: bool, offers: dict[str, tuple[int, ...]], right: float, y: float
) -> list[Shape]:
    """A player's cards, face down for others; the last card's right edge is at `right`."""
    shapes: list[Shape] = []
    for i, card in enumerate(np.flatnonzero(np.asarray(state.cards) == seat).tolist()):
        x = right - 1.02 - i * 1.06
        if not is_open:
            shapes.append(Box(x, y - 0.28, 0.98, 0.56, "accent", "ink", 0.015, title="a card", key=f"hand:{seat}:{i}"))
            shapes.append(Polygon(star(x + 0.49, y, 0.17), "paper"))
            continue
        name = card_name(card)
        offered = offers.get(f"card:{name.replace(' ', '_')}", ())
        line, width = ("accent", 0.045) if offered else ("edge", 0.015)
        said = "\n".join([name, *(say(state, action) for action in offered)])
        shapes.append(
            Box(x, y - 0.28, 0.98, 0.56, "paper", line, width, title=said, key=f"card:{card}", action=offered or None)
        )
        words = name.split()
        for j, word in enumerate(words):
            shapes.append(Label(x + 0.49, y + (len(words) - 1) * 0.09 - j * 0.18, word, "ink", 11))
    return shapes


def _die(face: Face, x: float, y: float, half: float, offered: tuple[int, ...], key: str) -> list[Shape]:
    """A die with its face: the way it moves, and what it does besides."""
    line, width = ("accent", 0.06) if offered else ("black", 0.02)
    corner, name = (x - half, y - half, 2 * half, 2 * half), face.name.lower()
    look = (COLOURS[face], line, width, half * 0.35)
    shapes: list[Shape] = [Box(*corner, *look, title=name, key=key, action=offered or None)]
    if face == Face.PURPLE:
        return [*shapes, Label(x, y, "?", "black", half * 105, bold=True)]
    path = placed(_TRAILS[face], x, y, half)
    if face == Face.RED:
        shapes += icons.jaws(x + half * 0.4, y - half * 0.4, half * 0.38)
    if face == Face.GREEN:
        shapes.append(Polygon(star(x - half * 0.45, y + half * 0.45, half * 0.4, 6, 0.45), "white", "black"))
    shapes += [Circle(px, py, half * 0.15, "black") for px, py in path[:-1]]
    return [*shapes, Line(path, "black", half * 0.16, half * 0.5)]


def _legend(left: float, y: float, step: float) -> list[Shape]:
    """What each icon means."""
    shapes: list[Shape] = []
    names = [
        (terrain, _NAMES[terrain]) for terrain in Terrain if terrain not in (Terrain.PLAIN, Terrain.SUPER_RAMP_LEFT)
    ]
    for i, (terrain, name) in enumerate(names):
        x = left + i * step
        shapes += [*_icon(terrain, x, y, 0.13), Label(x + 0.2, y, name.replace(" right", ""), "faint", 10, "left")]
    x = left + len(names) * step
    return [*shapes, *icons.jaws(x, y, 0.13), Label(x + 0.2, y, "trap", "faint", 10, "left")]


def _last_move(state: Any, events: Any, before: Any) -> list[Shape]:
    """The latest step as arrows: the first mover's solid, those of the pushed dashed; lost lives as -1."""
    heard = [tuple(int(number) for number in event) for event in events]
    paths: dict[int, list[int]] = {}
    losses: dict[int, int] = {}
    for kind, who, other, _ in heard:
        if kind == Event.MOVED and other >= 0:
            begun = int(before.titans[who].space) if before is not None else -1
            paths.setdefault(who, [begun] if begun >= 0 else []).append(other)
        if kind == Event.LOSS:
            losses[who] = losses.get(who, 0) + 1
    shapes: list[Shape] = []
    pushed = {other for kind, _, other, _ in heard if kind in (Event.PUSHED, Event.SHOVED)}
    for who, path in paths.items():
        for i, (a, b) in enumerate(itertools.pairwise(path)):
            shapes += _arrow(state, a, b, i == len(path) - 2, who in pushed) if a != b else []
    for who, lost in losses.items():
        if state.titans[who].space >= 0:
            x, y = _centre(int(state.titans[who].space))
            shapes += [
                Circle(x + 0.27, y + 0.3, 0.14, "alarm", "paper"),
                Label(x + 0.27, y + 0.3, f"-{lost}", "paper", 11, bold=True),
            ]
    return shapes


def _arrow(state: Any, a: int, b: int, last: bool, dashed: bool) -> list[Shape]:
    """One step from space to space; one that leaves the board is drawn as two halves."""
    (ax, ay), (bx, by) = _centre(a), _centre(b)
    dx = (column_of(b % SPACES) - column_of(a % SPACES) + 3) % 6 - 3
    dy = b // 3 - a // 3
    if state.circuits == 1:
        dy = (dy + 6) % 12 - 6
    across, up = dx * _COLUMN, dy * _ROW
    look: dict[str, Any] = {"colour": "alarm" if dashed else "ink", "width": 0.055, "dashed": dashed}
    head = 0.24 if last else 0.0
    length = math.hypot(across, up) or 1.0
    short = 0.3 * last / length
    start = (ax + across * 0.28 * dashed / length, ay + up * 0.28 * dashed / length)
    tip = (bx - across * short, by + 0.07 * last - up * short)
    if math.hypot(bx - ax - across, by - ay - up) < 0.01:
        return [Line((start, tip), head=head, **look)]
    ux, uy = across / length * 0.75, up / length * 0.75
    return [
        Line(((ax, ay), (ax + ux, ay + uy)), head=0.18, **look),
        Line(((bx - ux, by - uy), tip), head=head, **look),
    ]
