"""The panel beside the board, as shapes: the question, buttons, dice with their opposite faces, each racer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from titan_env.contract.shapes import Box, Label, Shape, button
from titan_env.contract.translation import mark
from titan_env.games.fantasy_racing.picture.click_targets import Offers
from titan_env.games.fantasy_racing.picture.drawings import OBJECTS
from titan_env.games.fantasy_racing.picture.legend import legend
from titan_env.games.fantasy_racing.picture.pieces import held, racer
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.board import current
from titan_env.games.fantasy_racing.rules.dice import opposite_on_movement
from titan_env.games.fantasy_racing.rules.flips import opposite, waiting
from titan_env.games.fantasy_racing.rules.points import colour_of
from titan_env.games.fantasy_racing.rules.state import MOST_DICE, Ask, Character, Colour, Object, Roll, Rule
from titan_env.games.fantasy_racing.rules.turn import REFILL_EVERY
from titan_env.games.fantasy_racing.words.sentences import describe_action, racer_name
from titan_env.games.fantasy_racing.words.translation import (
    _,
    character_name,
    chest_name,
    object_name,
    player_name,
    rule_name,
)

_QUESTIONS = {
    Ask.NOTHING: mark("{who} plays"),
    Ask.CHOOSE: mark("{who} chooses a character"),
    Ask.RULE: mark("{who} chooses a special rule"),
    Ask.DIE: mark("{who} takes a die"),
    Ask.ROLL: mark("{who} may flip the roll"),
    Ask.SKID: mark("{who} may skid"),
    Ask.TURN: mark("{who} chooses an action"),
    Ask.DISTANCE: mark("{who} chooses how far to walk"),
    Ask.SHIELD: mark("{who} may use a shield"),
    Ask.SHIFT: mark("{who} may shift aside"),
    Ask.SHORTCUT: mark("{who} may stop on the shortcut"),
    Ask.FIRE: mark("{who} flies the fire ball"),
    Ask.AIM: mark("{who} chooses a target"),
}
_BUTTONS = {
    "keep": mark("keep"),
    "both": mark("both"),
    "stay": mark("stay"),
    "advance": mark("advance"),
    "rest": mark("rest"),
    "end": mark("end"),
    "coins": mark("coins {n}"),
    "go": mark("go {n}"),
    "bite": mark("bite"),
    "fire_wand": mark("fire wand"),
    "teleport_wand": mark("teleport wand"),
    "theft": mark("theft"),
    "shield": mark("shield"),
    "suffer": mark("suffer"),
    "stop": mark("stop"),
    "pass": mark("pass"),
    "release": mark("release"),
}
_CHESTS = {
    Colour.DARK_GREEN: "#1a7f37",
    Colour.LIGHT_GREEN: "#7cc67c",
    Colour.WHITE: "#ffffff",
    Colour.ORANGE: "#f0883e",
    Colour.RED: "#b3261e",
}
_LINE = 0.98
"""The height of a racer's line."""
_SMALL = 11
_LONGEST_NAME = 18
"""Letters of a player's name for which there is room."""


def table(state: Any, offers: Offers, names: Sequence[str], left: float, top: float, wide: float) -> list[Shape]:
    """Draw the question with its buttons, the dice, the racers in the order of play and the legend, in a column."""
    shapes: list[Shape] = [Label(left, top - 0.15, question(state), "ink", 15, "left", True)]
    shapes.append(Label(left, top - 0.45, course(state), "faint", _SMALL, "left"))
    shapes += _buttons(state, offers, left, top - 0.8, wide)
    shapes += _dice(state, offers, left, top - 1.95)
    for line in range(int(state.seats)):
        who = int(state.order[line])
        shapes += _racer_line(state, who, line, left, top - 2.85 - line * _LINE, wide, offers, names)
    return [*shapes, *legend(state, left, top - 2.55 - int(state.seats) * _LINE, left + wide)]


def question(state: Any) -> str:
    """Return the pending decision, or the winners, as text."""
    if state.over:
        names = [racer_name(state, who) for who in range(int(state.seats)) if state.won[who]]
        return _.many("{who} won the race", "{who} won the race", len(names), who=_(" and ").join(names))
    who = state.seat if state.ask or not state.rounds_begun else current(state)
    return _(_QUESTIONS[Ask(int(state.ask))], who=racer_name(state, int(who)))


def course(state: Any) -> str:
    """Return the round, and the rounds to come in which objects reappear."""
    if not state.rounds_begun:
        return _("before the race of {n} rounds", n=int(state.rounds))
    now, rounds = int(state.rounds_begun), int(state.rounds)
    text = _("round {n} of {rounds}", n=now, rounds=rounds)
    refills = [str(later) for later in range(now + 1, rounds + 1) if (later - 1) % REFILL_EVERY == 0]
    if not refills:
        return text
    return text + _.many(
        " · objects are back in round {refills}",
        " · objects are back in rounds {refills}",
        len(refills),
        refills=", ".join(refills),
    )


