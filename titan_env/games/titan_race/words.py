"""Titan Race in words: what a seat is about to do, and what has happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from titan_env.games.titan_race.actions import ACTIONS
from titan_env.games.titan_race.circuits import space_name
from titan_env.games.titan_race.state import NOBODY, Ask, Card, Cause, Direction, Event, Face, Titan

_STEP = {"S": "straight", "L": "diagonally left", "R": "diagonally right"}
_WHERE = {
    "F": "straight before",
    "FL": "before on the left",
    "FR": "before on the right",
    "B": "straight behind",
    "BL": "behind on the left",
    "BR": "behind on the right",
}
_CAUSE = {
    Cause.PUSH: "for being pushed",
    Cause.TRAP: "to a trap",
    Cause.LAVA: "to the lava",
    Cause.PIRATES: "to the pirates",
    Cause.BLAST: "to the statue's blast",
    Cause.STRIKE: "to the green die",
    Cause.PURPLE: "for the purple die",
    Cause.PENTACLE: "for the pentacle",
    Cause.SLAUGG: "to Slaugg",
    Cause.CHTOOLOO: "to Chtooloo",
    Cause.EXPLOSION: "to the explosion",
    Cause.FIREBALL: "to the fireball",
    Cause.LIGHTNING: "to the lightning",
    Cause.THORNS: "to the thorns",
}


_DIRECTION = {
    Direction.F: "straight forward",
    Direction.FL: "forward to the left",
    Direction.FR: "forward to the right",
    Direction.B: "straight back",
    Direction.BL: "back to the left",
    Direction.BR: "back to the right",
}


def titan_name(state: Any, who: int) -> str:
    """The name of a Titan of this race."""
    return Titan(int(state.titans[who].kind)).name.capitalize()


def card_name(card: int) -> str:
    """A card's name as it is spoken."""
    return Card(int(card)).name.lower().replace("_", " ")


def say(state: Any, action: int) -> str:
    """What an action means in this state, as a sentence about the Titan that is asked."""
    who = titan_name(state, int(state.asked))
    verb, _, thing = ACTIONS.texts[action].partition(":")
    spoken = thing.replace("_", " ")
    if verb == "move":
        return f"{who} moves {_steps(thing)}"
    if verb == "ability":
        return _say_ability(state, who, thing)
    if verb == "shove" and state.target != NOBODY:
        return f"{who} shoves {titan_name(state, int(state.target))} to the space {_WHERE[thing]}"
    if verb == "discard":
        return f"{who} gives the pirates: {spoken}" if state.ask == Ask.PIRATES else f"{who} throws away: {spoken}"
    if verb == "pass":
        return f"{who} leaves the trap alone" if state.ask == Ask.DIE else f"{who} plays no card"
    phrases = {
        "draft": f"{who} takes a {spoken} die",
        "enter": f"{who} enters the race on {thing}",
        "copy": f"{who} plays purple as {spoken}",
        "pay": f"{who} pays 1 life for purple",
        "trap": f"{who} sets a trap {_WHERE.get(thing, '')}",
        "strike": f"{who} strikes the space {_WHERE.get(thing, '')}",
        "shove": f"{who} shoves {_WHERE.get(thing, '')}",
        "play": f"{who} plays: {spoken}",
        "aim": f"{who} aims at the space {_WHERE.get(thing, '')}",
        "suffer": f"{who} loses 1 life to the pirates",
        "reroll": f"{who} uses the pentacle",
        "end": f"{who} ends the turn",
    }
    return phrases[verb]


def _steps(pattern: str) -> str:
    """A move pattern in words."""
    if len(set(pattern)) == 1:
        return f"{len(pattern)} {_STEP[pattern[0]]}"
    return ", then ".join(f"1 {_STEP[letter]}" for letter in pattern)


