"""Views for readers outside the engine: names, colours, rules to read, statistics."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES, SYMBOLS
from titan_env.games.fantasy_racing.rules.state import OWN_CIRCUIT, Character, Event, Roll, Rule, Square, Way
from titan_env.games.fantasy_racing.words.position import LETTERS
from titan_env.games.fantasy_racing.words.sentences import racer_name

OPTION_VALUES: Mapping[str, tuple[Any, ...]] = {
    "players": (6, 2, 3, 4, 5),
    "rounds": (10, 5, 7, 12, 15),
    "circuit": ("random", "generated", *CIRCUIT_NAMES),
    "characters": ("deal", "choose"),
}
"""The values offered for each option."""

RULE_OF: Mapping[IntEnum, str] = {
    Event.ROLLED: "dice.roll",
    Event.FLIPPED: "flips.flip",
    Event.MOVED: "movement.walk",
    Event.POINTS: "points.score",
    Event.LINE: "points.cross_line",
    Event.TOOK: "movement.enter",
    Event.CHEST: "chests.open_chest",
    Event.BLOCKED: "movement.walk_on",
    Event.HOLE_STOP: "movement.walk",
    Event.HOLE: "arrival.fall",
    Event.SHORTCUT: "arrival.take_shortcut",
    Event.TRAP_SET: "objects.lay_trap",
    Event.TRAP_SPRUNG: "arrival.spring_trap",
    Event.TRAP_DESTROYED: "rings.destroy",
    Event.DEFUSED: "movement.take_trap",
    Event.BARRIER_DESTROYED: "arrival.break_barrier",
    Event.ROCK_HIT: "arrival.meet",
    Event.FIGHT: "fights.resolve_fight",
    Event.SHOCK: "shocks.suffer",
    Event.SHIELDED: "shocks.shield",
    Event.POISONED: "fights.poison",
    Event.USED: "objects.use",
    Event.COINS: "turn.spend",
    Event.AIMED: "targets.may_aim",
    Event.BALL: "rings.fly",
    Event.LIGHTNING: "rings.settle_lightning",
    Event.PLAGUE: "objects.spread_plague",
    Event.STOLEN: "objects.steal",
    Event.ESCAPED: "objects.steal",
    Event.ROUND: "turn.begin_round",
    Event.REFILL: "movement.reappear",
    Event.GUARD: "arrival.arrive",
    Event.CHOSE: "turn.choose",
    Event.LEARNED: "turn.learn",
    Event.WON: "turn.end_race",
}
"""The rule behind each kind of event, as a heading of RULES.md names it."""

PAINT = {
    Character.ELF: "#2e9e4f",
    Character.HUMAN: "#2f6fd0",
    Character.DWARF: "#a0522d",
    Character.GOBLIN: "#7cb518",
    Character.ORC: "#4b6b2f",
    Character.BEASTMAN: "#8a5a83",
    Character.SORCERESS: "#b0309a",
    Character.HYBRID_BABY: "#e8862e",
    Character.THIEF: "#5b6470",
    Character.LIZARDMAN: "#139a9a",
}
"""The colour of each character, in texts and pictures."""
_CELL = rf"(?<=[{re.escape(SYMBOLS)}0-9'])"
STYLES: Mapping[str, str] = {
    **{
        rf"(?m){_CELL}({letters})\d?|^({character.name.lower()}):": f"bold white on {PAINT[character]}"
        for character, letters in zip(Character, LETTERS, strict=True)
    },
    rf"(?<=[{re.escape(SYMBOLS)}123456'])(x\d)": "bold red",
    **{
        rf"(?m)(?<=  )({re.escape(symbol)})": style
        for symbol, style in {"=": "red", "^": "bold", "O": "magenta", "@": "cyan", "$": "yellow"}.items()
    },
    r"(?m)(?<=  )([*+?])": "green",
}
"""The styles of the text of a position."""
SIGNS: Mapping[str, str] = {
    **{sign: f"square:{square.name.lower()}" for sign, square in zip(SYMBOLS, Square, strict=True) if square},
    **{letters: f"character:{character.name.lower()}" for character, letters in zip(Character, LETTERS, strict=True)},
}
"""The entry of the glossary for each sign of the text of a position."""

LINKS = (
    Event.AIMED,
    Event.CHEST,
    Event.SHORTCUT,
    Event.HOLE,
    Event.TRAP_SPRUNG,
    Event.FIGHT,
    Event.SHOCK,
    Event.SHIELDED,
    Event.LIGHTNING,
    Event.PLAGUE,
    Event.STOLEN,
)
"""Events that begin another link of a chain. The knock belongs to its shock, the leap to its shortcut."""


def part_events(events: NDArray[np.int32]) -> list[int]:
    """Return the numbers of the events at which a link of a chain begins, a racer walks on, and the turn is over.

    Nothing where only one thing happens: it is shown at once.
    """
    begun: list[int] = []
    is_linked = False
    for number, (kind, _who, other, amount) in enumerate(events.tolist()):
        if kind in (Event.ROUND, Event.WON) or (kind == Event.ROLLED and other == Roll.MOVEMENT):
            return [*begun, number] if any(begun) else []
        walks_on = is_linked and kind == Event.MOVED and amount == Way.WALK
        if kind in LINKS or walks_on:
            begun.append(number)
            is_linked = not walks_on
    return begun


def seat_names(state: Any) -> list[str]:
    """Return the name of each seat's character."""
    return [racer_name(state, seat) for seat in range(int(state.seats))]


def own_panel(state: Any, seat: int) -> str:
    """Return the key of a seat's racer in the picture."""
    return f"racer:{seat}"


def statistics(state: Any) -> dict[str, Any]:
    """Return the statistics of a finished race: its circuit, its points, the characters in each seat."""
    racing = state.racers[: int(state.seats)]
    names = [Character(int(racer.character)).name.lower() for racer in racing]
    learned = [
        Rule(int(racer.rules).bit_length() - 1).name.lower() for racer in racing if racer.character == Character.HUMAN
    ]
    points = state.scores[: int(state.seats)]
    return {
        "circuit": "none of the six" if state.circuit == OWN_CIRCUIT else CIRCUIT_NAMES[state.circuit],
        "points a racer": float(points.mean()),
        "points of the winner": int(points.max()),
        "points of the last": int(points.min()),
        "laps a racer": float(racing["laps"].mean()),
        "the human's rule": " ".join(learned) or "no human",
        "character": names,
        "seat": [f"seat {seat + 1}" for seat in range(len(names))],
    }
