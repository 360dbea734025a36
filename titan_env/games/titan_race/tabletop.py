"""What lies beside the board, as shapes: the question, the dice, each Titan with its player's hand, the legend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from titan_env import icons
from titan_env.games.titan_race.pieces import die, icon, terrain_name, titan
from titan_env.games.titan_race.state import Ask, Condition, Face, Terrain
from titan_env.games.titan_race.words import card_name, say, titan_name
from titan_env.shapes import Box, Label, Polygon, Shape, star

Offers = Mapping[str, tuple[int, ...]]
"""The legal actions that a click on each thing offers, by its key."""

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
_SMALL = 12
"""The size of most texts."""
_MOST_HEARTS = 10
"""Of more lives the hearts would be too small to count."""
_ROW, _GAP = 0.92, 0.15
"""How high a Titan's line is, and how far apart two of them stand."""


def table(
    state: Any, seat: int | None, offers: Offers, left: float, top: float, wide: float, across: int = 1
) -> list[Shape]:
    """The question, the dice and the Titans, `across` of them in a line `wide`, with the hands that `seat` sees."""
    pitch = (wide + _GAP) / across
    shapes: list[Shape] = [Label(left, top, question(state), "ink", 14 if across == 1 else 20, "left", True)]
    shapes += _dice(state, offers, left, top - 0.6)
    right = left + pitch - _GAP
    shapes.append(Label(right, top - 0.48, f"turn {int(state.turns)}", "faint", _SMALL, "right"))
    supply = f"traps left {int(state.supply)}"
    shapes.append(Label(right, top - 0.72, supply, "faint", _SMALL, "right", key="supply"))
    shown: set[int] = set()
    for who in range(int(state.titans_in_race)):
        x, y = left + who % across * pitch, top - 1.4 - who // across * _ROW
        shapes += _titan_line(state, who, x, y, pitch - _GAP, offers)
        owner = int(state.titans[who].seat)
        if owner not in shown:
            shown.add(owner)
            shapes += _hand(state, owner, seat in (None, owner), offers, x + pitch - _GAP - 0.1, y - 0.12)
    return shapes


def question(state: Any) -> str:
    """What is being decided and whom it concerns, or who has won."""
    if state.over:
        names = [titan_name(state, w) for w in range(int(state.titans_in_race)) if state.won[state.titans[w].seat]]
        return f"{' and '.join(names)} won the race" if names else "The race was stopped"
    whom = f" {titan_name(state, int(state.target))}" if state.ask == Ask.SHOVE and state.target >= 0 else ""
    return f"{titan_name(state, int(state.asked))} {_QUESTIONS[Ask(int(state.ask))]}{whom}"


def _dice(state: Any, offers: Offers, left: float, y: float) -> list[Shape]:
    """The dice in the pool."""
    dice = [face for face in Face for _ in range(int(state.pool[face]))]
    rest = " to be rolled" if state.unrolled else "" if dice else ": none"
    shapes: list[Shape] = [Label(left, y, f"Dice{rest}", "faint", _SMALL, "left")]
    for i, face in enumerate(dice):
        shapes += die(face, left + 0.8 + i * 0.58, y, f"die:{i}", offers.get(f"die:{face.name.lower()}", ()))
    return shapes


