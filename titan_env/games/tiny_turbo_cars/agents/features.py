"""The features of the situation in which a program is made: the own car, the time, and the rivals."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from titan_env.agents.afterstate import Array
from titan_env.games.tiny_turbo_cars.rules.actions import CARS
from titan_env.games.tiny_turbo_cars.rules.observation import MOST_LEAD, MOST_TO_GO
from titan_env.games.tiny_turbo_cars.rules.state import MOST_CARS

_OWN = (
    "two_players",
    "three_players",
    "four_players",
    "rivals_done",
    "rivals_programming",
    "last_programmer",
    "countdown",
    "slides_left",
    "counting",
    "to_line",
    "to_line_soon",
    "to_line_two_programs",
    "to_line_three_programs",
    "rounds_left",
    "line_pushes",
    "batteries",
    "shields",
    "lying",
    "slipping",
)
_RIVAL = ("seated", "lead", "to_line", "near_line", "batteries", "lying", "shields", "done", "asked")
_RIVALS = MOST_CARS - 1
SITUATION = (*_OWN, *CARS, *(f"rival_{number + 1}_{name}" for number in range(_RIVALS) for name in _RIVAL))
"""The names of its numbers; rivals in the order in which they lie, the foremost first."""

_LONG, _PROGRAM = 20.0, 14.0  # rows that stand for 1, and those of a good program
_TWO_PROGRAMS, _THREE_PROGRAMS, _NEAR = 15, 30, 12
"""Rows to the line beyond which two programs are needed, or three; and those that a rival will hardly miss."""


def situations(fields: Mapping[str, Array]) -> Array:
    """Return the features of B observations, (B, S), most of them from 0 to 1."""
    to_line, lead = fields["to_line"] * MOST_TO_GO, fields["lead"] * MOST_LEAD
    done = fields["token"].sum(axis=-1)
    own, rivals = _own(fields, to_line[:, 0], done), _rivals(fields, to_line, lead, done)
    return np.concatenate([own, fields["car"][:, 0], rivals], axis=1, dtype=np.float32)


def _own(fields: Mapping[str, Array], to_line: Array, done: Array) -> Array:
    """Return the features of the round and of the own car, (B, `_OWN`), its rows to the line given."""
    rivals = fields["seated"][:, 1:].sum(axis=1)
    rivals_done = done[:, 1:].sum(axis=1)
    own = [
        rivals == 1,
        rivals == 2,
        rivals == 3,
        rivals_done / _RIVALS,
        (rivals - rivals_done) / _RIVALS,
        fields["countdown"] > 0,
        np.minimum(fields["countdown"], 1),
        np.minimum(fields["slides_left"], 1),
        fields["counting"],
        to_line / _LONG,
        np.minimum(to_line, _PROGRAM) / _PROGRAM,
        to_line > _TWO_PROGRAMS,
        to_line > _THREE_PROGRAMS,
        np.minimum(fields["rounds_left"], 1),
        fields["line_pushes"],
        *(fields[name][:, 0] for name in ("batteries", "shields", "lying", "slipping")),
    ]
    return np.stack(own, axis=1)


def _rivals(fields: Mapping[str, Array], to_line: Array, lead: Array, done: Array) -> Array:
    """Return the features of each rival, the foremost first, (B, 3 * `_RIVAL`), from those of all cars."""
    each = [
        fields["seated"],
        lead / (_LONG / 2),
        np.minimum(to_line, _LONG + 5) / _LONG,
        to_line < _NEAR,
        *(fields[name] for name in ("batteries", "lying", "shields")),
        done,
        fields["acted"],
    ]
    features = np.stack(each, axis=-1) * fields["seated"][..., None]
    order = np.argsort(np.where(fields["seated"] > 0, -lead, np.inf)[:, 1:], axis=1, kind="stable") + 1
    return np.take_along_axis(features, order[..., None], axis=1).reshape(len(features), -1)
