"""Old names of modules answer for one version with a line that says the new one."""

from __future__ import annotations

import importlib
import runpy
import subprocess
import sys

import pytest

from titan_env.moved import MOVED

NAMES = {
    "titan_env.agents.match": ("win_shares", "set_up"),
    "titan_env.cli.seating": ("Seating", "read_options", "seat_agents"),
    "titan_env.training.evaluate": ("main",),
}


@pytest.mark.parametrize("old", MOVED)
def test_an_old_name_of_a_module_gives_what_is_at_its_new_places_with_a_warning(old: str) -> None:
    sys.modules.pop(old, None)
    with pytest.warns(FutureWarning, match=f"{old} is {MOVED[old][0]}"):
        module = importlib.import_module(old)
    places = [importlib.import_module(place) for place in MOVED[old]]
    for name in NAMES.get(old, ()):
        assert getattr(module, name) is next(getattr(place, name) for place in places if hasattr(place, name))
    with pytest.raises(AttributeError, match=MOVED[old][0]):
        module.no_such_name  # noqa: B018
    assert all(place.__spec__ is not None and place.__spec__.name != old for place in places)


def test_an_old_command_runs_the_new_one_after_one_line() -> None:
    command = [sys.executable, "-m", "titan_env.training.evaluate", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Usage: python -m titan_env.evaluation.evaluate" in done.stdout
    assert done.stderr.splitlines() == [
        "titan_env: titan_env.training.evaluate is titan_env.evaluation.evaluate now; "
        "the old name goes with version 0.4"
    ]


def test_a_name_that_never_was_is_no_module() -> None:
    with pytest.raises(ImportError):
        runpy.run_module("titan_env.training.never")
