"""The panel beside the map, as shapes: the question with its buttons, both legions, and possible arrivals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from titan_env.contract.shapes import Box, Label, Shape, button
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.picture.battleland import COLOURS
from titan_env.games.titan_battle.picture.click_targets import QUESTION_NOTES, Offers, button_text, dice_and_number
from titan_env.games.titan_battle.picture.pieces import HIGH, WIDE, fighter, waiting
from titan_env.games.titan_battle.rules.arrivals import REINFORCEMENT_ROUND
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER, SKILL
from titan_env.games.titan_battle.rules.maneuver import is_deployment
from titan_env.games.titan_battle.rules.state import (
    EMPTY,
    GONE,
    LEGION,
    OUTSIDE,
    ROUNDS,
    SLOTS,
    Ask,
    Character,
    Phase,
    Result,
    Side,
    Window,
)
from titan_env.games.titan_battle.words.sentences import say_in_battle
from titan_env.games.titan_battle.words.translation import _, character_name, sentence, side_name

_QUESTIONS = {
    Ask.NOTHING: mark("{side} is to play"),
    Ask.MANEUVER: mark("{side} picks who moves"),
    Ask.GO: mark("{side} chooses where to go"),
    Ask.STRIKE: mark("{side} picks who strikes"),
    Ask.TARGET: mark("{side} chooses a target"),
    Ask.HANDICAP: mark("{side} may take a handicap"),
    Ask.CARRY: mark("{side} may carry over"),
    Ask.REINFORCE: mark("{side} may be reinforced"),
    Ask.SUMMON: mark("{side} may summon an angel"),
}
_PHASES = {
    Phase.ARRIVAL: mark("arrivals"),
    Phase.MANEUVER: mark("maneuvers"),
    Phase.STRIKE: mark("strikes"),
    Phase.STRIKE_BACK: mark("strikes back"),
}
_RESULTS = {
    Result.RUNNING: mark("The battle was stopped"),
    Result.ATTACKER_WINS: mark("The attacker wins the battle"),
    Result.DEFENDER_WINS: mark("The defender wins the battle"),
    Result.MUTUAL: mark("Mutual elimination: a draw"),
    Result.TIME_LOSS: mark("Time-loss: the defender wins"),
}
_HINTS = {
    Ask.HANDICAP: mark("a worse strike can carry its surplus to another"),
    Ask.CARRY: mark("hits left over may go to another in contact"),
}
_SMALL = 12
_LONGEST_NAME = 18
"""Letters of a player's name for which there is room."""
HEADING, PANEL = 1.6, 2.06
"""The heights of the question with its buttons, and of each legion."""


def table(
    battle: Any,
    before: Any,
    offers: Offers,
    players: Sequence[str],
    is_over: bool,
    left: float,
    top: float,
    wide: float,
) -> list[Shape]:
    """Draw the question with its buttons, then both legions, the defender's first as he begins; `players` by side.

    `before` is the battle before the latest step, if it is known: whoever was lost in it has a frame.
    """
    shapes: list[Shape] = [Label(left, top - 0.15, question(battle, is_over), "ink", 15, "left", True)]
    shapes.append(Label(left, top - 0.45, course(battle), "faint", _SMALL, "left"))
    shapes += _answers(battle, offers, left, top - 0.8, wide)
    under = top - HEADING + 0.12 - 2 * PANEL
    shapes.append(
        Box(left, under, wide, 2 * PANEL - 0.12, "paper", key="outside", title=_("outside the map"), notes=("outside",))
    )
    for row, side in enumerate((Side.DEFENDER, Side.ATTACKER)):
        shapes += _legion(battle, before, side, players[side], offers, left, top - HEADING - row * PANEL, wide)
    return shapes


