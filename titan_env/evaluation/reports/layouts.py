"""Layouts of the games on a GPU, each playing the same turns: which is the quickest is to be measured there.

A turn of all games draws an action of each and plays it, or begins anew a game that is over, and writes masks and
observations. The states lie as records, one after the other, but where a layout says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, cast

from titan_env.compiler.device_arrays import WORD, RowAccess, RowLayout
from titan_env.engine.batch_loops import observe_rows, rollout_rows
from titan_env.engine.devices import KernelDevice, column
from titan_env.envs.torch import GameTorchEnv
from titan_env.extras import extra

with extra("training"):
    import torch

STATES, OBSERVATIONS = 0, 2  # their numbers among the arguments of `rollout_rows`, and of `observe_rows`


Play = Callable[[int], int]
"""Plays so many turns of all games, waits for the device, and returns the number of decisions."""


class Turns(NamedTuple):
    """Turns of all games of an environment in one layout."""

    play: Callable[[], object]
    """Begins to play a turn."""
    finish: Callable[[], object]
    """Writes what lies elsewhere back to where the environment keeps it."""
    ended: torch.Tensor
    """The number of times that each game has ended, int64 (N,)."""


Run = Callable[..., None]
"""Plays a turn in one kernel, without observations if told so."""
PlayAndFinish = tuple[Callable[[], object], Callable[[], object]]


def _records(run: Run, env: GameTorchEnv) -> PlayAndFinish:
    """Play where the records lie, one thread after the other: as environments do."""
    return run, lambda: None


def _words(run: Run, env: GameTorchEnv) -> PlayAndFinish:
    """Keep the states as words by games: the threads of a warp read and write neighbouring words."""
    records = env.batch.states.tensor.view(torch.int32)
    kept = records.t().contiguous()
    return partial(run, column(kept), layout=RowLayout(RowAccess.WORDS, STATES)), lambda: records.copy_(kept.t())


def _staged(run: Run, env: GameTorchEnv) -> PlayAndFinish:
    """Copy the states of a block together, by way of its shared memory."""
    records = column(env.batch.states.tensor.view(torch.int32))
    return partial(run, records, layout=RowLayout(RowAccess.STAGED, STATES)), lambda: None


def _binned(run: Run, env: GameTorchEnv) -> PlayAndFinish:
    """Give games that ask the same question to neighbouring threads."""
    asks = env.batch.field("ask")
    return lambda: run(column(asks.argsort()), layout=RowLayout(RowAccess.ORDERED)), lambda: None


def _observed(run: Run, env: GameTorchEnv) -> PlayAndFinish:
    """Write the observations by a second kernel, those of a block together, in rows of whole words."""
    batch, layout = env.batch, RowLayout(RowAccess.STAGED, OBSERVATIONS, reads=False)
    seen, asked, used = batch.observations, batch.field("seat"), batch.observations[0].nbytes
    kept = torch.zeros(len(seen), -(-used // WORD), dtype=torch.int32, device=seen.device)

    def play() -> None:
        run(look=False)
        given = (batch.states, column(asked.to(torch.int64)), column(seen), batch.scales, column(kept))
        _kernels(env).run(observe_rows, len(seen), *given, layout=layout)

    def finish() -> None:
        seen.copy_(kept.view(torch.uint8)[:, :used].contiguous().view(seen.dtype))

    return play, finish


RECORDS = "records"
LAYOUTS: dict[str, Callable[[Run, GameTorchEnv], PlayAndFinish]] = {
    RECORDS: _records,
    "words": _words,
    "staged": _staged,
    "binned": _binned,
    "observations staged": _observed,
}
"""The layouts by name; records are that of environments."""


def _kernels(env: GameTorchEnv) -> KernelDevice:
    """Return the device of an environment, which runs kernels."""
    return cast(KernelDevice, env.device)


def turns_of(env: GameTorchEnv, name: str) -> Turns:
    """Return turns of all games in a layout, from where they are; each is one kernel but with staged observations."""
    batch = env.batch
    ended = torch.zeros(env.num_envs, dtype=torch.int64, device=env.device.name)
    shown = (column(batch.masks), column(batch.observations), batch.scales, batch.log)
    arrays = (batch.states, batch.luck, *shown, batch.templates, batch.choices)

    def run(*kept: Any, look: bool = True, layout: RowLayout | None = None) -> None:
        _kernels(env).run(rollout_rows, env.num_envs, *arrays, 1, True, look, column(ended), *kept, layout=layout)

    return Turns(*LAYOUTS[name](run, env), ended)


def difference(env: GameTorchEnv, name: str, turns: int) -> str:
    """Play turns in a layout and by the loops of the processor; return what differs first, "" where all bytes agree."""
    env.reset(seed=1)
    batch, laid_out = env.to_host(), turns_of(env, name)
    for _ in range(turns):
        laid_out.play()
    laid_out.finish()
    batch.rollout(turns, restart=True)
    kept = env.to_host()
    pairs = {part: (getattr(kept, part), getattr(batch, part)) for part in ("states", "luck", "choices")}
    for part in ("masks", "observations"):
        pairs[part] = (getattr(env.batch, part).cpu().numpy(), getattr(batch, part))
    differing = [part for part, (one, other) in pairs.items() if one.tobytes() != other.tobytes()]
    return f"{differing[0]} after {turns} turns" if differing else ""


def faults(env: GameTorchEnv, turns: int) -> dict[str, str]:
    """Return the `difference` of each layout, by name; only kernels know layouts."""
    return {name: difference(env, name, turns) for name in LAYOUTS if isinstance(env.device, KernelDevice)}


def rates(env: GameTorchEnv, names: Sequence[str], measured: Callable[[Play], float]) -> dict[str, Any]:
    """Measure decisions/s in layouts, and their ratios to those of records, by name, from where the games are.

    Layouts for which the device has too little memory are left out, all of them where `names` has no records.
    """
    found: dict[str, float] = {}
    for name in names if RECORDS in names else ():
        with suppress(MemoryError, torch.OutOfMemoryError):
            turns = turns_of(env, name)
            found[name] = measured(partial(_decisions, turns))
            turns.finish()
    of_records = found.get(RECORDS)
    return {name: {"decisions": each, "ratio": each / of_records} for name, each in found.items() if of_records}


def _decisions(turns: Turns, count: int) -> int:
    """Play so many turns and return the number of decisions: a game that is over takes a turn to begin anew."""
    turns.ended.zero_()
    for _ in range(count):
        turns.play()
    return count * len(turns.ended) - int(turns.ended.sum())


def lines(title: str, measured: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return the rows of a game in a table of `rates`: decisions/s with records, and the ratio of each other layout."""
    found = [(f"{each['games']:,}", each["layouts"]) for each in measured if each.get("layouts")]
    return [[title, games, *(_cell(name, rates.get(name)) for name in LAYOUTS)] for games, rates in found]


def _cell(name: str, found: Mapping[str, float] | None) -> str:
    """Return the cell of a layout."""
    if found is None:
        return ""
    return f"{found['decisions']:,.0f}" if name == RECORDS else f"{found['ratio']:.2f}"
