"""The pieces that are drawn on the board and beside it: a racer, a die, the objects that a racer holds."""

from __future__ import annotations

from typing import Any

from titan_env.contract.shapes import Box, Circle, Label, Shape
from titan_env.games.fantasy_racing.picture.click_targets import Offers
from titan_env.games.fantasy_racing.picture.drawings import GREY, OBJECTS
from titan_env.games.fantasy_racing.rules.state import Character, Object
from titan_env.games.fantasy_racing.words.presentation import PAINT
from titan_env.games.fantasy_racing.words.sentences import describe_action, racer_name
from titan_env.games.fantasy_racing.words.translation import _, object_name, token_name


def racer(state: Any, who: int, x: float, y: float, radius: float, key: str) -> list[Shape]:
    """Draw a racer in its colour with its letters; a protected one as its rim; with a green dot where poisoned."""
    mine = state.racers[who]
    kind = int(mine.character)
    colour = PAINT[Character(kind)] if kind >= 0 else GREY
    title = racer_name(state, who)
    notes = (f"character:{Character(kind).name.lower()}",) if kind >= 0 else ()
    states = ((mine.protected, _("protected")), (mine.poisoned, _("poisoned")))
    title = ", ".join([title, *(word for is_so, word in states if is_so)])
    shapes: list[Shape] = [Circle(x, y, radius * 1.22, "accent")] if who == state.seat and not state.over else []
    fill, ink = ("paper", "ink") if mine.protected else (colour, "white")
    edge = (colour, radius * 0.2) if mine.protected else ("black", 0.02)
    shapes.append(Circle(x, y, radius, fill, *edge, title=title, key=f"{key}:{who}", notes=notes))
    shapes.append(Label(x, y, token_name(kind), ink, radius * 62, bold=True))
    if mine.poisoned:
        shapes.append(Circle(x + radius * 0.75, y + radius * 0.75, radius * 0.35, "green", "black"))
    return shapes


def held(state: Any, who: int, x: float, y: float, apart: float, offers: Offers) -> list[Shape]:
    """Draw the objects of a racer as icons with their numbers, from left to right."""
    shapes: list[Shape] = []
    for thing in Object:
        count = int(state.racers[who].objects[thing])
        if not count:
            continue
        key = f"object:{who}:{thing.name.lower()}"
        offered = offers.get(key, ())
        edge = ("accent", 0.04) if offered else ("", 0.0)
        title = "\n".join([f"{count} {object_name(thing)}", *(describe_action(state, action) for action in offered)])
        frame = (x - 0.18, y - 0.17, apart - 0.04, 0.34)
        marks: dict[str, Any] = {"notes": (f"object:{thing.name.lower()}",), "action": offered or None}
        shapes.append(Box(*frame, "paper", *edge, title=title, key=key, **marks))
        shapes += [*OBJECTS[thing](x, y, 0.12), Label(x + 0.22, y, str(count), "ink", 11)]
        x += apart
    return shapes
