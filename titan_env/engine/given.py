"""What people give a game: options, seeds, switches, positions. Each is checked, and refused in a sentence."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from titan_env.contract import Game
from titan_env.contract.options import unknown


def configured(game: Game, options: Mapping[str, Any], face: Callable[..., Any] | None = None) -> np.recarray[Any, Any]:
    """A game with these options before any chance, shape (1,). Raises TypeError for an unknown option.

    `face` is who got them among keywords of its own, which the error lists too.
    """
    for name in options:
        if name not in game.rules.options:
            own = inspect.signature(face).parameters.values() if face else ()
            known = [
                *game.rules.options,
                *(parameter.name for parameter in own if parameter.kind is parameter.KEYWORD_ONLY),
            ]
            raise unknown(name, known, game.metadata.title)
    return game.rules.configure(**options)


def each_seed(seeds: Any, games: int) -> Sequence[Any]:
    """One seed for each game: a single number stands for itself and those that follow it.

    None stands for no seed. Raises ValueError for what are no seeds.
    """
    if not isinstance(seeds, (list, tuple, range, np.ndarray)) or getattr(seeds, "ndim", 1) == 0:
        first = one_seed(seeds)
        return [None] * games if first is None else range(first, first + games)
    if len(seeds) != games:
        raise ValueError(f"expected {games} seeds, one for each game, got {len(seeds)}; give one seed or {games}")
    return [one_seed(seed) for seed in seeds]


def one_seed(seed: Any) -> int | None:
    """Return a seed as a plain number, None where none is given. Raises ValueError for what is no seed."""
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ValueError(f"expected a seed to be a whole number from 0 on, got {seed!r}")
    return int(seed)


def whole_number(name: str, number: Any, least: int) -> int:
    """Return a whole number as a plain one. Raises ValueError for anything else, or a lower one."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < least:
        raise ValueError(f"expected {name} to be a number from {least} on, got {number!r}")
    return int(number)


def limit(name: str, number: int | None, of: str) -> int | None:
    """Return a limit of so many decisions or steps, None where there is none. Raises ValueError for anything else."""
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
        raise ValueError(f"expected {name} to be a number of {of} from 1 on, or None, got {number!r}")
    return int(number)


def is_cut(states: np.recarray[Any, Any], max_cycles: int | None) -> bool:
    """Return whether a game (1,) that still runs has had all its decisions; None: it may have as many as it likes."""
    return max_cycles is not None and bool(states["over"][0] == 0 and states["decisions"][0] >= max_cycles)


def switch(name: str, value: bool) -> bool:
    """The value of a keyword that is on or off. Raises TypeError for anything else."""
    if not isinstance(value, bool):
        raise TypeError(f"expected {name} to be True or False, got {value!r}")
    return value


def whole_numbers(game: Game, whole: bool) -> bool:
    """Whether observations are handed out in whole numbers. Raises ValueError where the game has none."""
    if switch("whole", whole) and not game.rules.fields.whole:
        raise ValueError(f"expected whole=False: {game.metadata.title} observes in fractions, not in whole numbers")
    return whole


def read_checked(game: Game, text: Any) -> np.recarray[Any, Any]:
    """The position (1,) of a text that anybody may have written, fit to be played on.

    Raises ValueError where it is damaged, or nothing that the rules could go on from.
    """
    if not isinstance(text, str):
        raise ValueError(f"expected the text of a position, got {text!r}")
    states = game.text.parse_position(text)
    game.text.validate_position(states[0])
    return states
