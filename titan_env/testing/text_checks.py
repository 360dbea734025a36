"""Checks of a game's texts and pictures: they agree with the rules, and reveal nothing hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game, events_of, scattered
from titan_env.engine.parts import Decision, part_numbers, parts
from titan_env.pictures.render import shapes_of
from titan_env.pictures.svg import svg
from titan_env.testing.errors import BadGame, doing, require


def check_decision(game: Game, state: Any, mask: NDArray[np.int8]) -> None:
    """Check that legal actions have sentences, all different, and that illegal ones have reasons."""
    for action, text in enumerate(game.rules.actions.texts):
        with doing(f"why_not of {text!r}"):
            reason = game.text.why_not(state, action)
        if mask[action]:
            require(reason is None, f"why_not to be None for {text!r}, which the mask allows", repr(reason))
        else:
            sentence = isinstance(reason, str) and reason
            require(sentence, f"why_not to name the rule that forbids {text!r}, as the mask does", repr(reason))
    with doing("describe_action"):
        sentences = [game.text.describe_action(state, int(action)) for action in np.flatnonzero(mask)]
    require(
        all(isinstance(words, str) and words for words in sentences),
        "describe_action to put every legal action into words",
        sentences,
    )
    require(
        len(set(sentences)) == len(sentences), "describe_action to put each legal action into other words", sentences
    )
    for seat in range(state.seats if game.text.describe_action_for else 0):
        for action in np.flatnonzero(mask).tolist():
            with doing("describe_action_for"):
                heard = game.text.describe_action_for(state, action, seat) if game.text.describe_action_for else None
            require(
                heard is None or isinstance(heard, str), "describe_action_for to return words, or None", repr(heard)
            )


def check_events(game: Game, state: Any, events: NDArray[np.int32]) -> None:
    """Check that every event is of a known kind and has a sentence."""
    for event in events:
        known = [int(kind) for kind in game.rules.events]
        require(event[0] in known, f"note(log, kind, ...) with a kind of events ({known})", int(event[0]))
        with doing("describe_event"):
            sentence = game.text.describe_event(state, event)
        require(
            isinstance(sentence, str) and sentence,
            f"describe_event to put {game.rules.events(event[0]).name} into words",
            repr(sentence),
        )
        for seat in range(state.seats if game.text.describe_event_for else 0):
            with doing("describe_event_for"):
                heard = game.text.describe_event_for(state, event, seat) if game.text.describe_event_for else None
            require(
                heard is None or isinstance(heard, str), "describe_event_for to return a sentence, or None", repr(heard)
            )


def check_position(game: Game, state: Any, first: bool) -> None:
    """Check that a position's text is parsed to the same state, and that the `first` one is valid."""
    with doing("position_text"):
        text = game.text.position_text(state)
    with doing(f"parse_position to read what position_text has written\n{text}\n"):
        back = game.text.parse_position(text)[0]
    for name in game.rules.state.names or ():
        same = back[name].tobytes() == state[name].tobytes()
        require(
            same,
            f"parse_position to give {name} back as position_text has written it",
            f"{back[name]}, not {state[name]}",
        )
    if first:
        with doing("validate_position to pass the position at the start of a game"):
            game.text.validate_position(state)
    try:
        game.text.parse_position("nonsense")
    except ValueError:
        return
    except Exception as error:
        raise BadGame(
            f"expected parse_position to raise ValueError for a damaged text, got {type(error).__name__}"
        ) from error
    raise BadGame("expected parse_position to raise ValueError for a damaged text, got a position")


