"""Views for readers outside the engine: the position as one seat sees it, names, colours, rules to read, statistics."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from titan_env.games.titan_race.rules.circuits import SYMBOLS, TITANS
from titan_env.games.titan_race.rules.public_view import public_view
from titan_env.games.titan_race.rules.setup import VARIANTS
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, OWN_TERRAIN, Ask, Event, Terrain, Titan
from titan_env.games.titan_race.words.position import LETTERS, position_lines
from titan_env.games.titan_race.words.sentences import titan_names
from titan_env.pictures.svg import THEMES

OPTION_VALUES: Mapping[str, tuple[Any, ...]] = {
    "titans": (4, 2, 3, 5, 6, "choose"),
    "circuit": ("random", "choose", "generated", *CIRCUIT_NAMES),
    "variant": tuple(VARIANTS),
    "grand_slam": (False, True),
    "laps": (3, 1, 2),
    "life": (None, "balanced", 3, 5, 6),
    "deck": ("all", None, "shield,thorns"),
    "turn_limit": (600, 60, 120),
    "first_turn": ("own", "all"),
    "players": (None, 2, 3, 4, 5, 6),
}
"""The values offered for each option."""

RULE_OF: Mapping[IntEnum, str] = {
    Event.DRAFTED: "dice.draft",
    Event.GAIN: "dice.take_up",
    Event.MOVED: "movement.step",
    Event.PUSHED: "movement.push_loss",
    Event.LAP: "movement.credit_lap",
    Event.LOSS: "harm.hit",
    Event.KNOCKED_OUT: "harm.lose_life",
    Event.RECOVERED: "harm.recover",
    Event.TRAP_SET: "harm.set_trap",
    Event.TRAP_SPRUNG: "harm.spring_trap",
    Event.TRAP_DESTROYED: "harm.hit",
    Event.SLID: "movement.slide",
    Event.JUMPED: "movement.ramp_jump",
    Event.BLAST: "terrain.blast",
    Event.PIRATES: "terrain.meet_pirates",
    Event.BONUS: "cards.draw_bonus",
    Event.CARD: "cards.play",
    Event.DISCARDED: "cards.throw_away",
    Event.ABILITY: "turn.may_use_own_ability",
    Event.SWAPPED: "abilities.swap",
    Event.SHOVED: "abilities.shove",
    Event.SHIELDED: "cards.shield",
    Event.BARRED: "cards.may_aim",
    Event.REROLLED: "dice.may_reroll",
    Event.ROLLED: "dice.must_roll",
    Event.WON: "movement.credit_lap",
    Event.STOPPED: "movement.push_loss",
    Event.CHOSE: "start.take_titan",
    Event.ORDERED: "start.set_order",
    Event.LAID: "start.choose_circuit",
}
"""The rule behind each kind of event, as a heading of RULES.md names it."""

_CELL = rf"(?<=[{re.escape(SYMBOLS)}])"
_SPACE = r"(?m)(?<=  )"
STYLES: Mapping[str, str] = {
    **{
        rf"(?m){_CELL}({letters})|^({titan.name.lower()}):": f"bold black on {THEMES['light'][TITANS[titan]['colour']]}"
        for titan, letters in zip(Titan, LETTERS, strict=True)
    },
    rf"{_CELL}(?:[A-Z][a-z])?(x)": "bold red",
    **{
        rf"{_SPACE}({re.escape(symbol)})": style
        for symbol, style in {"~": "red", "#": "cyan", "@": "magenta", "*": "yellow", "!": "bold", "S": "bold"}.items()
    },
    rf"{_SPACE}([<>^])": "green",
}
"""The styles of the text of a position."""


SIGNS: Mapping[str, str] = {
    **{sign: f"terrain:{kind.name.lower()}" for sign, kind in zip(SYMBOLS, Terrain, strict=True) if kind},
    "x": "trap",
    **{letters: f"titan:{titan.name.lower()}" for titan, letters in zip(Titan, LETTERS, strict=True)},
}
"""The entry of the glossary for each sign of the text of a position."""
_COUNTED, _QUESTION = ("decisions:",), ("ask:", "asked:", "seat:", "due:")
"""The beginnings of lines that no seat is told, and of those of a question in silence."""


def position_text_for(state: Any, seat: int) -> str:
    """Return the position as text for a seat: sizes of other hands, and no word of what is asked in silence."""
    in_turn = int(state.ask) == Ask.NOTHING and not state.over
    silent = in_turn or (state.seat != seat and public_view(state) is not None)
    left_out, own = _COUNTED + (_QUESTION if silent else ()), f"hand {seat}:"
    return "\n".join(
        _hidden(line) if line.startswith("hand ") and not line.startswith(own) else line
        for line in position_lines(state)
        if not line.startswith(left_out)
    )


def _hidden(hand: str) -> str:
    """Return the line of a hand with the number of its cards alone."""
    key, _colon, cards = hand.partition(":")
    return f"{key}: {len(cards.split())} hidden"


def seat_names(state: Any) -> list[str]:
    """Return the name of each seat's Titans."""
    return list(_seat_names(titan_names(state)[: state.titans_in_race], int(state.seats)))


@functools.lru_cache(4096)
def _seat_names(titans: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """Return the name of each seat's Titans, which stand in turn order."""
    return tuple(" · ".join(titans[seat::seats]) for seat in range(seats))


def own_panel(state: Any, seat: int) -> str:
    """Return the key of a seat's first Titan in the picture."""
    return f"titan:{seat}"


def statistics(state: Any) -> dict[str, Any]:
    """Return the statistics of a finished race: its circuit, its length, the Titans in each seat."""
    racing = state.titans[: int(state.titans_in_race)]
    kinds = [Titan(int(titan.kind)).name.lower() for titan in racing]
    seats = int(state.seats)
    own, slam = state.circuit[0] == OWN_TERRAIN, state.circuits > 1
    return {
        "circuit": "grand slam" if slam else "none of the six" if own else CIRCUIT_NAMES[state.circuit[0]],
        "rounds": -(-int(state.turns) // len(kinds)),  # as many turns has the winner had, unless it was pushed home
        "turns per Titan": int(state.turns) / len(kinds),
        "titan": [" ".join(kinds[seat::seats]) for seat in range(seats)],
    }
