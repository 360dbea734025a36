"""An agent in processes of its own, one for each seat of each game: ``process:my_agent.py``, ``process:"node my.js"``.

A file ``.py`` is one that ``python:FILE`` plays too; anything else is a command whose program need not be Python. It
gets bytes on its standard input and answers with a line each:

- first a line ``titan_env 1 GAME FIELDS ACTIONS RANDOM RANDOM``, with two random numbers of 128 bits to draw from; its
  answer is ``ready``;
- for each decision FIELDS float32 (little-endian), the observation, and ACTIONS bytes, 1 for each legal action; its
  answer is the number of an action;
- if it is a planner from a Python file, after the mask also one imagined position, as its record in bytes, from which
  it imagines others by itself;
- at the end of the game the end of the file.

The state of the game, the referee's memory, modules and environment, other seats and other games are out of its reach.
What a planner cannot know is drawn anew by the referee, from a generator that it does not have, before a position
leaves it.
A decision takes at most `seconds`, and `processor` seconds of all of its processes; one that takes more, or is answered
with no legal number, is forfeited: drawn at random and counted by cause. An agent that died, was late or said too much
is started anew, `STARTS` times in a game at most; then it forfeits the rest.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.process.launcher import (
    CAUSES,
    DIED,
    ILLEGAL,
    PROCESSOR,
    UNREADABLE,
    AgentProcess,
    Forfeited,
    launcher_of,
)
from titan_env.compiler.record_copies import as_bytes
from titan_env.contract import Game
from titan_env.contract.options import brief
from titan_env.play.determinization import Determinizations, agent_rng

STARTS = 3
START_SECONDS = 60.0
_GREETING = "titan_env 1"
_MOST_REPORTED = 1 << 20  # letters of the list of an agent's files
_LETTERS_SHOWN = 200

_PLANS: dict[tuple[str, Path, int], bool] = {}  # of this process, by game, file and its time
_COUNTS: defaultdict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)  # of this process, by game and agent


@dataclass
class Clock:
    """The processor time and the wall time of an agent's decisions, in milliseconds, and their number."""

    milliseconds: float = 0.0
    waited: float = 0.0
    decisions: int = 0

    def a_decision(self) -> tuple[float, float]:
        """Return the processor time and the wall time of a decision."""
        return self.milliseconds / max(1, self.decisions), self.waited / max(1, self.decisions)


@dataclass
class _Seat:
    """A seat of a game: its generator, the first request of its processes, the one that runs, and how many began."""

    rng: np.random.Generator
    greeting: bytes
    process: AgentProcess | None = None
    starts: int = 0


@dataclass(frozen=True)
class Report:
    """The files that an agent consists of, and whether it plans."""

    files: list[Path]
    plans: bool


