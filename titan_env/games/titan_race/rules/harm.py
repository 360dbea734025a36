"""Lives, traps and K.O."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, push_effect, rule
from titan_env.games.titan_race.rules.board import (
    has_trap,
    is_fit,
    living,
    neighbour,
    owner,
    pick_up_trap,
    standing,
)
from titan_env.games.titan_race.rules.questions import ask
from titan_env.games.titan_race.rules.state import (
    NOBODY,
    NOWHERE,
    TRAP,
    Ask,
    Card,
    Cause,
    Condition,
    Due,
    Event,
    Race,
)


@rule
def gain(race: Race, who: int, lives: int) -> None:
    """A Titan gains lives, never above its gauge."""
    titan = race.state.titans[who]
    gained = min(lives, titan.life_max - titan.life)
    if gained > 0:
        titan.life += gained
        log_event(race.log, Event.GAIN, who, NOBODY, gained)


@rule
def is_own_turn(state: Any, who: int) -> bool:
    """Whether it is the turn of this Titan's player: its own turn, or that of the player's other Titan."""
    return owner(state, state.titan) == owner(state, who)


@rule
def waits_for_all(state: Any) -> bool:
    """As an option nobody uses an ability or a card before all Titans have entered and had their first turn."""
    if not state.together:
        return False
    for who in range(state.titans_in_race):
        if state.titans[who].space == NOWHERE:
            return True
    return bool(state.first_turn)


@rule
def may_react(state: Any, who: int, card: int) -> bool:
    """A reaction card may be played by its holder for a Titan that is not K.O. and not barred from cards now.

    In the player's own turn it is that turn's one card: not in a first turn, not after a reroll.
    """
    if state.cards[card] != owner(state, who) or not is_fit(state, who):
        return False
    if is_own_turn(state, who) and (state.first_turn or state.rerolled or state.card_played):
        return False
    return not ((state.barred and state.titan == who) or waits_for_all(state))


@rule
def lose(race: Race, who: int, cause: int, drainer: int) -> None:
    """A Titan is about to lose 1 life: its player may answer with the shield. A K.O.'d Titan is immune."""
    if not is_fit(race.state, who):
        return
    if may_react(race.state, who, Card.SHIELD):
        push_effect(race.state, Due.LOSE, who, cause, drainer, 0)
        ask(race.state, Ask.SHIELD, who)
    else:
        lose_life(race, who, cause, drainer)


@rule
def lose_life(race: Race, who: int, cause: int, drainer: int) -> None:
    """A Titan loses 1 life, which Chtooloo gains where he drained it; at 0 it is K.O."""
    titan = race.state.titans[who]
    titan.life -= 1
    log_event(race.log, Event.LOSS, who, cause, titan.life)
    if titan.life == 0:
        titan.condition = Condition.KNOCKED_OUT
        log_event(race.log, Event.KNOCKED_OUT, who, NOBODY, 0)
    if drainer != NOBODY:
        gain(race, drainer, 1)


@rule
def recover(race: Race, who: int) -> None:
    """The turn after the lost one begins with life at its maximum (Chtooloo: 4)."""
    titan = race.state.titans[who]
    titan.condition = Condition.FIT
    titan.life = titan.life_start
    log_event(race.log, Event.RECOVERED, who, NOBODY, titan.life)


@rule
def may_be_hit(state: Any, space: int) -> bool:
    """Damage on a space does something where a living Titan stands or a trap lies."""
    return space >= 0 and (has_trap(state, space) or living(state, space) != NOBODY)


@rule
def hit(race: Race, who: int, space: int, cause: int) -> None:
    """Damage on a space: the Titan there loses 1 life; a trap there is destroyed and harms nobody."""
    if space < 0:
        return
    if has_trap(race.state, space):
        pick_up_trap(race.state, space)
        log_event(race.log, Event.TRAP_DESTROYED, who, space, 0)
    victim = race.state.on[space] % TRAP - 1
    if victim >= 0:
        lose(race, victim, cause, NOBODY)


@rule
def damage_around(race: Race, who: int, direction: int, end: int, cause: int) -> None:
    """Damage on the spaces around a Titan, one after the other, from one direction up to `end`."""
    if direction + 1 < end:
        push_effect(race.state, Due.AREA, who, direction + 1, end, cause)
    hit(race, who, neighbour(race.state, race.state.titans[who].space, direction), cause)


@rule
def may_set_trap(state: Any, space: int) -> bool:
    """A trap may be placed while the supply lasts, on any space that has none."""
    return space >= 0 and state.supply > 0 and not has_trap(state, space)


@rule
def set_trap(race: Race, who: int, space: int) -> None:
    """Place a trap. On a Titan it fires at once and the token goes back to the supply."""
    log_event(race.log, Event.TRAP_SET, who, space, 0)
    victim = standing(race.state, space)
    if victim == NOBODY:
        race.state.on[space] += TRAP
        race.state.supply -= 1
    else:
        log_event(race.log, Event.TRAP_SPRUNG, victim, space, 0)
        lose(race, victim, Cause.TRAP, NOBODY)


@rule
def spring_trap(race: Race, who: int) -> None:
    """Whoever enters a trap loses 1 life, and the token goes back to the supply."""
    space = race.state.titans[who].space
    log_event(race.log, Event.TRAP_SPRUNG, who, space, 0)
    pick_up_trap(race.state, space)
    lose(race, who, Cause.TRAP, NOBODY)


@rule
def space_beside(state: Any, who: int, direction: int) -> int:
    """The space next to a Titan, or a negative number where there is none."""
    space = state.titans[who].space
    return NOWHERE if space < 0 else neighbour(state, space, direction)
