"""The frame of a rule: the bookkeeping that every game needs around its own `setup`, `step` and `imagine`.

It stands where a rule is declared (`titan_env.contract.Rules`), so that each caller gets the framed rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from titan_env.compiler.jit import rule, specialize, typed_rule
from titan_env.contract.header import SILENT
from titan_env.contract.luck import begin

setup: Any = None
step: Any = None
imagine: Any = None


def framed_setup(state: Any, luck: Any) -> None:
    """Set a configured state up; answers of chance from before are forgotten, and no preset answer is left over."""
    begin(luck)
    setup(state, luck)
    luck.given = 0


def framed_step(state: Any, action: int, luck: Any, log: Any) -> None:
    """Play one legal decision and count it; the log begins empty, and nothing is asked when the game is over."""
    begin(luck)
    if log.count != SILENT:
        log.count = 0
    state.decisions += 1
    step(state, action, luck, log)
    if state.over:
        state.ask = 0
    luck.given = 0


def framed_imagine(state: Any, seat: int, luck: Any) -> None:
    """Draw anew what a seat cannot know; answers of chance from before are forgotten."""
    begin(luck)
    imagine(state, seat, luck)
    luck.given = 0


FRAMES: Mapping[str, Callable[..., None]] = {"setup": framed_setup, "step": framed_step, "imagine": framed_imagine}
"""The frame of each rule that has one."""


def compiled(name: str, function: Callable[..., None], kinds: Iterable[tuple[Any, ...]]) -> Callable[..., None]:
    """Return a rule of a game in its frame, compiled when it is called, for these kinds of arguments and no others."""
    written = written_by_the_game(function)
    if not hasattr(getattr(written, "py_func", written), "__code__"):
        return function
    written = written if hasattr(written, "py_func") else rule(written)
    return typed_rule(specialize(FRAMES[name], {name: written}) if name in FRAMES else written, *kinds)


def written_by_the_game(function: Any) -> Any:
    """Return the function that stands within the frame of a rule; the function itself where there is none."""
    frames = {frame.__code__ for frame in FRAMES.values()}
    is_frame = getattr(getattr(function, "py_func", function), "__code__", None) in frames
    return function.bound_rules[0] if is_frame else function
