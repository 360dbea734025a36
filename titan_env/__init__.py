"""Board games for many players as fast, batched environments for reinforcement learning.

Importing this package registers its games with Gymnasium and PettingZoo and loads nothing else; its contents are
imported on demand.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
from typing import TYPE_CHECKING, Any

from titan_env import registry

if TYPE_CHECKING:
    from titan_env.engine.batch import Batch as Batch
    from titan_env.engine.batch import IllegalAction as IllegalAction
    from titan_env.engine.packing import ObservationPacker as ObservationPacker
    from titan_env.engine.schema import explain as explain
    from titan_env.envs.aec import GameAEC as GameAEC
    from titan_env.envs.jax import GameJaxEnv as GameJaxEnv
    from titan_env.envs.macro import MacroVectorEnv as MacroVectorEnv
    from titan_env.envs.rllib import GameMultiAgentEnv as GameMultiAgentEnv
    from titan_env.envs.sb3 import GameVecEnv as GameVecEnv
    from titan_env.envs.single_agent import GameEnv as GameEnv
    from titan_env.envs.torch import GameTorchEnv as GameTorchEnv
    from titan_env.envs.vector import GameVectorEnv as GameVectorEnv
    from titan_env.envs.verifiers import GameHarness as GameHarness
    from titan_env.envs.verifiers import GameTaskset as GameTaskset
    from titan_env.envs.verifiers import GameVerifiersEnv as GameVerifiersEnv
    from titan_env.play.transitions import Transitions as Transitions
    from titan_env.registry import load as load
    from titan_env.registry import register as register

    __version__: str

FRONT_DOORS = {
    "Batch": "titan_env.engine.batch",
    "IllegalAction": "titan_env.engine.batch",
    "ObservationPacker": "titan_env.engine.packing",
    "explain": "titan_env.engine.schema",
    "Transitions": "titan_env.play.transitions",
    "GameAEC": "titan_env.envs.aec",
    "GameJaxEnv": "titan_env.envs.jax",
    "GameMultiAgentEnv": "titan_env.envs.rllib",
    "MacroVectorEnv": "titan_env.envs.macro",
    "GameVecEnv": "titan_env.envs.sb3",
    "GameEnv": "titan_env.envs.single_agent",
    "GameTorchEnv": "titan_env.envs.torch",
    "GameVectorEnv": "titan_env.envs.vector",
    "GameHarness": "titan_env.envs.verifiers",
    "GameTaskset": "titan_env.envs.verifiers",
    "GameVerifiersEnv": "titan_env.envs.verifiers",
    "load": "titan_env.registry",
    "register": "titan_env.registry",
}
"""Name in `titan_env` -> its module. Modules, such as `titan_env.agents`, go by their own names."""

registry.refuse_earlier_versions()
for _name in registry.names():
    registry.announce(_name)
registry.discover()

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Return a name or module of the package, imported on demand, or the installed version."""
        if name == "__version__":
            return importlib.metadata.version("titan_env")
        if name == "__all__" and "verifiers.v1" in sys.modules:  # its loader: the id `titan-env` is this package
            return [door for door, module in FRONT_DOORS.items() if module == "titan_env.envs.verifiers"]
        if name in FRONT_DOORS:
            return getattr(importlib.import_module(FRONT_DOORS[name]), name)
        if name.startswith("_") or importlib.util.find_spec(f"titan_env.{name}") is None:
            raise AttributeError(f"module 'titan_env' has no attribute {name!r}")
        return importlib.import_module(f"titan_env.{name}")

    def __dir__() -> list[str]:
        own = {name for name in globals() if name.startswith("__")}
        return sorted({*own, *FRONT_DOORS, "agents", "evaluation", "training", "__version__"})
