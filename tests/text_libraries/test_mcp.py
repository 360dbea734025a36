"""The MCP server: an assistant plays and studies every game by its tools, and no answer tells what is hidden."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np
import pytest
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

from titan_env import registry
from titan_env.cli.mcp import Assistant, make_server
from titan_env.contract import Game
from titan_env.records.replay import parse

TOOLS = {"list_games", "new_game", "position", "legal_actions", "act", "explain_rule"}
Call = Callable[..., Awaitable[Any]]


def with_client(server: Any, play: Callable[[Any, Call], Awaitable[None]]) -> None:
    """Connect the SDK's client to a server, and play."""

    async def connected() -> None:
        async with Client(server) as client:

            async def call(tool: str, **arguments: Any) -> Any:
                answer = await client.call_tool(tool, arguments)
                text = answer.content[0].text if answer.content else ""
                if answer.is_error:
                    raise ValueError(text)
                structured = answer.structured_content
                return (
                    text
                    if structured is None
                    else structured["result"]
                    if list(structured) == ["result"]
                    else structured
                )

            await play(client, call)

    asyncio.run(connected())


def test_a_whole_game_is_played_by_the_tools(game: Game) -> None:
    async def play(_: Any, call: Call) -> None:
        result = await call("new_game", game=game.name, opponents="random")
        for _turn in range(3000):
            assert result == await call("position")
            legal = await call("legal_actions")
            result = await call("act", action=list(legal)[-1])
            if result.startswith("The game is over."):
                break
        if result.startswith("The game is over. Payoffs: player_0: "):
            assert parse(result.partition("replay`:\n")[2]).decisions
            assert await call("legal_actions") == {}
            with pytest.raises(ValueError, match="expected a game that goes on"):
                await call("act", action="roll")
        else:
            assert game.name not in ("pig", "goofspiel"), "these end"

    with_client(make_server(), play)


def test_an_assistant_in_another_process_finds_the_tools_and_begins_a_game() -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "titan_env", "mcp", "--game", "tests.games.pig:GAME"]
    )

    async def play(client: Any, call: Call) -> None:
        tools = (await client.list_tools()).tools
        assert {tool.name for tool in tools} == TOOLS
        assert all(tool.description for tool in tools)
        assert "pig" in await call("list_games")
        assert (await call("new_game", game="pig", seat=1, options={"players": 3})).startswith("You are player_1.")

    with_client(stdio_client(command), play)


def test_answers_are_the_same_whatever_is_hidden_from_the_seat() -> None:
    """A change of all that the seat cannot know changes no letter of any answer."""
    race = registry.load("titan_race")

    async def play() -> None:
        assistant, rng, changed = Assistant(), np.random.default_rng(0), 0
        await assistant.new_game("titan_race", "random", options={"titans": 3})
        for _ in range(40):
            text: Any = assistant._text
            if text.seat < 0:
                break
            answers = await assistant.position(), await assistant.legal_actions()
            batch, before = text.games.batch, text.games.batch.states.tobytes()
            race.rules.imagine(batch.states[0], text.seat, batch.luck[0])  # type: ignore[misc]
            changed += before != batch.states.tobytes()
            text.games._ask_all(np.array([0]))  # from another imagined world
            assert (await assistant.position(), await assistant.legal_actions()) == answers
            await assistant.act(str(rng.choice(list(answers[1]))))
        assert changed

    asyncio.run(play())


def test_rules_are_told_by_their_headings() -> None:
    async def play(_: Any, call: Call) -> None:
        headings = [line.strip() for line in (await call("explain_rule", game="titan_race")).splitlines()]
        assert "Cards" in headings
        for heading in headings:
            assert heading in (await call("explain_rule", game="titan_race", heading=heading)).splitlines()[0]
        await call("new_game", game="titan_race")
        assert (await call("explain_rule")).split("\n")[0] == headings[0], "of the game that goes on"
        with pytest.raises(ValueError, match=r"expected a heading among .*, got .Chess."):
            await call("explain_rule", heading="Chess")

    with_client(make_server(), play)


def test_a_mistake_is_one_clear_line_and_changes_nothing() -> None:
    async def play(_: Any, call: Call) -> None:
        with pytest.raises(ValueError, match="expected new_game before"):
            await call("position")
        result = await call("new_game", game="pig")
        for tool, arguments, error in (
            ("new_game", {"game": "chess"}, "expected the name of a game, got 'chess'"),
            ("new_game", {"game": "pig", "opponents": "clever"}, "expected opponents among .*, got 'clever'"),
            ("new_game", {"game": "pig", "opponents": "python:agent.py"}, "expected opponents among"),
            ("new_game", {"game": "tests.games.pig:GAME"}, "expected the name of a game"),
            ("explain_rule", {"game": "tests.games.pig:GAME"}, "expected the name of a game"),
            (
                "new_game",
                {"game": "pig", "opponents": "random,random,random"},
                "expected one agent for all other seats",
            ),
            ("new_game", {"game": "pig", "seat": 9}, "expected a seat from 0 to 1, got 9"),
            ("new_game", {"game": "pig", "options": {"players": 40}}, "expected players from 2 to 6, got 40"),
            ("act", {"action": "fly"}, "expected one of the legal actions .*, got 'fly'"),
        ):
            with pytest.raises(ValueError, match=error) as found:
                await call(tool, **arguments)
            assert len(str(found.value).splitlines()) == 1
        assert await call("position") == result

    with_client(make_server(), play)
