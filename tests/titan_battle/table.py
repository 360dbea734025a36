"""A table to play the rulebook's examples at: set fighters and hits, play actions by their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER
from titan_env.games.titan_battle.rules.decision import go_on
from titan_env.games.titan_battle.rules.fighters import SPOT
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, hex_number
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.maneuver import begin_maneuvers
from titan_env.games.titan_battle.rules.state import (
    EMPTY,
    GONE,
    KINDS,
    NOBODY,
    OUTSIDE,
    SLOTS,
    STATE,
    Event,
    Land,
    Phase,
    Result,
    Side,
)
from titan_env.games.titan_battle.rules.turn import run_on
from titan_env.testing.scenario import Scenario

PLACES = (*HEX_NAMES, "outside", "gone", "")
FULL_BOX = (1 << KINDS) - 1


def spot(kind: str, place: str) -> int:
    """The number of a character on its hex, as events have it."""
    return SPOT * CHARACTERS.index(kind) + hex_number(place)


class Table(Scenario):
    """One battle, set up fighter by fighter: ``Table("plains", "ogre C3, lion outside", "lion C4 3")``.

    Attackers come first, then defenders; each with its hex or `outside`, and the hits it has taken. It is the
    attacker's strike phase of round 2 unless the keywords say otherwise: `half` (the side whose half it is), `phase`,
    `begun` (the round) and other fields of the battle.
    """

    def __init__(
        self, land: str, attackers: str, defenders: str, half: str = "attacker", phase: str = "strike", **fields: Any
    ) -> None:
        super().__init__(GAME, np.zeros(1, STATE).view(np.recarray))
        self.state.seats = 2
        battle = self.battle
        battle.fighters["hex"] = EMPTY
        for side, fighters in ((Side.ATTACKER, attackers), (Side.DEFENDER, defenders)):
            for slot, fighter in enumerate(filter(None, fighters.split(", "))):
                self._set(side * SLOTS + slot, *fighter.split())
        battle.land, battle.half = Land[land.upper()], Side[half.upper()]
        battle.phase, battle.rounds_begun = Phase[phase.upper()], fields.pop("begun", 2)
        battle.entry = ENTRY_NAMES.index(fields.pop("entry", "B"))
        battle.picked = battle.target = NOBODY
        battle.supply = FULL_BOX
        for name, value in fields.items():
            battle[name] = value
        if battle.phase == Phase.MANEUVER:
            begin_maneuvers(battle)
        run_on(battle, self.log[0])
        go_on(self.state, self.log[0])

    def _set(self, who: int, kind: str, place: str, hits: str = "0") -> None:
        """Put a fighter on a hex, or outside."""
        fighter = self.battle.fighters[who]
        fighter.kind = CHARACTERS.index(kind)
        fighter.power, fighter.hits = POWER[fighter.kind], int(hits)
        fighter.hex = OUTSIDE if place == "outside" else hex_number(place)

    @property
    def battle(self) -> Any:
        return self.state.battle

    def play(self, *texts: str, hits: Sequence[int] = ()) -> Table:
        """Play actions one after the other; `hits` are those of the strikes during all of them, in order."""
        return super().play(*texts, chance=hits)

    @property
    def asked(self) -> tuple[str, str]:  # type: ignore[override]
        """What is asked, and of which side."""
        return super().asked[0], Side(self.battle.asked).name.lower()

    @property
    def result(self) -> str:
        """How the battle stands."""
        return Result(self.battle.result).name.lower()

    def side(self, name: str) -> str:
        """The fighters of a side, as they are set: ``"ogre C3, lion C4 3"``; those that are gone are left out."""
        first = Side[name.upper()] * SLOTS
        here = [fighter for fighter in self.battle.fighters[first : first + SLOTS] if fighter.hex < GONE]
        return ", ".join(
            f"{CHARACTERS[fighter.kind]} {PLACES[fighter.hex]}" + (f" {fighter.hits}" if fighter.hits else "")
            for fighter in here
        )

    def dice(self) -> list[tuple[int, int]]:
        """Dice and strike number of every strike so far."""
        return [event[1:3] for event in self.events(Event.DICE)]
