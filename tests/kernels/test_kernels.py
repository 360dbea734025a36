"""The kernels that go to a GPU play, byte for byte, the games of the processor's loops; no GPU is needed.

`make test-all` runs this in an environment with numba-cuda.
"""

from __future__ import annotations

import ctypes
import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

from tests.envs.pairs import VARIED, assert_same_records, play_both, play_to_ends, same
from tests.kernels.processor import Processor
from titan_env import agents, registry
from titan_env.compiler import cuda_driver, toolkit
from titan_env.compiler.cuda_driver import THREADS, CudaDriver
from titan_env.compiler.device_arrays import RowAccess
from titan_env.contract import Game
from titan_env.engine.devices import KernelDevice
from titan_env.envs.torch import GameTorchEnv
from titan_env.envs.vector import GameVectorEnv
from titan_env.evaluation import speed
from titan_env.evaluation.reports import layouts

MAKE_ARRAYS = ("goofspiel", "frontier")
"""Games of the tests whose rules make arrays, which no kernel may."""
GAMES = [name for name in registry.names() if name not in MAKE_ARRAYS]
LAID_OUT = ("pig", "titan_race")
"""Games whose kernels of all layouts are compiled for GPUs: each takes half a minute for a large game."""
HOPPER = (9, 0)
ROWS, ENDS, ENDS_OF_AGENTS, MOST = 150, 200, 20, 10_000
"""Games side by side, more than one block of threads; the games to play to their ends, in at most so many steps."""
assert ROWS > THREADS


class Kernels(NamedTuple):
    """A game, the driver that runs its kernels here, and the device of both."""

    game: Game
    processor: Processor
    device: KernelDevice


@pytest.fixture(scope="module", params=GAMES)
def kernels(request: Any) -> Kernels:
    """Return each game with its kernels, compiled once for all tests."""
    game, processor = registry.load(request.param), Processor()
    return Kernels(game, processor, KernelDevice(game, "cpu", processor))


def play_kernels(kernels: Kernels, ends: int, **keywords: Any) -> None:
    """Play equal games by kernels and by the processor's loops, and compare all that both show and keep."""
    game = kernels.game
    keywords |= {"whole": game.rules.fields.whole, **game.metadata.benchmark_options}
    one, other = GameTorchEnv(game, ROWS, kernels.device, **keywords), GameVectorEnv(game, ROWS, **keywords)
    play_to_ends(one, other, ends, MOST)


def test_every_seat_plays_as_on_the_processor(kernels: Kernels) -> None:
    play_kernels(kernels, ENDS, seats="all")


def test_one_seat_plays_against_chance_as_on_the_processor(kernels: Kernels) -> None:
    play_kernels(kernels, ENDS, seats="one", reward="rank")


def test_policies_play_the_other_seats_as_on_the_processor(kernels: Kernels) -> None:
    def highest(observations: Any, masks: Any, rng: Any = None) -> Any:
        return masks.shape[1] - 1 - (masks[:, ::-1] if rng is not None else masks.flip(1)).argmax(1)

    play_kernels(kernels, 1, seats="one", opponents=highest, max_cycles=60)


def test_agents_by_a_rule_play_the_other_seats_as_on_the_processor(kernels: Kernels) -> None:
    game = kernels.game
    loaded = {name: agents.load(name, game) for name in sorted(game.metadata.agents.keys() - {"afterstate"})}
    for name in (name for name, agent in loaded.items() if getattr(agent, "rule", None)):
        play_kernels(kernels, ENDS_OF_AGENTS, seats="one", opponents=name, reward="rank")
        source = kernels.processor.sources.pop("score_rows")
        if name == "greedy":  # others take minutes to assemble
            text = source.ptx(HOPPER)
            assert text.count(".visible .entry score_rows(") == 1
            code = toolkit.assemble(text, HOPPER)
            print(f"| {game.name} | {name} | score_rows | {code.registers} | {code.spills} | {code.stack} |")


