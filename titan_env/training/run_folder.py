"""The folder of a training run; killed at any moment, it holds either nothing or a run that can be resumed.

The checkpoint is written first and the config second, each atomically: a folder with a config has a checkpoint.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from titan_env import registry
from titan_env.cli.console import Stop
from titan_env.contract import Game
from titan_env.engine.schema import Schema, check, schema_of
from titan_env.extras import extra, needs
from titan_env.records.atomic_files import lock_folder, write_atomically

with extra("training"):
    import typer

CONFIG = "config.json"
"""The config's file in the folder of a run."""
POLICY = "policy.onnx"
"""The trained policy's file in the folder of a run."""
_PACKAGES = ("titan_env", "numpy", "numba", "torch", "sb3_contrib", "ray")

C = TypeVar("C", bound=Any)
"""The config of a script: a frozen dataclass with the `game` and all settings on which the result depends."""


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages in use, by name."""
    loaded = {name: importlib.metadata.version(name) for name in _PACKAGES if name in sys.modules}
    return {"python": platform.python_version(), **loaded}


@dataclass(frozen=True)
class Run:
    """The folder of a run, and the names of its checkpoints."""

    folder: Path
    checkpoints: str  # a name, or a pattern of names in the order of time
    length: str = "total_timesteps"  # the config's field with the length of the run
    free: Collection[str] = ()  # fields that may change when a run is resumed

    @property
    def latest(self) -> Path | None:
        """The newest checkpoint; None without one."""
        return max(self.folder.glob(self.checkpoints), default=None)

    @property
    def _config(self) -> Path:
        """The config's file."""
        return self.folder / CONFIG

    def settle(self, chosen: C, typed: Collection[str], resume: bool) -> C:
        """Return the config to train with: the chosen one in a new folder, or the stored one with the length asked for.

        Raises ValueError for a folder that already holds a run, or has none to resume, and for a `typed` setting that
        differs from the stored one. Raises as `titan_env.extras.needs` does if the policy could not be written at the
        end.
        """
        needs("training", "onnx")
        held = self._config.exists() and self.latest is not None
        if not resume and held:
            raise ValueError(f"expected a new folder, but {self.folder} holds a run; pass --resume, or another --out")
        if not resume:
            return chosen
        if not held:
            found = f"found none in {self.folder}; start without --resume"
            raise ValueError(f"expected a run with a checkpoint to resume, {found}")
        stored = self._stored(type(chosen))
        wanted, had = _plain(chosen), _plain(stored)
        changed = {name for name in typed if name in wanted and wanted[name] != had[name]}
        if other := sorted(changed - {self.length, *self.free}):
            those = ", ".join(f"{name}={had[name]!r}" for name in other)
            raise ValueError(
                f"expected {those} as in {self._config}, got others; leave them out, or pass another --out"
            )
        return replace(stored, **{name: getattr(chosen, name) for name in changed})

    def begin(self) -> None:
        """Lock the folder, after all checks. Raises ValueError if another process works in it."""
        lock_folder(self.folder)

    def _stored(self, kind: type[C]) -> C:
        """Return the config in the folder. Raises ValueError if it is damaged, or the observation has changed since."""
        names = [field.name for field in fields(kind)]
        try:
            stored = json.loads(self._config.read_text("utf-8"))
            config = stored["config"]
            schema = Schema.from_json(json.dumps(stored["observation"]))
            lacking = [name for name in names if name not in config]
            if lacking:
                raise ValueError(f"it lacks {', '.join(lacking)}")
            made = kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in config.items()})
        except (ValueError, KeyError, TypeError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise ValueError(f"expected the config of a run in {self._config}, which is damaged: {reason}") from None
        check(schema, registry.load(made.game))
        return made

    def write(self, config: C, game: Game) -> None:
        """Write the config, with versions and the schema of the observation; the folder then holds a run."""
        made = {"config": asdict(config), "versions": versions(), "observation": json.loads(schema_of(game).to_json())}
        write_atomically(self._config, json.dumps(made, indent=1))

    @contextmanager
    def going(self) -> Iterator[Stop]:
        """Turn Ctrl-C into a request to stop and save while the block runs; print the way to resume at an early end."""
        stop = Stop()
        ended = False
        try:
            with stop.handling():
                yield stop
            ended = not stop.asked
        finally:
            if not ended:
                print(f"Stopped. It goes on from {self.latest} with --resume --out {self.folder}", file=sys.stderr)
        if stop.asked:
            raise typer.Exit(128 + stop.asked)


def _plain(config: Any) -> dict[str, Any]:
    """Return a config as its JSON file would hold it."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(config)))
    return plain
