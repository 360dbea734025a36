"""Measure all games as tensors on a GPU of NVIDIA, or on the CPU, and write a file of it::

    python -m titan_env.evaluation.speed --device cuda --out docs/measured/speed_cuda.json

First each game is played on the device and by `GameVectorEnv`: where a byte differs in what both show or keep, no rate
is measured. Then so many games are played at once: turns (an action is drawn and played, the next mask and observation
written), the rules alone without observations, and observations alone. The memory's bandwidth is that of a copy in the
same run. On a GPU other layouts of the games follow, bytes first, each with its ratio to today's
(`titan_env.evaluation.reports.layouts`). Kernels of all games are compiled before, side by side. The file is written
anew after each game, and `python -m tools.tables` makes a table of it.

No GPU was at hand: this has run on the CPU only.
"""

from __future__ import annotations

import datetime
import itertools
import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any

from titan_env import registry
from titan_env.cli import tables
from titan_env.cli.console import user_errors
from titan_env.cli.options import Bounds, check_bounds, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.batch_loops import observe_rows, rollout_rows
from titan_env.engine.devices import KernelDevice, column
from titan_env.envs.torch import GameTorchEnv
from titan_env.envs.vector import GameVectorEnv
from titan_env.evaluation.reports import layouts
from titan_env.evaluation.reports.layouts import Play
from titan_env.evaluation.reports.speed import rate
from titan_env.extras import MissingExtra, extra
from titan_env.records.atomic_files import write_atomically

with extra("training"):
    import torch
    import typer

COMPARED = (1_024, 200)
"""Games and steps that are compared byte for byte."""
UNDER_WAY = 60
"""Steps that are played before games are measured: they are in their middle."""
LAYOUT_SHARE = 1 / 4
"""The seconds of a layout as a share of those of what else is measured: there are many, and their ratios matter."""
CALLS = {"cpu": 1, "cuda": 20}
"""Steps that are queued before anything waits for the device, by its type."""
CLOCKS: dict[str, Callable[[], float]] = {"cpu": time.process_time, "cuda": time.perf_counter}
"""The clock of a device, by its type."""
COPIED = {"cpu": 1 << 28, "cuda": 1 << 30}
"""Bytes of the copy that measures the bandwidth, by the type of the device: far more than a cache holds."""
PACKAGES = ("titan_env", "torch", "numba-cuda", "nvidia-cuda-nvcc", "numpy")

SHOWN = ("turn", "rules", "observation", "bytes")
_DRIVER = ("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader")


def make_env(game: Game, games: int, device: Any) -> GameTorchEnv:
    """Return so many games on a device, every seat played from outside, in whole numbers where the game has them."""
    whole, options = game.rules.fields.whole, game.metadata.benchmark_options
    return GameTorchEnv(game, games, device, seats="all", whole=whole, copy=False, **options)


def difference(game: Game, device: Any, games: int = COMPARED[0], steps: int = COMPARED[1]) -> str:
    """Play equal games on a device and by `GameVectorEnv`; return what differs first, "" where every byte is equal."""
    whole, options = game.rules.fields.whole, game.metadata.benchmark_options
    one, other = make_env(game, games, device), GameVectorEnv(game, games, seats="all", whole=whole, **options)
    there, here = _named(*one.reset(seed=1)), _named(*other.reset(seed=1))
    for step in range(steps):
        for name, array in here.items():
            if there[name].cpu().numpy().tobytes() != array.tobytes():
                return f"{name} after {step} steps"
        there, here = _named(*one.step(one.batch.sample())), _named(*other.step(other.batch.sample()))
    kept, found = one.to_host(), other.batch
    for name in ("states", "luck", "choices"):
        if getattr(kept, name).tobytes() != getattr(found, name).tobytes():
            return f"{name} after {steps} steps"
    return ""


def _named(observations: Any, *results: Any) -> dict[str, Any]:
    """Return the results of `reset` or `step` by name, infos among them."""
    *middle, infos = results
    named = zip(("rewards", "terminations", "truncations"), middle, strict=False)
    return {"observations": observations, **dict(named), **infos}


