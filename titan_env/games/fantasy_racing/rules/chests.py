"""Chests: what the object die gives, by the colour of the opener's standing."""

from __future__ import annotations

from titan_env.contract import log_event, push_effect, rule
from titan_env.games.fantasy_racing.rules.data_tables import (
    ALTERNATIVE,
    IS_OFFENSIVE,
    SIDES_OF_HIDDEN_DICE,
    THRESHOLDS,
)
from titan_env.games.fantasy_racing.rules.dice import clear_dice, roll
from titan_env.games.fantasy_racing.rules.movement import gain
from titan_env.games.fantasy_racing.rules.points import colour_of
from titan_env.games.fantasy_racing.rules.state import Due, Event, Race, Roll


@rule
def open_chest(race: Race, who: int) -> None:
    """The opener rolls the object die of its colour; a clover would give the alternative of its character's kind."""
    state = race.state
    roll(race, who, Roll.OBJECT, 1, SIDES_OF_HIDDEN_DICE)
    thing = object_of(colour_of(state, who), int(state.dice[0]))
    offensive = 1 if IS_OFFENSIVE[state.racers[who].character] else 0
    push_effect(state, Due.OPENED, who, thing, ALTERNATIVE[offensive, thing], 0)


@rule
def object_of(colour: int, face: int) -> int:
    """What a face of the object die of a colour gives."""
    thing = 0
    while face > THRESHOLDS[colour, thing]:
        thing += 1
    return thing


@rule
def take_from_chest(race: Race, who: int, thing: int) -> None:
    """The object is taken, and the movement goes on."""
    clear_dice(race.state)
    log_event(race.log, Event.CHEST, who, thing, colour_of(race.state, who))
    gain(race, who, thing)
