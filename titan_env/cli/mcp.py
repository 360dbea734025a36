"""The command `mcp`: a server of the Model Context Protocol, by whose tools an assistant plays and studies games.

All answers are made of what the assistant's seat may know. Needs the extra ``mcp``.
"""

from __future__ import annotations

from typing import Any

from titan_env import registry
from titan_env.agents import default_agent, names
from titan_env.agents.chat.prompts import parse_answer
from titan_env.agents.chat.rules_text import rules_text
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.envs.text import GameTextEnv
from titan_env.envs.text_parts import Question
from titan_env.envs.text_seats import agents_around, begin
from titan_env.extras import extra

with extra("mcp"):
    from mcp.server import MCPServer

INSTRUCTIONS = (
    "Board games for two to six players. Begin with new_game; then look at position and legal_actions, and act with "
    "the text of a legal action. explain_rule tells the headings of the rules, and each section. One game goes on at a "
    "time."
)


class Assistant:
    """The game of an assistant, and the tools that play it."""

    def __init__(self) -> None:
        self._text: GameTextEnv | None = None

    async def new_game(
        self, game: str, opponents: str | None = None, seat: int = 0, options: dict[str, Any] | None = None
    ) -> str:
        """Begin a game; the answer is the first position in which you decide.

        Args:
            game: Name of a game, from list_games.
            opponents: Agents of the other seats, one for all or one for each with commas, such as "random", "greedy",
                "expert". Names have no parameters. The default is the game's default agent.
            seat: Your seat, from 0 on.
            options: Options of the game, such as {"players": 4}.
        """
        loaded = _listed(game)
        seats = GameSetup.of(loaded, options or {}).seats
        agents = agents_around(seats, seat, opponents or default_agent(loaded))
        for name in agents.values():
            if name not in (known := names(loaded)):
                raise ValueError(f"expected opponents among {', '.join(known)}, got {name!r}")
        text = GameTextEnv(loaded, agents=agents, **(options or {}))
        begin(text)
        self._text = text
        return self._question_text()

    async def list_games(self) -> dict[str, str]:
        """Return the name of each game, with its title, number of players and options."""
        return {name: _about(name) for name in registry.names()}

    async def position(self) -> str:
        """Return what happened since your last decision, the position as you may see it, and what you are asked."""
        return self._question_text()

    async def legal_actions(self) -> dict[str, str]:
        """Return the text of each legal action, with its meaning; none once the game is over."""
        question = self._playing().question()
        return {} if question is None else question.legal

    async def act(self, action: str) -> str:
        """Play a legal action by its text; the answer tells what happened up to your next decision, or the result."""
        text = self._playing()
        question = text.question()
        if question is None:
            raise ValueError("expected a game that goes on, got an action in one that is over; begin a new_game")
        if parse_answer(action, list(question.legal)) is None:
            raise ValueError(f"expected one of the legal actions {', '.join(question.legal)}, got {action!r}")
        result = text.step(action)
        if not (result.terminated or result.truncated):
            return self._question_text()
        payoffs = ", ".join(f"player_{seat}: {payoff:g}" for seat, payoff in result.rewards.items())
        return f"The game is over. Payoffs: {payoffs}\nIts record, for `titan_env replay`:\n{text.record()}"

    async def explain_rule(self, heading: str = "", game: str = "") -> str:
        """Return a section of the rules by its heading, with those below it; without a heading, all headings.

        Args:
            heading: one of the headings.
            game: the name of a game; without, that of the game that goes on.
        """
        loaded = _listed(game) if game else self._playing().games.game
        rules = rules_text(loaded, 0)
        headings = [section.heading for section in rules.left_out]
        if not heading:
            return "\n".join("  " * (section.depth - 1) + section.heading for section in rules.left_out) or rules.text
        if (found := rules.find(heading)) is None:
            raise ValueError(f"expected a heading among {', '.join(headings)}, got {heading!r}")
        return found

    def _playing(self) -> GameTextEnv:
        """Return the game that was begun. Raises ValueError before."""
        if self._text is None:
            raise ValueError("expected new_game before anything is asked about one")
        return self._text

    def _question_text(self) -> str:
        """Return the current question without its actions."""
        question = self._playing().question()
        return "The game is over." if question is None else _words(question)


def _words(question: Question) -> str:
    """Return a question in words, without its actions."""
    parts = [f"You are player_{question.seat}."]
    if question.events:
        parts.append("Since your last decision:\n" + "\n".join(question.events))
    parts.append(f"The position:\n{question.position}")
    parts.append(f"You are asked: {question.asked} ({len(question.legal)} legal actions).")
    return "\n\n".join(parts)


def _listed(name: str) -> Game:
    """Return a game of `list_games`. Raises ValueError for another one: an assistant has no code imported."""
    if name not in (known := registry.names()):
        raise ValueError(f"expected the name of a game, got {name!r}; there are: {', '.join(known)}")
    return registry.load(name)


def _about(name: str) -> str:
    """Return the title, the number of players and the options of a game in one line."""
    game = registry.load(name)
    low, high = game.rules.seats
    options = "; ".join(f"{option}: {meaning}" for option, meaning in game.rules.options.items())
    return f"{game.metadata.title}, {low} to {high} players. Options: {options}"


def make_server() -> MCPServer:
    """Return the server of one assistant, with its tools."""
    server = MCPServer("titan_env", instructions=INSTRUCTIONS)
    assistant = Assistant()
    for tool in (
        assistant.list_games,
        assistant.new_game,
        assistant.position,
        assistant.legal_actions,
        assistant.act,
        assistant.explain_rule,
    ):
        server.add_tool(tool)
    return server
