"""The setup form: races ready to be chosen, circuits and Titans by their pictures, every option in words."""

from __future__ import annotations

from typing import Any

from titan_env.contract.presentation_values import OptionPrompt, OptionValue, Preset, SetupFormData
from titan_env.contract.shapes import Polygon, Shape, ring
from titan_env.games.titan_race.picture.board_frame import RADIUS, foot_of, line
from titan_env.games.titan_race.picture.picture import FILLS, place_of
from titan_env.games.titan_race.picture.pieces import icon
from titan_env.games.titan_race.picture.titan_shapes import figure
from titan_env.games.titan_race.rules.circuits import TERRAINS, TITANS
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, SPACES, Terrain, Titan
from titan_env.games.titan_race.words.presentation import OPTION_VALUES
from titan_env.games.titan_race.words.translation import _, circuit_title


def setup_form() -> SetupFormData:
    """Return presets, the usual one first, and what can be chosen besides."""
    about = _("Titans run, push and burn each other around a circuit; the dice say what each may do.")
    return SetupFormData(_presets(), _questions(), about, minutes=7)


def _presets() -> tuple[Preset, ...]:
    """Races for a click."""
    return (
        Preset(_("Race of four"), _("Four Titans, three laps, a circuit that is drawn.")),
        Preset(_("All six Titans"), _("The fullest board: much pushing."), {"titans": 6}),
        Preset(_("Duel"), _("Two players with two Titans each."), {"variant": "two_players"}),
        Preset(_("Two teams of two"), _("The first Titan home wins for its team."), {"variant": "2v2"}),
        Preset(_("A short race"), _("One lap among three: to learn the rules."), {"titans": 3, "laps": 1}),
        Preset(_("Grand Slam"), _("Three circuits end to end, one lap on each."), {"titans": 4, "grand_slam": True}),
    )


def _questions() -> tuple[OptionPrompt, ...]:
    """Return every option, in words."""
    unnamed = (
        OptionValue("random", _("drawn")),
        OptionValue("choose", _("chosen in turn")),
        OptionValue("generated", _("generated"), _("None of the six: new in every race.")),
    )
    circuits = (*unnamed, *(_circuit(number) for number in range(len(CIRCUIT_NAMES))))
    titans = tuple(
        OptionValue(kind.name.lower(), kind.name.capitalize(), _ability(kind), _titan(kind)) for kind in Titan
    )
    about = _("Choose 2 to 6, in the order of the players; none chosen: they are drawn.")
    return (
        OptionPrompt("circuit", _("Circuit"), _("Where the race is held; your own can be typed as text."), circuits),
        OptionPrompt(
            "titans",
            _("Titans"),
            about,
            _named("titans", {"choose": _("chosen in turn")}),
            titans,
            fewest=2,
            most=len(Titan),
            instead=("variant",),
        ),
        OptionPrompt("variant", _("Who races with whom"), "", _named("variant", _variants())),
        OptionPrompt(
            "grand_slam", _("Grand Slam"), _("Three circuits end to end, one lap on each."), _named("grand_slam")
        ),
        OptionPrompt("laps", _("Laps"), _("How many win the race, 1 to 100."), _numbers("laps")),
        OptionPrompt(
            "life", _("Lives"), _("How many a Titan can have: the top of its gauge."), _named("life", _lives())
        ),
        OptionPrompt("deck", _("Bonus cards"), _("Which cards are in the race."), _named("deck", _decks())),
        OptionPrompt(
            "first_turn", _("First turn"), _("From when on cards and abilities serve."), _named("first_turn", _first())
        ),
        OptionPrompt(
            "players",
            _("Players"),
            _("2 to 6."),
            _named("players", {None: _("as many as Titans")}),
        ),
        OptionPrompt(
            "turn_limit",
            _("Longest race"),
            _("Turns of all Titans together; then nobody wins."),
            _numbers("turn_limit"),
        ),
    )


def _variants() -> dict[Any, str]:
    return {
        "race": _("everybody alone"),
        "two_players": _("two players, two Titans each"),
        "2v2": _("two teams of two"),
        "2v2v2": _("three teams of two"),
        "3v3": _("two teams of three"),
    }


def _first() -> dict[Any, str]:
    return {"own": _("from each player's second turn on"), "all": _("when the first turn of all is over")}


def _lives() -> dict[Any, str]:
    return {None: _("as on the boards"), "balanced": _("balanced: equal chances for all")}


def _decks() -> dict[Any, str]:
    return {"all": _("all 13"), None: _("none"), "shield,thorns": _("reactions only: shield and thorns")}


def _named(option: str, names: dict[Any, str] | None = None) -> tuple[OptionValue, ...]:
    """Return the usual values of an option under these names, truths as yes and no, numbers as they are."""
    known = names if names is not None else {False: _("no"), True: _("yes")}
    return tuple(OptionValue(value, known.get(value, str(value))) for value in OPTION_VALUES[option])


def _numbers(option: str) -> tuple[OptionValue, ...]:
    return tuple(OptionValue(value, str(value)) for value in OPTION_VALUES[option])


def _ability(kind: Titan) -> str:
    """Return the sentence on a Titan's ability."""
    ability = str(TITANS[kind]["ability"])
    return _("Ability: {ability}.", ability=_(ability))


def _circuit(number: int) -> OptionValue:
    """Return one of the six circuits with a small picture of it."""
    name = CIRCUIT_NAMES[number]
    title, _sep, about = circuit_title(name).partition(", ")
    return OptionValue(name, title, about, tuple(_board(number)))


def _board(number: int) -> list[Shape]:
    """Draw the spaces of a circuit, without names."""
    shapes: list[Shape] = list(line(foot_of(0.0)))
    for space in range(SPACES):
        x, y = place_of(space)
        terrain = Terrain(int(TERRAINS[number][space]))
        shapes.append(Polygon(ring(x, y, RADIUS, 6), FILLS[terrain], "edge"))
        if terrain != Terrain.PLAIN:
            shapes += icon(terrain, x, y, 0.3)
    return shapes


def _titan(kind: Titan) -> tuple[Shape, ...]:
    """Draw a Titan's token, large."""
    return tuple(figure(kind, 0.0, 0.0, 0.24))
