"""What several tests of training begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluation.small_tournament import play


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished tournament."""
    out = tmp_path_factory.mktemp("tournament")
    assert play(out)[0] == 0
    return out
