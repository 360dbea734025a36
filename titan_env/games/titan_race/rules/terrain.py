"""What the entered space does: lava, pirates, statue, bonus, ice."""

from __future__ import annotations

from titan_env.contract import log_event, push_effect, rule
from titan_env.games.titan_race.rules.board import has_trap, is_fit, owner
from titan_env.games.titan_race.rules.cards import discard, draw_bonus, hand_size
from titan_env.games.titan_race.rules.harm import damage_around, lose, spring_trap
from titan_env.games.titan_race.rules.movement import slide
from titan_env.games.titan_race.rules.questions import ask
from titan_env.games.titan_race.rules.state import (
    NOBODY,
    Ask,
    Cause,
    Due,
    Event,
    Race,
    Terrain,
)


@rule
def enter(race: Race, who: int, direction: int, manner: int) -> None:
    """A Titan has entered a space, in whatever way: first the trap that lies there, then what is printed on it."""
    space = race.state.titans[who].space
    if has_trap(race.state, space):
        push_effect(race.state, Due.ENTER, who, direction, manner, 0)
        spring_trap(race, who)
        return
    terrain = race.state.terrain[space]
    if terrain == Terrain.BONUS:
        draw_bonus(race, who)
    elif terrain == Terrain.LAVA:
        lose(race, who, Cause.LAVA, NOBODY)
    elif terrain == Terrain.PIRATES:
        meet_pirates(race, who)
    elif terrain == Terrain.STATUE:
        blast(race, who)
    elif terrain == Terrain.ICE:
        slide(race, who, direction, manner)


@rule
def meet_pirates(race: Race, who: int) -> None:
    """Pirates take a bonus card or 1 life, as the player chooses; they leave a K.O.'d Titan alone."""
    if not is_fit(race.state, who):
        return
    log_event(race.log, Event.PIRATES, who, race.state.titans[who].space, 0)
    if hand_size(race.state, owner(race.state, who)) == 0:
        lose(race, who, Cause.PIRATES, NOBODY)
    else:
        ask(race.state, Ask.PIRATES, who)


@rule
def pay_pirates(race: Race, who: int, card: int) -> None:
    """Give the pirates a card."""
    discard(race, who, card)


@rule
def suffer(race: Race, who: int) -> None:
    """Lose 1 life to the pirates instead."""
    lose(race, who, Cause.PIRATES, NOBODY)


@rule
def blast(race: Race, who: int) -> None:
    """The statue's fire deals 1 damage to each of the six adjacent spaces; the Titan on it is unharmed."""
    log_event(race.log, Event.BLAST, who, race.state.titans[who].space, 0)
    damage_around(race, who, 0, 6, Cause.BLAST)
