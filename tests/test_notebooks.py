"""Every notebook runs from top to bottom without an error."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.thorough

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))

FEWER = {
    "2_train_a_racer": {
        "MINUTES = 0.75": "MINUTES = 0.01",
        "range(8)": "range(1)",
        "pair, 200, 1,": "pair, 8, 1,",
        "1000, 5, titans": "8, 5, titans",
    },
    "3_compare_agents_honestly": {
        "pair, 30, ": "pair, 8, ",
        "pair, 2000, 10_000,": "pair, 8, 10_000,",
        "range(600), titans": "range(10), titans",
    },
    "4_look_inside": {"Batch(game, 3000, ": "Batch(game, 300, ", "Batch(game, 4000, ": "Batch(game, 400, "},
    "5_your_own_circuit": {"Batch(game, 200, ": "Batch(game, 8, "},
    "6_programs_in_secret": {"players, 60, seed": "players, 3, seed", "imagine(3000, rng)": "imagine(300, rng)"},
}
"""Games and minutes of a notebook -> those of its test: whether a cell runs does not hang on how many it plays."""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
@pytest.mark.filterwarnings("default")  # the kernel's own libraries warn; what a cell raises fails the test
def test_a_notebook_runs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    for written, fewer in FEWER.get(path.stem, {}).items():
        assert any(written in cell.source for cell in notebook.cells), f"{path.name} has no {written!r} any more"
        for cell in notebook.cells:
            cell.source = cell.source.replace(written, fewer)
    client = NotebookClient(
        notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": path.parents[1]}}
    )
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert not any("FutureWarning" in output.get("text", "") for output in outputs), "a name that goes"


def test_the_notebooks_hold_no_outputs() -> None:
    assert len(NOTEBOOKS) == 7
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        assert not any(cell.get("outputs") for cell in notebook.cells), path.name