def _say_ability(state: Any, who: str, direction: str) -> str:
    """An ability, own or borrowed, in words."""
    kind = state.borrowed if state.ask == Ask.ABILITY else state.titans[state.asked].kind
    where = _WHERE.get(direction, "")
    phrases: dict[int, str] = {
        Titan.RASSIK: f"kicks off to the space {where}",
        Titan.RAGNAROK: f"grabs the Titan {where}",
        Titan.CRAKEN: f"changes places with the Titan {where}",
        Titan.GRINDER: f"sets a trap {where}, by ability",
        Titan.SLAUGG: "breathes on the three spaces before him",
        Titan.CHTOOLOO: f"drains the Titan {where}",
    }
    return f"{who} {phrases[int(kind)]}"


def tell(state: Any, event: Any) -> str:
    """An event (a row of the log: kind, who, whom or where, how much) as a sentence."""
    kind, who, other, amount = (int(number) for number in event)
    name = titan_name(state, who)
    whom = titan_name(state, other) if 0 <= other < int(state.titans_in_race) else ""
    space = space_name(other) if other >= 0 else ""
    return _TELL[Event(kind)](name, whom, space, amount, other)


_Teller = Callable[[str, str, str, int, int], str]
_TELL: dict[Event, _Teller] = {
    Event.DRAFTED: lambda who, whom, at, n, o: f"{who} takes a {Face(n).name.lower()} die",
    Event.GAIN: lambda who, whom, at, n, o: f"{who} gains {n} life",
    Event.MOVED: lambda who, whom, at, n, o: f"{who} is on {at}",
    Event.PUSHED: lambda who, whom, at, n, o: f"{who} pushes {whom}",
    Event.LAP: lambda who, whom, at, n, o: f"{who} crosses the line" + ("" if n > 0 else " backwards"),
    Event.LOSS: lambda who, whom, at, n, o: f"{who} loses 1 life {_CAUSE[Cause(o)]} ({n} left)",
    Event.KNOCKED_OUT: lambda who, whom, at, n, o: f"{who} is K.O.",
    Event.RECOVERED: lambda who, whom, at, n, o: f"{who} stands up again with {n} lives",
    Event.TRAP_SET: lambda who, whom, at, n, o: f"{who} sets a trap on {at}",
    Event.TRAP_SPRUNG: lambda who, whom, at, n, o: f"{who} springs the trap on {at}",
    Event.TRAP_DESTROYED: lambda who, whom, at, n, o: f"{who} destroys the trap on {at}",
    Event.SLID: lambda who, whom, at, n, o: f"{who} slides on from {at}",
    Event.JUMPED: lambda who, whom, at, n, o: f"{who} jumps from the ramp on {at}",
    Event.BLAST: lambda who, whom, at, n, o: f"{who} sets off the statue on {at}",
    Event.PIRATES: lambda who, whom, at, n, o: f"Pirates attack {who} on {at}",
    Event.BONUS: lambda who, whom, at, n, o: f"{who} draws a card",
    Event.CARD: lambda who, whom, at, n, o: f"{who} plays the card: {card_name(n)}",
    Event.DISCARDED: lambda who, whom, at, n, o: f"{who} discards: {card_name(n)}",
    Event.ABILITY: lambda who, whom, at, n, o: f"{who} uses the ability of {Titan(n).name.capitalize()}",
    Event.SWAPPED: lambda who, whom, at, n, o: f"{who} changes places with {whom}",
    Event.SHOVED: lambda who, whom, at, n, o: f"{who} shoves {whom} {_DIRECTION[Direction(n)]}",
    Event.SHIELDED: lambda who, whom, at, n, o: f"{who} is shielded",
    Event.BARRED: lambda who, whom, at, n, o: f"{who} bars ability and cards of {whom} for a turn",
    Event.REROLLED: lambda who, whom, at, n, o: f"{who} rolls {Face(n).name.lower()} on the pentacle",
    Event.ROLLED: lambda who, whom, at, n, o: f"{who} rolls the dice",
    Event.WON: lambda who, whom, at, n, o: f"{who} wins the race",
    Event.STOPPED: lambda who, whom, at, n, o: f"{who} can go no further",
}