def check_picture(game: Game, state: Any, seat: int, events: Any = (), before: Any = None) -> None:
    """Check that the position can be drawn and described, for everybody and for one seat."""
    known = game.text.glossary()
    for viewer in (None, seat):
        with doing("picture"):
            shapes = shapes_of(game, state, viewer, events, before, False, ["somebody"] * int(state.seats))
            svg(shapes, title=game.metadata.title)
        noted = {name for shape in shapes for name in shape.notes}
        require(noted <= set(known), "notes of shapes to be in the glossary", ", ".join(sorted(noted - set(known))))
        if viewer is not None and game.presentation.own_panel is not None:
            panel = game.presentation.own_panel(state, viewer)
            keys = {shape.key for shape in shapes}
            require(panel in keys, "own_panel to return the key of a shape of the picture", repr(panel))
        with doing("describe_position"):
            text = game.text.describe_position(state, viewer)
        if game.presentation.seat_names is not None:
            names, seats = list(game.presentation.seat_names(state)), int(state.seats)
            require(len(names) == seats and all(names), f"seat_names to return {seats} names", repr(names))
        sentences = bool(text) and all(isinstance(line, str) and line for line in text)
        require(sentences, "describe_position to tell the position in sentences", repr(text)[:200])


OUTLETS: dict[str, Callable[[Game, Any, int], object]] = {
    "position_text_for": lambda game, state, seat: (
        game.position_text_for(state, seat) if game.text.position_text_for else ""
    ),
    "describe_position": lambda game, state, seat: game.position_sentences_for(state, seat),
    "picture": lambda game, state, seat: svg(shapes_of(game, state, seat)),
}
"""Part of the game -> a function that returns its output for a seat."""


def check_private(game: Game, state: Any, mask: NDArray[np.int8]) -> None:
    """Check that other seats' views of a private question are those of the turn around it."""
    with doing("public_view"):
        seen = None if game.rules.public_view is None or state.over else game.rules.public_view(state)
    if seen is None or game.rules.public_view is None:
        return
    write = "copy the record, and clear what tells of the question"
    require(not np.shares_memory(seen, state), "public_view to return a copy of the position", "a view of it", write)
    require(seen.ask == 0, "public_view to set ask to 0: all others see the turn around the question", seen.ask, write)
    with doing("public_view of what it has returned"):
        again = game.rules.public_view(seen)
    require(again is None, "public_view to return None for what it has returned", repr(again))
    others = [seat for seat in range(state.seats) if seat != state.seat]
    keeps = _keeps_something(game, state, np.flatnonzero(mask).tolist(), others[0])
    write = "let describe_action_for return None for the answer that is given in silence"
    require(keeps, "describe_action_for to say nothing of one answer to a private question at least", "words", write)
    for seat in others:
        for name, outlet in OUTLETS.items():
            with doing(f"{name} of what public_view has returned"):
                same = outlet(game, state, seat) == outlet(game, seen, seat)
            require(same, f"{name} to show seat {seat} nothing of a private question", "what it cannot know")


def _keeps_something(game: Game, state: Any, answers: list[int], seat: int) -> bool:
    """Return whether a seat hears less of some answer than who gives it, or of each by what it makes happen."""
    heard = [game.action_text_for(state, action, seat) for action in answers]
    if heard != [game.action_text_for(state, action) for action in answers]:
        return True
    return all(_is_seen(game, state, action, seat) for action in answers)


def _is_seen(game: Game, state: Any, action: int, seat: int) -> bool:
    """Return whether a seat is told of an event of a decision."""
    after = np.frombuffer(bytearray(state.tobytes()), game.rules.state).view(np.recarray)
    luck = scattered(np.random.default_rng(action), 1, game.rules.luck).view(np.recarray)
    log = np.zeros(1, game.rules.log).view(np.recarray)
    game.rules.step(after[0], action, luck[0], log[0])
    return any(game.event_text_for(after[0], event, seat) is not None for event in events_of(log[0]))


def check_parts(game: Game, decision: Decision, events: Any) -> None:
    """Check that the parts in which a step is shown follow one another, each with a picture of its own."""
    with doing("part_events"):
        numbers = part_numbers(game, events)
    rising = numbers == sorted(set(numbers)) and all(number < len(events) for number in numbers)
    require(rising, f"part_events to name some of {len(events)} events, one after the other", numbers)
    for count, part in parts(game, [decision], events)[-1:]:
        check_picture(game, part, int(decision.before.seat), events[:count], decision.before)
