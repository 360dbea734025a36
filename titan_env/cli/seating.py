"""One game at the table: its state, its chance, what has just happened, and agents in its seats."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import load
from titan_env.contract import Game, Over, heard, seeded
from titan_env.contract.reading import copied
from titan_env.engine.batch import refusal
from titan_env.engine.given import configured, read_checked
from titan_env.engine.hearing import Heard, Past, thought_of
from titan_env.engine.loops import divide
from titan_env.engine.worlds import Worlds, agents_rng
from titan_env.records.replay import Recorder

Agent = Callable[..., NDArray[np.int64]]


def read_options(pairs: Sequence[str]) -> dict[str, Any]:
    """Options such as ``titans=4`` or ``circuit=["a","b","c"]``: JSON where it is, else the text itself.

    >>> read_options(["titans=4", "circuit=random", "turn_limit=none", "grand_slam=true"])
    {'titans': 4, 'circuit': 'random', 'turn_limit': None, 'grand_slam': True}
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"expected an option such as name=value, got {pair!r}")
        if name.strip() in options:
            raise ValueError(f"expected {name.strip()} once, got it again: {pair!r}")
        options[name.strip()] = _read_value(value.strip())
    return options


def read_choices(pairs: Sequence[str]) -> dict[str, list[Any]]:
    """Options with several values each, such as ``titans=2,4,6``; a value may come more than once.

    >>> read_choices(["titans=2,4", "circuit=random", 'deck=["shield", "wings"],all'])
    {'titans': [2, 4], 'circuit': ['random'], 'deck': [['shield', 'wings'], 'all']}
    """
    choices: dict[str, list[Any]] = {}
    for pair in pairs:
        name, equals, values = (part.strip() for part in pair.partition("="))
        parts = [part.strip() for part in re.split(r",(?![^[]*\])", values)]  # not within a list
        if not name or not equals or not all(parts):
            raise ValueError(f"expected an option with its values such as name=value,value, got {pair!r}")
        if name in choices:
            raise ValueError(f"expected {name} once with all its values, got it again with {values}")
        choices[name] = [_read_value(part) for part in parts]
    return choices


def _read_value(text: str) -> Any:
    """A number, a truth, nothing, a list or a text."""
    words = {"none": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return json.loads(text)
    except ValueError:
        return text if "\n" in text or "," not in text else text.split(",")


class Seating:
    """One game between agents and people, with every event written down.

    It begins with a setup, or with the text of a `position`. Raises ValueError or TypeError for options or a
    position that cannot be played.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        options: dict[str, Any],
        record: Path | None = None,
        names: Sequence[str] = (),
        position: str | None = None,
    ) -> None:
        self.game = game
        self.rng = agents_rng(seed)
        self.luck = seeded([seed], game.luck)
        self.states = configured(game, options) if position is None else read_checked(game, position)
        self._log = np.zeros(1, game.log).view(np.recarray)
        self.mask = np.zeros(len(game.actions), np.int8)
        self._observation = np.zeros(game.fields.size, np.float32)
        self._thought: dict[str, Any] = {}
        self.events = heard(self._log[0])
        """What the latest action made happen, (n, 4)."""
        self.past = Past(game)
        if position is None:
            game.setup(self.state, self.luck[0])
        game.legal(self.state, self.mask)
        about: dict[str, Any] = {"options": options, "agents": names, "seed": seed, "position": position}
        self.recorder = Recorder(record, game, self.state, self.luck[0], **about)

    @property
    def state(self) -> Any:
        """The position."""
        return self.states[0]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.over != Over.RUNNING)

    def let_act(self, agent: Agent, go_on: Callable[[], None] = lambda: None) -> int:
        """What an agent decides for the seat that is asked; `go_on` raises where one that plans is to stop."""
        self.game.observe(self.state, int(self.state.seat), self._observation)
        divide(self._observation, self.game.fields.scales)
        shown = (self._observation[None], self.mask[None], self.rng)
        if hasattr(agent, "policy"):
            self._thought = self._thoughts(*agent.policy(*shown[:2]))
        if getattr(agent, "listens", False):
            worlds = Heard(self.game, self.states, self.rng, [self.past], go_on)
            chosen = int(agent(*shown, worlds)[0])
            self._thought = thought_of(worlds.thoughts[0])
            return chosen
        if getattr(agent, "plans", False):
            return int(agent(*shown, Worlds(self.game, self.states, self.rng, go_on))[0])
        return int(agent(*shown)[0])

    def _thoughts(self, chances: NDArray[np.float32], values: NDArray[np.float32]) -> dict[str, Any]:
        """What an agent expects, and how it weighs its likelier actions, for the record."""
        likely = [action for action in np.argsort(-chances[0])[:6] if chances[0, action] >= 0.005]
        weighed = {self.game.say(self.state, int(action)): round(float(chances[0, action]), 3) for action in likely}
        return {"value": round(float(values[0]), 3), "chances": weighed}

    def play(self, action: int, seat: int | None = None) -> list[str]:
        """Play one legal action and tell what happened, to this seat what it may hear; otherwise all of it.

        Raises IllegalAction before anything has changed.
        """
        self.decide(action)
        told = (self.game.told(self.state, event, seat) for event in self.events)
        return [sentence for sentence in told if sentence is not None]

    def decide(self, action: int) -> None:
        """Play one legal action. Raises IllegalAction before anything has changed."""
        if not 0 <= action < len(self.mask) or not self.mask[action]:
            raise refusal(self.game, self.state, action, self.mask)
        log, state, luck = self._log[0], self.state, self.luck[0]
        log.count = 0
        self.recorder.decide(state, action, **self._thought)
        self._thought = {}
        before = copied(self.states)
        self.game.step(state, action, luck, log)
        self.events = heard(log)
        self.past.add(before, action, copied(self.states), self.events)
        self.recorder.happened(state, luck)
        self.game.legal(state, self.mask)

    def result(self) -> str:
        """How the game has ended, as a sentence."""
        if self.state.over == Over.TRUNCATED:
            return "The game was cut short: nobody has won."
        winners = [f"player_{seat}" for seat in range(int(self.state.seats)) if self.state.won[seat]]
        return f"{' and '.join(winners) or 'Nobody has'} won after {int(self.state.decisions)} decisions."


def seat_names(names: str, seats: int) -> list[str]:
    """The names of agents around the table, again from the first where they are too few."""
    chosen = read_names(names)
    return [chosen[seat % len(chosen)] for seat in range(seats)]


def read_names(names: str) -> list[str]:
    """Agents by name, one after the other. A comma before a parameter belongs to the agent.

    >>> read_names("greedy:push=2,row=1,expert")
    ['greedy:push=2,row=1', 'expert']
    >>> read_names("policy:a,b.onnx;expert")
    ['policy:a,b.onnx', 'expert']
    """
    parts = names.split(";") if ";" in names else re.split(r",(?!\s*\w+=)", names)
    return [part.strip() for part in parts]


def seat_agents(game: Game, names: str, seats: int) -> list[Agent]:
    """The agents named, one after the other around the table, again from the first where they are too few."""
    agents = {name: load(name, game) for name in seat_names(names, seats)}
    return [agents[name] for name in seat_names(names, seats)]
