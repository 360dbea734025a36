"""Every game as a TextArena environment, for its wrappers, agents and loops.

::

    import textarena as ta
    import titan_env.envs.textarena  # registers all games

    env = ta.make("MyGame-v0")
    env.reset(num_players=3, seed=7)

The ids are those of Gymnasium without the namespace. As with TextArena's own games, ``-train`` after the id keeps the
latest board only, and ``-raw`` has no wrapper. Needs the extra ``textarena``.
"""

from __future__ import annotations

import re
from typing import Any

from titan_env import registry
from titan_env.agents.chat.prompts import ANSWER
from titan_env.contract import Game
from titan_env.envs.text import GameTextEnv
from titan_env.envs.text_parts import TextStep
from titan_env.envs.text_seats import begin
from titan_env.extras import extra

with extra("textarena"):
    import textarena as ta
    from textarena.core import ObservationType
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions
    from textarena.wrappers import (
        ActionFormattingWrapper,
        GameMessagesAndCurrentBoardObservationWrapper,
        LLMObservationWrapper,
    )

WRAPPERS = {
    "default": [LLMObservationWrapper, ActionFormattingWrapper],
    "-train": [GameMessagesAndCurrentBoardObservationWrapper, ActionFormattingWrapper],
}
"""Ending of an id -> the wrappers that TextArena puts around the environment."""
_DECIDED = re.compile(rf"\[[^\[\]]*\]|{ANSWER}.*")


class GameTextArenaEnv(ta.Env):  # type: ignore[misc]
    """One game for TextArena. Keywords are those of `GameTextEnv`: `on_illegal`, `agents`, ..., options of the game.

    A player is told the rules once (PROMPT), then before each decision what happened (GAME_MESSAGE) and the position
    with the legal actions (GAME_BOARD), as far as the seat may know. An answer names its action in brackets, or as
    `GameTextEnv` reads it; an invalid one is told (GAME_ADMIN), and the same player is asked again.
    """

    def __init__(self, game: Game | str, **options: Any) -> None:
        self.game, self._options = registry.game_of(game), options
        if {"players", "prompt_form"} & options.keys():
            raise ValueError("expected num_players in reset() instead of players, and no prompt_form")
        GameTextEnv(self.game, **{**options, "agents": None})  # refuses wrong keywords before there are players
        self._games: dict[int, GameTextEnv] = {}

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a new game among this many players. Raises ValueError for a number that the game does not seat."""
        if num_players not in self._games:
            talk = {"prompt_form": "conversation", "players": num_players}
            self._games[num_players] = GameTextEnv(self.game, **{**self._options, **talk})
        self._env = self._games[num_players]
        begin(self._env, seed)
        self.state = ta.State(num_players)  # without the seed, with which it would seed Python's generator for all
        self.state.standard_resets(
            player_prompt_function=lambda player_id, game_state: self._env.games.system_prompt,
            role_mapping={player: f"Player {player}" for player in range(num_players)},
        )
        self._ask()

    def _ask(self) -> None:
        """Tell the player to act what has happened, and ask."""
        question = self._env.question()
        assert question is not None
        self.state.current_player_id = question.seat
        if question.events:
            self._tell("\n".join(question.events), ObservationType.GAME_MESSAGE)
        self._tell(question.board, ObservationType.GAME_BOARD)

    def _tell(self, message: str, kind: ObservationType, sender: int = ta.GAME_ID) -> None:
        """Append a message to what the player to act has observed."""
        self.state.add_observation(message, kind, sender, self.state.current_player_id)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Read the answer of the player to act; return whether the game is over, and how the answer was read.

        The info has `TextStep`'s "reading" and "action".
        """
        if not hasattr(self, "state"):
            raise ValueError("expected reset(num_players) before step()")
        if self.state.done:
            return True, {}
        player = self.state.current_player_id
        self._tell(action, ObservationType.PLAYER_ACTION, player)
        result = self._env.step(_decision(action))
        about = self.state.game_info[player]
        about["turn_count"] += result.action is not None
        about["invalid_move"] |= result.reading in ("illegal", "unreadable")
        self.state.step_info = {"reading": result.reading, "action": result.action}
        if result.terminated or result.truncated:
            self._end(player, result)
        elif result.action is None:
            kind = ObservationType.GAME_MESSAGE if result.reading == "rule" else ObservationType.GAME_ADMIN
            self._tell(self._env.prompt()[-1]["content"], kind)  # type: ignore[index]
        else:
            self._ask()
        done, info = self.state.step()
        return bool(done), dict(info)

    def _end(self, player: int, result: TextStep) -> None:
        """Note the rewards of all players, and why the game is over."""
        self.state.done, self.state.rewards = True, result.rewards
        best = max(result.rewards.values())
        first = " and ".join(f"Player {seat}" for seat, reward in result.rewards.items() if reward == best)
        reason = "The game was cut off." if result.truncated else f"{first} came first."
        if result.terminated and result.action is None:
            reason = f"Player {player} forfeits: {result.reading} answer."
        for about in self.state.game_info.values():
            about["reason"] = reason

    def get_observation(self) -> tuple[int, list[Any]]:
        """Return the player to act, and its messages since it was last observed."""
        if not hasattr(self, "state"):
            raise ValueError("expected reset(num_players) before get_observation()")
        return self.state.current_player_id, self.state.get_current_player_observation()

    def get_board_str(self) -> str:
        """Return the position as the player to act may see it, for TextArena's renderer."""
        question = self._env.question()
        return "The game is over." if question is None else question.position

    def record(self) -> str:
        """Return the game so far as the text of a record."""
        return self._env.record()


def _decision(action: str) -> str:
    """Return the part of an answer that names its action: the last in brackets, or after ``ACTION:``, or all of it."""
    named = _DECIDED.findall(action)
    return (named[-1] if named else action).replace("[", "").replace("]", "")


def register_games() -> None:
    """Register all games of this package with TextArena, those added since the import too, by text alone."""
    for name in registry.names():
        if (id := registry.title_id(name)) not in ENV_REGISTRY:
            register_with_versions(id, f"{__name__}:{GameTextArenaEnv.__name__}", WRAPPERS, game=name)


register_games()