def question(battle: Any, is_over: bool) -> str:
    """Return the question that is being decided, or how the battle has ended."""
    if is_over or battle.result != Result.RUNNING:
        return _(_RESULTS[Result(int(battle.result))])
    asks = _QUESTIONS[Ask(int(battle.ask))]
    if battle.ask == Ask.MANEUVER and is_deployment(battle):
        asks = mark("{side} picks who is deployed")
    return sentence(_(asks, side=side_name(battle.asked)))


def course(battle: Any) -> str:
    """Return the round, whose half it is, and how far it has come."""
    message = mark("round {n} of {rounds} · half of {side} · {phase}")
    phase = _(_PHASES[Phase(int(battle.phase))])
    return _(message, n=int(battle.rounds_begun), rounds=ROUNDS, side=side_name(battle.half), phase=phase)


def _answers(battle: Any, offers: Offers, left: float, y: float, wide: float) -> list[Shape]:
    """Draw the strike that is being made, who can be mustered, and what is chosen by its name."""
    shapes: list[Shape] = []
    x = left
    if battle.ask in (Ask.HANDICAP, Ask.CARRY):
        strike = dice_and_number(battle.dice, battle.number)
        template = mark("strike of {strike} · left over: {n}") if battle.surplus else mark("strike of {strike}")
        title = _(template, strike=strike, n=int(battle.surplus))
        notes = (QUESTION_NOTES[Ask(int(battle.ask))],)
        shapes.append(Label(left, y + 0.1, title, "ink", _SMALL, "left", notes=notes))
        hint = _(_HINTS[Ask(int(battle.ask))])
        shapes.append(Label(left, y - 0.55, sentence(hint), "faint", _SMALL, "left", notes=notes))
    for key, offered in offers.items():
        if key.startswith("supply:"):
            kind = CHARACTERS.index(key.partition(":")[2])
            template = say_in_battle(battle, offered[0])
            middle = (x + WIDE / 2, y - 0.12)
            shapes += waiting(kind, Side.DEFENDER, int(POWER[kind]), *middle, 1.0, key, offered, template)
            x += WIDE + 0.1
    for key, offered in offers.items():
        if key.startswith("button:"):
            text = button_text(battle, offered[0])
            broad = 0.3 + 0.112 * len(text)
            if x + broad > left + wide:
                x, y = left, y - 0.38
            shapes += button(x, y - 0.2, broad, 0.34, text, key, say_in_battle(battle, offered[0]), offered)
            x += broad + 0.1
    return shapes


def _legion(
    battle: Any, before: Any, side: Side, player: str, offers: Offers, left: float, top: float, wide: float
) -> list[Shape]:
    """Draw a legion: who plays it and what it is worth, who is outside or may still arrive, and the slain."""
    is_turn = battle.ask != Ask.NOTHING and battle.asked == side
    edge = ("accent", 0.04) if is_turn else ("edge", 0.01)
    shapes: list[Shape] = [Box(left, top - PANEL + 0.12, wide, PANEL - 0.12, "panel", *edge, 0.1, key=f"legion:{side}")]
    shapes.append(Box(left + 0.12, top - 0.3, 0.2, 0.2, COLOURS[side], "black", 0.015, 0.02 + 0.07 * side))
    shapes.append(Label(left + 0.42, top - 0.2, sentence(side_name(side)), "ink", 13, "left", True))
    shapes.append(Label(left + wide - 0.12, top - 0.2, player, "faint", _SMALL, "right"))
    shapes.append(Label(left + 0.12, top - 0.47, _strength(battle, side), "ink", _SMALL, "left"))
    shapes += _outside(battle, side, offers, left + 0.12, top - 0.97, wide - 0.24)
    return shapes + _slain(battle, before, side, left + 0.12, top - 1.57, wide - 0.24)


def _slots(battle: Any, side: Side, first: int, last: int) -> list[int]:
    """Return the fighters of a side that are at one of some places."""
    slots = range(side * SLOTS, side * SLOTS + SLOTS)
    return [who for who in slots if first <= battle.fighters[who].hex <= last]


