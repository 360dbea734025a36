"""The setup form: wars ready to be chosen, and options in words."""

from __future__ import annotations

from typing import Any

from titan_env.contract.presentation_values import OptionPrompt, OptionValue, Preset, SetupFormData
from titan_env.games.titan_war.picture.legions import swatch
from titan_env.games.titan_war.words.presentation import OPTION_VALUES
from titan_env.games.titan_war.words.translation import _

_LIMITS = (6000, 2000, None)


def setup_form() -> SetupFormData:
    """Return the presets, the usual one first, and what can be chosen besides."""
    about = _("Legions march in secret, gather characters and fight until one titan is left.")
    return SetupFormData(_presets(), _questions(), about, minutes=70)


def _presets() -> tuple[Preset, ...]:
    """Return wars for a click."""
    tournament = {"towers": "opposite", "mulligan": "2 or 5", "first_teleport": "not to a tower"}
    return (
        Preset(_("Two players"), _("Until one titan is left.")),
        Preset(_("Four players"), _("Until one titan is left."), {"players": 4}),
        Preset(_("Six players"), _("Until one titan is left: a long war."), {"players": 6}),
        Preset(_("To 100 points"), _("Two players; whoever has 100 points first wins."), {"goal": 100}),
        Preset(_("The short game"), _("Four players, to 300 points."), {"players": 4, "goal": 300}),
        Preset(_("Sprint"), _("Two players, six turns each."), {"turns": 12}),
        Preset(_("The lean game"), _("Without centaurs, gargoyles and ogres."), {"lean": True}),
        Preset(_("Tournament"), _("Opposite towers, and rolls of 2 and 5 may be thrown again."), tournament),
        Preset(_("Stern"), _("Nobody concedes, and nothing is agreed on."), {"agreements": False, "concede": False}),
    )


def _questions() -> tuple[OptionPrompt, ...]:
    """Return every option, in words."""
    return (
        _question("players", _("Players"), _("2 to 6.")),
        _question("goal", _("Goal"), _("Points that end the war, at the end of a turn; 0: none.")),
        _question("turns", _("Turns"), _("Turns of single players after which the war ends; 0: no end by turns.")),
        _question("lean", _("Lean"), _("Cyclops, lion and troll instead of centaur, gargoyle and ogre.")),
        _question("agreements", _("Agreements"), _("Both legions may be eliminated by agreement.")),
        _question("concede", _("Concessions"), _("A legion may be conceded, before a battle and in it.")),
        _question("open", _("Open legions"), _("Everybody sees what every legion holds.")),
        _question("towers", _("Towers"), _("Where the players begin.")),
        _question("mulligan", _("First roll"), _("When the roll of a player's first turn may be thrown again.")),
        _question("first_teleport", _("First teleport"), _("Where a legion may teleport to in the first turn.")),
        OptionPrompt("limit", _("Longest war"), _("Decisions; then nobody wins."), tuple(map(_limit, _LIMITS))),
    )


def _question(option: str, title: str, about: str) -> OptionPrompt:
    """Return an option with the values that are offered for it."""
    return OptionPrompt(option, title, about, tuple(_choice(option, value) for value in OPTION_VALUES[option]))


def _choice(option: str, value: Any) -> OptionValue:
    """Return a value under its name, and a number of players with their colours."""
    names = {
        True: _("yes"),
        False: _("no"),
        "random": _("drawn"),
        "opposite": _("opposite to each other"),
        "once": _("once"),
        "2 or 5": _("2 or 5, as often as it comes"),
        "any": _("anywhere"),
        "not to a tower": _("not to a tower"),
    }
    is_named = isinstance(value, bool | str)
    colours = [shape for seat in range(value) for shape in swatch(seat, 0.25 * seat, 0)] if option == "players" else []
    return OptionValue(value, names[value] if is_named else str(value), picture=tuple(colours))


def _limit(number: int | None) -> OptionValue:
    """Return a limit of decisions."""
    return OptionValue(number, _("none") if number is None else str(number))
