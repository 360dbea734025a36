"""What a game says of itself, before anything is played."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np

from titan_env.contract import HEADER, LOG, LUCK, MOST_SEATS, Game, takes
from titan_env.testing.mistake import doing, expect


def check_declared(game: Game) -> None:
    """Raise BadGame where the parts of a game do not fit each other."""
    _check_records(game)
    _check_numbers(game)
    _check_names(game)
    _check_options(game)
    _check_offers(game)
    for name, kinds in game.argument_kinds().items():
        function = getattr(game, name)
        compiled = function is None or all(takes(function, *kind) for kind in kinds)
        write = f"write {name}={name}, a plain function, which the Game compiles"
        expect(compiled, f"{name} to be compiled for the records of the game", function, write)


def _check_records(game: Game) -> None:
    """The state begins with the header; luck and log are what the functions of their names make."""
    header = np.dtype(HEADER)
    begins = [(name, game.state[name]) for name in (game.state.names or ())[: len(HEADER)]]
    expected = [(name, header[name]) for name in header.names or ()]
    got = ", ".join(name for name, _ in begins) or game.state
    wanted = f"a state that begins with {', '.join(header.names or ())}"
    expect(begins == expected, wanted, got, "write np.dtype([*HEADER, ...])")
    expect(game.luck.names == LUCK.names, "the luck of the game as luck_of(answers)", game.luck)
    expect(game.log.names == LOG.names, "the log of the game as log_of(events)", game.log)


def _check_numbers(game: Game) -> None:
    """Name, version, seats, actions and fields are such that tables can be made."""
    fewest, most = game.seats
    is_name = re.fullmatch("[a-z][a-z0-9_]*", game.name)
    expect(is_name, "a name of small letters, digits and underscores", repr(game.name))
    expect(isinstance(game.version, int) and game.version >= 0, "a version from 0 on", game.version)
    expect(2 <= fewest <= most <= MOST_SEATS, f"seats=(fewest, most) from 2 to {MOST_SEATS}", game.seats)
    expect(len(game.actions), "at least one action", "none")
    expect(game.fields.size, "at least one number to observe", "none")
    for part in game.fields.parts:
        expect(part.low <= part.high, f"the field {part.name} to go from low to high", f"{part.low} to {part.high}")
        expect(part.meaning, f"the field {part.name} to say what it means", repr(part.meaning))
    scale = game.score_scale
    expect(scale is None or scale > 0, "score_scale as points that are worth 1, or None", scale)


def _check_names(game: Game) -> None:
    """What is named is there."""
    names = game.state.names or ()
    for part in ("clock", "sides"):
        field = getattr(game, part)
        expect(field in names, f"{part} to name a field of the state ({', '.join(names)})", repr(field))
        shape = game.state[field].shape
        expect(shape == (), f"{part} to name one number", f"{field} of shape {shape}")
    expect(0 in list(game.asks) and max(game.asks) < 128, "asks from 0 (nothing) to 127", list(game.asks))
    expect(min(game.events) >= 0, "events from 0 on", list(game.events))
    for event in game.rule_of:
        expect(event in list(game.events), "rule_of to name rules of events of the game", repr(event))
    for pattern in game.inks:
        with doing("inks to be regular expressions"):
            re.compile(pattern)
    if game.folder:
        expect((Path(game.folder) / "RULES.md").is_file(), f"RULES.md in {game.folder}", "none", "or leave folder out")


def _check_options(game: Game) -> None:
    """Options, presets and choices are those that `configure` takes."""
    parameters = inspect.signature(game.configure).parameters.values()
    taken = {parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD}
    said = set(game.options)
    expect(said == taken, f"options to explain what configure takes ({', '.join(sorted(taken))})", sorted(said))
    expect(game.presets, "at least one preset, a named set of options", "none")
    named = {f"preset {name}": options for name, options in game.presets.items()}
    for where, options in {**named, "full": game.full, "choices": game.choices}.items():
        unknown = sorted(set(options) - said)
        expect(not unknown, f"{where} to name options of the game ({', '.join(sorted(said))})", ", ".join(unknown))
    for where, options in {**named, "full": game.full}.items():
        with doing(f"configure to take {where} ({dict(options)})"):
            made = game.configure(**options)
        is_record = isinstance(made, np.recarray) and made.shape == (1,) and made.dtype == game.state
        expect(is_record, "configure to return np.zeros(1, STATE).view(np.recarray), filled in", f"{made!r:.200}")
        fewest, most = game.seats
        seats = int(made["seats"][0])
        expect(fewest <= seats <= most, f"configure to write seats from {fewest} to {most} ({where})", seats)


def _check_offers(game: Game) -> None:
    """What people are offered can be played, and what is explained to them has rules that are there."""
    with doing("form to return a Form"):
        offered = game.form()
    for preset in offered.presets:
        with doing(f"configure to take what the form offers as {preset.title!r} ({dict(preset.options)})"):
            game.configure(**preset.options)
    for question in offered.questions:
        expect(question.option in game.options, "form to ask for options of the game", question.option)
    with doing("glossary"):
        notes = game.glossary()
    for name, note in notes.items():
        expect(note.name and note.text, f"the note {name} to have a name and a sentence", note)
        is_key = not re.search(r"\s", name)
        expect(is_key, "names of notes without spaces", repr(name))
