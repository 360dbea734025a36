"""Games from outside: by their place, out of an installed package, with agents of their own, at every command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.games import game_with
from tests.games.pig import GAME as PIG
from titan_env import agents, registry
from titan_env.__main__ import app
from titan_env.contract import Game

OUTSIDE = """
from tests.games import game_with
from tests.games.pig import GAME as PIG

def make(game, least=2.0):
    def act(observations, masks, rng):
        return (masks[:, 1] & (observations[:, 0] * 20 >= least)).astype(int)
    return act

GAME = game_with(PIG, name="{name}", title="Outside", version=3, agents={{"careful": "{module}:make"}})
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game in a file of the folder in which a command is run."""
    name = f"outside_{abs(hash(tmp_path)) % 10**8}"
    (tmp_path / f"{name}.py").write_text(OUTSIDE.format(name=name, module=name))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "GAMES", dict(registry.GAMES))
    return f"{name}:GAME"


def run(*arguments: str, typed: str | None = None, code: int = 0) -> str:
    """What a command prints; it must end with this exit code."""
    result = CliRunner().invoke(app, list(arguments), input=typed, env={"COLUMNS": "160"})
    assert result.exit_code == code, result.output
    return result.output


def test_a_game_is_known_by_its_name_once_it_was_found_at_its_place(place: str) -> None:
    game = registry.load(place)
    assert registry.load(game.name) is game
    assert registry.load(place) is game
    assert registry.GAMES[game.name].version == 3
    assert registry.address(game) == place


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("nowhere_at_all:GAME", "found no module 'nowhere_at_all' here"),
        ("tests.games.pig:PORK", "has no attribute 'PORK'"),
        ("tests.games.pig:ACTIONS", "expected a game at 'tests.games.pig:ACTIONS', got ActionTable"),
        ("hog", "one from outside goes by module:NAME"),
    ],
)
def test_a_place_without_a_game_is_told(place: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        registry.load(place)
    assert message in run("watch", place, code=2)


@pytest.mark.thorough
def test_every_command_takes_a_game_from_outside(place: str, tmp_path: Path) -> None:
    output = run("games", place)
    assert "Outside" in output
    assert "careful" in output
    assert "won after" in run("watch", place, "--seed", "1", "--record", "game.jsonl")
    assert "You left the game." in run("play", place, typed="quit\n")
    assert "order of play" in run("balance", place, "--games", "8")
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    script = f"import sys; sys.argv[1:] = ['replay', 'verify', 'game.jsonl', '--game', '{place}']"
    script += "; from titan_env.__main__ import app; app()"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path, env=env
    )
    assert "bit for bit" in result.stdout, result.stderr


def test_a_game_says_which_agents_it_has(place: str, game: Game) -> None:
    assert agents.default_agent(PIG) == "random"
    assert agents.names(PIG) == ["random", "flat:64", "mcts:256"]
    outside = registry.load(place)
    assert agents.default_agent(outside) == "careful"
    act = agents.load("careful:least=4", outside)
    heaps = np.zeros((2, outside.rules.fields.size), np.float32)
    heaps[:, 0] = 3 / 20, 4 / 20
    assert act(heaps, np.ones((2, 2), np.int8), np.random.default_rng(0)).tolist() == [0, 1]
    with pytest.raises(ValueError, match="expected parameters of careful among least"):
        agents.load("careful:most=4", outside)
    for name in [*agents.names(game), agents.default_agent(game)]:
        assert callable(agents.load(name, game))


INSTALLED = "import titan_env, sys; print('pig_of_others' in sys.modules, *titan_env.registry.names())"


def test_the_games_of_installed_packages_are_known_and_nothing_of_them_is_imported(tmp_path: Path) -> None:
    about = tmp_path / "pig_of_others-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pig-of-others\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[titan_env.games]\nhog_v2 = pig_of_others:GAME\nPorky Pig_v0 = pig_of_others:PORKY\n"
    )
    found = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {INSTALLED}"
    result = subprocess.run([sys.executable, "-c", found], capture_output=True, text=True, check=True)
    imported, *names = result.stdout.split()
    assert imported == "False"
    assert "hog" in names
    assert "pig_of_others:PORKY of the group titan_env.games is left out" in result.stderr


def test_a_game_that_is_nowhere_registered_cannot_go_to_another_process() -> None:
    with pytest.raises(ValueError, match="expected a registered game, got 'sow'"):
        registry.address(game_with(PIG, name="sow"))


def test_a_bare_game_is_watched_to_an_end_that_nobody_may_have_won() -> None:
    ends = {run("watch", "bare", "--seed", str(seed)).splitlines()[-1] for seed in range(8)}
    assert "Nobody has won after 2 decisions." in ends
    assert any(end.startswith("player_") for end in ends)
    assert "Wins by order of play" in run("balance", "bare", "--games", "8")
