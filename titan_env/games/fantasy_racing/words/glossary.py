"""What the things of the table are, and the position in sentences, for those who have not read or do not see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from titan_env.contract.people import Note
from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES, circuit_title, square_name
from titan_env.games.fantasy_racing.rules.numbers import CHARACTER_ENTRIES
from titan_env.games.fantasy_racing.rules.state import Character, Object, Rule, Square
from titan_env.games.fantasy_racing.words.words import object_name, racer_name, spoken

_SQUARES = {
    Square.BARRIER: ("Whoever lands on it destroys it and suffers a small shock.", "arrival.break_barrier"),
    Square.ROCK: ("Whoever lands on it suffers a small shock that no shield stops; it remains.", "arrival.meet"),
    Square.HOLE: ("Costs 2 points and a row.", "arrival.fall"),
    Square.SHORTCUT: ("A roll leads up to 4 rows back or up to 5 forward.", "arrival.take_shortcut"),
    Square.COIN: ("Whoever enters the square takes it.", "movement.enter"),
    Square.CLOVER: ("Whoever enters the square takes it.", "movement.enter"),
    Square.SHIELD: ("Whoever enters the square takes it.", "movement.enter"),
    Square.CHEST: ("Holds an object, a better one for those who lie behind.", "chests.open_chest"),
}
_OBJECTS = {
    Object.FIRE_RING: ("A ball of fire flies 10 + 2D10 steps; all on its way suffer a shock.", "rings.fly"),
    Object.LIGHTNING_RING: ("Opponents with as many points or more go back.", "rings.settle_lightning"),
    Object.AXE: ("Is thrown up to 5 squares, around rocks: a small shock.", "targets.may_aim"),
    Object.SPEAR: ("Is thrown up to 6 squares straight ahead: a big shock.", "targets.may_aim"),
    Object.TRAP: ("Is laid up to 4 rows away, or on an opponent near by: a big shock.", "objects.lay_trap"),
    Object.BOTTLE: ("Walk up to 2D3 squares.", "objects.measure"),
    Object.SYRINGE: ("Walk up to 2 + 2D3 squares.", "objects.measure"),
    Object.SHIELD: ("Stops a shock, for 2 points.", "shocks.shield"),
    Object.CLOVER: ("Flips a die to its opposite face.", "flips.flip"),
    Object.COIN: ("1 to 5 coins carry 1, 3, 6, 10 or 15 squares, once a turn.", "turn.spend"),
}
_RULES = {
    Rule.POISON: "3 points more for each fight won, and the loser moves with one die next time",
    Rule.BITE: "a small shock to an opponent beside it",
    Rule.DEFUSING: "takes the traps that it enters, for a point each",
    Rule.INITIATIVE: "is not attacked by those who have it not",
    Rule.PLAGUE: "at the end of its turn opponents beside it go back a row",
    Rule.FIRE_WAND: "a small shock to an opponent up to 4 squares away",
    Rule.TELEPORT_WAND: "leaps to another square near by",
    Rule.FAST: "a third die to choose from",
    Rule.THEFT: "six times in ten an object of an opponent near by",
    Rule.BRUTE: "2 points more for each fight won",
}


def glossary() -> Mapping[str, Note]:
    """What each character, object and square is, the characters from the data."""
    notes = {f"character:{character.name.lower()}": character_note(character) for character in Character}
    for square, (text, rule) in _SQUARES.items():
        notes[f"square:{square.name.lower()}"] = Note(spoken(square.name), text, rule)
    for thing, (text, rule) in _OBJECTS.items():
        notes[f"object:{thing.name.lower()}"] = Note(object_name(thing), text, rule)
    return notes


def character_note(character: Character) -> Note:
    """What a character is: speed, fight, special rules."""
    entry = CHARACTER_ENTRIES[character]
    rules = [f"{spoken(name)} ({_RULES[Rule[name.upper()]]})" for name in entry["rules"]] or ["a rule of its choice"]
    text = f"Advances {entry['speed']}, fights with {entry['fight']} %; {', '.join(rules)}."
    return Note(spoken(character.name).capitalize(), text, "turn.choose")


def describe_position(state: Any, seat: int | None = None) -> list[str]:
    """The race in sentences."""
    title = circuit_title(CIRCUIT_NAMES[state.circuit]) if 0 <= state.circuit < len(CIRCUIT_NAMES) else "Own circuit"
    lines = [f"{title}. Round {int(state.rounds_begun)} of {int(state.rounds)}."]
    lines += [_racer(state, int(who)) for who in state.order[: int(state.seats)]]
    traps = [square_name(square) for square in np.flatnonzero(state.traps).tolist()]
    return [*lines, f"Traps lie on {', '.join(traps)}."] if traps else lines


def _racer(state: Any, who: int) -> str:
    """Where a racer stands, and how it is."""
    mine = state.racers[who]
    things = [f"{int(mine.objects[thing])} {object_name(thing)}" for thing in Object if mine.objects[thing]]
    parts = [f"is on {square_name(int(mine.square))}: {int(state.scores[who])} points, lap {int(mine.laps)}"]
    parts += ["protected"] * bool(mine.protected) + ["poisoned"] * bool(mine.poisoned)
    return f"{racer_name(state, who)}, player {who + 1}, {', '.join([*parts, *things])}."
