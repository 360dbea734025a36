"""Fantasy Racing in words: what a seat is about to do, and what has happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from titan_env.contract.translation import mark
from titan_env.games.fantasy_racing.rules import actions
from titan_env.games.fantasy_racing.rules.board import AT
from titan_env.games.fantasy_racing.rules.circuits import square_name
from titan_env.games.fantasy_racing.rules.data_tables import SPEED
from titan_env.games.fantasy_racing.rules.dice import opposite_on_movement
from titan_env.games.fantasy_racing.rules.flips import opposite, waiting
from titan_env.games.fantasy_racing.rules.state import (
    Aim,
    Ask,
    Character,
    Event,
    Object,
    Outcome,
    Reason,
    Roll,
    Rule,
    Size,
    Way,
)
from titan_env.games.fantasy_racing.words.translation import (
    _,
    capital,
    character_name,
    chest_name,
    object_name,
    rule_name,
)

_MOVED = {
    Way.WALK: mark("{who} walks to {at}"),
    Way.LEAP: mark("{who} leaps to {at}"),
    Way.KNOCK: mark("{who} is knocked to {at}"),
}
_OUTCOME = {
    Outcome.DEFEAT: mark("{who} attacks {whom} and loses"),
    Outcome.SIMPLE: mark("{who} attacks {whom} and wins"),
    Outcome.CRUSHING: mark("{who} attacks {whom} and wins crushingly"),
}
_ROLL = {
    Roll.MOVEMENT: mark("{who} rolls {n} to move"),
    Roll.OBJECT: mark("{who} rolls {n} for the chest"),
    Roll.SHORTCUT: mark("{who} rolls {n} on the shortcut"),
    Roll.FIGHT: mark("{who} rolls {n} to fight"),
    Roll.THEFT: mark("{who} rolls {n} to steal"),
    Roll.SHOCK: mark("{who} rolls {n} to recoil"),
    Roll.TWO_D3: mark("{who} rolls {n} a D3"),
    Roll.TWO_D10: mark("{who} rolls {n} a D10"),
}
_REASON = {
    Reason.ROWS: mark("for rows"),
    Reason.LINE: mark("for the line"),
    Reason.FIGHT: mark("for the fight"),
    Reason.POISON: mark("for poison"),
    Reason.BRUTE: mark("as a brute"),
    Reason.SHOCK: mark("for the shock"),
    Reason.LIGHTNING: mark("for the lightning"),
    Reason.PLAGUE: mark("for the plague"),
    Reason.DEFUSING: mark("for the trap"),
    Reason.THEFT: mark("for the theft"),
    Reason.HOLE: mark("for the fall"),
    Reason.SHIELD: mark("for the shield"),
}
_AIM = {
    Aim.AXE: mark("{who} throws the axe at {at}"),
    Aim.SPEAR: mark("{who} throws the spear at {at}"),
    Aim.TRAP: mark("{who} lays the trap on {at}"),
    Aim.BITE: mark("{who} bites on {at}"),
    Aim.FIRE_WAND: mark("{who} points the fire wand at {at}"),
    Aim.TELEPORT_WAND: mark("{who} leaps to {at}"),
    Aim.THEFT: mark("{who} robs on {at}"),
}
_DO = {
    "skid:stay": mark("{who} stays where it is"),
    "skid:L1": mark("{who} skids one square to the left"),
    "skid:L2": mark("{who} skids two squares to the left"),
    "skid:R1": mark("{who} skids one square to the right"),
    "skid:R2": mark("{who} skids two squares to the right"),
    "rest": mark("{who} rests: the turn ends"),
    "end": mark("{who} ends the turn"),
    "bite": mark("{who} bites"),
    "fire_wand": mark("{who} raises the fire wand"),
    "teleport_wand": mark("{who} raises the teleport wand"),
    "theft": mark("{who} tries to rob somebody"),
    "shield": mark("{who} uses a shield, for 2 points"),
    "suffer": mark("{who} suffers the shock"),
    "shift:stay": mark("{who} stays"),
    "shift:L": mark("{who} shifts to the left"),
    "shift:R": mark("{who} shifts to the right"),
    "stop": mark("{who} stops on the shortcut"),
    "pass": mark("{who} passes the shortcut"),
    "fire:F": mark("{who} flies the fire ball forward"),
    "fire:B": mark("{who} flies the fire ball back"),
    "fire:L": mark("{who} flies the fire ball to the left"),
    "fire:R": mark("{who} flies the fire ball to the right"),
    "release": mark("{who} releases the fire ball"),
    "keep": mark("{who} keeps the roll"),
    "flip:both": mark("{who} flips both dice"),
}
"""Actions that mean the same in every state."""


def racer_name(state: Any, who: int) -> str:
    """Return the name of a racer; with its seat where two are the same, or not known yet."""
    kinds = state.racers["character"][: int(state.seats)].tolist()
    if not 0 <= who < len(kinds):
        return ""
    if kinds[who] < 0:
        return _("Racer {n}", n=who + 1)
    name = capital(character_name(kinds[who]))
    return name if kinds.count(kinds[who]) == 1 else f"{name} {who + 1}"


def squares(count: int) -> str:
    """A number of squares."""
    return _.many("{n} square", "{n} squares", count)


def coins(count: int) -> str:
    """A number of coins."""
    return _.many("{n} coin", "{n} coins", count)


def describe_action(state: Any, action: int) -> str:
    """Return the sentence that describes an action in this state, about the racer that is asked."""
    seat, text = int(state.seat), actions.ACTIONS.texts[action]
    who = racer_name(state, seat)
    if text in _DO:
        return _(_DO[text], who=who)
    verb, _sep, thing = text.partition(":")
    if verb in ("die", "flip"):
        return _say_dice(state, who, verb, thing)
    if verb == "at":
        return _say_aim(state, seat, action)
    phrases: dict[str, Callable[[], str]] = {
        "choose": lambda: _("{who} races as the {kind}", who=who, kind=character_name(Character[thing.upper()])),
        "rule": lambda: _("{who} has the rule: {rule}", who=who, rule=rule_name(Rule[thing.upper()])),
        "advance": lambda: _("{who} advances {squares}", who=who, squares=_own_speed(state, seat)),
        "coins": lambda: _say_coins(who, int(thing)),
        "use": lambda: _("{who} uses: {thing}", who=who, thing=object_name(Object[thing.upper()])),
        "go": lambda: _("{who} walks {squares}", who=who, squares=squares(int(thing))),
    }
    return phrases[verb]()


def _say_coins(who: str, count: int) -> str:
    """Return the phrase of what is spent and how far it carries."""
    walked = squares(sum(range(count + 1)))
    return _("{who} spends {coins} to walk {squares}", who=who, coins=coins(count), squares=walked)


def _own_speed(state: Any, seat: int) -> str:
    """Return the squares of `advance`."""
    character = int(state.racers[seat].character)
    return squares(int(SPEED[character])) if character >= 0 else _("its speed")


def _say_dice(state: Any, who: str, verb: str, thing: str) -> str:
    """Taking or flipping a die, with its face where it lies on the table."""
    die = int(thing) - 1
    face = int(state.dice[die])
    if verb == "die":
        return _("{who} walks {squares}", who=who, squares=squares(face)) if face else _(_TAKES, who=who, n=thing)
    if state.ask == Ask.DIE and face:
        walked = squares(opposite_on_movement(state, die))
        return _("{who} flips the {n} and walks {squares}", who=who, n=face, squares=walked)
    if state.ask == Ask.ROLL and state.roll == Roll.OBJECT:
        item = waiting(state)
        things = {"new": object_name(item[3]), "old": object_name(item[2])}
        return _("{who} takes {new} instead of {old}", who=who, **things)
    if state.ask == Ask.ROLL and face:
        return _("{who} flips the {n} to {other}", who=who, n=face, other=opposite(state, die))
    return _("{who} flips die {n}", who=who, n=thing)


_TAKES = mark("{who} takes die {n}")


def _say_aim(state: Any, seat: int, action: int) -> str:
    """Aiming at a square, and who stands there."""
    square = int(AT[int(state.racers[seat].square), action - actions.AT])
    template = _AIM[Aim(int(waiting(state)[2]))] if state.ask == Ask.AIM else mark("{who} aims at {at}")
    others = [who for who in range(int(state.seats)) if who != seat and state.racers[who].square == square]
    there = ", ".join(racer_name(state, who) for who in others)
    return _(template, who=racer_name(state, seat), at=square_name(square)) + (f" ({there})" if there else "")


# What has happened


def describe_event(state: Any, event: Any) -> str:
    """Return an event (a row of the log: kind, who, whom or where, how much) as a sentence."""
    kind, who, other, amount = (int(number) for number in event)
    words = _EventWords(state, who, other, amount)
    template = _TELL[Event(kind)]
    return words.say(template) if isinstance(template, str) else template(words)


class _EventWords:
    """The numbers of an event as words."""

    def __init__(self, state: Any, who: int, other: int, amount: int) -> None:
        self.who = racer_name(state, who)
        self.whom = racer_name(state, other)
        self.at = square_name(other) if 0 <= other < len(state.printed) else ""
        self.other, self.amount = other, amount

    def say(self, text: str, **more: Any) -> str:
        """A sentence about who, whom and where, with more values."""
        return _(text, who=self.who, whom=self.whom, at=self.at, **more)

    @property
    def points(self) -> str:
        """A number of points."""
        return _.many("{n} point", "{n} points", abs(self.amount))

    @property
    def rows(self) -> str:
        """A number of rows."""
        return _.many("{n} row", "{n} rows", abs(self.amount))


def _scored(words: _EventWords) -> str:
    text = mark("{who} wins {points} {why}") if words.amount > 0 else mark("{who} loses {points} {why}")
    return words.say(text, points=words.points, why=_(_REASON[Reason(words.other)]))


def _shocked(words: _EventWords) -> str:
    if words.whom:
        by = {Size.SMALL: mark("{who} suffers a small shock by {whom}")}
        return words.say(by.get(Size(words.amount)) or mark("{who} suffers a big shock by {whom}"))
    alone = {Size.SMALL: mark("{who} suffers a small shock")}
    return words.say(alone.get(Size(words.amount)) or mark("{who} suffers a big shock"))


def _shortcut(words: _EventWords) -> str:
    message = mark("{who} takes the shortcut on {at}: {rows} back")
    if words.amount > 0:
        message = mark("{who} takes the shortcut on {at}: {rows} forward")
    return words.say(message, rows=words.rows)


def _shielded(words: _EventWords) -> str:
    small = mark("{who} shields itself from the small shock")
    return words.say(small if words.amount == Size.SMALL else mark("{who} shields itself from the big shock"))


_TELL: dict[Event, str | Callable[[_EventWords], str]] = {
    Event.ROLLED: lambda t: t.say(_ROLL[Roll(t.other)], n=t.amount),
    Event.FLIPPED: lambda t: t.say("{who} flips die {n}", n=t.other + 1),
    Event.MOVED: lambda t: t.say(_MOVED[Way(t.amount)]),
    Event.POINTS: _scored,
    Event.LINE: lambda t: t.say(
        mark("{who} crosses the line") if t.amount > 0 else mark("{who} crosses the line backwards")
    ),
    Event.TOOK: lambda t: _(
        "{who} picks up a {thing} on {at}", who=t.who, thing=object_name(t.other), at=square_name(t.amount)
    ),
    Event.CHEST: lambda t: t.say(
        mark("{who} finds in the {chest}: {thing}"), chest=chest_name(t.amount), thing=object_name(t.other)
    ),
    Event.BLOCKED: mark("{who} is stopped by what stands on {at}"),
    Event.HOLE_STOP: mark("{who} jumps the hole on {at} and stops behind it"),
    Event.HOLE: mark("{who} falls into the hole on {at}"),
    Event.SHORTCUT: _shortcut,
    Event.TRAP_SET: mark("{who} lays a trap on {at}"),
    Event.TRAP_SPRUNG: mark("{who} springs the trap on {at}"),
    Event.TRAP_DESTROYED: mark("{who} destroys the trap on {at}"),
    Event.DEFUSED: mark("{who} defuses the trap on {at}"),
    Event.BARRIER_DESTROYED: mark("{who} destroys the barrier on {at}"),
    Event.ROCK_HIT: mark("{who} hits the rock on {at}"),
    Event.FIGHT: lambda t: t.say(_OUTCOME[Outcome(t.amount)]),
    Event.SHOCK: _shocked,
    Event.SHIELDED: _shielded,
    Event.POISONED: mark("{who} is poisoned by {whom}"),
    Event.USED: lambda t: t.say(mark("{who} uses: {thing}"), thing=object_name(t.amount)),
    Event.COINS: lambda t: t.say(mark("{who} spends {coins}"), coins=coins(t.amount)),
    Event.AIMED: lambda t: t.say(_AIM[Aim(t.amount)]),
    Event.BALL: mark("{who} flies the ball to {at}"),
    Event.LIGHTNING: lambda t: t.say(mark("{who} strikes {whom} with lightning: {rows} back"), rows=t.rows),
    Event.PLAGUE: mark("{who} drives {whom} away with the plague"),
    Event.STOLEN: lambda t: t.say(mark("{who} steals from {whom}: {thing}"), thing=object_name(t.amount)),
    Event.ESCAPED: mark("{who} fails to rob {whom}"),
    Event.ROUND: lambda t: t.say(mark("Round {n} begins; {who} plays first"), n=t.amount),
    Event.REFILL: mark("All objects and chests are back"),
    Event.GUARD: mark("{who} ends on {at}, where nothing more happens in this turn"),
    Event.CHOSE: lambda t: _("Somebody races as the {kind}", kind=character_name(t.amount)),
    Event.LEARNED: lambda t: t.say(mark("{who} has the rule: {rule}"), rule=rule_name(t.amount)),
    Event.WON: lambda t: t.say(mark("{who} wins the race with {points}"), points=t.points),
}
