"""Old names of modules and of what is in them answer for one version with a line that says the new one."""

from __future__ import annotations

import importlib
import runpy
import subprocess
import sys

import numpy as np
import pytest

from tests.games.pig import GAME as PIG
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.duplicate import Comparison
from titan_env.moved import MOVED, RENAMED

NAMES = {
    "titan_env.agents.match": ("win_rates",),
    "titan_env.cli.seating": ("GameSession", "read_options", "seat_agents"),
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
    assert "Usage: python -m titan_env.evaluation.matches.evaluate" in done.stdout
    assert done.stderr.splitlines() == [
        "titan_env: titan_env.training.evaluate is titan_env.evaluation.matches.evaluate now; "
        "the old name goes with version 0.4"
    ]


def test_a_name_that_never_was_is_no_module() -> None:
    with pytest.raises(ImportError):
        runpy.run_module("titan_env.training.never")


@pytest.mark.parametrize(("module", "old"), [(module, old) for module, names in RENAMED.items() for old in names])
def test_an_old_name_in_a_module_gives_the_new_object_with_a_warning(module: str, old: str) -> None:
    there, new = importlib.import_module(module), RENAMED[module][old]
    with pytest.warns(FutureWarning, match=f"{module}.{old} goes with version 0.4: write {new}$"):
        answered = getattr(there, old)
    assert answered is getattr(there, new)
    assert old not in vars(there), "a name that is something else by now"
    with pytest.raises(AttributeError, match="no_such_name"):
        there.no_such_name  # noqa: B018


def test_old_names_of_methods_give_the_new_ones_with_a_warning() -> None:
    batch, known = Batch(PIG, 1, events=True), Comparison(np.zeros((4, 2, 2)))
    with pytest.warns(FutureWarning, match="Batch.happened goes with version 0.4: write last_events$"):
        assert batch.happened == batch.last_events
    with pytest.warns(FutureWarning, match="Batch.scatter .* write reseed_from$"):
        assert batch.scatter == batch.reseed_from
    with pytest.warns(FutureWarning, match="Comparison.races .* write games$"):
        assert known.races == known.games == 8
