"""Validation of arguments that users give: seeds, limits, switches, positions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.contract.options import brief

_LONGEST_ERROR = 400


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """Shorten a TypeError or ValueError of the block to one line of some 400 letters: it may quote a value whole."""
    try:
        yield
    except (TypeError, ValueError) as error:
        message = " ".join(str(error).split())
        if message.startswith("Exceeds the limit"):  # Python's own, about an integer that an error was to quote
            raise ValueError("expected a value that can be written, got an integer of thousands of digits") from None
        if len(message) <= _LONGEST_ERROR and "\n" not in str(error):
            raise
        half = _LONGEST_ERROR // 2  # what was expected stands at the start, and what was meant, perhaps, at the end
        short = message if len(message) <= _LONGEST_ERROR else f"{message[:half]} ... {message[-half:]}"
        raise (TypeError if isinstance(error, TypeError) else ValueError)(short) from None


def expand_seeds(seeds: Any, games: int) -> Sequence[Any]:
    """Return one seed for each game: a list as given, or from one number ``seed, seed + 1, ...``, or all None.

    Raises ValueError for an invalid seed or a list of another length.
    """
    if not isinstance(seeds, (list, tuple, range, np.ndarray)) or getattr(seeds, "ndim", 1) == 0:
        first = check_seed(seeds)
        return [None] * games if first is None else range(first, first + games)
    if len(seeds) != games:
        raise ValueError(f"expected {games} seeds, one for each game, got {len(seeds)}; give one seed or {games}")
    return [check_seed(seed) for seed in seeds]


def check_seed(seed: Any) -> int | None:
    """Return a seed as an int, or None. Raises ValueError for anything but an integer from 0 on."""
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ValueError(f"expected a seed to be a whole number from 0 on, got {brief(seed)}")
    return int(seed)


MOST = int(np.iinfo(np.int64).max)
"""The largest integer that compiled loops take."""


def to_int64(numbers: Any) -> NDArray[Any]:
    """Convert integers (N,), some beyond int64, to int64 by clipping; anything else is converted by NumPy."""
    given = np.asarray(numbers, object)
    if not all(isinstance(number, (int, np.integer)) and not isinstance(number, bool) for number in given.flat):
        return np.asarray(numbers)
    return np.array([max(-MOST, min(MOST, int(number))) for number in given.flat], np.int64)


def check_integer(name: str, number: Any, least: int, most: int = MOST) -> int:
    """Return an integer as an int. Raises ValueError for anything else, or outside of `least` .. `most`."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not least <= number <= most:
        raise ValueError(f"expected {name} to be a number from {least} to {most}, got {brief(number)}")
    return int(number)


def check_limit(name: str, number: int | None, of: str) -> int | None:
    """Return a limit of decisions or steps as an int, or None. Raises ValueError unless it is an integer from 1 on."""
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or not 1 <= number <= MOST:
        raise ValueError(f"expected {name} to be a number of {of} from 1 to {MOST}, or None, got {brief(number)}")
    return int(number)


def is_truncated(states: np.recarray[Any, Any], max_cycles: int | None) -> bool:
    """Return whether a game (1,) that still runs has had all its decisions; None: it may have as many as it likes."""
    return max_cycles is not None and bool(states["over"][0] == 0 and states["decisions"][0] >= max_cycles)


def check_choice(name: str, value: str, known: Collection[str]) -> str:
    """Return a keyword's value. Raises ValueError unless it is one of those known."""
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"expected {name} to be one of {', '.join(known)}, got {brief(value)}")
    return value


def check_bool(name: str, value: bool) -> bool:
    """Return a keyword's value, True or False. Raises TypeError for anything else."""
    if not isinstance(value, bool):
        raise TypeError(f"expected {name} to be True or False, got {brief(value)}")
    return value


def check_buffer(name: str, buffer: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any] | None:
    """Return an array to write into, or None. Raises ValueError unless it can hold this shape and dtype."""
    if buffer is None:
        return None
    fits = isinstance(buffer, np.ndarray) and (buffer.shape, buffer.dtype) == (shape, dtype) and buffer.flags.writeable
    if not fits:
        got = f"{buffer.dtype} of shape {buffer.shape}" if isinstance(buffer, np.ndarray) else repr(type(buffer))
        raise ValueError(f"expected {name} to be a writeable array, {dtype} of shape {shape}, got {got}")
    return cast("NDArray[Any]", buffer)


def check_integer_observations(game: Game, whole: bool) -> bool:
    """Return `whole`: observe in integers. Raises ValueError if it is True for a game that observes in fractions."""
    if check_bool("whole", whole) and not game.rules.fields.whole:
        raise ValueError(f"expected whole=False: {game.metadata.title} observes in fractions, not in whole numbers")
    return whole


_MOST_QUOTED = 250
"""The bound on the letters of an error that may quote the text of a position."""


def parse_checked_position(game: Game, text: Any) -> np.recarray[Any, Any]:
    """Parse the text of a position from an untrusted source; return the validated state (1,).

    Raises ValueError for a text that is damaged, or whose position the rules could not play on from.
    """
    if not isinstance(text, str):
        raise ValueError(f"expected the text of a position, got {repr(text)[:_MOST_QUOTED]}")
    try:
        states = game.text.parse_position(text)
        game.text.validate_position(states[0])
    except OverflowError as error:
        raise ValueError(
            f"expected a position whose numbers fit the game, got one that is out of range: {error}"
        ) from None
    except ValueError as error:
        if len(str(error)) > _MOST_QUOTED:  # it quotes a text of any length
            raise ValueError(f"{str(error)[:_MOST_QUOTED]}...") from None
        raise
    return states
