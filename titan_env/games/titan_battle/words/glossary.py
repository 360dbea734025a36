"""The glossary: a sentence for each thing in the picture, and the position in sentences for those who do not see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.presentation_values import GlossaryEntry
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.characters import (
    FLIES,
    IS_LORD,
    NATIVE,
    NATIVE_OF_SLOPE,
    POWER,
    SHOOTS,
    SKILL,
)
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.state import (
    GONE,
    OUTSIDE,
    ROUNDS,
    SLOTS,
    Border,
    Character,
    Hazard,
    Land,
    Phase,
)
from titan_env.games.titan_battle.words.sentences import fighter_name
from titan_env.games.titan_battle.words.translation import (
    _,
    border_name,
    character_name,
    hazard_name,
    land_name,
    sentence,
    side_name,
)

_HAZARDS = {
    Hazard.PLAIN: (mark("Everybody may walk, stand and land here."), "ways.landing_costs"),
    Hazard.TREE: (mark("Nobody ends here or walks through, and no line of sight crosses it."), "ways.landing_costs"),
    Hazard.BOG: (mark("Only natives may end here or walk through; all fly over."), "ways.landing_costs"),
    Hazard.SAND: (mark("Slows those on foot who are no natives."), "ways.landing_costs"),
    Hazard.BRAMBLE: (
        mark("Slows all but natives; those strike worse out of it, and worse at a native within."),
        "strikes.number_of_strike",
    ),
    Hazard.DRIFT: (mark("Slows all but natives, and costs them a hit in each strike phase."), "turn.freeze"),
    Hazard.VOLCANO: (mark("For dragons alone, which strike with 2 more dice out of it."), "strikes.strike_dice"),
}
_BORDERS = {
    Border.SLOPE: (
        mark("Up it others than natives are slowed and strike with 1 skill less; down it natives have a die more."),
        "strikes.strike_dice",
    ),
    Border.DUNE: (
        mark("Down it natives of sand strike with 2 dice more, up it others with a die less."),
        "strikes.strike_dice",
    ),
    Border.WALL: (
        mark("Up it everybody on foot is slowed; who strikes down it has 1 skill more, who strikes up it 1 less."),
        "strikes.number_of_strike",
    ),
    Border.CLIFF: (mark("Nobody walks or strikes across it."), "fighters.enemies_around"),
}
_PHASES = {
    Phase.ARRIVAL: mark("arrivals"),
    Phase.MANEUVER: mark("maneuvers"),
    Phase.STRIKE: mark("strikes"),
    Phase.STRIKE_BACK: mark("strikes of the other side"),
}


def glossary() -> Mapping[str, GlossaryEntry]:
    """Return an entry for each character, hazard, border and word of the rules, the characters from the data."""
    notes = {f"character:{kind.name.lower()}": character_note(kind) for kind in Character}
    for hazard, (text, rule) in _HAZARDS.items():
        notes[f"hazard:{hazard.name.lower()}"] = GlossaryEntry(hazard_name(hazard), _(text), rule)
    for border, (text, rule) in _BORDERS.items():
        notes[f"border:{border.name.lower()}"] = GlossaryEntry(border_name(border), _(text), rule)
    return {**notes, **_terms()}


def _terms() -> dict[str, GlossaryEntry]:
    """Return the words of the rules that a picture shows."""
    return {
        "outside": GlossaryEntry(
            _("outside"), _("Who has not come on when its first maneuvers end is lost."), "maneuver.end_maneuvers"
        ),
        "entry": GlossaryEntry(_("entry"), _("The hexes on which a side comes on to the map."), "maneuver.entries"),
        "contact": GlossaryEntry(
            _("contact"), _("On neighbouring hexes with no cliff between."), "fighters.enemies_around"
        ),
        "strike_number": GlossaryEntry(
            _("strike number"), _("Each die that shows it or more is a hit."), "strikes.strike_number"
        ),
        "hits": GlossaryEntry(_("hits"), _("As many as its power slay a character."), "fighters.take_hits"),
        "surplus": GlossaryEntry(
            _("surplus"), _("Hits that the target could not take, and that may be carried over."), "strikes.may_carry"
        ),
        "handicap": GlossaryEntry(
            _("handicap"),
            _("Fewer dice or a higher strike number, announced before the roll so that a surplus can be carried."),
            "strikes.may_announce",
        ),
        "reinforcement": GlossaryEntry(
            _("reinforcement"), _("The defender may muster one in round 4."), "arrivals.may_reinforce_with"
        ),
        "summoning": GlossaryEntry(
            _("summoning"),
            _("After the first slain defender the attacker may call an angel that waits."),
            "arrivals.may_summon_one",
        ),
    }


def character_note(kind: Character) -> GlossaryEntry:
    """Return the entry of a character: power, skill, abilities, and the lands it is at home in."""
    parts = [_("Power {power}, skill {skill}", power=int(POWER[kind]), skill=int(SKILL[kind]))]
    parts += [_("lord")] * bool(IS_LORD[kind]) + [_("flies")] * bool(FLIES[kind])
    parts += [_("rangestrikes")] * bool(SHOOTS[kind])
    homes = [hazard_name(hazard) for hazard in Hazard if NATIVE[kind, hazard]]
    homes += [border_name(Border.SLOPE)] * bool(NATIVE_OF_SLOPE[kind])
    if homes:
        parts.append(_("native of {homes}", homes=", ".join(homes)))
    return GlossaryEntry(sentence(character_name(kind)), ", ".join(parts) + ".", "characters.check_entry")


def describe_position(state: Any, seat: int | None = None) -> list[str]:
    """Return the battle in sentences."""
    battle = state.battle
    values = {"land": sentence(land_name(battle.land)), "round": int(battle.rounds_begun), "rounds": ROUNDS}
    half, phase = side_name(battle.half), _(_PHASES[Phase(int(battle.phase))])
    lines = [_("{land}. Round {round} of {rounds}, the half of {half}: {phase}.", **values, half=half, phase=phase)]
    if battle.land != Land.TOWER:
        lines.append(_("The attacker enters on side {side}.", side=ENTRY_NAMES[battle.entry]))
    for side in range(2):
        lines += _side(battle, side)
    return lines


def _side(battle: Any, side: int) -> list[str]:
    """Return sentences on a side: the place and condition of each character, those outside, and those gone."""
    here, outside, gone = [], [], []
    for who in range(side * SLOTS, (side + 1) * SLOTS):
        fighter = battle.fighters[who]
        if fighter.hex < OUTSIDE:
            here.append(_fighter(battle, who))
        elif fighter.hex == OUTSIDE:
            outside.append(character_name(fighter.kind))
        elif fighter.hex == GONE:
            gone.append(character_name(fighter.kind))
    name = sentence(side_name(side))
    lines = [_("{side}: {who}.", side=name, who=", ".join(here))] if here else []
    lines += [_("Outside: {who}.", who=", ".join(outside))] if outside else []
    return lines + ([_("{side} has lost: {who}.", side=name, who=", ".join(gone))] if gone else [])


def _fighter(battle: Any, who: int) -> str:
    """Return a character on the map, its hits and marks."""
    fighter = battle.fighters[who]
    name = fighter_name(battle, who)
    if fighter.slain:
        return _("{who} (slain)", who=name)
    if fighter.hits:
        return _("{who} ({hits} of {power} hits)", who=name, hits=int(fighter.hits), power=int(fighter.power))
    return name
