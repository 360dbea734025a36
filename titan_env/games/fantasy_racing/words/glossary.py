"""The glossary: a sentence for each thing on the table, and the position in sentences for those who do not see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from titan_env.contract.presentation_values import GlossaryEntry
from titan_env.contract.translation import mark
from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES, circuit_name, square_name
from titan_env.games.fantasy_racing.rules.data_tables import CHARACTER_ENTRIES
from titan_env.games.fantasy_racing.rules.state import Character, Object, Rule, Square
from titan_env.games.fantasy_racing.words.sentences import racer_name
from titan_env.games.fantasy_racing.words.translation import (
    _,
    capital,
    character_name,
    object_name,
    player_name,
    rule_name,
    terrain_name,
)

_SQUARES = {
    Square.BARRIER: (mark("Whoever lands on it destroys it and suffers a small shock."), "arrival.break_barrier"),
    Square.ROCK: (mark("Whoever lands on it suffers a small shock that no shield stops; it remains."), "arrival.meet"),
    Square.HOLE: (mark("Costs 2 points and a row."), "arrival.fall"),
    Square.SHORTCUT: (mark("A roll leads up to 4 rows back or up to 5 forward."), "arrival.take_shortcut"),
    Square.COIN: (mark("Whoever enters the square takes it."), "movement.enter"),
    Square.CLOVER: (mark("Whoever enters the square takes it."), "movement.enter"),
    Square.SHIELD: (mark("Whoever enters the square takes it."), "movement.enter"),
    Square.CHEST: (mark("Holds an object, a better one for those who lie behind."), "chests.open_chest"),
}
_OBJECTS = {
    Object.FIRE_RING: (mark("A ball of fire flies 10 + 2D10 steps; all on its way suffer a shock."), "rings.fly"),
    Object.LIGHTNING_RING: (mark("Opponents with as many points or more go back."), "rings.settle_lightning"),
    Object.AXE: (mark("Is thrown up to 5 squares, around rocks: a small shock."), "targets.may_aim"),
    Object.SPEAR: (mark("Is thrown up to 6 squares straight ahead: a big shock."), "targets.may_aim"),
    Object.TRAP: (mark("Is laid up to 4 rows away, or on an opponent near by: a big shock."), "objects.lay_trap"),
    Object.BOTTLE: (mark("Walk up to 2D3 squares."), "objects.measure"),
    Object.SYRINGE: (mark("Walk up to 2 + 2D3 squares."), "objects.measure"),
    Object.SHIELD: (mark("Stops a shock, for 2 points."), "shocks.shield"),
    Object.CLOVER: (mark("Flips a die to its opposite face."), "flips.flip"),
    Object.COIN: (mark("1 to 5 coins carry 1, 3, 6, 10 or 15 squares, once a turn."), "turn.spend"),
}
_RULES = {
    Rule.POISON: mark("3 points more for each fight won, and the loser moves with one die next time"),
    Rule.BITE: mark("a small shock to an opponent beside it"),
    Rule.DEFUSING: mark("takes the traps that it enters, for a point each"),
    Rule.INITIATIVE: mark("is not attacked by those who have it not"),
    Rule.PLAGUE: mark("at the end of its turn opponents beside it go back a row"),
    Rule.FIRE_WAND: mark("a small shock to an opponent up to 4 squares away"),
    Rule.TELEPORT_WAND: mark("leaps to another square near by"),
    Rule.FAST: mark("a third die to choose from"),
    Rule.THEFT: mark("six times in ten an object of an opponent near by"),
    Rule.BRUTE: mark("2 points more for each fight won"),
}


def glossary() -> Mapping[str, GlossaryEntry]:
    """Return an entry for each character, object and square, the characters from the data."""
    notes = {f"character:{character.name.lower()}": character_note(character) for character in Character}
    for square, (text, rule) in _SQUARES.items():
        notes[f"square:{square.name.lower()}"] = GlossaryEntry(terrain_name(square), _(text), rule)
    for thing, (text, rule) in _OBJECTS.items():
        notes[f"object:{thing.name.lower()}"] = GlossaryEntry(object_name(thing), _(text), rule)
    return notes


def character_note(character: Character) -> GlossaryEntry:
    """Return the entry of a character: speed, fight, special rules."""
    entry = CHARACTER_ENTRIES[character]
    own = [Rule[name.upper()] for name in entry["rules"]]
    rules = [f"{rule_name(rule)} ({_(_RULES[rule])})" for rule in own] or [_("a rule of its choice")]
    numbers = {"speed": entry["speed"], "fight": entry["fight"]}
    text = _("Advances {speed}, fights with {fight} %; {rules}.", **numbers, rules=", ".join(rules))
    return GlossaryEntry(capital(character_name(character)), text, "turn.choose")


def describe_position(state: Any, seat: int | None = None) -> list[str]:
    """The race in sentences."""
    is_known = 0 <= state.circuit < len(CIRCUIT_NAMES)
    title = circuit_name(CIRCUIT_NAMES[state.circuit])[0] if is_known else _("Own circuit")
    rounds = {"n": int(state.rounds_begun), "rounds": int(state.rounds)}
    lines = [_("{circuit}. Round {n} of {rounds}.", circuit=title, **rounds)]
    lines += [_racer(state, int(who)) for who in state.order[: int(state.seats)]]
    traps = [square_name(square) for square in np.flatnonzero(state.traps).tolist()]
    return [*lines, _("Traps lie on {squares}.", squares=", ".join(traps))] if traps else lines


def _racer(state: Any, who: int) -> str:
    """Return the sentence on a racer's place and condition."""
    mine = state.racers[who]
    things = [f"{int(mine.objects[thing])} {object_name(thing)}" for thing in Object if mine.objects[thing]]
    parts = [_.many("{n} point", "{n} points", int(state.scores[who])), _("lap {n}", n=int(mine.laps))]
    parts += [_("protected")] * bool(mine.protected) + [_("poisoned")] * bool(mine.poisoned)
    names = {"who": racer_name(state, who), "player": player_name(who), "at": square_name(int(mine.square))}
    return _("{who}, {player}, is on {at}: {how}.", **names, how=", ".join([*parts, *things]))
