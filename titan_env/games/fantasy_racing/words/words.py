"""Fantasy Racing in words: what a seat is about to do, and what has happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from titan_env.games.fantasy_racing.rules import actions
from titan_env.games.fantasy_racing.rules.board import AT
from titan_env.games.fantasy_racing.rules.circuits import square_name
from titan_env.games.fantasy_racing.rules.dice import opposite_on_movement
from titan_env.games.fantasy_racing.rules.flips import opposite, waiting
from titan_env.games.fantasy_racing.rules.numbers import SPEED
from titan_env.games.fantasy_racing.rules.state import (
    Aim,
    Ask,
    Character,
    Colour,
    Event,
    Object,
    Outcome,
    Reason,
    Roll,
    Rule,
    Size,
    Way,
)

_MOVED = {Way.WALK: "walks to", Way.LEAP: "leaps to", Way.KNOCK: "is knocked to"}
_OUTCOME = {Outcome.DEFEAT: "loses", Outcome.SIMPLE: "wins", Outcome.CRUSHING: "wins crushingly"}
_ROLL = {
    Roll.MOVEMENT: "to move",
    Roll.OBJECT: "for the chest",
    Roll.SHORTCUT: "on the shortcut",
    Roll.FIGHT: "to fight",
    Roll.THEFT: "to steal",
    Roll.SHOCK: "to recoil",
    Roll.TWO_D3: "a D3",
    Roll.TWO_D10: "a D10",
}
_REASON = {
    Reason.ROWS: "for rows",
    Reason.LINE: "for the line",
    Reason.FIGHT: "for the fight",
    Reason.POISON: "for poison",
    Reason.BRUTE: "as a brute",
    Reason.SHOCK: "for the shock",
    Reason.LIGHTNING: "for the lightning",
    Reason.PLAGUE: "for the plague",
    Reason.DEFUSING: "for the trap",
    Reason.THEFT: "for the theft",
    Reason.HOLE: "for the fall",
    Reason.SHIELD: "for the shield",
}
_SKID = {
    "stay": "stays where it is",
    "L1": "skids one square to the left",
    "L2": "skids two squares to the left",
    "R1": "skids one square to the right",
    "R2": "skids two squares to the right",
}
_FLY = {"F": "forward", "B": "back", "L": "to the left", "R": "to the right"}
_AIM = {
    Aim.AXE: "throws the axe at",
    Aim.SPEAR: "throws the spear at",
    Aim.TRAP: "lays the trap on",
    Aim.BITE: "bites on",
    Aim.FIRE_WAND: "points the fire wand at",
    Aim.TELEPORT_WAND: "leaps to",
    Aim.THEFT: "robs on",
}


def spoken(name: str) -> str:
    """A name of the rules as it is spoken."""
    return name.lower().replace("_", " ")


def object_name(thing: int) -> str:
    """An object as it is spoken."""
    return spoken(Object(int(thing)).name)


def racer_name(state: Any, who: int) -> str:
    """The name of a racer; with its seat where two are the same, or not known yet."""
    kinds = state.racers["character"][: int(state.seats)].tolist()
    if not 0 <= who < len(kinds):
        return ""
    if kinds[who] < 0:
        return f"Racer {who + 1}"
    name = spoken(Character(kinds[who]).name).capitalize()
    return name if kinds.count(kinds[who]) == 1 else f"{name} {who + 1}"


def squares(count: int) -> str:
    """A number of squares."""
    return f"{count} square" if count == 1 else f"{count} squares"


def describe_action(state: Any, action: int) -> str:
    """What an action means in this state, as a sentence about the racer that is asked."""
    seat = int(state.seat)
    who = racer_name(state, seat)
    verb, _, thing = actions.ACTIONS.texts[action].partition(":")
    if verb in ("die", "flip", "keep"):
        return f"{who} {_say_dice(state, verb, thing)}"
    if verb == "at":
        return f"{who} {_say_aim(state, seat, action)}"
    phrases: dict[str, Callable[[], str]] = {
        "choose": lambda: f"races as the {spoken(thing)}",
        "rule": lambda: f"has the rule: {spoken(thing)}",
        "skid": lambda: _SKID[thing],
        "advance": lambda: f"advances {_own_speed(state, seat)}",
        "rest": lambda: "rests: the turn ends",
        "end": lambda: "ends the turn",
        "coins": lambda: f"spends {thing} coin{'s' * (thing != '1')} to walk {squares(sum(range(int(thing) + 1)))}",
        "use": lambda: f"uses: {spoken(thing)}",
        "bite": lambda: "bites",
        "fire_wand": lambda: "raises the fire wand",
        "teleport_wand": lambda: "raises the teleport wand",
        "theft": lambda: "tries to rob somebody",
        "go": lambda: f"walks {squares(int(thing))}",
        "shield": lambda: "uses a shield, for 2 points",
        "suffer": lambda: "suffers the shock",
        "shift": lambda: {"stay": "stays", "L": "shifts to the left", "R": "shifts to the right"}[thing],
        "stop": lambda: "stops on the shortcut",
        "pass": lambda: "passes the shortcut",
        "fire": lambda: f"flies the fire ball {_FLY[thing]}",
        "release": lambda: "releases the fire ball",
    }
    return f"{who} {phrases[verb]()}"


def _own_speed(state: Any, seat: int) -> str:
    """The squares of `advance`."""
    character = int(state.racers[seat].character)
    return squares(int(SPEED[character])) if character >= 0 else "its speed"


def _say_dice(state: Any, verb: str, thing: str) -> str:
    """Taking, flipping or keeping dice, with their faces where they lie on the table."""
    if verb == "keep":
        return "keeps the roll"
    if thing == "both":
        return "flips both dice"
    die = int(thing) - 1
    face = int(state.dice[die])
    if verb == "die":
        return f"walks {squares(face)}" if face else f"takes die {thing}"
    if state.ask == Ask.DIE and face:
        return f"flips the {face} and walks {squares(opposite_on_movement(state, die))}"
    if state.ask == Ask.ROLL and state.roll == Roll.OBJECT:
        item = waiting(state)
        return f"takes {object_name(item[3])} instead of {object_name(item[2])}"
    if state.ask == Ask.ROLL and face:
        return f"flips the {face} to {opposite(state, die)}"
    return f"flips die {thing}"


def _say_aim(state: Any, seat: int, action: int) -> str:
    """Aiming at a square, and who stands there."""
    square = int(AT[int(state.racers[seat].square), action - actions.AT])
    verb = _AIM[Aim(int(waiting(state)[2]))] if state.ask == Ask.AIM else "aims at"
    others = [who for who in range(int(state.seats)) if who != seat and state.racers[who].square == square]
    there = [racer_name(state, who) for who in others]
    return f"{verb} {square_name(square)}" + (f" ({', '.join(there)})" if there else "")


# What has happened


def describe_event(state: Any, event: Any) -> str:
    """An event (a row of the log: kind, who, whom or where, how much) as a sentence."""
    kind, who, other, amount = (int(number) for number in event)
    told = _Told(state, who, other, amount)
    return _TELL[Event(kind)](told)


class _Told:
    """The numbers of an event as words."""

    def __init__(self, state: Any, who: int, other: int, amount: int) -> None:
        self.who = racer_name(state, who)
        self.whom = racer_name(state, other)
        self.at = square_name(other) if 0 <= other < len(state.printed) else ""
        self.other, self.amount = other, amount
        self.points = f"{abs(amount)} point{'s' * (abs(amount) != 1)}"
        self.rows = f"{abs(amount)} row{'s' * (abs(amount) != 1)}"


_TELL: dict[Event, Callable[[_Told], str]] = {
    Event.ROLLED: lambda t: f"{t.who} rolls {t.amount} {_ROLL[Roll(t.other)]}",
    Event.FLIPPED: lambda t: f"{t.who} flips die {t.other + 1}",
    Event.MOVED: lambda t: f"{t.who} {_MOVED[Way(t.amount)]} {t.at}",
    Event.POINTS: lambda t: f"{t.who} {'wins' if t.amount > 0 else 'loses'} {t.points} {_REASON[Reason(t.other)]}",
    Event.LINE: lambda t: f"{t.who} crosses the line" + ("" if t.amount > 0 else " backwards"),
    Event.TOOK: lambda t: f"{t.who} picks up a {object_name(t.other)} on {square_name(t.amount)}",
    Event.CHEST: lambda t: f"{t.who} finds in the {spoken(Colour(t.amount).name)} chest: {object_name(t.other)}",
    Event.BLOCKED: lambda t: f"{t.who} is stopped by what stands on {t.at}",
    Event.HOLE_STOP: lambda t: f"{t.who} jumps the hole on {t.at} and stops behind it",
    Event.HOLE: lambda t: f"{t.who} falls into the hole on {t.at}",
    Event.SHORTCUT: lambda t: f"{t.who} takes the shortcut on {t.at}: {t.rows} {'forward' if t.amount > 0 else 'back'}",
    Event.TRAP_SET: lambda t: f"{t.who} lays a trap on {t.at}",
    Event.TRAP_SPRUNG: lambda t: f"{t.who} springs the trap on {t.at}",
    Event.TRAP_DESTROYED: lambda t: f"{t.who} destroys the trap on {t.at}",
    Event.DEFUSED: lambda t: f"{t.who} defuses the trap on {t.at}",
    Event.BARRIER_DESTROYED: lambda t: f"{t.who} destroys the barrier on {t.at}",
    Event.ROCK_HIT: lambda t: f"{t.who} hits the rock on {t.at}",
    Event.FIGHT: lambda t: f"{t.who} attacks {t.whom} and {_OUTCOME[Outcome(t.amount)]}",
    Event.SHOCK: lambda t: f"{t.who} suffers a {spoken(Size(t.amount).name)} shock" + (t.whom and f" by {t.whom}"),
    Event.SHIELDED: lambda t: f"{t.who} shields itself from the {spoken(Size(t.amount).name)} shock",
    Event.POISONED: lambda t: f"{t.who} is poisoned by {t.whom}",
    Event.USED: lambda t: f"{t.who} uses: {object_name(t.amount)}",
    Event.COINS: lambda t: f"{t.who} spends {t.amount} coin{'s' * (t.amount != 1)}",
    Event.AIMED: lambda t: f"{t.who} {_AIM[Aim(t.amount)]} {t.at}",
    Event.BALL: lambda t: f"{t.who} flies the ball to {t.at}",
    Event.LIGHTNING: lambda t: f"{t.who} strikes {t.whom} with lightning: {t.rows} back",
    Event.PLAGUE: lambda t: f"{t.who} drives {t.whom} away with the plague",
    Event.STOLEN: lambda t: f"{t.who} steals from {t.whom}: {object_name(t.amount)}",
    Event.ESCAPED: lambda t: f"{t.who} fails to rob {t.whom}",
    Event.ROUND: lambda t: f"Round {t.amount} begins; {t.who} plays first",
    Event.REFILL: lambda t: "All objects and chests are back",
    Event.GUARD: lambda t: f"{t.who} ends on {t.at}, where nothing more happens in this turn",
    Event.CHOSE: lambda t: f"Somebody races as the {spoken(Character(t.amount).name)}",
    Event.LEARNED: lambda t: f"{t.who} has the rule: {spoken(Rule(t.amount).name)}",
    Event.WON: lambda t: f"{t.who} wins the race with {t.points}",
}