def _strength(battle: Any, side: Side) -> str:
    """Return how many of a legion live and what they are worth, and what may still arrive."""
    alive = [battle.fighters[who] for who in _slots(battle, side, 0, OUTSIDE)]
    alive = [one for one in alive if not one.slain]
    worth = sum(int(one.power) * int(SKILL[one.kind]) for one in alive)
    return _("{n} alive, worth {worth}", n=len(alive), worth=worth) + _late(battle, side)


def _late(battle: Any, side: Side) -> str:
    """Return what may still arrive; once the battle is over nothing."""
    if battle.result != Result.RUNNING:
        return ""
    if side == Side.DEFENDER:
        return _(" · reinforcement in round {n}", n=REINFORCEMENT_ROUND) if battle.may_reinforce else ""
    if not _waits(battle):
        return ""
    return _(" · may summon now") if battle.window == Window.OPEN else _(" · may summon after a kill")


def _waits(battle: Any) -> list[int]:
    """Return the kinds that wait elsewhere and may still be summoned."""
    if battle.window == Window.PAST:
        return []
    angels = ((battle.angel_waits, Character.ANGEL), (battle.archangel_waits, Character.ARCHANGEL))
    return [int(kind) for waits, kind in angels if waits]


def _outside(battle: Any, side: Side, offers: Offers, left: float, y: float, wide: float) -> list[Shape]:
    """Draw those who are not yet on the map, and those who may be summoned to it."""
    here = _slots(battle, side, OUTSIDE, OUTSIDE)
    late = _waits(battle) if side == Side.ATTACKER else []
    apart = min(WIDE + 0.06, wide / max(LEGION, len(here) + len(late)))
    scale = min(1.0, (apart - 0.04) / WIDE)
    if not here and not late:
        return [Label(left, y, _("nobody outside"), "faint", _SMALL, "left")]
    shapes: list[Shape] = []
    for i, who in enumerate(here):
        offered = offers.get(f"piece:{who}", ())
        title = "".join(f"\n{say_in_battle(battle, action)}" for action in offered)
        shapes += fighter(battle, who, left + (i + 0.5) * apart, y, scale, offered, title)
    for i, kind in enumerate(late):
        key = f"waits:{CHARACTERS[kind]}"
        offered = offers.get(key, ())
        x = left + wide - (i + 0.5) * apart
        waits = _("{who} waits", who=character_name(kind))
        title = "\n".join([waits, *(say_in_battle(battle, action) for action in offered)])
        shapes += waiting(kind, side, int(POWER[kind]), x, y, scale, key, offered, title)
        shapes.append(Label(x, y - 0.36, _("waits"), "faint", 10, notes=("summoning",)))
    return shapes


def _slain(battle: Any, before: Any, side: Side, left: float, y: float, wide: float) -> list[Shape]:
    """Draw those who have been slain or were lost outside."""
    gone = _slots(battle, side, GONE, EMPTY - 1)
    apart = min(WIDE + 0.06, wide / max(LEGION, len(gone)))
    scale = min(0.9, (apart - 0.04) / WIDE)
    if not gone:
        return [Label(left, y, _("nobody lost"), "faint", _SMALL, "left")]
    shapes: list[Shape] = []
    for i, who in enumerate(gone):
        x = left + (i + 0.5) * apart
        shapes += fighter(battle, who, x, y, scale)
        if before is not None and before.fighters[who].hex < GONE:
            wide_frame, high_frame = WIDE * scale + 0.05, HIGH * scale + 0.05
            frame = (x - wide_frame / 2, y - high_frame / 2, wide_frame, high_frame)
            shapes.append(Box(*frame, "", "alarm", 0.035, 0.05))
    return shapes


def player_name(seat: int, names: Sequence[str]) -> str:
    """Return a player by number, and by name if it is known."""
    return " · ".join([_("player {n}", n=seat + 1), *(name[:_LONGEST_NAME] for name in names[seat : seat + 1])])
