"""Translation of the compiler's errors into sentences: the cause, the line of the game, and the remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from titan_env.testing.errors import BadGame

CURES = (
    (r"readonly array", "a table outside of a rule stays as it is; what changes belongs into the state"),
    (r"type of <class 'function'>|<class 'type'>", "decorate what a rule calls with @rule"),
    (r"type of <class 'module'>", "call what @rule, NumPy and math have, and draw(luck, sides) for chance"),
    (r"<class 'dict'>|<class 'set'>|DictType|reflected (list|set)|as a constant", "make it a table: np.array([...])"),
    (r"yield|generator|closure", "write a loop: any() and all() over a generator do not compile"),
    (r"[Uu]nknown attribute|fields that are there", "add the field to the dtype of the state"),
    (r"[Cc]annot unify|cannot be determined|has no attribute", "let a name hold one kind of number throughout"),
    (r"exception|Exception|SETUP_|with context|try", "rules raise and catch nothing: forbid it in legal"),
    (r"<class '", "let rules use numbers, records and arrays alone, and constants of these"),
)
"""Patterns of the causes that the compiler names, and their remedies; the first that matches applies."""

OTHERWISE = "let rules use numbers, records and arrays alone; NUMBA_DISABLE_JIT=1 plays them as plain Python"

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_NAMES = re.compile(r"(?<!<class )'[^']*'|\([^()]*, line \d+\)")
"""Names of the author's own in the line that names a cause: of variables, in quotes, and of files."""
_RAISED = re.compile(r"\.* Raised from (.+) \((\d+)\)$")
_PLACE = re.compile(r'File "([^"]+)", line (\d+):\n(?:.*\n)*?((?:.*)\n)\s*\^', re.MULTILINE)
_ENGINE = Path(__file__).parents[1] / "compiler"


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Turn an error of the compiler, or any other error inside this context, into a BadGame with one sentence."""
    try:
        yield
    except BadGame:
        raise
    except Exception as error:
        message = _COLOURS.sub("", str(error))
        reason, location = _reason(message), _location(message)
        cause = _NAMES.sub("", reason)
        cure = next((cure for pattern, cure in CURES if re.search(pattern, cause)), OTHERWISE)
        raise BadGame(f"expected {what} to compile, got {reason}{location}; {cure}") from error


def _reason(message: str) -> str:
    """Return the line of a compiler's error that names the cause."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    inner = [line for line in lines if re.match(r"\w*(Error|Exception): ", line)]
    plain = [line for line in lines if not line.startswith(("Failed in", "During", "File "))]
    reason = (inner or plain or lines or ["an error without a word"])[0].rstrip(".")
    return _RAISED.sub(lambda match: f" ({Path(match[1]).name}, line {match[2]})", reason)


def _location(message: str) -> str:
    """Return the first line of the game that an error names, in brackets; "" for none."""
    for file, line, text in _PLACE.findall(message):
        if not Path(file).resolve().is_relative_to(_ENGINE):
            return f" ({Path(file).name}, line {line}: {text.strip()})"
    return ""