class ProcessAgent:
    """The agent. A seat of a game is known by its generator, and has a process of its own until `end_games`."""

    at_once = False
    most_games = 64

    def __init__(self, game: Game, path: str, seconds: float, processor: float) -> None:
        self._game, self._limits = game, (seconds, processor)
        self._program = [] if _is_hosted(path) else shlex.split(path)
        self._path = path
        self._seats: dict[int, _Seat] = {}
        self.clock = Clock()
        self.counts = _COUNTS[game.id, path, seconds, processor]

    @property
    def plans(self) -> bool:
        """Return whether it is a planner in a Python file, which takes imagined worlds; the first call starts it."""
        if self._program:
            return False
        file = Path(self._path)
        key = (self._game.id, file, file.stat().st_mtime_ns)
        if key not in _PLANS:
            try:
                _PLANS[key] = self.report().plans
            except ValueError:
                return False  # it does not start, and forfeits
        return _PLANS[key]

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations | None = None,
    ) -> NDArray[np.int64]:
        """Return the answers of the seat with this generator, one after the other, (B,)."""
        if id(rng) not in self._seats:
            self._seats[id(rng)] = _Seat(rng, self._greeting(rng, hides=worlds is not None))
        seat = self._seats[id(rng)]
        imagined = [b""] * len(masks) if worlds is None else [row.tobytes() for row in as_bytes(worlds.states)]
        rows = zip(observations, masks, imagined, strict=True)
        return np.array([self._decide(seat, *row) for row in rows], np.int64)

    def _greeting(self, rng: np.random.Generator, hides: bool = False) -> bytes:
        """Return the first line that a process gets: its numbers are the generator's, or a hash that hides them.

        A planner's worlds are drawn from the generator, which it could turn back.
        """
        rules, state = self._game.rules, rng.bit_generator.state["state"]
        if hides:
            state = agent_rng(state["state"], state["inc"]).bit_generator.state["state"]
        sizes = f"{rules.fields.size} {len(rules.actions)}"
        return f"{_GREETING} {self._game.id} {sizes} {state['state']} {state['inc']}\n".encode()

    def _decide(self, seat: _Seat, observation: NDArray[np.float32], mask: NDArray[np.int8], imagined: bytes) -> int:
        """Return the answer of a seat, or a legal action drawn at random for what it forfeits."""
        self.counts["decisions"] += 1
        self.clock.decisions += 1
        try:
            action = self._answer(seat, observation.astype("<f4").tobytes() + (mask != 0).tobytes() + imagined)
            if not (0 <= action < len(mask) and mask[action]):
                raise Forfeited(ILLEGAL)
        except Forfeited as error:
            self.counts.update(["drawn", error.cause])
            if error.cause not in (ILLEGAL, PROCESSOR, UNREADABLE) and seat.process is not None:
                seat.process.end()
                seat.process = None
            return int(seat.rng.choice(np.flatnonzero(mask)))
        return action

    def _answer(self, seat: _Seat, request: bytes) -> int:
        """Return the number that a seat's process answers. Raises Forfeited."""
        if seat.process is None:
            if seat.starts == STARTS:
                raise Forfeited(DIED)
            seat.starts += 1
            seat.process = AgentProcess(launcher_of(self._game), path=self._path, program=self._program, report=False)
            if seat.process.ask(seat.greeting, START_SECONDS, START_SECONDS) != b"ready":
                raise Forfeited(DIED)
        try:
            answer = seat.process.ask(request, *self._limits)
        finally:
            self.clock.milliseconds += seat.process.milliseconds
            self.clock.waited += seat.process.waited
        try:
            return int(answer)
        except ValueError:
            raise Forfeited(UNREADABLE) from None

    def end_games(self) -> None:
        """End the processes of all games."""
        for seat in self._seats.values():
            if seat.process is not None:
                seat.process.end()
        self._seats.clear()

    def report(self) -> Report:
        """Start the agent, and return what it consists of. Raises ValueError if it does not start."""
        process = AgentProcess(launcher_of(self._game), path=self._path, program=self._program, report=True)
        try:
            greeting = self._greeting(np.random.default_rng(0))
            reply = process.ask(greeting, START_SECONDS, START_SECONDS, _MOST_REPORTED).decode("utf-8", "replace")
        except Forfeited as error:
            reply = error.cause
        finally:
            process.end()
        word, _, files = reply.partition(" ")
        if word != "ready":
            raise ValueError(f"expected an agent that starts and says ready, got {brief(reply[:_LETTERS_SHOWN])}")
        if self._program:
            found = [Path(shutil.which(self._program[0]) or ""), *map(Path, self._program[1:])]
            return Report([file for file in found if file.is_file()], plans=False)
        known = json.loads(files)
        return Report([Path(file) for file in known["files"]], known["plans"])

    @staticmethod
    def usage_summary(counts: Mapping[str, int]) -> str:
        """Return such counters as a sentence."""
        causes = ", ".join(f"{counts[cause]:,} {cause}" for cause in CAUSES if counts.get(cause))
        details = f" ({causes})" if causes else ""
        return f"{counts['decisions']:,} decisions, {counts.get('drawn', 0):,} forfeited and drawn at random{details}"


def _is_hosted(path: str) -> bool:
    """Return whether a path is that of a Python file with a function ``make(game)``, and no command."""
    return Path(path).suffix == ".py" and Path(path).is_file()


def make(game: Game, path: str = "", seconds: float = 10, processor: float = 10) -> ProcessAgent:
    """Return the agent. Raises ValueError for a file or a program that is missing, and for limits out of range."""
    words = shlex.split(path)
    if not _is_hosted(path) and not (words and shutil.which(words[0])):
        example = "the file of an agent or a command, as in process:my_agent.py"
        raise ValueError(f"expected {example}, found no {path or 'path'}")
    if seconds <= 0 or processor <= 0:
        raise ValueError(f"expected seconds and processor above 0, got {seconds:g} and {processor:g}")
    return ProcessAgent(game, path, seconds, processor)
