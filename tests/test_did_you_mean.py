"""A name with one wrong letter is answered with the one that was meant: games, agents, parameters, options, flags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from titan_env import agents, registry
from titan_env.__main__ import app
from titan_env.agents.score_features import Adviser
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.envs import aec, sb3, single_agent, vector
from titan_env.evaluation.matches import evaluate
from titan_env.training import fit_value, ppo, train_afterstate
from tools.powers import APIS, offered

OWN = ("titan_race", "tiny_turbo_cars", "fantasy_racing")


def misspelt(name: str) -> str:
    """Return a name with its last letter twice."""
    return name + name[-1]


def error_of(call: Callable[[], Any]) -> str:
    """Return what a call says that is refused."""
    with pytest.raises((ValueError, TypeError)) as raised:
        call()
    return str(raised.value)


def meant(name: str) -> str:
    """Return the pattern of an answer that has understood a name."""
    return rf"did you mean ([\w@.-]+ or )*{re.escape(name)}( or [\w@.-]+)*\?"


@pytest.mark.parametrize("name", OWN)
def test_agents_of_a_game(name: str) -> None:
    game = registry.load(name)
    for known in (*game.metadata.agents, *agents.AGENTS, *agents.shipped(game)):
        assert re.search(meant(known), error_of(lambda known=known: agents.load(misspelt(known), game))), known
    if game.metadata.adviser:
        adviser = game.metadata.adviser.partition(":")[0]
        assert re.search(meant(adviser), error_of(lambda: Adviser(misspelt(adviser), game)))


def parameters(game: Game) -> Iterator[tuple[str, str]]:
    """Yield agents with each parameter that they say they have."""
    for kind in ("flat", "mcts", "rollout", "improve", "solve", *game.metadata.agents):
        complaint = error_of(lambda kind=kind: agents.load(f"{kind}:xyzzy=1", game))
        found = re.search(r"among (.*), got xyzzy", complaint)
        if found and "(none)" not in found[1]:
            yield from ((kind, parameter) for parameter in found[1].split(", "))


@pytest.mark.parametrize("name", OWN)
def test_parameters_and_weights_of_agents(name: str) -> None:
    game = registry.load(name)
    found = list(parameters(game))
    assert found
    for kind, parameter in found:
        message = error_of(lambda kind=kind, parameter=parameter: agents.load(f"{kind}:{misspelt(parameter)}=1", game))
        assert re.search(meant(parameter), message), (kind, parameter, message)


@pytest.mark.parametrize("name", OWN)
def test_options_of_a_game_and_their_values(name: str) -> None:
    game = registry.load(name)
    for option in game.rules.options:
        assert re.search(meant(option), error_of(lambda option=option: GameSetup.of(game, {misspelt(option): 1}))), (
            option
        )
    for option, values in game.presentation.option_values.items():
        for value in values:
            if isinstance(value, str):
                message = error_of(lambda option=option, value=value: GameSetup.of(game, {option: misspelt(value)}))
                assert "did you mean" in message or "expected" in message, message


@pytest.mark.parametrize("api", ["GameAEC", "GameEnv", "GameVectorEnv", "GameVecEnv"])
def test_keywords_of_an_api(api: str) -> None:
    makers: dict[str, Callable[..., Any]] = {"GameAEC": aec.make, "GameEnv": single_agent.make}
    makers |= {"GameVectorEnv": vector.GameVectorEnv, "GameVecEnv": lambda **more: sb3.GameVecEnv(num_envs=1, **more)}
    assert api in APIS
    for keyword in ("reward", "max_cycles", "render_mode", "render_width", "on_illegal"):
        assert keyword in offered(api)
        message = error_of(lambda keyword=keyword: makers[api](game="titan_race", **{misspelt(keyword): 1}))
        assert re.search(meant(keyword), message), message


def flags(command: Callable[..., Any] | typer.Typer, *path: str) -> list[str]:
    """Return the long flags of a script, or of a command of the command line."""
    group: Any = typer.main.get_command(command if isinstance(command, typer.Typer) else as_app(command))
    for name in path:
        group = group.commands[name]
    return [flag for parameter in group.params for flag in parameter.opts if flag.startswith("--")]


def as_app(main: Callable[..., Any]) -> typer.Typer:
    """Return a script as a program."""
    made = typer.Typer()
    made.command()(main)
    return made


COMMANDS = ["play", "watch", "speed", "balance", "replay", "web", "cache"]
SCRIPTS = [ppo.main, train_afterstate.main, fit_value.main, evaluate.main]


@pytest.mark.parametrize("command", [*COMMANDS, *SCRIPTS], ids=lambda one: getattr(one, "__module__", one))
def test_flags_and_commands_of_the_command_line(command: Any) -> None:
    is_script = not isinstance(command, str)
    program = as_app(command) if is_script else app
    path = () if is_script else (command,)
    for flag in flags(program, *path):
        done = CliRunner().invoke(program, [*path, f"{flag[:-2]}{flag[-1]}{flag[-2]}x"], env={"COLUMNS": "200"})
        assert done.exit_code == 2
        assert re.search(rf"(Did you mean|Possible options:?)[^│]*{flag}\b", done.output), (flag, done.output)


def test_texts_of_actions() -> None:
    game = registry.load("titan_race")
    for action in game.rules.actions.texts[:40]:
        assert "did you mean" in error_of(lambda action=action: game.rules.actions.read(f"{action}?"))
