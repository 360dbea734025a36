"""Checks of a game's declarations, before anything is played."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np

from titan_env.contract import HEADER, LOG, LUCK, MOST_SEATS, Game, accepts
from titan_env.pictures.contrast import READABLE, contrast
from titan_env.testing.errors import doing, require

PAGE = {"light": ("#ffffff", "#ffffff"), "dark": ("#15181c", "#10202e")}
"""Theme -> the page's colour, and that of text on the game's own colour (page/style.css)."""


def check_declared(game: Game) -> None:
    """Raise BadGame if the parts of a game do not fit each other."""
    _check_records(game)
    _check_numbers(game)
    _check_names(game)
    _check_options(game)
    _check_offers(game)
    _check_color(game)
    for name, kinds in game.rules.argument_kinds().items():
        function = getattr(game.rules, name)
        compiled = function is None or all(accepts(function, *kind) for kind in kinds)
        write = f"write {name}={name}, a plain function, which the Game compiles"
        require(compiled, f"{name} to be compiled for the records of the game", function, write)


def _check_records(game: Game) -> None:
    """Check that the state begins with the header, and that luck and log have their functions' dtypes."""
    header = np.dtype(HEADER)
    begins = [(name, game.rules.state[name]) for name in (game.rules.state.names or ())[: len(HEADER)]]
    expected = [(name, header[name]) for name in header.names or ()]
    got = ", ".join(name for name, _ in begins) or game.rules.state
    wanted = f"a state that begins with {', '.join(header.names or ())}"
    require(begins == expected, wanted, got, "write np.dtype([*HEADER, ...])")
    require(game.rules.luck.names == LUCK.names, "the luck of the game as luck_dtype(answers)", game.rules.luck)
    require(game.rules.log.names == LOG.names, "the log of the game as log_dtype(events)", game.rules.log)


def _check_numbers(game: Game) -> None:
    """Check name, version, seats, actions, fields and score scale."""
    fewest, most = game.rules.seats
    is_name = re.fullmatch("[a-z][a-z0-9_]*", game.name)
    require(is_name, "a name of small letters, digits and underscores", repr(game.name))
    require(
        isinstance(game.metadata.version, int) and game.metadata.version >= 0,
        "a version from 0 on",
        game.metadata.version,
    )
    require(2 <= fewest <= most <= MOST_SEATS, f"seats=(fewest, most) from 2 to {MOST_SEATS}", game.rules.seats)
    require(len(game.rules.actions), "at least one action", "none")
    require(game.rules.fields.size, "at least one number to observe", "none")
    for part in game.rules.fields.parts:
        require(part.low <= part.high, f"the field {part.name} to go from low to high", f"{part.low} to {part.high}")
        require(part.meaning, f"the field {part.name} to say what it means", repr(part.meaning))
    scale = game.rules.score_scale
    require(scale is None or scale > 0, "score_scale as points that are worth 1, or None", scale)


def _check_names(game: Game) -> None:
    """Check that named fields, events and files exist."""
    names = game.rules.state.names or ()
    for part in ("chance_clock", "sides"):
        field = getattr(game.rules, part)
        require(field in names, f"{part} to name a field of the state ({', '.join(names)})", repr(field))
        shape = game.rules.state[field].shape
        require(shape == (), f"{part} to name one number", f"{field} of shape {shape}")
    for field in game.rules.later:
        require(field in names, f"later to name fields of the state ({', '.join(names)})", repr(field))
    require(
        0 in list(game.rules.asks) and max(game.rules.asks) < 128, "asks from 0 (nothing) to 127", list(game.rules.asks)
    )
    require(min(game.rules.events) >= 0, "events from 0 on", list(game.rules.events))
    for event in game.text.rule_of:
        require(event in list(game.rules.events), "rule_of to name rules of events of the game", repr(event))
    for ask in game.text.rule_of_question:
        is_asked = ask in list(game.rules.asks)
        require(is_asked, "rule_of_question to name rules of questions of the game", repr(ask))
    entries = game.text.glossary()
    for sign, entry in game.text.signs.items():
        require(entry in entries, "signs to name entries of the glossary", f"{sign!r}: {entry!r}")
    for pattern in game.text.styles:
        with doing("styles to be regular expressions"):
            re.compile(pattern)
    if game.metadata.folder:
        require(
            (Path(game.metadata.folder) / "RULES.md").is_file(),
            f"RULES.md in {game.metadata.folder}",
            "none",
            "or leave folder out",
        )


def _check_options(game: Game) -> None:
    """Check that options, presets and choices are those that `configure` takes."""
    parameters = inspect.signature(game.rules.configure).parameters.values()
    taken = {parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD}
    declared = set(game.rules.options)
    require(
        declared == taken, f"options to explain what configure takes ({', '.join(sorted(taken))})", sorted(declared)
    )
    own = {"players", *declared}
    require(game.rules.players in own, f"players to name an option ({', '.join(sorted(own))})", game.rules.players)
    require(game.rules.presets, "at least one preset, a named set of options", "none")
    named = {f"preset {name}": options for name, options in game.rules.presets.items()}
    for where, options in {
        **named,
        "benchmark_options": game.metadata.benchmark_options,
        "option_values": game.presentation.option_values,
    }.items():
        unknown = sorted(set(options) - declared)
        require(not unknown, f"{where} to name options of the game ({', '.join(sorted(declared))})", ", ".join(unknown))
    for where, options in {**named, "benchmark_options": game.metadata.benchmark_options}.items():
        with doing(f"configure to take {where} ({dict(options)})"):
            made = game.rules.configure(**options)
        is_record = isinstance(made, np.recarray) and made.shape == (1,) and made.dtype == game.rules.state
        require(is_record, "configure to return np.zeros(1, STATE).view(np.recarray), filled in", f"{made!r:.200}")
        fewest, most = game.rules.seats
        seats = int(made["seats"][0])
        require(fewest <= seats <= most, f"configure to write seats from {fewest} to {most} ({where})", seats)


def _check_color(game: Game) -> None:
    """Check that the game's own colour can be read on the page, and what is written on it."""
    if game.presentation.color is None:
        return
    for theme, colour in zip(PAGE, game.presentation.color, strict=True):
        wanted = f"color to be # and six hex digits in the {theme} theme"
        require(re.fullmatch("#[0-9a-fA-F]{6}", colour), wanted, repr(colour))
        least = min(contrast(colour, other) for other in PAGE[theme])
        wanted = f"a colour in the {theme} theme with a contrast of {READABLE} to {' and '.join(PAGE[theme])}"
        require(least >= READABLE, wanted, f"{colour} with {least:.1f}")


def _check_offers(game: Game) -> None:
    """Check that the options offered to people can be played, and that the glossary is complete."""
    with doing("setup_form to return a Form"):
        offered = game.presentation.setup_form()
    for preset in offered.presets:
        with doing(f"configure to take what setup_form offers as {preset.title!r} ({dict(preset.options)})"):
            game.rules.configure(**preset.options)
    for question in offered.questions:
        require(question.option in game.rules.options, "setup_form to ask for options of the game", question.option)
    with doing("glossary"):
        notes = game.text.glossary()
    for name, note in notes.items():
        require(note.name and note.text, f"the note {name} to have a name and a sentence", note)
        is_key = not re.search(r"\s", name)
        require(is_key, "names of notes without spaces", repr(name))