def test_options_vary_as_on_the_processor(kernels: Kernels) -> None:
    if vary := VARIED.get(kernels.game.name):
        game = kernels.game
        keywords: dict[str, Any] = {"vary": vary, "max_episode_steps": 5, "whole": game.rules.fields.whole}
        one, other = GameTorchEnv(game, ROWS, kernels.device, **keywords), GameVectorEnv(game, ROWS, **keywords)
        for _ in itertools.islice(play_both(one, other), 20):
            assert_same_records(one, other)


def test_every_seat_observes_and_is_paid_as_on_the_processor(kernels: Kernels) -> None:
    env = GameTorchEnv(kernels.game, ROWS, kernels.device, whole=kernels.game.rules.fields.whole)
    env.reset(seed=1)
    batch = env.to_host()
    seats = torch.arange(ROWS) % torch.from_numpy(batch.states["seats"].astype(np.int64))
    assert same(env.batch.observe(seats), batch.observe(seats.numpy()))
    assert same(env.batch.payoffs(), batch.payoffs())


def test_what_is_measured_on_a_gpu_plays_as_on_the_processor(kernels: Kernels) -> None:
    assert speed.difference(kernels.game, kernels.device, ROWS, 20) == ""
    env = speed.make_env(kernels.game, ROWS, kernels.device)
    env.reset(seed=1)
    batch, plays = env.to_host(), speed.plays_of(env)
    ended = batch.rollout(100, restart=True, look=False)
    assert plays["rules"](100) == 100 * ROWS - ended.sum()
    for name in ("states", "luck", "choices"):
        assert getattr(env.to_host(), name).tobytes() == getattr(batch, name).tobytes()
    assert plays["observation"](1) == ROWS


def test_games_in_other_layouts_play_as_on_the_processor(kernels: Kernels) -> None:
    env = speed.make_env(kernels.game, ROWS, kernels.device)
    assert layouts.faults(env, 40) == dict.fromkeys(layouts.LAYOUTS, "")
    found = layouts.rates(env, [*layouts.LAYOUTS], lambda play: float(play(2)))
    assert [*found] == [*layouts.LAYOUTS]
    for each in found.values():
        assert ROWS <= each["decisions"] <= 2 * ROWS
        assert each["ratio"] == each["decisions"] / found[layouts.RECORDS]["decisions"]


class Miscounting(KernelDevice):
    """A device that loses the luck of the last game in one layout."""

    def run(self, loop: Any, rows: int, *arguments: Any, layout: Any = None) -> None:
        super().run(loop, rows, *arguments, layout=layout)
        if layout is not None and layout.access == RowAccess.ORDERED:
            arguments[1].tensor[-1] = 0


def test_a_layout_whose_bytes_differ_has_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "COMPARED", (20, 5))
    game = registry.load("pig")
    arguments = speed.Arguments(games=(8,), seconds=0.01)
    found = speed.measure(game, Miscounting(game, "cpu", Processor()), arguments, 1.0)
    assert (found["equal_bytes"], found["layouts"]) == (True, {"binned": "states after 5 turns"})
    (each,) = found["rates"]
    assert [*each["layouts"]] == [name for name in layouts.LAYOUTS if name != "binned"]
    assert layouts.rates(GameTorchEnv(game), ["words"], lambda play: 1.0) == {}


def test_kernels_are_compiled_without_a_gpu() -> None:
    faults = [speed.compile_kernel((run, "tests.games.pig:GAME", HOPPER)) for run in speed.KERNELS]
    assert faults == [""] * len(speed.KERNELS)
    reason = speed.compile_kernel((speed.KERNELS[0], "tests.games.goofspiel:GAME", HOPPER))
    assert reason.startswith("expected rules that compile for a GPU, got in ")


