"""Views for readers outside the engine: names, colours, rules to read, statistics."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from titan_env.games.titan_battle.rules.characters import SKILL
from titan_env.games.titan_battle.rules.decision import seat_of
from titan_env.games.titan_battle.rules.fighters import living
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_battle.rules.setup import DRAWS
from titan_env.games.titan_battle.rules.state import EMPTY, LEGION, SLOTS, Ask, Character, Event, Result, Side
from titan_env.games.titan_battle.words.drawn_map import LETTERS
from titan_env.games.titan_battle.words.translation import sentence, side_name

OPTION_VALUES: Mapping[str, tuple[Any, ...]] = {
    "land": ("random", *LAND_NAMES),
    "side": ("random", *ENTRY_NAMES),
    "attacker": DRAWS,
    "defender": DRAWS,
    "mirror": (False, True),
    "growth": (6, 0, 3, 9, 12),
    "attacker_seat": ("random", 0, 1),
    "reinforcement": (True, False),
    "summon": ("none", "angel", "archangel"),
}
"""The values offered for each option."""

RULE_OF: Mapping[IntEnum, str] = {
    Event.BATTLE: "turn.begin_battle",
    Event.ENTERED: "maneuver.entries",
    Event.WENT: "maneuver.walk",
    Event.FROZEN: "turn.freeze",
    Event.STRUCK: "turn.must_strike",
    Event.DICE: "strikes.roll",
    Event.CARRIED: "strikes.may_carry",
    Event.SLAIN: "fighters.take_hits",
    Event.LEFT_OUTSIDE: "maneuver.end_maneuvers",
    Event.REINFORCED: "arrivals.may_reinforce_with",
    Event.SUMMONED: "arrivals.may_summon_one",
    Event.RETURNED: "maneuver.end_maneuvers",
    Event.TIME_LOSS: "turn.next_half",
    Event.ELIMINATED: "turn.settle",
    Event.WON: "turn.settle",
}
"""The rule behind each kind of event, as a heading of RULES.md names it."""

RULE_OF_QUESTION: Mapping[IntEnum, str] = {
    Ask.MANEUVER: "maneuver.begin_maneuvers",
    Ask.GO: "maneuver.walk",
    Ask.STRIKE: "turn.must_strike",
    Ask.TARGET: "strikes.strike_number",
    Ask.HANDICAP: "strikes.may_announce",
    Ask.CARRY: "strikes.may_carry",
    Ask.REINFORCE: "arrivals.may_reinforce_with",
    Ask.SUMMON: "arrivals.may_summon_one",
}
"""The rule behind each kind of question, as a heading of RULES.md names it."""

PAINT = {
    Character.TITAN: "#6b3fa0",
    Character.ANGEL: "#c99a00",
    Character.ARCHANGEL: "#9c7700",
    Character.GUARDIAN: "#2f6fd0",
    Character.WARLOCK: "#b0309a",
    Character.CENTAUR: "#a9713b",
    Character.GARGOYLE: "#9a5f5f",
    Character.OGRE: "#b5442f",
    Character.LION: "#d08a1e",
    Character.MINOTAUR: "#8a5a2b",
    Character.RANGER: "#2e7d32",
    Character.TROLL: "#4b6b2f",
    Character.CYCLOPS: "#6b7a1f",
    Character.GORGON: "#2e9e7f",
    Character.WARBEAR: "#8a6d4b",
    Character.GRIFFON: "#c2702b",
    Character.WYVERN: "#5b8a5b",
    Character.BEHEMOTH: "#3f7a4a",
    Character.UNICORN: "#7a8aa0",
    Character.DRAGON: "#c0282d",
    Character.GIANT: "#4a7fb0",
    Character.HYDRA: "#7a5fa0",
    Character.SERPENT: "#2a8a8a",
    Character.COLOSSUS: "#5b6470",
}
"""The colour of each character, in texts and pictures."""
STYLES: Mapping[str, str] = {
    r"(?m)(?<= )([A-Z]{2}\d*x?)(?=[ |])|^(attacker):": "bold white on #b5442f",
    r"(?m)(?<= )([a-z]{2}\d*x?)(?=[ |])|^(defender):": "bold white on #2f6fd0",
    r"(?<=[A-F]\d )(tree|bog)": "green",
    r"(?<=[A-F]\d )(sand)": "yellow",
    r"(?<=[A-F]\d )(bramble)": "magenta",
    r"(?<=[A-F]\d )(drift)": "cyan",
    r"(?<=[A-F]\d )(volcano)": "red",
}
"""The styles of the text of a position."""
SIGNS: Mapping[str, str] = {
    letters.upper(): f"character:{kind.name.lower()}" for kind, letters in zip(Character, LETTERS, strict=True)
}
"""The entry of the glossary for the letters of each character on the map; the defender has small ones."""


def seat_names(state: Any) -> list[str]:
    """Return the name of each seat's side."""
    return [sentence(side_name(_side_of(state, seat))) for seat in range(2)]


def own_panel(state: Any, seat: int) -> str:
    """Return the key of a seat's legion in the picture."""
    return f"legion:{int(_side_of(state, seat))}"


def _side_of(state: Any, seat: int) -> Side:
    """Return the side that a seat plays."""
    return Side.ATTACKER if seat_of(state, Side.ATTACKER) == seat else Side.DEFENDER


def statistics(state: Any) -> dict[str, Any]:
    """Return the statistics of a finished battle: its land, its length, its end, each seat's side."""
    battle = state.battle
    values = [legion_value(battle, side) for side in range(2)]
    sides = [_side_of(state, seat).name.lower() for seat in range(2)]
    return {
        "land": LAND_NAMES[battle.land],
        "end": Result(int(battle.result)).name.lower().replace("_", " "),
        "rounds": int(battle.rounds_begun),
        "value of the attacker's legion": values[Side.ATTACKER],
        "value of the defender's legion": values[Side.DEFENDER],
        "survivors of the attacker": int(living(battle, Side.ATTACKER)),
        "survivors of the defender": int(living(battle, Side.DEFENDER)),
        "side": sides,
    }


def legion_value(battle: Any, side: int) -> int:
    """Return a legion's value at the start of the battle: power times skill, a titan by its power."""
    legion = [fighter for fighter in battle.fighters[side * SLOTS : side * SLOTS + LEGION] if fighter.hex != EMPTY]
    return sum(int(fighter.power) * int(SKILL[fighter.kind]) for fighter in legion)
