"""Tables of one agent in every seat: a row for each value of an option, printed and written, or refused at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import typer

from titan_env.evaluation.reports import lengths, luck

pytestmark = pytest.mark.thorough

GAMES = 20
commands = pytest.mark.parametrize("command", [lengths.main, luck.main], ids=["lengths", "luck"])


@commands
def test_a_row_is_measured_for_every_value_and_the_table_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: Callable[..., None]
) -> None:
    out = tmp_path / "table.md"
    command(game="pig", agents=["random"], vary=["players=2,3"], games=GAMES, out=out)
    text = out.read_text("utf-8")
    assert text in capsys.readouterr().out
    for players in (2, 3):
        assert f"| `random` | {players} | {GAMES} |" in text


@commands
def test_what_cannot_be_played_or_written_is_refused_before_anything_is_played(
    tmp_path: Path, command: Callable[..., None]
) -> None:
    with pytest.raises(typer.Exit):
        command(game="pig", vary=["players=2,99"], games=GAMES, out=tmp_path / "table.md")
    with pytest.raises(typer.Exit):
        command(game="pig", games=GAMES, out=tmp_path / "table.txt")
    assert list(tmp_path.iterdir()) == []