def plays_of(env: GameTorchEnv) -> dict[str, Play]:
    """Return what is measured of games by name; the loops write over what the games show, so `turn` comes first."""
    batch, count, wait = env.batch, env.num_envs, _wait_for(env.device.name)
    seats, seen = batch.learners.to(torch.int64), torch.empty_like(batch.observations)
    ended = torch.zeros(count, dtype=torch.int64, device=env.device.name)

    def turn(steps: int) -> int:
        decided = torch.zeros_like(ended[0])
        for _ in range(steps):
            *_, infos = env.step(batch.sample())
            decided += infos["decided"].sum()
        return int(decided)

    def rules(steps: int) -> int:
        shown = (column(batch.masks), column(batch.observations), batch.scales, batch.log)
        arrays = (batch.states, batch.luck, *shown, batch.templates, batch.choices)
        ended.zero_()
        for _ in range(steps):
            env.device.run(rollout_rows, count, *arrays, 1, True, False, column(ended))
        return count * steps - int(ended.sum())  # a game that has ended takes a step to begin anew

    def observation(steps: int) -> int:
        for _ in range(steps):
            env.device.run(observe_rows, count, batch.states, column(seats), column(seen), batch.scales)
        wait()
        return count * steps

    return {"turn": turn, "rules": rules, "observation": observation}


def rates_of(
    game: Game, device: Any, games: int, seconds: float, bandwidth: float, names: Sequence[str] = ()
) -> dict[str, Any]:
    """Measure decisions/s of so many games at once and in layouts, and the least bytes that a turn moves, by name."""
    env = make_env(game, games, device)
    env.reset()
    plays, kind = plays_of(env), env.device.name.partition(":")[0]
    plays["turn"](UNDER_WAY)

    def measured(play: Play, share: float = 1.0) -> float:
        return rate(partial(play, CALLS[kind]), share * seconds, CLOCKS[kind])

    found = {name: measured(play) for name, play in plays.items()}
    moved = bytes_of_turn(env)
    shown = {"bytes": moved, "share": found["turn"] * moved / bandwidth}
    laid_out = layouts.rates(env, names, partial(measured, share=LAYOUT_SHARE))
    return {"games": games, **found, **shown, "layouts": laid_out}


def bytes_of_turn(env: GameTorchEnv) -> int:
    """Return the least bytes that a turn of one game moves: an observation written, all else read and written."""
    batch = env.batch
    kept = (batch.states.tensor, batch.luck.tensor, batch.choices.tensor, batch.masks)
    return int(2 * sum(tensor[0].nbytes for tensor in kept) + batch.observations[0].nbytes)


def bandwidth_of(device: str, seconds: float) -> float:
    """Measure the bytes/s that a copy reads and writes in the memory of a device."""
    kind, wait = device.partition(":")[0], _wait_for(device)
    here = torch.ones(COPIED[kind], dtype=torch.uint8, device=device)
    there = torch.empty_like(here)

    def copy() -> int:
        for _ in range(CALLS[kind]):
            there.copy_(here)
        wait()
        return 2 * COPIED[kind] * CALLS[kind]

    return rate(copy, seconds, CLOCKS[kind])


def _wait_for(device: str) -> Callable[[], Any]:
    """Return what waits until a device has done all that was queued."""
    return partial(torch.cuda.synchronize, device) if device.startswith("cuda") else lambda: None


class NoLibrary:
    """A library of NVIDIA's driver whose functions do nothing: kernels are compiled into the cache, and not run."""

    def __getattr__(self, name: str) -> Callable[..., int]:
        return lambda *given: 0


def _reset(env: GameTorchEnv) -> None:
    """Compile the kernel that begins games."""
    env.batch.start(env.batch.every_row)


def _step(env: GameTorchEnv) -> None:
    """Compile the kernel that plays a decision."""
    env.batch.step(torch.zeros(1, dtype=torch.int64))


def _sample(env: GameTorchEnv) -> None:
    """Compile the kernel that draws an action."""
    env.batch.sample()


def _observation(env: GameTorchEnv) -> None:
    """Compile the kernel of observations alone."""
    plays_of(env)["observation"](1)


def _in_layout(name: str, env: GameTorchEnv) -> None:
    """Compile the kernels of turns in a layout."""
    layouts.turns_of(env, name).play()


KERNELS = (_step, *(partial(_in_layout, name) for name in layouts.LAYOUTS), _reset, _observation, _sample)
"""What compiles each kernel that is measured, those that take long first."""


def compile_kernel(task: tuple[Callable[[GameTorchEnv], None], str, tuple[int, int]]) -> str:
    """Compile a kernel of a game for GPUs of a compute capability into the cache; return why it cannot be, or ""."""
    from titan_env.compiler.cuda_driver import CudaDriver

    run, name, capability = task
    game, driver = registry.load(name), CudaDriver(capability, lambda: nullcontext(0), NoLibrary())
    try:
        run(make_env(game, 1, KernelDevice(game, "cpu", driver)))
    except NotImplementedError as reason:
        return str(reason)
    return ""


