"""Titan Race in words: what a seat is about to do, and what has happened."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract.translation import cached_by_language, mark
from titan_env.games.titan_race.rules.actions import ACTIONS, PASS
from titan_env.games.titan_race.rules.circuits import space_name
from titan_env.games.titan_race.rules.state import (
    CIRCUIT_NAMES,
    NOBODY,
    STATE,
    Ask,
    Card,
    Cause,
    Direction,
    Event,
    Face,
    Titan,
)
from titan_env.games.titan_race.words.translation import _, card_name, circuit_title, face_name

_MOST_KEPT = 16_384
"""The size of each cache of sentences or names."""
_PARTS = [text.partition(":")[::2] for text in ACTIONS.texts]
"""The verb of each action, and its object."""
_STEP = {"S": mark("straight"), "L": mark("diagonally left"), "R": mark("diagonally right")}
_WHERE = {
    "F": mark("straight before"),
    "FL": mark("before on the left"),
    "FR": mark("before on the right"),
    "B": mark("straight behind"),
    "BL": mark("behind on the left"),
    "BR": mark("behind on the right"),
}
_CAUSE = {
    Cause.PUSH: mark("for being pushed"),
    Cause.TRAP: mark("to a trap"),
    Cause.LAVA: mark("to the lava"),
    Cause.PIRATES: mark("to the pirates"),
    Cause.BLAST: mark("to the statue's blast"),
    Cause.STRIKE: mark("to the green die"),
    Cause.PURPLE: mark("for the purple die"),
    Cause.PENTACLE: mark("for the pentacle"),
    Cause.SLAUGG: mark("to Slaugg"),
    Cause.CHTOOLOO: mark("to Chtooloo"),
    Cause.EXPLOSION: mark("to the explosion"),
    Cause.FIREBALL: mark("to the fireball"),
    Cause.LIGHTNING: mark("to the lightning"),
    Cause.THORNS: mark("to the thorns"),
}


_DIRECTION = {
    Direction.F: mark("straight forward"),
    Direction.FL: mark("forward to the left"),
    Direction.FR: mark("forward to the right"),
    Direction.B: mark("straight back"),
    Direction.BL: mark("back to the left"),
    Direction.BR: mark("back to the right"),
}


_TITANS = tuple(kind.name.capitalize() for kind in Titan)


def titan_name(state: Any, who: int) -> str:
    """Return the name of a Titan of this race; its player's number while it is not chosen yet."""
    return titan_names(state)[who]


def titan_names(state: Any) -> tuple[str, ...]:
    """Return the names of all Titans, by number."""
    return _names(state.titans.tobytes())


@cached_by_language(_MOST_KEPT)
def _names(titans: bytes) -> tuple[str, ...]:
    """Return the names of Titans from the bytes of `state.titans`."""
    records = np.frombuffer(titans, STATE["titans"].base)
    columns = (records[field].tolist() for field in ("kind", "chosen", "seat"))
    return tuple(
        _TITANS[kind] if chosen else _("player {n}", n=seat + 1) for kind, chosen, seat in zip(*columns, strict=True)
    )


def where_name(direction: str) -> str:
    """Return a space's direction and distance, seen from a Titan; "" for an action without a direction."""
    return _(_WHERE[direction]) if direction else ""


_PHRASES = {
    "draft": mark("{who} takes a {die} die"),
    "enter": mark("{who} enters the race on {thing}"),
    "copy": mark("{who} plays purple as {die}"),
    "pay": mark("{who} pays 1 life for purple"),
    "trap": mark("{who} sets a trap {where}"),
    "strike": mark("{who} strikes the space {where}"),
    "shove": mark("{who} shoves {where}"),
    "play": mark("{who} plays: {card}"),
    "aim": mark("{who} aims at the space {where}"),
    "suffer": mark("{who} loses 1 life to the pirates"),
    "reroll": mark("{who} uses the pentacle"),
    "end": mark("{who} ends the turn"),
    "choose": mark("{who} chooses {name}"),
    "circuit": mark("{who} chooses the circuit {name}"),
}
_ORDERS = {"kept": mark("{who} goes before {whom}"), "swapped": mark("{whom} goes before {who}")}


def describe_action(state: Any, action: int) -> str:
    """Return the sentence of an action in this state, about the Titan that is asked."""
    asked, verb, names = int(state.asked), _PARTS[action][0], titan_names(state)
    other = asked + int(state.seats) if verb == "order" else int(state.target)
    whom = names[other] if other != NOBODY else ""
    kind = _ability(state) if verb == "ability" else Titan.RASSIK
    return _action_sentence(int(action), names[asked], whom, int(state.ask), kind)


@cached_by_language(_MOST_KEPT)
def _action_sentence(action: int, who: str, whom: str, ask: int, kind: int) -> str:
    """Return the sentence of an action of Titan `who`: each is put together once."""
    verb, thing = _PARTS[action]
    if verb == "move":
        return _("{who} moves {steps}", who=who, steps=_steps(thing))
    if verb == "ability":
        return _(_ABILITIES[kind], who=who, where=where_name(thing))
    if verb == "shove" and whom:
        return _("{who} shoves {whom} to the space {where}", who=who, whom=whom, where=where_name(thing))
    if verb == "discard":
        given = mark("{who} gives the pirates: {card}") if ask == Ask.PIRATES else mark("{who} throws away: {card}")
        return _(given, who=who, card=card_name(Card[thing.upper()]))
    if verb == "order":
        return _(_ORDERS[thing], who=who, whom=whom)
    if verb == "pass":
        left = mark("{who} leaves the trap alone") if ask == Ask.DIE else mark("{who} plays no card")
        return _(left, who=who)
    return _(_PHRASES[verb], who=who, thing=thing, **_object(verb, thing))


