"""Shocks: the shield against them, and the recoil that the victim's die tells."""

from __future__ import annotations

from titan_env.contract import log_event, push_effect, rule
from titan_env.games.fantasy_racing.rules.data_tables import LANDINGS, SHOCK_SIDES
from titan_env.games.fantasy_racing.rules.dice import clear_dice, roll
from titan_env.games.fantasy_racing.rules.movement import recoil
from titan_env.games.fantasy_racing.rules.points import score
from titan_env.games.fantasy_racing.rules.questions import ask
from titan_env.games.fantasy_racing.rules.state import (
    NOBODY,
    UNSHIELDED,
    Ask,
    Due,
    Event,
    Object,
    Race,
    Reason,
    Roll,
)

SHIELD_POINTS = -2


@rule
def shock(race: Race, who: int, by: int, size: int, then: int) -> None:
    """A victim that has a shield may use it; no shield helps against a rock."""
    state = race.state
    if by != UNSHIELDED and state.racers[who].objects[Object.SHIELD] > 0:
        push_effect(state, Due.SHOCK, who, by, size, then)
        ask(state, Ask.SHIELD, who)
    else:
        suffer(race, who, by, size, then)


@rule
def shield(race: Race, who: int, by: int, size: int) -> None:
    """A shield is used up and costs 2 points; the shock is ignored, and nobody has inflicted it."""
    log_event(race.log, Event.SHIELDED, who, by, size)
    race.state.racers[who].objects[Object.SHIELD] -= 1
    score(race, who, Reason.SHIELD, SHIELD_POINTS)


@rule
def suffer(race: Race, who: int, by: int, size: int, then: int) -> None:
    """1 or 2 points to the opponent that inflicted a shock; its victim rolls where it recoils to."""
    log_event(race.log, Event.SHOCK, who, max(by, NOBODY), size)
    if by >= 0:
        score(race, by, Reason.SHOCK, size)
    push_effect(race.state, Due.RECOIL, who, size, then, 0)
    roll(race, who, Roll.SHOCK, 1, SHOCK_SIDES[size])


@rule
def recoil_from_shock(race: Race, who: int, size: int) -> bool:
    """The face of the shock's die says where its victim recoils to; whether it moves at all."""
    rows, columns = landing(size, int(race.state.dice[0]))
    clear_dice(race.state)
    return recoil(race, who, rows, columns)


@rule
def landing(size: int, face: int) -> tuple[int, int]:
    """Rows back and columns to the right for a face of a shock's die."""
    return int(LANDINGS[size, face - 1, 0]), int(LANDINGS[size, face - 1, 1])
