"""OpenEnv: its server serves every game, and its clients play it, each session a game of its own."""

from __future__ import annotations

import random
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests
import uvicorn
import yaml
from openenv import GenericEnvClient
from typer.testing import CliRunner

from titan_env.__main__ import app
from titan_env.contract import Game
from titan_env.envs.openenv import GameAction, GameClient, GameEnvironment, make_app
from titan_env.envs.text_seats import agents_around
from titan_env.records.replay import parse

HOSTING = Path(__file__).parents[2] / "hosting"


@contextmanager
def served(game: Game | str, **keywords: Any) -> Iterator[str]:
    """The address of a server of the game while the block runs."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(game, **keywords), log_level="error", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


def play_out(client: Any, seed: int) -> tuple[list[int], Any]:
    """The seats that were asked in a game of drawn actions, and its last result."""
    rng, seats = random.Random(seed), []
    result = client.reset(seed=seed)
    while not result.done:
        seats.append(result.observation.seat)
        answer = f"ACTION: {rng.choice(result.observation.legal_actions)}"
        result = client.step(GameAction(answer=answer))
        assert result.observation.reading == "legal"
    return seats, result


def test_every_game_is_played_over_its_server_by_all_seats_or_one(game: Game) -> None:
    seats = game.rules.seats[0]
    for opponents, seat in ((None, None), ("random", 1)):
        keywords = {"opponents": opponents, "seat": seat, "players": seats, "max_cycles": 30}
        with served(game, **keywords) as address, GameClient(base_url=address).sync() as client:
            asked, result = play_out(client, seed=2)
            state = client.state()
        assert set(asked) == ({1} if opponents else set(range(seats)))
        assert set(result.observation.rewards) == set(range(seats))
        assert result.reward == result.observation.rewards[asked[-1]]
        assert (state.seat, state.seats, state.step_count) == (seat, seats, len(asked))
        assert parse(state.record or "").game is game


def test_sessions_play_games_of_their_own_and_equal_seeds_give_equal_games() -> None:
    with served("titan_race", titans=2, opponents="random") as address:
        with GameClient(base_url=address).sync() as one, GameClient(base_url=address).sync() as other:
            seen = [client.reset(seed=seed).observation for client, seed in ((one, 4), (other, 4), (one, 5))]
            assert seen[0] == seen[1] != seen[2]
            again = one.reset(seed=4).observation
            action = GameAction(answer=again.legal_actions[0])
            assert one.step(action) == other.step(action)
        generic = GenericEnvClient(base_url=address).sync()
        with generic:
            assert generic.reset(seed=4).observation["prompt"] == seen[0].prompt
        assert requests.get(f"{address}/health", timeout=60).json()["status"] == "healthy"
        assert "answer" in requests.get(f"{address}/schema", timeout=60).json()["action"]["properties"]
        assert requests.get(f"{address}/metadata", timeout=60).json()["description"] == "titan_race_v3"


def test_the_rules_come_once_and_an_unreadable_answer_is_asked_again() -> None:
    env = GameEnvironment("titan_race", titans=2, opponents="random", seat=0)
    first = env.reset(seed=1, episode_id="a")
    assert first.system_prompt
    assert (first.seat, first.reading, first.reward, first.done) == (0, None, None, False)
    bad = env.step(GameAction(answer="Bonjour !"))
    assert (bad.reading, bad.action, bad.reward, bad.system_prompt) == ("unreadable", None, 0.0, "")
    assert bad.prompt.startswith("That could not be read.")
    assert bad.legal_actions == first.legal_actions
    assert env.state.counts == {"unreadable": 1}
    assert (env.state.episode_id, env.state.record) == ("a", None), "what is hidden stays so until the game is over"


def test_without_a_seat_each_game_draws_it_by_its_seed() -> None:
    env = GameEnvironment("pig", opponents="random")
    drawn = [(env.reset(seed=seed), env.state.seat)[1] for seed in range(12)]
    assert set(drawn) == {0, 1}
    assert drawn == [(env.reset(seed=seed), env.state.seat)[1] for seed in range(12)]


def test_a_game_that_ends_before_the_seat_is_asked_is_followed_by_one_that_asks_it() -> None:
    env = GameEnvironment("pig", opponents="random", seat=1, max_cycles=3)
    firsts = [env.reset(seed=seed) for seed in range(20)]
    assert {(first.seat, first.done) for first in firsts} == {(1, False)}
    assert firsts == [env.reset(seed=seed) for seed in range(20)]
    with pytest.raises(ValueError, match="expected a seat to be asked within 1000 games; raise max_cycles"):
        GameEnvironment("pig", opponents="random", seat=1, max_cycles=1).reset(seed=1)


def test_options_of_the_game_hold_for_one_episode() -> None:
    env = GameEnvironment("pig", opponents="random", seat=0)
    env.reset(seed=1, options={"game": {"goal": 17}})
    assert int(env._text.games.batch.states["goal"][0]) == 17
    env.reset(seed=1)
    assert int(env._text.games.batch.states["goal"][0]) != 17


def test_agents_sit_around_the_seat_in_turn_order() -> None:
    assert agents_around(4, 2, "random") == {3: "random", 0: "random", 1: "random"}
    assert agents_around(3, 2, "greedy:push=2,row=1,random") == {0: "greedy:push=2,row=1", 1: "random"}
    assert agents_around(3, None, None) == {}


@pytest.mark.parametrize(
    ("keywords", "error"),
    [
        ({"game": "chess"}, "expected the name of a game, got 'chess'"),
        ({"game": "pig", "opponents": "clever"}, "expected an agent among"),
        ({"game": "pig", "opponents": "random", "seat": 5}, "expected a seat from 0 to 1, got 5"),
        ({"game": "pig", "seat": 5}, "expected a seat from 0 to 1, got 5"),
        ({"game": "pig", "opponents": "random,random"}, "expected one agent for all other seats, or 1, got 2"),
        ({"game": "pig", "agents": {0: "random"}}, "expected opponents and seat instead of agents"),
        ({"game": "pig", "players": 99}, "expected players from 2 to 6, got 99"),
        ({"game": "pig", "speed": 3}, "speed"),
    ],
)
def test_wrong_keywords_are_one_clear_line_before_anything_is_served(keywords: dict[str, Any], error: str) -> None:
    with pytest.raises((ValueError, TypeError), match=error) as found:
        make_app(**keywords)
    assert "\n" not in str(found.value)


def test_what_a_client_asks_wrongly_is_answered_in_one_line_and_changes_nothing() -> None:
    with served("pig", opponents="random", seat=0) as address, GameClient(base_url=address).sync() as client:
        with pytest.raises(RuntimeError, match=r"expected reset\(\) before step\(\)"):
            client.step(GameAction(answer="roll"))
        observation = client.reset(seed=1).observation
        with pytest.raises(RuntimeError, match="expected seed, episode_id and options, got sead"):
            client.reset(sead=2)
        with pytest.raises(RuntimeError, match="expected options of reset"):
            client.reset(options=3)
        assert client.step(GameAction(answer="hm")).observation.legal_actions == observation.legal_actions
        play_out(client, 1)
        with pytest.raises(RuntimeError, match="expected a game that runs"):
            client.step(GameAction(answer="roll"))


def test_the_command_of_the_container_is_one_and_serves_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    served_apps: list[tuple[Any, dict[str, Any]]] = []
    monkeypatch.setattr(uvicorn, "run", lambda app, **where: served_apps.append((app, where)))
    service = yaml.safe_load((HOSTING / "openenv.yaml").read_text("utf-8"))["services"]["openenv"]
    assert (HOSTING.parent / service["build"]["args"]["CONSTRAINTS"]).exists()
    program, *typed = [*service["entrypoint"], *service["command"]]
    command = [re.sub(r"^\$\{GAME:.*\}$", "titan_race", word) for word in typed]
    ended = CliRunner().invoke(app, command)
    assert (program, ended.exit_code) == ("titan_env", 0), ended.output
    ((_, where),) = served_apps
    assert where == {"host": "0.0.0.0", "port": 8000}
    assert service["ports"] == ["127.0.0.1:8000:8000"]


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (["openenv", "chess"], "expected the name of a game, got 'chess'"),
        (["openenv", "titan_race", "-o", "titans=9"], "titans: expected"),
        (["openenv", "titan_race", "--opponents", "clever"], "expected an agent among"),
        (["openenv", "titan_race", "--seat", "8"], "expected a seat from 0 to "),
    ],
)
def test_a_mistake_on_the_command_line_is_one_line(command: list[str], error: str) -> None:
    ended = CliRunner().invoke(app, command, env={"COLUMNS": "400"})
    assert ended.exit_code == 2
    assert [line for line in ended.output.splitlines() if line.startswith("Error: ")], ended.output
    assert error in ended.output