def _titan_line(state: Any, who: int, x: float, y: float, wide: float, offers: Offers) -> list[Shape]:
    """One Titan's board: name, lap, lives, progress, die."""
    mine = state.titans[who]
    turn = who == state.titan and not state.over
    offered = offers.get(f"titan:{who}", ())
    said = "\n".join(say(state, action) for action in offered)
    edge = ("accent", 0.04) if turn else ("edge", 0.01)
    frame = Box(x, y - 0.42, wide, 0.84, "panel", *edge, 0.1, key=f"titan:{who}", title=said, action=offered or None)
    shapes: list[Shape] = [frame, *titan(state, who, x + 0.38, y, "token")]
    shapes.append(Label(x + 0.78, y + 0.27, titan_name(state, who), "ink", 13, "left", True))
    lap = f"lap {int(mine.lap)}/{int(state.laps)}" if mine.lap <= state.laps else "home"
    shapes.append(Label(x + 1.95, y + 0.27, f"player {int(mine.seat) + 1} · {lap}", "ink", _SMALL, "left"))
    if mine.condition != Condition.FIT:
        shapes.append(Label(x + wide - 0.12, y + 0.27, "K.O.", "alarm", _SMALL, "right", True))
    shapes += _lives(mine, who, x + 0.88, y - 0.02)
    rows = int(state.laps) * 12
    done = min(1.0, max(0.0, float(mine.progress) / rows))
    said = f"{int(mine.progress)} of {rows} rows"
    shapes.append(Box(x + 0.78, y - 0.32, 1.7, 0.08, "paper", "edge", 0.01, 0.04, title=said))
    if done:
        shapes.append(Box(x + 0.78, y - 0.32, 1.7 * done, 0.08, "ink", "", 0.0, 0.04))
    if mine.face >= 0:
        shapes += die(Face(int(mine.face)), x + 2.95, y - 0.12, f"taken:{who}")
    return shapes


def _lives(mine: Any, who: int, x: float, y: float) -> list[Shape]:
    """A heart for each life; of very many, one heart with their number."""
    life, most = int(mine.life), int(mine.life_max)
    if most > _MOST_HEARTS:
        last, fill = max(0, life - 1), "alarm" if life else "panel"
        heart = Polygon(icons.heart(x, y, 0.1), fill, "alarm", key=f"life:{who}:{last}")
        return [heart, Label(x + 0.18, y, f"{life}/{most}", "ink", _SMALL, "left")]
    apart = min(0.24, 1.7 / most)
    hearts = [icons.heart(x + i * apart, y, apart * 0.42) for i in range(most)]
    return [
        Polygon(heart, "alarm" if i < life else "panel", "alarm", key=f"life:{who}:{i}")
        for i, heart in enumerate(hearts)
    ]


def _hand(state: Any, seat: int, is_open: bool, offers: Offers, right: float, y: float) -> list[Shape]:
    """A player's cards, face down for others; the last card's right edge is at `right`."""
    shapes: list[Shape] = []
    for i, card in enumerate(np.flatnonzero(np.asarray(state.cards) == seat).tolist()):
        x, low = right - 0.96 - i * 1.03, y - 0.25
        if not is_open:
            shapes.append(Box(x, low, 0.96, 0.5, "accent", "ink", 0.015, title="a card", key=f"hand:{seat}:{i}"))
            shapes.append(Polygon(star(x + 0.48, y, 0.17), "paper"))
            continue
        name = card_name(card)
        offered = offers.get(f"card:{name.replace(' ', '_')}", ())
        edge = ("accent", 0.045) if offered else ("edge", 0.015)
        said = "\n".join([name, *(say(state, action) for action in offered)])
        shapes.append(Box(x, low, 0.96, 0.5, "paper", *edge, title=said, key=f"card:{card}", action=offered or None))
        words = name.split()
        for j, word in enumerate(words):
            shapes.append(Label(x + 0.48, y + (len(words) - 1) * 0.1 - j * 0.2, word, "ink", _SMALL))
    return shapes


def legend(left: float, y: float, right: float, gap: float) -> list[Shape]:
    """What each icon means, `gap` apart, in as many lines as it takes."""
    terrains = [terrain for terrain in Terrain if terrain not in (Terrain.PLAIN, Terrain.SUPER_RAMP_LEFT)]
    drawings = {terrain_name(terrain): partial(icon, terrain) for terrain in terrains} | {"trap": icons.jaws}
    shapes: list[Shape] = []
    x = left
    for name, draw in drawings.items():
        label = Label(0.4, 0, name.removesuffix(" right"), "faint", _SMALL, "left")
        if x + label.x + label.wide > right:
            x, y = left, y - 0.42
        shapes += [*draw(x + 0.18, y, 0.13), replace(label, x=x + label.x, y=y)]
        x += label.x + label.wide + gap
    return shapes
