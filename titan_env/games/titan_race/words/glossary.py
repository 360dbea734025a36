"""The glossary: a sentence for each thing on the table, and the position in sentences for those who do not see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from titan_env.contract.presentation_values import GlossaryEntry
from titan_env.contract.translation import mark
from titan_env.games.titan_race.rules.circuits import CARD_ENTRIES, TITANS, space_name
from titan_env.games.titan_race.rules.state import (
    CIRCUIT_NAMES,
    DECK,
    DISCARD,
    OWN_TERRAIN,
    TRAP,
    Card,
    Condition,
    Face,
    Terrain,
    Titan,
)
from titan_env.games.titan_race.words.sentences import titan_name
from titan_env.games.titan_race.words.translation import _, card_name, circuit_title, face_name, terrain_name

_DICE = {
    Face.YELLOW: (mark("Moves 2 straight."), "dice.allows"),
    Face.BLUE: (mark("Moves 1 straight and 1 diagonal, in either order."), "dice.allows"),
    Face.BROWN: (mark("Moves 3 diagonal in one direction."), "dice.allows"),
    Face.RED: (mark("Moves 1 straight, and sets a trap on a space behind."), "dice.may_trap"),
    Face.GREEN: (mark("Moves 2 diagonal in one direction, and deals 1 damage on a space before."), "dice.may_strike"),
    Face.PURPLE: (mark("Plays any other face, and costs 1 life."), "dice.may_copy"),
}
_TERRAINS = {
    Terrain.BONUS: (mark("Gives whoever enters it a bonus card, if the hand holds fewer than 2."), "cards.draw_bonus"),
    Terrain.LAVA: (mark("Costs whoever enters it 1 life."), "harm.lose"),
    Terrain.PIRATES: (mark("Whoever enters gives a card or loses 1 life."), "terrain.meet_pirates"),
    Terrain.SUPER_RAMP_LEFT: (
        mark("Whoever starts a step here to that side jumps over two spaces."),
        "movement.ramp_jump",
    ),
    Terrain.SUPER_RAMP_RIGHT: (
        mark("Whoever starts a step here to that side jumps over two spaces."),
        "movement.ramp_jump",
    ),
    Terrain.MULTI_RAMP: (mark("Whoever starts a step forward here jumps over one space."), "movement.ramp_jump"),
    Terrain.STATUE: (mark("When it is entered, it deals 1 damage on the six adjacent spaces."), "terrain.blast"),
    Terrain.PENTACLE: (
        mark("Whose movement ends here may, after the die action, pay 1 life for the roll of a new die."),
        "dice.may_reroll",
    ),
    Terrain.ICE: (mark("Whoever enters it slides on in the same direction."), "movement.slide"),
}
_CARD_RULES = {
    Card.SHIELD: "cards.shield",
    Card.LIGHTNING: "cards.leader",
    Card.MIMIC: "abilities.borrow",
    Card.THORNS: "cards.thorns",
}
_ABILITY_RULES = {
    Titan.RASSIK: "abilities.kick_off",
    Titan.RAGNAROK: "abilities.shove",
    Titan.CRAKEN: "abilities.swap",
    Titan.GRINDER: "abilities.may_trap_beside",
    Titan.SLAUGG: "abilities.breathe",
    Titan.CHTOOLOO: "abilities.drain",
}


def glossary() -> Mapping[str, GlossaryEntry]:
    """Return an entry for each card, die, Titan and terrain, from the data."""
    notes = {
        "trap": GlossaryEntry(
            _("trap"), _("Costs whoever enters the space 1 life; then it is gone."), "harm.spring_trap"
        ),
        "deck": GlossaryEntry(
            _("deck"),
            _("Whoever enters a bonus space draws from it; empty, it is made of the discards."),
            "cards.draw_bonus",
        ),
        "line": GlossaryEntry(
            _("start and finish"),
            _("Whoever crosses it has completed a lap; backwards, one less."),
            "movement.credit_lap",
        ),
        "edge": GlossaryEntry(
            _("edge"), _("Whoever leaves the board here comes in on the other side."), "board.neighbour"
        ),
        "hidden": GlossaryEntry(
            _("bonus card"), _("Its player alone sees it; a hand holds at most 2."), "cards.draw_bonus"
        ),
    }
    for face, (text, rule) in _DICE.items():
        notes[f"die:{face.name.lower()}"] = GlossaryEntry(_("{face} die", face=face_name(face)), _(text), rule)
    for terrain, (text, rule) in _TERRAINS.items():
        notes[f"terrain:{terrain.name.lower()}"] = GlossaryEntry(terrain_name(terrain), _(text), rule)
    for card, entry in zip(Card, CARD_ENTRIES, strict=True):
        when, effect = str(entry["when"]), str(entry["effect"])
        text = _("{when}: {effect}.", when=_(when).capitalize(), effect=_(effect))
        notes[f"card:{card.name.lower()}"] = GlossaryEntry(card_name(card), text, _CARD_RULES.get(card, "cards.play"))
    for kind, entry in zip(Titan, TITANS, strict=True):
        ability = str(entry["ability"])
        text = _("Ridden by {rider}. Ability: {ability}.", rider=entry["rider"], ability=_(ability))
        notes[f"titan:{kind.name.lower()}"] = GlossaryEntry(kind.name.capitalize(), text, _ABILITY_RULES[kind])
    return notes


def course(state: Any) -> str:
    """Return the circuit, or the circuits one after the other."""
    return " · ".join(titles(state))


def titles(state: Any) -> list[str]:
    """Return the names of the circuits in the order in which they are raced."""
    return [
        _("a circuit that is none of the six") if number == OWN_TERRAIN else circuit_title(CIRCUIT_NAMES[number])
        for number in state.circuit[: int(state.circuits)]
        if number >= 0 or number == OWN_TERRAIN
    ]


def pile(state: Any, where: int) -> int:
    """Return the number of cards in the deck or on the discard pile."""
    return len(held_by(state, where))


def held_by(state: Any, where: int) -> list[int]:
    """Return the cards in a player's hand, in the deck or on the discard pile."""
    return [card for card, holder in enumerate(state.cards.tolist()) if holder == where]