def _buttons(state: Any, offers: Offers, left: float, y: float, wide: float) -> list[Shape]:
    """Draw the choices that have names, in lines as wide as the panel."""
    shapes: list[Shape] = []
    x = left
    for key, offered in offers.items():
        if not key.startswith("button:"):
            continue
        label = _button_text(ACTIONS.texts[offered[0]])
        broad = 0.3 + 0.092 * len(label)
        if x + broad > left + wide:
            x, y = left, y - 0.38
        shapes += button(x, y, broad, 0.32, label, key, describe_action(state, offered[0]), offered, _SMALL)
        x += broad + 0.1
    return shapes


def _button_text(action: str) -> str:
    """Return the label of an action's button."""
    verb, _sep, thing = action.partition(":")
    if verb == "choose":
        return character_name(Character[thing.upper()])
    if verb == "rule":
        return rule_name(Rule[thing.upper()])
    return _(_BUTTONS[thing] if thing in _BUTTONS else _BUTTONS[verb], n=thing)


def _dice(state: Any, offers: Offers, left: float, y: float) -> list[Shape]:
    """Draw the dice on the table, and under each one that may be flipped its opposite face."""
    shapes: list[Shape] = []
    if state.roll == Roll.OBJECT:
        return _object_die(state, offers, left, y)
    for die in range(MOST_DICE):
        face = int(state.dice[die])
        if not face:
            continue
        x = left + die * 1.35
        taken, flipped = f"die:{die + 1}", f"flip:{die + 1}"
        offered = offers.get(taken, ())
        title = describe_action(state, offered[0]) if offered else _("a die shows {n}", n=face)
        shapes += button(x, y, 0.5, 0.46, str(face), taken, title, offered)
        if flipped in offers:
            movement = state.roll == Roll.MOVEMENT
            other = opposite_on_movement(state, die) if movement else opposite(state, die)
            offered = offers[flipped]
            shapes += button(
                x + 0.56, y, 0.62, 0.38, f"↻ {other}", flipped, describe_action(state, offered[0]), offered
            )
    return shapes


def _object_die(state: Any, offers: Offers, left: float, y: float) -> list[Shape]:
    """Draw the object die and the alternative to its object."""
    item = waiting(state)
    found, instead = Object(int(item[2])), Object(int(item[3]))
    shapes = [*OBJECTS[found](left + 0.2, y, 0.17), Label(left + 0.45, y, object_name(found), "ink", 13, "left")]
    if "flip:1" in offers:
        offered = offers["flip:1"]
        text = f"↻ {object_name(instead)}"
        shapes += button(left + 2.1, y, 2.0, 0.38, text, "flip:1", describe_action(state, offered[0]), offered)
    return shapes


def _racer_line(
    state: Any, who: int, line: int, x: float, y: float, wide: float, offers: Offers, names: Sequence[str]
) -> list[Shape]:
    """Draw one racer: its player, points, laps, chest icon, special rules and objects."""
    mine = state.racers[who]
    turn = bool(state.rounds_begun) and line == state.turn and not state.over
    edge = ("accent", 0.04) if turn else ("edge", 0.01)
    frame = Box(x, y - 0.45, wide, 0.9, "panel", *edge, 0.1, key=f"racer:{who}")
    shapes: list[Shape] = [frame, *racer(state, who, x + 0.33, y, 0.22, "token")]
    shapes.append(Label(x + 0.68, y + 0.26, racer_name(state, who), "ink", 13, "left", True))
    shapes.append(Label(x + wide - 0.12, y + 0.24, f"{int(state.scores[who])}", "ink", 17, "right", True))
    owed = int(mine.highest - mine.laps)
    player = " · ".join([player_name(who), *(name[:_LONGEST_NAME] for name in names[who : who + 1])])
    shapes.append(Label(x + wide - 0.72, y + 0.26, player, "faint", _SMALL, "right"))
    laps = _("lap {n} (owes {owed})", n=int(mine.laps), owed=owed) if owed else _("lap {n}", n=int(mine.laps))
    shapes.append(Label(x + wide - 0.62, y + 0.03, laps, "faint", _SMALL, "right"))
    rules = ", ".join(rule_name(rule) for rule in Rule if int(mine.rules) >> rule & 1)
    shapes.append(Label(x + 0.68, y + 0.03, rules or _("no special rule yet"), "faint", _SMALL, "left"))
    colour = Colour(colour_of(state, who))
    title = chest_name(colour)
    shapes.append(Box(x + wide - 0.35, y - 0.06, 0.23, 0.15, _CHESTS[colour], "black", 0.015, 0.03, title=title))
    return shapes + held(state, who, x + 0.86, y - 0.25, (wide - 0.9) / 10, offers)
