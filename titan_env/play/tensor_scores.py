"""Agents that score actions, among games on a device: their rules are kernels, and torch traces code of NumPy.

So the greedy agents of games play on a GPU where one rule, or nothing but NumPy, computes their scores. Other code runs
on the processor.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Fields
from titan_env.engine.devices import Column, Device, KernelDevice, column
from titan_env.extras import extra
from titan_env.play.best_actions import best_actions
from titan_env.play.score_rules import ScoreRule

with extra("training"):
    import torch

Scores = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""The scores of actions (B, A) from observations (B, F)."""

_EXAMPLES = 17
"""Rows of the observations that are traced."""


def scores_on(device: Device, agent: Any, fields: Fields, num_games: int) -> TensorScores | KernelScores:
    """Return the scores of an agent that scores actions, among so many games on a device."""
    rule: ScoreRule | None = getattr(agent, "rule", None)
    if rule is not None and isinstance(device, KernelDevice):
        return KernelScores(rule, rule.counted(agent.weights), fields, num_games, device)
    return TensorScores(agent.scores, fields, device.name)


class KernelScores:
    """The scores of an agent's rule among games on a device, from observations (B, F), whole or in fractions."""

    def __init__(
        self, rule: ScoreRule, weights: tuple[float, ...], fields: Fields, num_games: int, device: KernelDevice
    ) -> None:
        self._loop, self._weights, self._device = rule.loop, weights, device
        self._divisors = torch.from_numpy(fields.divisors).to(device.name)
        kind = device.layout(rule.scratch)
        self._scratch = Column(torch.zeros((num_games, kind.itemsize), dtype=torch.uint8, device=device.name), kind)
        self._scores = torch.empty((num_games, rule.actions), device=device.name)

    def best(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return which actions are legal and have the highest score of their row, as `best_actions`: int8 (B, A)."""
        seen, scores = _fractions(observations, self._divisors), self._scores[: len(observations)]
        arguments = (column(seen.contiguous()), self._scratch, self._weights, column(scores))
        self._device.run_bound(self._loop, len(seen), *arguments)
        return _best(scores, masks)


class TensorScores:
    """The scores of an agent among games on a device, from observations (B, F), whole or in fractions.

    `is_traced` is whether the device computes them. Its sums may round otherwise than the processor's.
    """

    def __init__(self, scores: Scores, fields: Fields, device: str) -> None:
        self._scores = scores
        self._divisors = torch.from_numpy(fields.divisors).to(device)
        self._program: Callable[[torch.Tensor], torch.Tensor] | None = None
        if torch.device(device).type != "cpu":
            with suppress(ValueError):
                self._program = trace(scores, fields, device)
        self.is_traced = self._program is not None

    def best(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return which actions are legal and have the highest score of their row, as `best_actions`: int8 (B, A)."""
        observations = _fractions(observations, self._divisors)
        if self._program is None:
            best = best_actions(self._scores(observations.cpu().numpy()), masks.cpu().numpy())
            return torch.from_numpy(best.view(np.int8)).to(masks.device)
        return _best(self._program(observations), masks)


def _fractions(observations: torch.Tensor, divisors: torch.Tensor) -> torch.Tensor:
    """Return observations in fractions."""
    return observations if observations.is_floating_point() else observations / divisors


def _best(scores: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return which actions are legal and have the highest score of their row, int8 (B, A)."""
    legal = torch.where(masks != 0, scores, -torch.inf)
    return ((legal == legal.amax(1, keepdim=True)) & (masks != 0)).to(torch.int8)


def trace(scores: Scores, fields: Fields, device: str) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return a function of tensors on a device that computes what a function of NumPy does.

    Raises ValueError for code that torch cannot trace, or computes otherwise.
    """
    low, high = fields.bounds()
    example = torch.from_numpy(np.random.default_rng(0).uniform(low, high, (_EXAMPLES, fields.size)).astype(np.float32))
    torch._dynamo.maybe_mark_dynamic(example, 0)
    graph, arguments = _graph_of(scores, example)
    constants = [value.to(device) if isinstance(value, torch.Tensor) else value for value in arguments]
    sizes = [place for place, value in enumerate(arguments) if isinstance(value, int)]
    tensors = [place for place, value in enumerate(arguments) if isinstance(value, torch.Tensor)]
    seen = next(place for place in tensors if arguments[place].data_ptr() == example.data_ptr())

    def run(observations: torch.Tensor, given: list[Any] = constants) -> torch.Tensor:
        filled = given.copy()
        filled[seen] = observations
        for place in sizes:
            filled[place] = len(observations)
        with torch.device(observations.device):
            found: torch.Tensor = graph(*filled)[0]
        return found

    for rows in (example, example[:2], example[:1]):
        try:
            found = run(rows, arguments).numpy()
        except RuntimeError:
            raise ValueError(f"expected scores that torch can trace for any number of rows, not {_EXAMPLES}") from None
        if not np.allclose(found, scores(rows.numpy()), 1e-4, equal_nan=True):
            raise ValueError("expected torch to compute the scores that NumPy does, got others")
    return run


def _graph_of(scores: Scores, example: torch.Tensor) -> tuple[Callable[..., Any], list[Any]]:
    """Return the operations on tensors of a function of NumPy, and their arguments where it gets the example.

    Raises ValueError for code that torch cannot trace.
    """
    captured: list[tuple[Callable[..., Any], list[Any]]] = []

    def capture(graph: torch.fx.GraphModule, _: list[Any]) -> Callable[..., Any]:
        def first_call(*arguments: Any) -> Any:
            captured.append((graph.forward, list(arguments)))
            return graph.forward(*arguments)

        return first_call

    def program(observations: torch.Tensor) -> torch.Tensor:
        return torch.as_tensor(scores(observations.numpy()))

    program.__code__ = program.__code__.replace()  # torch keeps what it has traced by the code object
    try:
        with torch._dynamo.config.patch(automatic_dynamic_shapes=False, specialize_float=True):
            torch.compile(program, backend=capture, fullgraph=True)(example)
    except Exception as error:  # the code of an agent may raise anything at an example that is no position
        reason = str(error).partition("\n")[0]
        raise ValueError(f"expected scores that torch can trace, made by NumPy alone, got others: {reason}") from None
    return captured[0]
