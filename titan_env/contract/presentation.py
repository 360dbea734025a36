"""The look of a game as a value: its picture, its animation, and the form in which people begin it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from titan_env.contract.protocols import AnimationSteps, EditPosition, Picture, SetupForm


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """The look of a game; a part that is left out has a plain form, made of its text, or there is none."""

    picture: Picture = None  # type: ignore[assignment]
    """``picture(state, seat, events, before, narrow, names)``, or with fewer of these: the position as shapes.

    `seat` sees it (None: everything); `events` led here from `before`; `narrow` is for 360 pixels across;
    `names` of the players, in seat order, are known at most tables."""
    animation_steps: AnimationSteps | None = None
    """``animation_steps(before, events, after)``: how a long step is shown: after how many events, and the position.

    The step itself is shown last; none, or an empty list: it is shown at once. `picture` draws each of them."""
    setup_form: SetupForm = None  # type: ignore[assignment]
    """``setup_form()`` returns how people begin a game: presets, and options in words, some with pictures."""
    option_values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Values offered to people for each option, the usual one first."""
    edit_position: EditPosition | None = None
    """``edit_position(state, what, where)`` puts a thing of the picture on another, by their keys; "": off it."""
