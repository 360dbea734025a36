"""An agent of your own, from a Python file: ``python:my_agent.py``.

The file has a function ``make(game)`` that returns the agent, ``act(observations, masks, rng) -> actions``, or one that
plans (`titan_env.play.determinization`). Its code runs with all rights of the program: load trusted files only.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

from titan_env.agents import Agent
from titan_env.contract import Game


def make(game: Game, path: str = "") -> Agent:
    """Return the agent that a file makes for a game. Raises ValueError for a file that is missing or has none."""
    file = Path(path)
    if file.suffix != ".py" or not file.is_file():
        raise ValueError(f"expected the file of an agent, as in python:my_agent.py, found no {path or 'path'}")
    name = f"agent_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: Any = getattr(module, "make", lambda game: None)
    agent: Any = made(game)
    if not callable(agent):
        raise ValueError(f"expected a function make(game) in {path} that returns act(observations, masks, rng)")
    chosen: Agent = agent
    return chosen
