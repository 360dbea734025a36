"""A command's options are the fields of its dataclasses: name, type, default, bounds and help stand once."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import typer
from typer import Argument, Option

from tests.training import scripts
from titan_env.cli.console import given
from titan_env.cli.options import Bounds, GameOptions, Scripted, check_bounds, from_dataclasses, with_usual


@dataclass(frozen=True)
class Settings:
    """The settings of a run: data, network and training."""

    agent: Annotated[str, Argument()]
    """Agent that learns."""
    gamma: Annotated[float, Bounds(0, 1)] = 0.999
    """Discount factor
    per decision."""
    games: Annotated[int | None, Bounds(2)] = None
    """Number of games; left out, all."""
    layers: tuple[int, ...] = (64, 64)
    """Units of a hidden layer."""
    weights: Annotated[tuple[str, ...], Option("--weight")] = ()
    """Weights to tune."""
    over: Literal["decisions", "minutes"] = "decisions"
    """Unit of progress."""
    options: GameOptions = field(default_factory=dict)
    scripted: Scripted = ()
    game: str = "titan_race"


@dataclass(frozen=True)
class Further(Settings):
    """The same with a folder."""

    critic: bool = False
    """Give the value layers of its own."""
    out: Path = Path("runs")
    """Folder of the run."""


@dataclass(frozen=True)
class Beside:
    """Options beside the settings."""

    resume: Annotated[bool, Option("--resume")] = False
    """Continue the run."""


RECEIVED: list[tuple[Any, ...]] = []


@from_dataclasses
def main(context: typer.Context, settings: Further, beside: Beside) -> None:
    """Learn."""
    RECEIVED.append((settings, beside, given(context)))


def received(*typed: str) -> tuple[Further, Beside, set[str]]:
    """The other options of the command."""
    RECEIVED.clear()
    assert scripts.run(main, *typed) == (0, "")
    ((settings, beside, names),) = RECEIVED
    return settings, beside, names


def test_what_is_not_typed_has_the_default_of_its_field() -> None:
    assert received("greedy") == (Further("greedy"), Beside(), {"agent"})


def test_every_type_of_a_field_is_read() -> None:
    typed = "greedy --gamma 0.5 --games 3 --layers 8 --layers 16 --weight a --weight b* --over minutes --critic"
    more = [
        "-o",
        "titans=4",
        "--option",
        "laps=1",
        "--scripted",
        "greedy:push=2,row=1,random",
        "--out",
        "x",
        "--resume",
    ]
    settings, beside, names = received(*typed.split(), *more)
    assert settings == Further(
        "greedy",
        gamma=0.5,
        games=3,
        layers=(8, 16),
        weights=("a", "b*"),
        over="minutes",
        options={"titans": 4, "laps": 1},
        scripted=("greedy:push=2,row=1", "random"),
        critic=True,
        out=Path("x"),
    )
    assert beside == Beside(resume=True)
    assert {"layers", "options", "resume"} <= names
    assert "game" not in names


def test_no_agents_can_be_typed() -> None:
    assert with_usual(Settings("greedy", scripted=()), set()).scripted == ("greedy",)
    settings, _, names = received("greedy", "--scripted", "")
    assert with_usual(settings, names).scripted == ()


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (["--gamma", "1.5"], "Error: expected gamma up to 1, got 1.5"),
        (["--gamma", "nan"], "Error: expected gamma from 0 on, got nan"),
        (["--games", "1"], "Error: expected games from 2 on, got 1"),
        (["-o", "titans"], "Error: expected an option such as name=value, got 'titans'"),
    ],
)
def test_what_is_out_of_bounds_or_cannot_be_read_is_refused_in_one_line(typed: list[str], reason: str) -> None:
    assert scripts.run(main, "greedy", *typed) == (2, reason)


@pytest.mark.parametrize("values", [{"gamma": -1e-9}, {"gamma": math.inf}, {"games": 1}])
def test_the_same_bounds_hold_in_python(values: Mapping[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"expected {next(iter(values))} from"):
        check_bounds(Settings("greedy", **values))


def test_the_help_is_the_string_below_the_field_with_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    code, output = scripts.run(main, "--help")
    assert code == 0
    for sentence in (
        "Discount factor per decision (0 to 1). [default: 0.999]",
        "Number of games; left out, all (from 2 on).",
        "Give the value layers of its own.",
        "Folder of the run. [default: runs]",
        "Continue the run.",
        "Agent that learns. [required]",
    ):
        assert sentence in output
