"""The plain forms of a game's optional parts: text functions, picture, options."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import IntEnum
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.options import brief
from titan_env.contract.presentation_values import OptionPrompt, OptionValue, Preset, SetupFormData
from titan_env.contract.shapes import Label, Shape

Value = TypeVar("Value", bound=Any)


class Ask(IntEnum):
    """The kinds of decisions of a game that has only one."""

    NOTHING = 0
    DECIDE = 1


class Event(IntEnum):
    """The kinds of events of a game that logs none."""

    NOTHING = 0


PLAIN = {
    "rules": ("configure", "options", "presets"),
    "text": (
        *("describe_action", "describe_event", "position_text", "parse_position", "validate_position", "why_not"),
        *("describe_position", "glossary"),
    ),
    "presentation": ("picture", "setup_form"),
    "metadata": ("title",),
}
"""The parts of a game that have a plain form."""


def filled(value: Value, parts: Mapping[str, Any]) -> Value:
    """Return a copy of a game's value with these parts in the place of those that are None."""
    return replace(value, **{name: part for name, part in parts.items() if getattr(value, name) is None})


def title_of(name: str) -> str:
    """Return the default title of a game.

    >>> title_of("connect_four")
    'Connect four'
    """
    return name.replace("_", " ").capitalize()


def rule_parts(rules: Any) -> Mapping[str, Any]:
    """Return the plain forms of `Rules`: `configure`, `options` and `presets`."""
    fewest, most = rules.seats
    presets = {f"{players}_players": {"players": players} for players in sorted({fewest, most})}
    return {
        "configure": _configure(rules),
        "options": {"players": "how many play"} if rules.configure is None else {},
        "presets": presets if rules.configure is None else {"usual": {}},
    }


def text_parts(game: Any) -> Mapping[str, Any]:
    """Return the plain forms of `Text`."""
    return {
        "describe_action": lambda state, action: game.rules.actions.texts[action],
        "describe_event": _describe_event(game),
        "position_text": _position_text,
        "parse_position": _parse_position(game),
        "validate_position": _validate_position(game),
        "why_not": _why_not(game),
        "describe_position": _describe_position(game),
        "glossary": dict,
    }


def presentation_parts(game: Any) -> Mapping[str, Any]:
    """Return the plain forms of `Presentation`."""
    return {"picture": _picture(game), "setup_form": lambda: plain_form(game)}


def _configure(rules: Any) -> Callable[..., Any]:
    """Return a `configure` that makes a zeroed state (1,) with this many players."""
    fewest, most = rules.seats

    def configure(players: int = fewest) -> np.recarray[Any, Any]:
        if isinstance(players, bool) or not isinstance(players, int) or not fewest <= players <= most:
            raise ValueError(f"expected players from {fewest} to {most}, got {brief(players)}")
        fresh = np.zeros(1, rules.state).view(np.recarray)
        fresh["seats"] = players
        return fresh

    return configure


def _describe_event(game: Any) -> Callable[..., str]:
    """Return a `describe_event` with the event's name and numbers."""

    def tell(state: Any, event: NDArray[np.int32]) -> str:
        kind, who, whom, amount = (int(number) for number in event)
        return f"player_{who} {game.rules.events(kind).name.lower()} {whom} {amount}"

    return tell


def _position_text(state: Any) -> str:
    """Return a line "name: value" for each field of the state."""
    return "\n".join(f"{name}: {np.asarray(state[name]).tolist()}" for name in state.dtype.names)


def _parse_position(game: Any) -> Callable[[str], Any]:
    """Return a `parse_position` that reads the text of `_position_text`."""

    def read(text: str) -> np.recarray[Any, Any]:
        fresh = np.zeros(1, game.rules.state).view(np.recarray)
        lines, names = text.splitlines(), game.rules.state.names
        if len(lines) != len(names):
            raise ValueError(f"expected {len(names)} lines, one for each of {', '.join(names)}, got {len(lines)}")
        for number, (line, name) in enumerate(zip(lines, names, strict=True), 1):
            found = re.fullmatch(rf"{name}: ([-+0-9.e\[\], ]+)", line)
            if not found:
                raise ValueError(f"line {number}: expected the numbers of {name}, got {line!r}")
            shape = fresh[name].shape[1:]
            try:
                values = np.array([float(part) for part in re.findall(r"[^\[\], ]+", found[1])])
                with np.errstate(invalid="raise", over="raise"):
                    fitting = values.reshape(shape).astype(fresh[name].dtype)
                lost = (fitting != values.reshape(shape)).any()
            except (ValueError, FloatingPointError):
                lost = True
            if lost:
                expected = f"{int(np.prod(shape))} numbers of {name} that fit {fresh[name].dtype}"
                raise ValueError(f"line {number}: expected {expected}, got {line!r}")
            fresh[name] = fitting
        return fresh

    return read


def _validate_position(game: Any) -> Callable[[Any], None]:
    """Return a `validate_position` that checks the header and that an action is legal."""
    fewest, most = game.rules.seats

    def check(state: Any) -> None:
        if state.over or not fewest <= state.seats <= most or not 0 <= state.seat < state.seats:
            raise ValueError(f"expected a running game of {fewest} to {most}, and a seat that is asked, got {state}")
        if state.ask not in list(game.rules.asks) or state.ask == 0:
            raise ValueError(f"expected a question among {', '.join(map(str, game.rules.asks))}, got {state.ask}")
        if not game.rules.mask(state).any():
            raise ValueError("expected a position in which the seat that is asked can do something, got one without")

    return check


def _why_not(game: Any) -> Callable[[Any, int], str | None]:
    """Return a `why_not` that names the action as not allowed, or the game as over."""

    def why_not(state: Any, action: int) -> str | None:
        if state.over:
            return "The game is over."
        return (
            None
            if game.rules.mask(state)[action]
            else f"The rules do not allow {game.rules.actions.texts[action]!r} here."
        )

    return why_not


def _picture(game: Any) -> Callable[..., list[Shape]]:
    """Return a `picture` of the position's text, line by line."""

    def picture(state: Any, seat: int | None = None) -> list[Shape]:
        lines = game.position_text_for(state, seat).splitlines()
        return [Label(0.0, -0.3 * row, line, "ink", 10, align="left") for row, line in enumerate(lines)]

    return picture


def _describe_position(game: Any) -> Callable[[Any, int | None], list[str]]:
    """Return a `describe_position` of the lines of the position's text."""

    def describe(state: Any, seat: int | None = None) -> list[str]:
        return [line for line in game.position_text_for(state, seat).splitlines() if line.strip()]

    return describe


def plain_form(game: Any) -> SetupFormData:
    """Return a setup form of the game's presets and options under their own names."""
    presets = [Preset(spoken(name), "", options) for name, options in game.rules.presets.items()]
    return SetupFormData(
        (Preset("usual", ""), *presets), tuple(plain_question(game, name) for name in game.rules.options)
    )


def plain_question(game: Any, option: str) -> OptionPrompt:
    """Return a question of the setup form for an option under its own name."""
    choices = tuple(OptionValue(value, spoken(value)) for value in game.presentation.option_values.get(option, ()))
    return OptionPrompt(option, spoken(option), game.rules.options[option].replace("`", ""), choices)


def spoken(value: Any) -> str:
    """Return the text of an option's value for people.

    >>> [spoken(value) for value in (None, True, "two_players", 4)]
    ['none', 'yes', 'two players', '4']
    """
    words = {None: "none", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value).replace("_", " ")