def test_a_gpu_takes_the_kernels(kernels: Kernels) -> None:
    env = GameTorchEnv(kernels.game, 1, kernels.device, whole=kernels.game.rules.fields.whole)
    env.reset(seed=1)
    env.step(env.batch.sample())
    measured: list[Any] = ["reset_rows", "step_rows_to_learner"]
    if kernels.game.name in LAID_OUT:
        for layout in layouts.LAYOUTS:
            layouts.turns_of(env, layout).play()
        measured = [*kernels.processor.sources]
    for source in measured:
        compiled = kernels.processor.sources[source]
        name, text = compiled.entry, compiled.ptx(HOPPER)
        assert ".target sm_90" in text
        assert text.count(f".visible .entry {name}(") == text.count(".entry") == 1
        assert ".const " not in text  # whose 64 KB the tables may exceed
        parameters = text.split(f".entry {name}(")[1].split(")")[0]
        assert set(re.findall(r"\.param \.[usbf](\d+)", parameters)) == {"64"}  # words, as the driver is given them
        code = toolkit.assemble(text, HOPPER)
        assert code.cubin.startswith(b"\x7fELF")
        print(f"| {kernels.game.name} | {source} | {name} | {code.registers} | {code.spills} | {code.stack} |")


@pytest.mark.parametrize("name", MAKE_ARRAYS)
def test_rules_that_make_arrays_are_refused_in_one_line(name: str) -> None:
    game = registry.load(name)
    with pytest.raises(
        NotImplementedError, match="expected rules that compile for a GPU, got in reset_rows: "
    ) as result:
        GameTorchEnv(game, 1, KernelDevice(game, "cpu", Processor())).reset(seed=1)
    assert "\n" not in str(result.value)


class Library:
    """Functions with the names of NVIDIA's driver that write down what they are given."""

    def __init__(self) -> None:
        self.codes: list[bytes] = []
        self.launched: list[tuple[Any, ...]] = []
        self.answer = 0

    def cuModuleLoadData(self, module: Any, code: Any) -> int:  # noqa: N802
        self.codes.append(ctypes.string_at(code, 4))
        module._obj.value = 7
        return 0

    def cuModuleGetFunction(self, function: Any, module: Any, name: Any) -> int:  # noqa: N802
        assert module.value == 7
        self.name = name.value
        function._obj.value = 8
        return 0

    def cuLaunchKernel(self, function: Any, *given: Any) -> int:  # noqa: N802
        *sizes, stream, parameters, extra = (each.value for each in given)
        places = ctypes.cast(parameters, ctypes.POINTER(ctypes.POINTER(ctypes.c_int64)))
        self.launched.append((function.value, sizes, stream, [places[place][0] for place in range(3)], extra))
        return self.answer

    def cuGetErrorString(self, number: int, words: Any) -> int:  # noqa: N802
        words._obj.value = b"an illegal memory access was encountered"
        return 0


@contextmanager
def current() -> Iterator[int]:
    """The number of a stream."""
    yield 5


def test_the_driver_is_given_machine_code_sizes_and_words() -> None:
    library = Library()
    driver = CudaDriver(HOPPER, current, library)
    game = registry.load("pig")
    for _ in range(2):  # the second time from the cache
        env = GameTorchEnv(game, 300, KernelDevice(game, "cpu", driver))
        env.batch.payoffs()
    assert library.codes == [b"\x7fELF"] * 2
    assert library.name == b"payoff_rows"
    assert library.launched == [(8, [3, 1, 1, THREADS, 1, 1, 0], 5, [0, 0, 300], None)] * 2
    library.answer = 700
    with pytest.raises(RuntimeError, match="expected NVIDIA's driver to run cuLaunchKernel, got error 700: an illegal"):
        env.batch.payoffs()


def test_without_a_driver_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_driver, "_LIBRARY", "libcuda-is-not-here.so")
    with pytest.raises(RuntimeError, match=r"expected NVIDIA's driver .* on this machine, found none"):
        CudaDriver(HOPPER, current)


def test_ptx_that_the_assembler_refuses_is_told_in_one_line() -> None:
    with pytest.raises(RuntimeError, match="expected PTX that ptxas takes, got: "):
        toolkit.assemble(".version 8.0\n.target sm_90\nnonsense", HOPPER)
