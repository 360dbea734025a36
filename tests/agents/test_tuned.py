"""An agent plays with weights from a file, and says which agent they are of and how they were found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.agents.tuned import ENTRIES, FORMAT
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.fingerprints import sources
from titan_env.records.sealed import write_json

pytestmark = pytest.mark.thorough

RACE = registry.load("titan_race")
MADE = {"script": "titan_env.training.tune_weights", "seconds": 7}


def written(folder: Path, **changed: Any) -> Path:
    """Write a file of tuned weights, some of it changed."""
    file = folder / "tuned.json"
    entries = {"game": RACE.id, "agent": "greedy", "weights": {"push": -3.5}, "made": MADE} | changed
    write_json(file, entries, FORMAT, ENTRIES)
    return file


def test_it_plays_as_the_agent_with_these_weights_plays(tmp_path: Path) -> None:
    tuned = agents.load(f"tuned:{written(tmp_path)},life=2", RACE)
    named = agents.load("greedy:push=-3.5,life=2", RACE)
    assert tuned.weights == named.weights  # type: ignore[attr-defined]
    batch = Batch(RACE, 64)
    batch.seed(0)
    batch.start()
    seen = (batch.observations, batch.masks)
    assert (tuned(*seen, np.random.default_rng(0)) == named(*seen, np.random.default_rng(0))).all()


def test_it_says_whose_weights_they_are_and_how_they_were_found(tmp_path: Path) -> None:
    file = written(tmp_path)
    tuned = agents.load(f"tuned:{file}", RACE)
    assert (tuned.base, tuned.made) == ("greedy", MADE)  # type: ignore[attr-defined]
    assert file in sources(f"tuned:{file}", RACE)
    assert set(sources("greedy", RACE)) <= set(sources(f"tuned:{file}", RACE))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"game": "titan_race_v0"}, r"expected weights tuned for titan_race_v3 in .*, got those for titan_race_v0"),
        ({"weights": {"luck": 1}}, "expected weights among .*, got luck"),
        ({"weights": {"push": "much"}}, "expected a file of tuned weights in .*, which is damaged or another file"),
        ({"weights": {"push": 1e9}}, "expected weights from -1e.06 to 1e.06, got push=1e.09"),
        ({"agent": "brave"}, "expected an agent among .*, got 'brave'"),
        (
            {"agent": "random", "weights": {}},
            "expected weights of an agent that scores actions in .*, got those of random",
        ),
        (
            {"agent": "random"},
            "expected weights of an agent that scores actions in .*, got those of random",
        ),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        agents.load(f"tuned:{written(tmp_path, **changed)}", RACE)


@pytest.mark.parametrize("text", ["", "[]", "{}", "{", "7", "[" * 5000])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "tuned.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"expected a file of tuned weights in .*tuned\.json, which is damaged"):
        agents.load(f"tuned:{file}", RACE)


def test_a_missing_file_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected a file of tuned weights, found no nowhere\.json .No such file"):
        agents.load("tuned:nowhere.json", RACE)
    with pytest.raises(ValueError, match="expected the file of tuned weights, as in tuned:"):
        agents.load("tuned", RACE)
