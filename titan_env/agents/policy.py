"""A trained policy from a small ONNX file: needs onnxruntime (the extra ``policy``), not torch.

``ppo@<game>-v0`` is a policy that comes with this package; ``policy:path/to/policy.onnx`` any other, one that remembers
(`RecurrentPolicy`) too, and ``policy:hf://owner/repo/policy.onnx@<sha256>`` one from a hub. With
``bits=8`` (``ppo@<game>-v0:bits=8``) its first layers are calculated in whole numbers: quicker, but not quite the same.
"""

from __future__ import annotations

import functools
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.hub import downloaded
from titan_env.agents.logits import chances_of, chosen_by
from titan_env.agents.quantized import quantize
from titan_env.agents.recurrent import Answers, RecurrentAgent
from titan_env.agents.score_features import Adviser
from titan_env.contract import Game
from titan_env.engine.macro_view import MacroView, action_logits, candidate_masks
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.schema import Schema, check
from titan_env.extras import extra

_SEAL = b"\x72\x4c\x0a\x08checksum\x12\x40"
"""The bytes before the checksum at the end of a file: to ONNX a metadata field named "checksum", of 64 letters."""
FLOATS, QUANTIZED = 32, 8
"""Bits in which the first layers are calculated: as floats, or as whole numbers."""
MEMORY = ("memory", "memory_after")
"""The input and the output of a network that remembers, beside those of all policies."""
COLDEST, HOTTEST = 1e-3, 1e3  # temperatures above 0: what is drawn stays finite


def seal(network: bytes) -> bytes:
    """Return an ONNX file that ends in the checksum of all that is before it."""
    return network + _SEAL + hashlib.sha256(network).hexdigest().encode()


def is_sealed(data: bytes) -> bool:
    """Return whether the checksum of a file's bytes is right."""
    return data == seal(data[: -len(seal(b""))])


class PolicyFile(ABC):
    """A trained network in a file, with what it sees (`view`) and how it was `made`.

    Raises ValueError for a missing or damaged file, and `titan_env.engine.schema.SchemaMismatch` (a ValueError)
    for one trained on another game or observation.
    """

    memory: Sequence[int] = ()
    """The shape of what the network remembers of a game; () for one that remembers nothing."""

    def __init__(self, game: Game, path: str | Path, temperature: float = 0.0, bits: float = FLOATS) -> None:
        if temperature != 0 and not COLDEST <= temperature <= HOTTEST:
            raise ValueError(f"expected a temperature of 0, or from {COLDEST:g} to {HOTTEST:g}, got {temperature:g}")
        if bits not in (FLOATS, QUANTIZED):
            raise ValueError(f"expected bits to be {QUANTIZED} or {FLOATS}, got {bits:g}")
        self.path, self.temperature = Path(path), float(temperature)
        self._session = _open(self.path)
        self.memory = self._shape_of_memory()
        facts = self._session.get_modelmeta().custom_metadata_map
        if "schema" not in facts:
            raise ValueError(f"expected a policy saved with its observation schema, got {self.path} without one")
        check(Schema.from_json(facts["schema"]), game)
        self.adviser = Adviser(facts["adviser"], game) if "adviser" in facts else None
        self.view, self.macro = _views(facts.get("view", "{}"), game)
        self._check_ends(game)
        self._check_weights(game)
        if bits == QUANTIZED:
            ends = np.abs((self.macro or self.view).layout.bounds())
            self._session = _session(quantize(self.path.read_bytes(), max(1.0, float(np.max(ends)))))
        try:
            self.made: dict[str, Any] = json.loads(facts.get("made", "{}"))
        except (json.JSONDecodeError, RecursionError) as error:
            raise ValueError(f"expected how it was made as JSON in {self.path}, which is damaged: {error}") from None

    @property
    def reward(self) -> str:
        """The reward that it was trained for and its values predict: "win", "rank" or "score"."""
        made = self.made
        while "reward" not in made.get("config", {}) and "before" in made:
            made = made["before"]
        return str(made.get("config", {}).get("reward", "win"))

    def _shape_of_memory(self) -> Sequence[int]:
        """Return the shape of what the network remembers. Raises ValueError for another kind of network."""
        if remembers(self._session):
            raise ValueError(f"expected a policy that remembers nothing here, got {self.path}; play it by its name")
        return ()

    def _check_ends(self, game: Game) -> None:
        """Raise ValueError for a network that takes or gives something else than a policy of this game."""
        session = self._session
        got = {end.name: end.shape[1:] for end in (*session.get_inputs(), *session.get_outputs())}
        may = [self.macro.macro.size if self.macro else len(game.rules.actions)]
        sizes = [(self.macro or self.view).layout.size + (may[0] if self.adviser else 0)]
        expected = {"observations": sizes, "masks": may, "logits": may, "values": []}
        if self.memory:
            expected |= {name: list(self.memory) for name in MEMORY}
        if got != expected:
            raise ValueError(f"expected a policy with {_ends(expected)} in {self.path}, got {_ends(got)}")

    def _check_weights(self, game: Game) -> None:
        """Raise ValueError for a network whose weights are no finite numbers."""
        seen = np.ones((1, game.rules.fields.size), np.float32)
        answers = self._answers(seen, np.ones((1, len(game.rules.actions)), np.int8))
        if not all(np.isfinite(answer).all() for answer in answers):
            raise ValueError(f"expected finite weights in {self.path}, got a network that answers with none")

    @abstractmethod
    def _answers(self, seen: NDArray[np.float32], masks: NDArray[np.int8]) -> Sequence[NDArray[np.float32]]:
        """Return all that the network answers to an observation (1, F) at the beginning of a game."""


