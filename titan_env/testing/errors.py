"""The errors of the checks: one sentence with the expectation, the result, and the remedy."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn


class BadGame(AssertionError):
    """The error for a game that violates the contract."""


def require(kept: object, expected: str, got: object, write: str = "") -> None:
    """Raise BadGame unless `kept` is true."""
    if not kept:
        raise BadGame(f"expected {expected}, got {got}{write and '; '}{write}")


@contextmanager
def doing(what: str, beyond: str = "") -> Iterator[None]:
    """Turn any error of a game's part into a BadGame; `beyond` is the remedy for an access out of bounds."""
    try:
        yield
    except BadGame:
        raise
    except IndexError as error:
        _tell(f"{what} to stay within its arrays", error, beyond)
    except OverflowError as error:
        _tell(f"{what} to write numbers that fit where they go", error)
    except RuntimeWarning as error:
        _tell(f"{what} to compute within its types", error, "widen with int(...) before you add or multiply")
    except Exception as error:
        _tell(f"{what} to raise nothing", error)


def _tell(expected: str, error: BaseException, write: str = "") -> NoReturn:
    """Raise BadGame with the line of the game that raised the error."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}, line {frame.lineno}: {frame.line}"
    got = f"{type(error).__name__}: {error} ({where})"
    raise BadGame(f"expected {expected}, got {got}{write and '; '}{write}") from error
