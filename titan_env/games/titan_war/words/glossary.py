"""The glossary: a sentence for each thing in the picture, and the war in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from titan_env.contract.presentation_values import GlossaryEntry
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.musters import LADDERS, NEEDS, NO_KIND, TOWER_KINDS
from titan_env.games.titan_battle.rules.state import Land
from titan_env.games.titan_battle.words.glossary import describe_position as describe_battle
from titan_env.games.titan_battle.words.glossary import glossary as battle_glossary
from titan_env.games.titan_battle.words.translation import character_name, land_name, sentence
from titan_env.games.titan_war.rules.legions import count_free_markers, titan_power
from titan_env.games.titan_war.rules.state import Phase, Stage
from titan_env.games.titan_war.words.legions import content_of, legion_name, seen_legions
from titan_env.games.titan_war.words.translation import _, player_name

BATTLE_RULE = "battles.open_battle"
"""The heading of RULES.md on battles: those of Titan: battle."""


def glossary() -> Mapping[str, GlossaryEntry]:
    """Return an entry for each terrain, character and mark in the picture."""
    notes = {name: replace(note, rule=BATTLE_RULE) for name, note in battle_glossary().items()}
    for terrain in Land:
        name = sentence(land_name(terrain))
        notes[f"terrain:{terrain.name.lower()}"] = GlossaryEntry(name, ladder(terrain), "recruiting.muster_kinds")
    return {**notes, **_terms()}


def ladder(terrain: Land) -> str:
    """Return the sentence on a terrain's musters, and the number of characters that each takes, in the full game."""
    if terrain == Land.TOWER:
        anyone = ", ".join(character_name(kind) for kind in TOWER_KINDS)
        return _("Anybody musters: {anyone}. Three creatures of a kind: guardian. The titan: warlock.", anyone=anyone)
    kinds = [(int(kind), int(need)) for kind, need in zip(LADDERS[0, terrain], NEEDS[0, terrain], strict=True)]
    rungs = [
        _("{n} for a {who}", n=need, who=character_name(kind)) if need else character_name(kind)
        for kind, need in kinds
        if kind != NO_KIND
    ]
    return _("Musters: {ladder}.", ladder=", ".join(rungs))


def _terms() -> dict[str, GlossaryEntry]:
    """Return the words of the rules that a picture shows."""
    return {
        "legion": GlossaryEntry(
            _("legion"), _("Up to seven characters under a marker; others see how many."), "record.is_public"
        ),
        "record": GlossaryEntry(
            _("unknown"), _("A character that others have not been shown; what it may be is told."), "record.conclude"
        ),
        "roll": GlossaryEntry(_("roll"), _("How many steps each legion goes that moves."), "movement.throw"),
        "score": GlossaryEntry(_("score"), _("Points; each full hundred makes the titan stronger."), "aftermath.score"),
        "titan_power": GlossaryEntry(
            _("titan's power"), _("6, and 1 more for each 100 points."), "legions.titan_power"
        ),
        "markers": GlossaryEntry(_("markers"), _("How many more legions a player may have."), "legions.free_marker"),
        "engagement": GlossaryEntry(
            _("engagement"), _("Enemies share a land: they flee, agree or fight."), "talk.offer_engagement"
        ),
        "split": GlossaryEntry(_("new legion"), _("Two or more split off, two or more stay."), "splits.may_split"),
        "supply": GlossaryEntry(_("supply"), _("What the box still has."), "start.stock"),
        "sign:T": GlossaryEntry(_("triple arrow"), _("A way out at any step."), "lands.first_steps"),
        "sign:A": GlossaryEntry(_("arrow"), _("A way out at any step."), "lands.first_steps"),
        "sign:S": GlossaryEntry(_("sphere"), _("A way out at the first step."), "lands.first_steps"),
        "sign:B": GlossaryEntry(_("block"), _("The only way out at the first step."), "lands.first_steps"),
    }


_PHASES = {
    Phase.START: mark("The first legions are divided."),
    Phase.COMMENCEMENT: mark("Commencement: legions split."),
    Phase.THROW: mark("The die is thrown."),
    Phase.MOVEMENT: mark("Legions move."),
    Phase.ENGAGEMENT: mark("Engagements are fought out."),
    Phase.ENLISTMENT: mark("Enlistment: legions muster."),
}


def describe_position(state: Any, seat: int | None = None) -> list[str]:
    """Return the war in sentences, as a seat may know it; None: all of it."""
    turn = _("Turn {n}: {who}.", n=int(state.turns) + 1, who=player_name(state.mover))
    lines = [turn + " " + _(_PHASES[Phase(int(state.phase))])]
    if state.roll:
        lines.append(_("The roll is {n}.", n=int(state.roll)))
    for player in range(int(state.seats)):
        name = sentence(player_name(player))
        if state.out[player] and not state.won[player]:
            lines.append(_("{who} is out with {points} points.", who=name, points=int(state.scores[player])))
            continue
        values = {"points": int(state.scores[player]), "power": int(titan_power(state, player))}
        message = mark("{who}: {points} points, the titan has power {power}, free markers: {free}.")
        lines.append(_(message, who=name, free=int(count_free_markers(state, player)), **values))
    for one in seen_legions(state, seat):
        lines.append(_("{name}: {text}", name=sentence(legion_name(one)), text=f"{content_of(one)}."))
    return lines + (describe_battle(state) if state.stage == Stage.BATTLE else [])