def compile_kernels(names: Sequence[str], capability: tuple[int, int]) -> dict[str, str]:
    """Compile all kernels of games, each in a process of its own; return why games cannot be compiled, by name."""
    tasks = [(run, name, capability) for run, name in itertools.product(KERNELS, names)]
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), max_tasks_per_child=1) as pool:
        faults = pool.map(compile_kernel, tasks)
        return {name: fault for (_, name, _), fault in zip(tasks, faults, strict=True) if fault}


def about(device: str) -> dict[str, Any]:
    """Return the device, its driver, the versions and the date."""
    versions = {"python": platform.python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    name, driver = platform.machine(), ""
    if device != "cpu":
        name = torch.cuda.get_device_properties(device).name
        with suppress(OSError, subprocess.SubprocessError):
            driver = subprocess.check_output(_DRIVER, encoding="utf-8").split()[0]
    return {"device": name, "driver": driver, "versions": versions, "date": datetime.date.today().isoformat()}


def rows(name: str, found: Mapping[str, Any]) -> list[list[str]]:
    """Return the rows of a game in the table that is printed."""
    numbers = [
        (f"{each['games']:,}", *(f"{each[what]:,.0f}" for what in SHOWN), f"{each['share']:.2%}")
        for each in found["rates"]
    ]
    equal = "yes" if found["equal_bytes"] else f"no: {found['fault']}"
    return [[name, equal, *cells] for cells in numbers or [("",) * 6]]


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    names: Annotated[tuple[str, ...], typer.Argument(help="Games; left out, all.")] = ()
    device: str = "cuda"
    """Device: cuda, cuda:1 or cpu."""
    games: tuple[int, ...] = (4_096, 65_536, 1_048_576)
    """Number of games at once; repeatable."""
    seconds: Annotated[float, Bounds(0.01)] = 1.0
    """Seconds of each measurement: of the wall on a GPU, of one core on the CPU."""
    out: Path | None = None
    """File to write: .json."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range."""
        check_bounds(self)
        if min(self.games) < 1:
            raise ValueError(f"expected --games from 1 on, got {min(self.games)}")


def measure(game: Game, device: Any, args: Arguments, bandwidth: float, fault: str = "") -> dict[str, Any]:
    """Compare a game with `GameVectorEnv`, and measure its rates where all bytes are equal and there is no `fault` yet.

    Sizes for which the device has too little memory are left out, and so are layouts whose bytes differ.
    """
    fault, rates = fault or difference(game, device), []
    faults = {} if fault else layouts.faults(make_env(game, COMPARED[0], device), COMPARED[1])
    names = [name for name, found in faults.items() if not found]
    for games in () if fault else args.games:
        with suppress(MemoryError, torch.OutOfMemoryError):
            rates.append(rates_of(game, device, games, args.seconds, bandwidth, names))
    of_layouts = {name: found for name, found in faults.items() if found}
    return {"equal_bytes": not fault, "compared": COMPARED, "fault": fault, "layouts": of_layouts, "rates": rates}


@from_dataclasses
def main(args: Arguments) -> None:
    """Measure games on a device."""
    names, lines, laid_out = args.names or tuple(registry.names()), [], []
    with user_errors((ValueError, OSError, RuntimeError, MissingExtra)):
        games = {name: registry.load(name) for name in names}
        device = make_env(next(iter(games.values())), 1, args.device).device.name
        written: dict[str, Any] = {**about(device), "seconds": args.seconds}
    faults = {} if device == "cpu" else compile_kernels(names, torch.cuda.get_device_capability(device))
    torch.set_num_threads(1)
    written["bandwidth"], written["games"] = bandwidth_of(device, args.seconds), {}
    for name, game in games.items():
        found = measure(game, device, args, written["bandwidth"], faults.get(name, ""))
        written["games"][name] = found
        lines += rows(name, found)
        laid_out += layouts.lines(name, found["rates"])
        if args.out is not None:
            write_atomically(args.out, json.dumps(written, indent=1) + "\n")
    title = f"{written['device']}, {written['bandwidth'] / 1e9:,.0f} GB/s copied, {written['date']}"
    units = ("turns/s", "rules alone/s", "observations alone/s", "bytes of a turn", "share of the bandwidth")
    tables.console().print(tables.grid(title, ["game", "equal bytes", "games", *units], lines))
    if laid_out:
        title = "Turns in one kernel: decisions/s with records, and the ratio to it of other layouts"
        tables.console().print(tables.grid(title, ["game", "games", *layouts.LAYOUTS], laid_out))


if __name__ == "__main__":
    typer.run(main)