def _object(verb: str, thing: str) -> dict[str, str]:
    """Return the die, the card or the direction that an action names."""
    if verb in ("draft", "copy"):
        return {"die": face_name(Face[thing.upper()])}
    if verb in ("choose", "circuit"):
        return {"name": thing.capitalize() if verb == "choose" else circuit_title(thing)}
    if verb == "play":
        return {"card": card_name(Card[thing.upper()])}
    return {"where": where_name(thing)} if thing in _WHERE else {}


def describe_action_for(state: Any, action: int, seat: int) -> str | None:
    """Return an action as text for a seat: that a reaction was asked and declined is known to its owner alone."""
    declined = action == PASS and state.ask in (Ask.SHIELD, Ask.THORNS)
    return None if declined and seat != state.seat else describe_action(state, action)


def _steps(pattern: str) -> str:
    """Return a move pattern in words."""
    if len(set(pattern)) == 1:
        return f"{len(pattern)} {_(_STEP[pattern[0]])}"
    return _(", then ").join(f"1 {_(_STEP[letter])}" for letter in pattern)


_ABILITIES: dict[int, str] = {
    Titan.RASSIK: mark("{who} kicks off to the space {where}"),
    Titan.RAGNAROK: mark("{who} grabs the Titan {where}"),
    Titan.CRAKEN: mark("{who} changes places with the Titan {where}"),
    Titan.GRINDER: mark("{who} sets a trap {where}, by ability"),
    Titan.SLAUGG: mark("{who} breathes on the three spaces before him"),
    Titan.CHTOOLOO: mark("{who} drains the Titan {where}"),
}


def _ability(state: Any) -> int:
    """Return the Titan whose ability the one that is asked may use: its own, or a borrowed one."""
    return int(state.borrowed if int(state.ask) == Ask.ABILITY else state.titans["kind"][state.asked])


def describe_event(state: Any, event: Any) -> str:
    """Return an event (a row of the log: kind, who, whom or where, how much) as a sentence."""
    kind, who, other, amount = map(int, event)
    names = titan_names(state)
    whom = names[other] if 0 <= other < int(state.titans_in_race) else ""
    return _event_sentence(kind, names[who], whom, other, amount)


@cached_by_language(_MOST_KEPT)
def _event_sentence(kind: int, who: str, whom: str, other: int, amount: int) -> str:
    """Return the sentence of an event: each is put together once."""
    space = space_name(other) if other >= 0 else ""
    values = {"who": who, "whom": whom, "space": space, "n": amount}
    if kind == Event.LAP and amount < 0:
        return _("{who} crosses the line backwards", **values)
    return _(_TELL[kind], **values, **_named(kind, other, amount))


def _named(event: int, other: int, amount: int) -> dict[str, str]:
    """Return the further values of an event's sentence, by name."""
    if event in (Event.DRAFTED, Event.REROLLED):
        return {"face": face_name(amount)}
    if event in (Event.CARD, Event.DISCARDED):
        return {"card": card_name(amount)}
    if event == Event.LOSS:
        return {"cause": _(_CAUSE[Cause(other)])}
    if event == Event.ABILITY:
        return {"titan": Titan(amount).name.capitalize()}
    if event == Event.LAID:
        return {"name": circuit_title(CIRCUIT_NAMES[amount])}
    return {"direction": _(_DIRECTION[Direction(amount)])} if event == Event.SHOVED else {}


_TELL: dict[int, str] = {
    Event.DRAFTED: mark("{who} takes a {face} die"),
    Event.GAIN: mark("{who} gains {n} life"),
    Event.MOVED: mark("{who} is on {space}"),
    Event.PUSHED: mark("{who} pushes {whom}"),
    Event.LAP: mark("{who} crosses the line"),
    Event.LOSS: mark("{who} loses 1 life {cause} ({n} left)"),
    Event.KNOCKED_OUT: mark("{who} is K.O."),
    Event.RECOVERED: mark("{who} stands up again with {n} lives"),
    Event.TRAP_SET: mark("{who} sets a trap on {space}"),
    Event.TRAP_SPRUNG: mark("{who} springs the trap on {space}"),
    Event.TRAP_DESTROYED: mark("{who} destroys the trap on {space}"),
    Event.SLID: mark("{who} slides on from {space}"),
    Event.JUMPED: mark("{who} jumps from the ramp on {space}"),
    Event.BLAST: mark("{who} sets off the statue on {space}"),
    Event.PIRATES: mark("Pirates attack {who} on {space}"),
    Event.BONUS: mark("{who} draws a card"),
    Event.CARD: mark("{who} plays the card: {card}"),
    Event.DISCARDED: mark("{who} discards: {card}"),
    Event.ABILITY: mark("{who} uses the ability of {titan}"),
    Event.SWAPPED: mark("{who} changes places with {whom}"),
    Event.SHOVED: mark("{who} shoves {whom} {direction}"),
    Event.SHIELDED: mark("{who} is shielded"),
    Event.BARRED: mark("{who} bars ability and cards of {whom} for a turn"),
    Event.REROLLED: mark("{who} rolls {face} on the pentacle"),
    Event.ROLLED: mark("{who} rolls the dice"),
    Event.WON: mark("{who} wins the race"),
    Event.STOPPED: mark("{who} can go no further"),
    Event.CHOSE: mark("{who} is chosen"),
    Event.ORDERED: mark("{who} goes before {whom}"),
    Event.LAID: mark("{who} chooses the circuit {name}"),
}
