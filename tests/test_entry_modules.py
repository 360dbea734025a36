"""The modules that users import are typed: editors and mypy know every option of every game."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from titan_env import registry
from titan_env.contract import Game
from tools.entry_modules import entry_module

ROOT = Path(__file__).parents[1]
BUILT_IN = [path.name for path in sorted((ROOT / "titan_env" / "games").iterdir()) if (path / "__init__.py").exists()]


def test_each_module_is_what_the_options_of_its_game_are_now() -> None:
    for game in map(registry.load, BUILT_IN):
        written = (ROOT / "titan_env" / f"{game.id}.py").read_text("utf-8")
        assert written == entry_module(game), "run python -m tools.entry_modules"


def test_a_text_passes_for_a_list_of_names_only_where_a_text_is_an_option_too() -> None:
    for game in map(registry.load, BUILT_IN):
        for name, parameter in inspect.signature(game.rules.configure).parameters.items():
            kinds = str(parameter.annotation).split(" | ")
            assert "str" in kinds or not {"Sequence[str]", "Collection[str]"} & {*kinds}, f"{game.name} {name}: {kinds}"


def fixed_words(game: Game) -> dict[str, tuple[str, ...]]:
    """Return the words that an option takes where the type of the option lists them, by option."""
    words = {
        name: tuple(re.findall(r"'([^']+)'", str(parameter.annotation)))
        for name, parameter in inspect.signature(game.rules.configure).parameters.items()
    }
    return {name: known for name, known in words.items() if known}


def test_an_option_takes_each_word_of_its_type_and_names_them_when_another_comes() -> None:
    options = [
        (game, option, words) for game in map(registry.load, BUILT_IN) for option, words in fixed_words(game).items()
    ]
    assert len({game.name for game, _, _ in options}) == len(BUILT_IN)
    for game, option, words in options:
        for word in words:
            game.rules.configure(**{option: word})
        with pytest.raises((TypeError, ValueError), match=option) as refused:
            game.rules.configure(**{option: "four"})
        assert all(re.search(rf"\b{word}\b", str(refused.value)) for word in words), (game.name, option, words)


def test_an_import_of_an_earlier_version_says_what_to_import_instead(game: Game) -> None:
    for version in range(game.metadata.version):
        with pytest.raises(ImportError, match=f"{game.name}_v{version} is no more: .* import {game.id} instead"):
            importlib.import_module(f"titan_env.{game.name}_v{version}")
    later = f"titan_env.{game.name}_v{game.metadata.version + 1}"
    with pytest.raises(ModuleNotFoundError, match=f"No module named '{later}'"):
        importlib.import_module(later)


@pytest.mark.thorough
def test_mypy_finds_an_option_that_is_not_there_and_a_value_of_another_kind(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    lines, wrong = [], []
    for game in map(registry.load, BUILT_IN):
        lines += [f"from titan_env import {game.id}", f"{game.id}.env(reward='win', max_cycles=5)"]
        lines += [f"{game.id}.env({option}={word!r})" for option, words in fixed_words(game).items() for word in words]
        mistakes = ("no_such_option=1", "max_cycles='five'", *(f"{option}='four'" for option in fixed_words(game)))
        for mistake in mistakes:
            lines.append(f"{game.id}.raw_env({mistake})")
            wrong.append(len(lines))
    script.write_text("\n".join(lines))
    command = [sys.executable, "-m", "mypy", str(script)]  # as `make lint` calls it, which leaves its cache for this
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert [int(line) for line in re.findall(r"script\.py:(\d+): error", done.stdout)] == wrong, done.stdout