def describe_position(state: Any, seat: int | None = None) -> list[str]:
    """Return the race in sentences, as `seat` may hear them (None: all hands open)."""
    dice = ", ".join(face_name(face) for face in Face for _die in range(int(state.pool[face])))
    lines = [
        _("{course}. Turn {turn}.", course=course(state), turn=int(state.turns)),
        _("Dice in the pool: {dice}.", dice=dice) if dice else _("No die is in the pool."),
        *(_titan(state, who) for who in range(int(state.titans_in_race))),
        *(_hand(state, player, seat in (None, player)) for player in range(int(state.seats))),
    ]
    traps = [space_name(space) for space in np.flatnonzero(state.on >= TRAP).tolist()]
    if traps:
        lines.append(_("Traps lie on {spaces}.", spaces=", ".join(traps)))
    lines.append(
        _("Cards in the deck: {deck}; on the discard pile: {gone}.", deck=pile(state, DECK), gone=pile(state, DISCARD))
    )
    return lines


def _titan(state: Any, who: int) -> str:
    """Return the sentence on a Titan's place and condition."""
    mine = state.titans[who]
    space = int(mine.space)
    values: dict[str, Any] = {
        "who": titan_name(state, who),
        "player": int(mine.seat) + 1,
        "life": int(mine.life),
        "most": int(mine.life_max),
        "lap": int(mine.lap),
        "laps": int(state.laps),
    }
    if space < 0:
        return _("{who}, player {player}, has not entered yet: {life} of {most} lives.", **values)
    terrain = Terrain(int(state.terrain[space]))
    where = space_name(space) + ("" if terrain == Terrain.PLAIN else f" ({terrain_name(terrain)})")
    how = "" if mine.condition == Condition.FIT else _(" It is K.O.")
    text = _(
        "{who}, player {player}, is on {where}: {life} of {most} lives, lap {lap} of {laps}.", where=where, **values
    )
    return text + how


def _hand(state: Any, player: int, is_open: bool) -> str:
    """Return the cards of a player, or how many there are."""
    held = held_by(state, player)
    count = len(held)
    if not count or not is_open:
        return _.many("Player {player} holds 1 card.", "Player {player} holds {n} cards.", count, player=player + 1)
    return _("Player {player} holds: {cards}.", player=player + 1, cards=", ".join(card_name(card) for card in held))
