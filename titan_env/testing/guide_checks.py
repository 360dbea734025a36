"""Checks of a game's guided first game: it can be begun, and every step points at something when it comes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.contract.presentation_values import CHOICES, GUIDE_STEPS, FirstGameData, GuideStep
from titan_env.engine.game_setup import GameSetup
from titan_env.pictures.render import shapes_of
from titan_env.records.session import GameSession
from titan_env.testing.errors import doing, require

PERSON_SEAT = 0
_TRIES = 5
"""Games that are followed with random choices."""


class GuideMoment(NamedTuple):
    """A step of a guided first game, and the position in which it comes."""

    step: GuideStep
    state: Any
    events: NDArray[np.int32]
    """The events that led to the position, (n, 4)."""
    before: Any
    """The position before them; None at the start."""


Decide = Callable[[GameSession, GuideStep | None], int]
"""``decide(session, step)`` returns an action for the seat to act; `step` waits for it, if it is the person's."""


def follow(game: Game, first: FirstGameData, decide: Decide) -> Iterator[GuideMoment]:
    """Play a guided first game until its last step has come, and yield each step when it does, as the page shows it."""
    session = GameSession(GameSetup.of(game, first.options), first.seed)
    left, before = list(first.steps), None
    while left and not session.is_over:
        waits = None
        if int(session.state.seat) == PERSON_SEAT:
            while left and waits is None and left[0].question in (0, int(session.state.ask)):
                step = left.pop(0)
                yield GuideMoment(step, session.state.copy(), session.events, before)
                waits = step if step.question else None
        before = session.state.copy()
        session.decide(decide(session, waits))


def check_first_game(game: Game) -> None:
    """Raise BadGame if a game's guided first game, where it has one, cannot be followed to its last step."""
    if game.presentation.first_game is None:
        return
    with doing("first_game"):
        first = game.presentation.first_game()
    require(len(first.steps) >= GUIDE_STEPS, f"first_game to have at least {GUIDE_STEPS} steps", len(first.steps))
    for step in first.steps:
        is_one = re.fullmatch(r"[^.!?]+[.!?]", step.text)
        require(is_one, "each step of first_game to be one sentence", repr(step.text))
        is_asked = step.question in list(game.rules.asks)
        require(is_asked, "questions of first_game to be of the game's asks", step.question)
    with doing(f"configure to take the options of first_game ({dict(first.options)})"):
        game.rules.configure(**first.options)
    came = max(_followed(game, first, seed) for seed in range(_TRIES))
    late = f"every step of first_game to come in one of {_TRIES} games of random choices"
    require(came == len(first.steps), late, f"{came} of {len(first.steps)}")


def _followed(game: Game, first: FirstGameData, seed: int) -> int:
    """Follow the guide with random choices; return the number of steps that came before the game was over."""
    rng = np.random.default_rng(seed)
    moments = list(follow(game, first, lambda session, _step: int(rng.choice(np.flatnonzero(session.mask)))))
    for moment in moments:
        check_pointed_at(game, moment)
    return len(moments)


def check_pointed_at(game: Game, moment: GuideMoment) -> None:
    """Raise BadGame unless the thing that a step points at is in the wide picture and in the narrow one."""
    step, state, events, before = moment
    for narrow in (False, True):
        shapes = shapes_of(game, state, PERSON_SEAT, events, before, narrow, ["somebody"] * int(state.seats))
        keys = {shape.key for shape in shapes} - {""}
        begins = step.at[:-1] if step.at.endswith("*") else None
        is_there = step.at in keys if begins is None else any(key.startswith(begins) for key in keys)
        expected = (
            f"{step.at!r} to be in the {'narrow' if narrow else 'wide'} picture when its step comes ({step.text})"
        )
        require(is_there or step.at == CHOICES, expected, ", ".join(sorted(keys))[:400])
