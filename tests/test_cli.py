"""The command line, used as a person would."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from titan_env import registry
from titan_env.__main__ import app
from titan_env.contract import SILENT
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.option_text import read_options
from titan_env.evaluation.reports.balance import shares
from titan_env.play.event_statistics import play_and_count
from titan_env.records.replay import read
from titan_env.records.session import GameSession

GAME = registry.load("titan_race")
QUICK = ["-o", "titans=2", "-o", "laps=1", "--seed", "5"]


def run(*arguments: str, typed: str | None = None, code: int = 0) -> str:
    """What a command prints; it must end with this exit code."""
    result = CliRunner().invoke(app, list(arguments), input=typed, env={"COLUMNS": "160"})
    assert result.exit_code == code, result.output
    return result.output


def test_games_lists_every_game_with_its_options() -> None:
    output = run("games")
    for name in registry.names():
        game = registry.load(name)
        assert game.id in output
        assert all(
            text in output for text in (*game.rules.options, *game.rules.presets, str(game.rules.state.itemsize))
        )


def test_names_that_are_to_be_typed_are_never_cut() -> None:
    for width in ("40", "80"):
        output = CliRunner().invoke(app, ["games"], env={"COLUMNS": width}).output
        rows = {line.strip("│┃| ").split()[0] for line in output.splitlines() if line.strip("│┃| ")}
        for name in registry.names():
            game = registry.load(name)
            assert {name, *game.rules.options, *game.rules.presets} <= rows


def test_watch_tells_every_decision_and_the_end() -> None:
    output = run("watch", "titan_race", *QUICK, "--agents", "greedy,random")
    assert "enters the race on" in output
    assert "won after" in output
    assert "titan_race_v3" in output


def test_watch_quietly_is_shorter_and_repeats_itself() -> None:
    quiet = run("watch", *QUICK, "--quiet")
    assert quiet == run("watch", *QUICK, "--quiet")
    assert len(quiet) < len(run("watch", *QUICK))
    assert "titan_race_v3" not in quiet, "no position, not even the last one"


def test_a_person_plays_by_number_and_by_text() -> None:
    question = run("play", *QUICK, "--seat", "0", typed="quit\n")
    number, face = re.findall(r"^ +(\d+)  draft:(\w+)", question, re.MULTILINE)[0]
    assert number == "1"
    typed = f"help\nshow\ndescribe\nlegend\nnonsense\nmove:S\n99\n0\nwhy draft:{face}\n{number}\nenter:E1\nquit\n"
    output = run("play", *QUICK, "--seat", "0", typed=typed)
    assert "you are player 1 of 2" in output
    for sign, thing in registry.load("titan_race").text.signs.items():
        assert re.search(rf"^(?:> )? +{re.escape(sign)}  \w[^:]+: \w", output, re.MULTILINE), thing
    offered = len(set(re.findall(r"^ +(\d+)  draft:", question, re.MULTILINE)))
    for wrong in ("99", "0"):
        assert f"expected a number from 1 to {offered}, or the text of an action, got {wrong}" in output
    assert "expected the text of an action, got 'nonsense'" in output
    assert "The turn begins with taking a die from the pool." in output, "an illegal action is answered by its rule"
    assert f"draft:{face} is allowed." in output
    assert f"takes a {face} die" in output
    assert "You left the game." in output


def test_a_person_takes_decisions_back_one_by_one(tmp_path: Path) -> None:
    question = run("play", *QUICK, "--seat", "0", typed="quit\n")
    record = tmp_path / "game.jsonl"
    output = run("play", *QUICK, "--seat", "0", "--record", str(record), typed="undo\n1\n1\nundo\nundo\nundo\nquit\n")
    assert output.count("there is none") == 2
    position = question[question.index("titan_race_v3") : question.index("> ")]
    assert output.count(position) >= 3, "before any decision, and after taking all back"
    assert all(decision["seat"] != 0 for decision in read(record).decisions)


def test_nothing_is_told_twice_in_a_row() -> None:
    lines = [line.strip() for line in run("play", *QUICK, typed="1\n" * 300).splitlines()]
    decisions = [line.partition(": ")[2] for line in lines]
    assert len(decisions) > 100
    assert not [
        sentence
        for sentence, event in pairwise(zip(decisions, lines, strict=True))
        if sentence[0] and sentence[0] == event[1]
    ]


@pytest.mark.parametrize(("language", "message"), [("fr_FR.UTF-8", "Joueur 1, à vous."), ("es", "Jugador 1, le toca.")])
def test_the_terminal_speaks_the_languages_of_the_page(language: str, message: str) -> None:
    output = (
        CliRunner().invoke(app, ["play", *QUICK], input="1\nquit\n", env={"COLUMNS": "160", "LANG": language}).output
    )
    assert message in output
    assert "your turn" not in output


def test_a_person_does_not_see_the_hands_of_others() -> None:
    output = run("play", *QUICK, "--seat", "0", typed="quit\n")
    assert "hand 1: 1 hidden" in output or "hand 1: 2 hidden" in output
    assert "hand 0: " in output
    assert "hand 0: 1 hidden" not in output


def test_the_end_of_the_input_ends_the_game() -> None:
    assert "You left the game." in run("play", *QUICK, typed="")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["watch", "chess"], "expected the name of a game"),
        (["watch", "-o", "titans=9"], "expected 2 to 6"),
        (["watch", "-o", "wheels=9"], "wheels"),
        (["watch", "-o", "titans"], "expected an option such as name=value"),
        (["watch", "--preset", "nine"], "expected a preset among"),
        (["watch", "--agents", "genius"], "expected an agent among"),
        (["play", "--seat", "7"], "expected a seat from 0 to"),
        (["balance", "--agents", "greedy:luck=1"], "expected weights among"),
    ],
)
def test_mistakes_are_told_in_one_line(arguments: list[str], hint: str) -> None:
    output = run(*arguments, code=2)
    assert hint in output
    assert "Traceback" not in output


def test_options_are_read_as_what_they_are() -> None:
    circuits = 'circuit=["kaldheira","ban_kog","anglieh"]'
    assert read_options([circuits, "titans=rassik,craken", 'life={"rassik": 3}', "turn_limit=None"]) == {
        "circuit": ["kaldheira", "ban_kog", "anglieh"],
        "titans": ["rassik", "craken"],
        "life": {"rassik": 3},
        "turn_limit": None,
    }


def test_an_illegal_action_changes_nothing() -> None:
    table = GameSession(GameSetup.of(GAME, {"titans": 2}), 0)
    before = table.state.tobytes()
    with pytest.raises(ValueError, match="expected a legal action"):
        table.play(int(np.flatnonzero(table.mask == 0)[0]))
    assert table.state.tobytes() == before


def test_balance_prints_shares_and_what_happened() -> None:
    output = run("balance", "--games", "24", "--agents", "random", "-o", "laps=1")
    tables, numbers = ("Wins by titan", "order of play", "Wins by circuit and titan"), ("rounds", "turns per Titan")
    for word in (*tables, *numbers, "knocked out"):
        assert word in output


def test_what_is_counted_adds_up() -> None:
    """Counted events agree with the positions at the end."""

    def first_legal(observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        return masks.argmax(axis=1)

    heard = []
    played = play_and_count(GAME, first_legal, 12, 3, heard.append, titans=3, laps=1)
    assert heard[-1] == 12
    assert (played.counts[:, GAME.rules.events.DRAFTED] == played.states.turns).all()  # type: ignore[attr-defined]
    assert (played.counts[:, GAME.rules.events.WON] == 1).all()  # type: ignore[attr-defined]
    by_titan = shares(played, [trait["titan"] for trait in played.statistics()])
    assert sum(share.happened for share in by_titan.values()) == 12
    assert sum(share.of for share in by_titan.values()) == 36
    assert SILENT not in played.counts


@pytest.mark.thorough
def test_speed_measures_rows_beside_a_control_and_their_targets() -> None:
    output = run("speed", "--rounds", "1", "--seconds", "0.01", "--only", "one game")
    assert "control: the baseline beside itself" in output
    assert re.search(r"one game, `sample` and `step` .* decisions/s .* >= 200,000: (yes|no)", output)
    assert re.search(r"one game of a batch, whole numbers .* bytes", output)
    assert "PettingZoo" not in output, "one row of many is measured"


def test_speed_refuses_a_row_and_a_checkout_that_there_are_not(tmp_path: Path) -> None:
    assert "such as 'a decision in every game per call, whole numbers', got comfort" in run(
        "speed", "--only", "comfort", code=2
    )
    assert "expected a checkout of this package, got" in run("speed", "--before", str(tmp_path), code=2)


@pytest.mark.thorough
def test_the_module_runs() -> None:
    """`python -m titan_env` itself, in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "titan_env", "--help"], capture_output=True, text=True, check=True)
    assert all(command in done.stdout for command in ("games", "play", "watch", "speed", "balance"))
