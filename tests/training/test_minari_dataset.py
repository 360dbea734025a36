"""Datasets: what was played comes back from Minari, decision by decision."""

from __future__ import annotations

import json
from collections import defaultdict
from functools import partial
from pathlib import Path

import minari
import numpy as np
import pytest

from tests.training import scripts
from titan_env.engine.schema import schema_of
from titan_env.registry import load
from titan_env.training.minari_dataset import main

pytestmark = pytest.mark.thorough

run = partial(scripts.run, main)


@pytest.mark.parametrize(("name", "option"), [("pig", "goal=30"), ("titan_race", "titans=3")])
def test_every_seat_is_an_episode_with_masks_and_its_share_of_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, option: str
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    small = ["random", "--game", name, "-o", option, "--games", "5", "--dataset", "some/games-v0"]
    code, output = run(*small, "--folder", str(tmp_path))
    assert code == 0, output
    written = minari.load_dataset("some/games-v0")
    sums: dict[int, float] = defaultdict(float)
    for episode in written.iterate_episodes():
        masks, actions = episode.observations["action_mask"], episode.actions
        assert len(masks) == len(episode.observations["observation"]) == len(actions) + 1
        assert (masks[np.arange(len(actions)), actions] == 1).all()
        assert not masks[-1].any()
        assert not episode.rewards[:-1].any()
        assert list(np.flatnonzero(episode.terminations | episode.truncations)) == [len(actions) - 1]
    assert f"({option})" in written.storage.metadata["description"]
    for metadata, episode in zip(
        written.storage.get_episode_metadata(range(written.total_episodes)), written.iterate_episodes(), strict=True
    ):
        assert metadata["options"]["schema"] == schema_of(load(name)).hash
        assert option.split("=")[0] in json.loads(metadata["options"]["game_options"])
        sums[metadata["seed"]] += float(episode.rewards.sum())
    assert len(sums) == 5
    assert list(sums.values()) == pytest.approx([0] * 5, abs=1e-6)
    assert run(*small, "--folder", str(tmp_path))[0] == 2


def test_bad_names_are_refused_before_anything_is_played(tmp_path: Path) -> None:
    assert "expected an agent" in run("clever", "--game", "pig", "--dataset", "a/b-v0", "--folder", str(tmp_path))[1]


def test_a_dataset_that_cannot_be_written_is_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    monkeypatch.setattr("titan_env.training.minari_dataset.play", lambda *_, **__: pytest.fail("it was played"))
    for dataset in ("foo", "a/b-v0", "some/../games-v0"):
        code, output = run("random", "--game", "pig", "--dataset", dataset)
        assert code == 2
        assert "expected the name of a dataset such as namespace/name-v0" in output
    (tmp_path / "some" / "games-v0").mkdir(parents=True)
    assert "expected a new dataset" in run("random", "--game", "pig", "--dataset", "some/games-v0")[1]
    (tmp_path / "file").touch()
    assert run("random", "--game", "pig", "--dataset", "some/more-v0", "--folder", str(tmp_path / "file"))[0] == 2
    unknown = ["--dataset", "some/more-v0", "-o", "gaol=3"]
    assert "expected an option of Pig" in run("random", "--game", "pig", *unknown)[1]
    assert [path.name for path in (tmp_path / "some").iterdir()] == ["games-v0"]


def test_a_dataset_appears_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "datasets"
    small = ["random", "--game", "pig", "--games", "5", "--dataset", "some/games-v0", "--folder", str(folder)]
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(folder))
    written = minari.create_dataset_from_buffers

    def killed(*arguments: object, **more: object) -> None:
        written(*arguments, **more)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(minari, "create_dataset_from_buffers", killed)
    assert run(*small)[0] != 0
    assert not list(tmp_path.rglob("games-v0"))
    monkeypatch.undo()
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(folder))
    assert run(*small)[0] == 0
    assert minari.load_dataset("some/games-v0").total_episodes
    assert [path.name for path in tmp_path.iterdir()] == ["datasets"]
