"""Reasons that lie in the ground: why a character may not go to a hex, and why it may not rangestrike."""

from __future__ import annotations

from typing import Any

from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.characters import FLIES, IS_LORD, NATIVE, SHOOTS, SKILL
from titan_env.games.titan_battle.rules.fighters import enemies_around, fighter_at, hexes_of, living_hexes, side_of
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, STEPS, has_hex
from titan_env.games.titan_battle.rules.lands import HAZARDS
from titan_env.games.titan_battle.rules.maneuver import is_deployment
from titan_env.games.titan_battle.rules.rangestrikes import in_range
from titan_env.games.titan_battle.rules.state import NOBODY, OUTSIDE, Character, Hazard
from titan_env.games.titan_battle.words.sentences import fighter_name
from titan_env.games.titan_battle.words.translation import _, hazard_name

_NEEDS = mark("{who} must rangestrike at range 3 or 4, not above its skill of {skill}, and {whom} is at range {range}.")
_CLOSED = mark("Only natives may end on {hazard}, or walk through it, and {who} is none.")


def why_not_there(battle: Any, who: int, number: int) -> str:
    """Return the reason that keeps the picked character from a hex."""
    name, there = fighter_name(battle, who), fighter_at(battle, number)
    values = {"who": name, "hex": HEX_NAMES[number]}
    if there == who:
        return _("{who} stands there; to stay it is not picked.", **values)
    if there != NOBODY:
        return _("{there} stands there.", there=fighter_name(battle, there))
    if is_deployment(battle):
        return _("The defender of a tower is deployed on the seven hexes within its walls.")
    fighter = battle.fighters[who]
    hazard = int(HAZARDS[battle.land, number])
    if hazard == Hazard.TREE:
        return _("Nobody ends on a tree.")
    if hazard in (Hazard.BOG, Hazard.VOLCANO) and not NATIVE[fighter.kind, hazard]:
        return _(_CLOSED, **values, hazard=hazard_name(hazard))
    skill = int(SKILL[fighter.kind])
    if fighter.hex == OUTSIDE:
        return _("{who} does not come so far from its entry side: its skill is {skill}.", **values, skill=skill)
    if FLIES[fighter.kind]:
        return _("No flight to {hex} is open to {who} that costs at most its skill of {skill}.", **values, skill=skill)
    message = mark("No way to {hex} is open to {who} that costs at most its skill of {skill}.")
    return _(message, **values, skill=skill)


def why_no_shot(battle: Any, who: int, whom: int = NOBODY) -> str:
    """Return the reason that keeps a character without contact from a rangestrike, or from this target."""
    name, fighter = fighter_name(battle, who), battle.fighters[who]
    if not SHOOTS[fighter.kind]:
        return _("{who} has no living enemy in contact, and cannot rangestrike.", who=name)
    enemy = 1 - side_of(who)
    if enemies_around(battle, who, hexes_of(battle, enemy)):
        return _("{who} has an enemy in contact, slain though he is: it neither strikes nor rangestrikes.", who=name)
    reach = in_range(battle, who)
    if whom == NOBODY:
        if reach & living_hexes(battle, enemy) == 0:
            return _("No living enemy is in the range of {who}.", who=name)
        return _("Every enemy in the range of {who} is a lord, or out of its sight.", who=name)
    target = battle.fighters[whom]
    names = {"who": name, "whom": fighter_name(battle, whom)}
    if not has_hex(reach, int(target.hex)):
        far = int(STEPS[fighter.hex, target.hex]) + 1
        return _(_NEEDS, **names, skill=int(SKILL[fighter.kind]), range=far)
    if IS_LORD[target.kind] and fighter.kind != Character.WARLOCK:
        return _("Lords cannot be targets of a rangestrike.")
    return _("No line of sight from {who} to {whom} is free.", **names)
