"""Commands whose options are the fields of dataclasses, and the options that many commands share.

A field is an option of its name, type and default; the string below it is the help. Marks in its `Annotated` type add
the bounds of a number and how text is read; `typer.Argument` and `typer.Option` say what else typer knows.
"""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import math
import textwrap
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import MISSING, fields, is_dataclass, replace
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from typer import Argument, Option
from typer.models import ArgumentInfo, ParameterInfo

from titan_env import agents, registry
from titan_env.agents.name_grammar import split_names
from titan_env.cli.console import read_delegates, user_errors
from titan_env.engine.option_text import read_choices, read_options

C = TypeVar("C", bound=Any)


class Bounds(NamedTuple):
    """The mark of a number that lies between bounds, both included; it is finite."""

    low: float
    high: float = math.inf

    def __str__(self) -> str:
        """Return the bounds in words."""
        return f"from {self.low:g} on" if self.high == math.inf else f"{self.low:g} to {self.high:g}"


class FromTexts(NamedTuple):
    """The mark of a field that is read from a repeatable option: from all its texts at once."""

    read: Callable[[Sequence[str]], Any]
    kind: Any = list[str] | None


class FromText(NamedTuple):
    """The mark of a field that is read from one text."""

    read: Callable[[str], Any]
    kind: Any = str | None


class _Field(NamedTuple):
    """A field of a dataclass as an option: its type on the command line, and what makes its value of what is typed."""

    name: str
    kind: Any
    default: Any
    info: Any
    bounds: Bounds | None
    read: Callable[[Any], Any] = lambda value: value

    @property
    def parameter(self) -> Parameter:
        """The parameter of the command."""
        default = Parameter.empty if self.default is MISSING else self.default
        return Parameter(self.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[self.kind, self.info])


def from_dataclasses(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the fields of its dataclass parameters as options, beside its other parameters.

    A ValueError of a dataclass or of a reading function is an error of the command in one line.
    """
    hints = get_type_hints(command, include_extras=True)
    kinds = {name: kind for name, kind in hints.items() if is_dataclass(kind)}

    @functools.wraps(command)
    def typed(**values: Any) -> None:
        with user_errors():
            made = {name: _made(kind, values) for name, kind in kinds.items()}
        command(**{name: value for name, value in values.items() if name in hints}, **made)

    parameters = [
        parameter
        for name, kind in hints.items()
        if name != "return"
        for parameter in (
            [field.parameter for field in _fields(kind)]
            if name in kinds
            else [Parameter(name, Parameter.KEYWORD_ONLY, annotation=kind)]
        )
    ]
    typed.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    typed.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return typed


def check_bounds(config: Any) -> None:
    """Raise ValueError for a number in a dataclass that is out of its bounds, or not finite."""
    kind: Any = type(config)
    for field in _fields(kind):
        value = getattr(config, field.name)
        if field.bounds is None or value is field.default is None:
            continue
        if not field.bounds.low <= value < math.inf:
            raise ValueError(f"expected {field.name} from {field.bounds.low:g} on, got {value}")
        if value > field.bounds.high:
            raise ValueError(f"expected {field.name} up to {field.bounds.high:g}, got {value}")


def _made(kind: Any, values: Mapping[str, Any]) -> Any:
    """Return a dataclass made of what was typed; a field of which nothing was typed has its default."""
    typed = [(field, values.get(field.name)) for field in _fields(kind)]
    made = kind(**{field.name: field.read(value) for field, value in typed if value not in (None, [])})
    check_bounds(made)
    return made


@functools.cache
def _fields(kind: Any) -> tuple[_Field, ...]:
    """Return the fields of a dataclass as options."""
    hints, docstrings = get_type_hints(kind, include_extras=True), dict(_docstrings(kind))
    return tuple(_field(field, hints[field.name], docstrings.get(field.name, "")) for field in fields(kind))


def _field(field: Any, hint: Any, docstring: str) -> _Field:
    """Return one field as an option; a mark takes the place of an earlier one of its kind."""
    kind, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    info = copy(_last(marks, ParameterInfo) or Option())
    info.help = info.help or docstring
    bounds, reading = _last(marks, Bounds), _last(marks, (FromTexts, FromText))
    if bounds is not None:
        info.help = f"{info.help.removesuffix('.')} ({bounds})."
    default = field.default
    if reading is not None:
        default = MISSING if default is MISSING and field.default_factory is MISSING else None
        return _Field(field.name, reading.kind, default, info, bounds, reading.read)
    if get_origin(kind) is tuple:
        if default is not MISSING:
            default = None if isinstance(info, ArgumentInfo) else list(default) or None
        return _Field(field.name, list[get_args(kind)[0]] | None, default, info, bounds, tuple)  # type: ignore[misc]
    return _Field(field.name, kind, default, info, bounds)


def _last(marks: Sequence[Any], kind: Any) -> Any:
    """Return the last mark of a kind; None without one."""
    return next((mark for mark in reversed(marks) if isinstance(mark, kind)), None)


def _docstrings(kind: Any) -> Iterator[tuple[str, str]]:
    """Yield the strings that stand below the fields of a dataclass and of its bases, with the names of the fields."""
    bases: Iterator[Any] = filter(is_dataclass, reversed(kind.__mro__))
    for base in bases:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
        for statement, after in itertools.pairwise(getattr(tree, "body", [])):
            match statement, after:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    yield name, " ".join(text.split())


def with_usual(config: C, typed: Collection[str]) -> C:
    """Return a config with the game's default agent as the scripted one where none was typed."""
    if "scripted" in typed:
        return config
    return replace(config, scripted=(agents.default_agent(registry.load(config.game)),))


DEFAULT_GAME = next(iter(registry.GAMES))
GameName = Annotated[str, Option(help="Game: by name, or module:NAME from outside.")]
GameArgument = Annotated[str, Argument(help="Game: by name, or module:NAME from outside.")]
GameOptions = Annotated[
    dict[str, Any],
    Option("--option", "-o", help="Option of the game: name=value, the same in every game; repeatable."),
    FromTexts(read_options),
]
Choices = Annotated[
    Mapping[str, Sequence[Any]],
    Option(help="Option of the game and its values: name=value,value; every combination is a table; repeatable."),
    FromTexts(read_choices),
]
Also = Annotated[Choices, Option(help="Tables besides, each with one of these options only: name=value,value.")]
Delegates = Annotated[
    Mapping[str, str] | None,
    Option(help="Question that an agent answers in the learner's seats: roll=expert; repeatable."),
    FromTexts(read_delegates),
]
Scripted = Annotated[
    tuple[str, ...],
    Option(help="Reference agents in some of the seats: greedy:push=2,expert; left out, the game's default agent."),
    FromText(lambda text: tuple(filter(None, split_names(text)))),
]
Resume = Annotated[bool, Option("--resume", help="Continue the run in the folder --out.")]
Over = Annotated[tuple[str, ...], Option(help="Option and its values: one comparison for each; repeatable.")]
TableFile = Annotated[Path | None, Option(help="Also write the table: a .md file.")]
