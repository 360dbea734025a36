"""The look of a game as a value: its picture, its animation, and the form in which people begin it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from titan_env.contract.presentation_values import EditKeys
from titan_env.contract.protocols import (
    Dice,
    EditPosition,
    FirstGame,
    Forecast,
    Handovers,
    OwnPanel,
    PartEvents,
    Picture,
    Reminders,
    SeatNames,
    SetupForm,
    Tray,
    TurnTitle,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Presentation:
    """The look of a game; a part that is left out has a plain form, made of its text, or there is none."""

    picture: Picture = None  # type: ignore[assignment]
    """``picture(state, seat, events, before, narrow, names)``, or with fewer of these: the position as shapes.

    `seat` sees it (None: everything); `events` led here from `before`; `narrow` is for 360 pixels across;
    `names` of the players, in seat order, are known at most tables."""
    part_events: Collection[int] | PartEvents = ()
    """Kinds of events at which another part of a long step begins; or ``part_events(events)``, their numbers in a step.

    On the page, in films and animations `picture` draws the position as it stood when each of them was logged, with the
    events before it; the step itself is shown last. Empty: each step is shown at once."""
    setup_form: SetupForm = None  # type: ignore[assignment]
    """``setup_form()`` returns how people begin a game: presets, and options in words, some with pictures."""
    first_game: FirstGame | None = None
    """``first_game()`` returns a guided first game: options, seed, steps that point at things of the picture."""
    option_values: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Values offered to people for each option, the usual one first."""
    edit_position: EditPosition | None = None
    """``edit_position(state, what, where)`` puts a thing of the picture on another, by their keys; "": off it."""
    edit_keys: EditKeys = field(default_factory=EditKeys)
    """The kinds of things in the picture that `edit_position` moves, puts something on, or turns."""
    tray: Tray | None = None
    """``tray(state)`` returns the pieces that `edit_position` can add to a position; what is put off is there again."""
    color: tuple[str, str] | None = None
    """The game's own colour on the page, "#" and six hex digits, in the light and in the dark theme.

    It is read as text on the page and lies behind text: `check_game` holds its contrast at 4.5 with both."""
    seat_names: SeatNames | None = None
    """``seat_names(state)`` returns the name of each seat's piece or side: ``["Rassik", "Craken"]``.

    The page tells the end of a game with them; None: seats have numbers only."""
    own_panel: OwnPanel | None = None
    """``own_panel(state, seat)`` returns the key of the box in the picture that shows what belongs to a seat.

    On a phone the page shows it above the choices, since the picture is longer than the screen, and scrolls a tall
    board to what the box `shows` when the seat is asked."""
    handovers: Handovers | None = None
    """``handovers(state)`` returns the runs of questions that a person may leave to an agent, each with a key.

    An agent that was given one answers for the person as long as its key is returned. Keys are known to everybody."""
    reminders: Reminders | None = None
    """``reminders(state)`` returns what the seat to act has not done yet in its turn, each with a thing."""
    dice: Dice | None = None
    """``dice(before, events)`` returns the dice of a step from `before`, with what was to be expected of them."""
    turn_title: TurnTitle | None = None
    """``turn_title(state)`` returns the heading under which the log tells the decision at this state."""
    forecast: Forecast | None = None
    """``forecast(state)`` returns how likely each end is, by its name: ``{"The attacker wins": 0.6, ...}``.

    The page shows it beside the board in practice games, unless something is hidden from who looks; None: never."""
