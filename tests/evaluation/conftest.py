"""What several tests of training begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluation.cards import small_benchmark
from tests.evaluation.small_tournament import play
from titan_env.contract import Game


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished tournament."""
    out = tmp_path_factory.mktemp("tournament")
    assert play(out)[0] == 0
    return out


@pytest.fixture
def pig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game pig with a small benchmark, as the only game that has any."""
    return small_benchmark(tmp_path, monkeypatch)
