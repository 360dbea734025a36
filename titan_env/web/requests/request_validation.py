"""Validation of requests: each function takes one value from a request and raises ValueError for an invalid one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.option_text import read_options
from titan_env.pictures.svg import THEMES
from titan_env.records.seeding import draw_seed
from titan_env.web.views.game_clock import MOST_SECONDS, GameClock
from titan_env.web.views.game_view import ViewOptions
from titan_env.web.views.translation import _

MOST_TEXT = 4000
"""The bound on characters of an option (three circuits drawn by hand), name or key."""


def asked_game(asked: Mapping[str, Any]) -> Game:
    """Return the registered game of this name."""
    name = asked.get("game")
    if not isinstance(name, str) or name not in registry.names():
        raise ValueError(
            _("expected a game among {known}, got {got}", known=", ".join(registry.names()), got=short(name))
        )
    return registry.load(name)


def asked_options(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a form: name -> value; fields left empty are left out."""
    typed = asked.get("options", {})
    if not isinstance(typed, dict) or len(typed) > 50:
        raise ValueError(_("expected the options of a game by name"))
    for name, text in typed.items():
        if not isinstance(text, str) or len(text) > MOST_TEXT or len(name) > MOST_TEXT:
            raise ValueError(_("expected at most {n} letters for the option {name}", n=MOST_TEXT, name=short(name)))
    return read_options([f"{name}={text}" for name, text in typed.items() if text.strip()])


def asked_setup(asked: Mapping[str, Any]) -> GameSetup:
    """Return the game with the options of a form, or in a position's text."""
    game, options, position = asked_game(asked), asked_options(asked), asked.get("position")
    return GameSetup.of(game, options) if position is None else GameSetup.at(game, position, options)


def asked_number(asked: Mapping[str, Any], name: str, otherwise: int | None = None) -> int:
    """Return an integer within 32 bits."""
    number = asked.get(name, otherwise)
    if isinstance(number, bool) or not isinstance(number, int) or abs(number) > 2**31:
        raise ValueError(_("expected a whole number for {name}, got {got}", name=name, got=short(number)))
    return number


def asked_seed(asked: Mapping[str, Any]) -> int:
    """Return the seed, a number or its digits (browsers round large numbers); a random one if none is given."""
    seed = asked.get("seed")
    if seed in (None, ""):
        return draw_seed()
    if isinstance(seed, str) and seed.isdecimal() and len(seed) < 20:
        seed = int(seed)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        got = short(asked["seed"])
        raise ValueError(_("expected a seed from 0 to {most}, or none, got {got}", most=2**63 - 1, got=got))
    return seed


def asked_clock(asked: Mapping[str, Any]) -> GameClock | None:
    """Return the clock of ``{"seconds": n, "increment": n}``, with ``"each": true`` for each decision; None without."""
    times = asked.get("clock")
    if times is None:
        return None
    if not isinstance(times, dict):
        raise ValueError(_("expected a clock with its seconds, or none, got {got}", got=short(times)))
    seconds, increment = asked_number(times, "seconds"), asked_number(times, "increment", 0)
    if not (1 <= seconds <= MOST_SECONDS and 0 <= increment <= MOST_SECONDS):
        raise ValueError(_("expected a clock of at most {n} seconds, and at least one", n=MOST_SECONDS))
    return GameClock(seconds, increment, times.get("each") is True)


def asked_look(asked: Mapping[str, Any]) -> ViewOptions:
    """Return the theme, width and seat with which a visitor views a game."""
    theme = asked.get("theme", "light")
    if not isinstance(theme, str) or theme not in THEMES:
        raise ValueError(_("expected a theme of {known}, got {got}", known=", ".join(THEMES), got=short(theme)))
    seat = None if asked.get("seat") is None else asked_number(asked, "seat")
    return ViewOptions(theme, asked.get("narrow") is True, seat, in_words=asked.get("in_words") is not False)


def short(value: Any) -> str:
    """Return the start of a value's repr, for an error."""
    return repr(value)[:200]
