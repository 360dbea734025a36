"""Play the built-in agents of a record again: the first decision that one would not have taken is named.

An agent that draws nothing decides the same in the same position, and one that scores actions takes one of the best.
Others are played with the generators of `watch` and of tournaments, which follow from the record's seed; elsewhere, as
on the page, nobody knows their generators, and only decisions without a draw are proven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from titan_env import agents
from titan_env.agents.scorer import Scorer
from titan_env.contract import Game
from titan_env.play.agent_calls import ask_agent
from titan_env.play.determinization import agent_rng
from titan_env.records.replay import Record, ReplayStep, positions
from titan_env.records.session import observation_of

_FROM_OUTSIDE = ("python", "process", "chat")
Generators = Callable[[int], np.random.Generator]
"""A function that returns the generator from which the agent in a seat draws."""


@dataclass(frozen=True)
class AgentCheck:
    """The decisions of an agent, played again: `own` are as it takes them, `unknown` ones hang on unknown draws.

    `other` says the first decision that it would not have taken; "" if there is none.
    """

    agent: str
    own: int = 0
    unknown: int = 0
    other: str = ""

    def __str__(self) -> str:
        if self.other:
            return f"{self.agent}: {self.other}"
        drawn = f"; {self.unknown} hang on draws that the record does not tell" if self.unknown else ""
        return f"{self.agent}: takes {self.own} of its {self.own + self.unknown} decisions again{drawn}"


def check_agents(record: Record) -> tuple[list[AgentCheck], list[str]]:
    """Return the checks of a record's built-in agents, and the names of all others who decided.

    Of the ways in which agents draw, the one counts by which most decisions are taken again.
    """
    moments = list(positions(record))
    deciders = sorted({_decider(record, moment) for moment in moments[1:]} - {""})
    built_in = {name: agents.load(name, record.game) for name in deciders if is_built_in(name, record.game)}
    best: list[AgentCheck] = []
    for generator_of in _generators(record) if built_in else ():
        checks = _played_again(record, moments, built_in, generator_of)
        if not best or _own(checks) > _own(best):
            best = checks
        if _own(best) == len(moments) - 1:
            break
    return best, [name for name in deciders if name not in built_in]


def _own(checks: Sequence[AgentCheck]) -> int:
    """Return the number of decisions that are taken again."""
    return sum(check.own for check in checks)


def is_built_in(name: str, game: Game) -> bool:
    """Return whether an agent comes with the package: its code, and its policy if it has one."""
    try:
        kind, parameters = agents.parse(name, game)
    except (ValueError, OSError):
        return False
    path = parameters.get("path")
    if kind in _FROM_OUTSIDE or (path is not None and Path(path) not in agents.shipped().values()):
        return False
    return all(is_built_in(part, game) for part in agents.parts(kind, parameters))


def _decider(record: Record, moment: ReplayStep) -> str:
    """Return the name of the agent that took a decision; "" for nobody's."""
    decision, names = moment.decision or {}, record.header["agents"]
    seat = decision["seat"]
    return str(decision.get("by") or (names[seat] if seat < len(names) else ""))


def _generators(record: Record) -> Iterator[Generators]:
    """Yield the ways in which agents draw: one generator for all in turn, or one for each seat by place in a block."""
    seed = record.header["seed"]
    shared = agent_rng(0 if seed is None else seed)
    yield lambda seat: shared
    for rotation in range(len(record.header["agents"]) if seed is not None else 0):
        made: dict[int, np.random.Generator] = {}
        yield partial(_of_seat, made, seed, rotation)


def _of_seat(made: dict[int, np.random.Generator], seed: int, rotation: int, seat: int) -> np.random.Generator:
    """Return the generator of a seat in one game of a block, which is made when it is first drawn from."""
    return made.setdefault(seat, agent_rng(seed, rotation, seat))


def _played_again(
    record: Record, moments: Sequence[ReplayStep], built_in: Mapping[str, Any], generator_of: Generators
) -> list[AgentCheck]:
    """Return the checks of built-in agents that draw from these generators."""
    own, unknown, other = Counter[str](), Counter[str](), dict[str, str]()
    for before, moment in pairwise(moments):
        decision, name = moment.decision, _decider(record, moment)
        if decision is None or name not in built_in:
            continue
        taken = record.game.rules.actions.numbers[decision["action"]]
        generator = generator_of(decision["seat"])
        drawn_before = generator.bit_generator.state
        choices = choices_of(record.game, before.states, built_in[name], generator)
        if taken in choices:
            own[name] += 1
        elif not isinstance(built_in[name], Scorer) and generator.bit_generator.state != drawn_before:
            unknown[name] += 1
        elif name not in other:
            texts = " or ".join(record.game.rules.actions.texts[action] for action in choices)
            other[name] = f"decision {decision['n']} is not its own: it takes {texts}, not {decision['action']}"
    return [AgentCheck(name, own[name], unknown[name], other.get(name, "")) for name in built_in]


def choices_of(game: Game, states: Any, agent: Any, generator: np.random.Generator) -> list[int]:
    """Return an agent's action in a position (1,), for the seat to act: all equally good ones of one that scores."""
    observations, mask = observation_of(game, states), game.rules.mask(states[0])
    action = int(ask_agent(agent, game, states, observations, mask[None], generator).actions[0])
    if not isinstance(agent, Scorer):
        return [action]
    scores = np.where(mask != 0, agent.scores(observations)[0], -np.inf)
    return np.flatnonzero(scores == scores[action]).tolist()