class Policy(PolicyFile):
    """An agent that plays a trained network: its best action, or one drawn at a temperature above 0.

    One that was trained with an `adviser` gets its advice on every decision, and one that was trained on a part of the
    observation, or on derived fields, sees those (`view`). `bits` are 32, or 8 for first layers in whole numbers
    (`titan_env.agents.quantized`), which needs onnx. Raises ValueError as `PolicyFile` does.
    """

    def _answers(self, seen: NDArray[np.float32], masks: NDArray[np.int8]) -> Sequence[NDArray[np.float32]]:
        return self.logits(seen, masks)

    def logits(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Masked logits (B, A) and values (B,), what the game is expected to be worth to the observing seat."""
        if self.macro:
            return self._logits_of_macros(self.macro, observations, masks)
        inputs = self.view(observations)
        if self.adviser:
            inputs = np.concatenate([inputs, self.adviser.advice(observations, masks)], axis=1)
        logits, values = self._session.run(None, {"observations": inputs, "masks": masks != 0})
        return logits, values

    def _logits_of_macros(
        self, macro: MacroView, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return logits (B, A), of each action that of the best candidate that begins with it, and values (B,)."""
        candidates = macro.propose(observations)
        there, seen = candidate_masks(candidates, masks) != 0, macro.observe(observations, candidates)
        logits, values = self._session.run(None, {"observations": seen, "masks": there})
        return action_logits(logits, candidates, masks), values

    def policy(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the probability of each action (B, A), and values (B,)."""
        logits, values = self.logits(observations, masks)
        return chances_of(logits), values

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return the policy's actions, int64 (B,)."""
        return chosen_by(self.logits(observations, masks)[0], self.temperature, rng)


class RecurrentPolicy(RecurrentAgent, PolicyFile):
    """An agent that plays a trained network which remembers, where games have a history: matches, records, the page."""

    def _shape_of_memory(self) -> Sequence[int]:
        return next(list(end.shape[1:]) for end in self._session.get_inputs() if end.name == MEMORY[0])

    def _answers(self, seen: NDArray[np.float32], masks: NDArray[np.int8]) -> Sequence[NDArray[np.float32]]:
        return self.answers(seen, masks, np.zeros((1, *self.memory), np.float32))

    def answers(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], memory: NDArray[np.float32]
    ) -> Answers:
        """Return masked logits (B, A), values (B,), and what is remembered at the next decision, (B, ...)."""
        inputs = {"observations": self.view(observations), "masks": masks != 0, MEMORY[0]: memory}
        logits, values, after = self._session.run(["logits", "values", MEMORY[1]], inputs)
        return logits, values, after


def make(game: Game, path: str = "", temperature: float = 0.0, bits: float = FLOATS) -> Policy | RecurrentPolicy:
    """Return the policy in a file. Raises ValueError where the file is missing, damaged, or made for something else."""
    if not path:
        raise ValueError("expected the file of a policy, as in policy:runs/ppo/policy.onnx")
    file = downloaded(path)
    kind = RecurrentPolicy if remembers(_open(file)) else Policy
    return kind(game, file, temperature, bits)


def remembers(session: Any) -> bool:
    """Return whether a network takes what it remembers."""
    return any(end.name == MEMORY[0] for end in session.get_inputs())


def _ends(shapes: dict[str, list[Any]]) -> str:
    """Return the inputs and outputs of a network with their sizes, as text."""
    return ", ".join(f"{name} {'x'.join(map(str, shape)) or 1}" for name, shape in shapes.items())


def _views(choice: str, game: Game) -> tuple[ObservationView, MacroView | None]:
    """Return what the policy of a file sees. Raises ValueError for a text that does not say, or names other fields."""
    try:
        keywords = dict(json.loads(choice))
        macro = keywords.pop("macro", None)
        view = ObservationView(game, **keywords)
        return view, None if macro is None else MacroView(game, macro, view)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"expected the view of a policy as JSON, got {choice[:60]!r}: {error}") from None


def _open(path: Path) -> Any:
    """Return the network in a file. Raises ValueError where it is missing or damaged."""
    with extra("policy"):
        import onnxruntime  # noqa: F401
    if not path.is_file():
        raise ValueError(f"expected the file of a policy, found no {path}")
    data = path.read_bytes()
    if not is_sealed(data):
        raise ValueError(f"expected a policy that ends in its checksum, but {path} is damaged, or was not saved here")
    try:
        return _session(data)
    except Exception as error:
        raise ValueError(f"expected an ONNX policy, but {path} is damaged or none: {error}") from None


@functools.lru_cache(maxsize=8)
def _session(data: bytes) -> Any:
    """Return a network on one thread, so that results are the same everywhere; all who play it share it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
