"""The moments of a game that a seat may know of, with their decisions and events.

Private questions to other seats are left out. A step interrupted by a private question is shown as one: its decision,
and all events until the next question that everybody may know. A question that is answered in the open is no longer
private.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.engine.parts import Parts
from titan_env.records.replay import ReplayStep, parts_of


class Known(NamedTuple):
    """The moments that a viewer may know of among the first `settled` ones, of which no later decision changes that."""

    settled: int = 0
    shown: tuple[ReplayStep, ...] = ()
    since: tuple[ReplayStep, ...] = ()
    """Those after the last one that is shown."""
    following: ReplayStep | None = None
    """The moment after them: while it is there, none of them was taken back."""


def visible(
    game: Game, moments: Sequence[ReplayStep], viewer: int | None, known: Known | None = None
) -> tuple[list[ReplayStep], Known]:
    """Return the moments that `viewer` may know of (None: all), in order, and what a later call can go on from."""
    if known is None or known.settled >= len(moments) or moments[known.settled] is not known.following:
        known = Known()
    if viewer is None or game.rules.public_view is None:
        return list(moments), known
    shown, since, last = list(known.shown), list(known.since), len(moments) - 1
    for at in range(known.settled, last):
        since.append(moments[at])
        if at == 0 or not _is_hidden(game, moments, at, viewer):
            shown.append(_joined(since))
            since = []
    known = Known(last, tuple(shown), tuple(since), moments[last])
    if last == 0 or not _is_hidden(game, moments, last, viewer):
        shown.append(_joined([*since, moments[last]]))
    return shown, known


def _is_hidden(game: Game, moments: Sequence[ReplayStep], at: int, viewer: int) -> bool:
    """Return whether `viewer` may not know of the question at a moment, neither then nor later."""
    if not game.rules.is_private(moments[at].read, viewer):
        return False
    if at == len(moments) - 1:
        return True
    decision = moments[at + 1].decision
    assert decision is not None
    return game.action_text_for(moments[at].read, game.rules.actions.numbers[decision["action"]], viewer) is None


def _joined(moments: Sequence[ReplayStep]) -> ReplayStep:
    """Return successive moments as one: the first decision, all events, the last position."""
    if len(moments) == 1:
        return moments[0]
    events = np.concatenate([moment.events for moment in moments])
    return ReplayStep(moments[-1].states, moments[0].decision, events, moments)


def sentence_of_decision(game: Game, before: Any, decision: Mapping[str, Any], viewer: int | None) -> str | None:
    """Return the sentence of a decision that `viewer` may read (None: all); None if it may not know of it."""
    number = game.rules.actions.numbers[decision["action"]]
    return game.action_text_for(before, number, None if viewer == decision["seat"] else viewer)


def heard(game: Game, moment: ReplayStep, viewer: int | None) -> NDArray[np.int32]:
    """Return the events (n, 4) of a moment that `viewer` may know of, without making sentences where all may."""
    if viewer is None or game.text.describe_event_for is None:
        return moment.events
    return moment.events[np.array(is_heard(game, moment, viewer), np.bool_)]


def audible_parts(game: Game, before: Any, moment: ReplayStep, viewer: int | None) -> Parts:
    """Return the parts of the step to a moment that `viewer` may know of: events up to their end, and position.

    Where the event that begins another part is not heard there is no other part.
    """
    parts = parts_of(game, before, moment)
    if not parts or viewer is None:
        return parts
    known = is_heard(game, moment, viewer)
    counted = ((sum(known[:number]), state) for number, state in parts if known[number])
    return [(count, state) for count, state in counted if count]


def is_heard(game: Game, moment: ReplayStep, viewer: int | None) -> list[bool]:
    """Return of each event of a moment whether `viewer` may know of it."""
    return [game.event_text_for(moment.read, event, viewer) is not None for event in moment.events]
