"""Agents that answer in the seats of people for a while: through a battle, to the end of a turn."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from titan_env import agents
from titan_env.contract import Game
from titan_env.contract.presentation_values import Handover


class Helper(NamedTuple):
    """An agent with its name, and the key of the run of questions that it answers."""

    key: str
    name: str
    agent: agents.Agent


class Helpers:
    """The helper of each seat that has one; it answers as long as the game offers its run of questions."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._helpers: dict[int, Helper] = {}

    def offered(self, state: Any) -> Sequence[Handover]:
        """Return the runs of questions that can be left to an agent at this state."""
        handovers = self._game.presentation.handovers
        return () if handovers is None or state.over else handovers(state)

    def titles(self, state: Any) -> list[dict[str, str]]:
        """Return the keys and titles of these runs."""
        return [{"key": run.key, "title": run.title} for run in self.offered(state)]

    def add(self, seat: int, helper: Helper) -> None:
        """Let an agent answer in a seat."""
        self._helpers[seat] = helper

    def clear(self, seats: Collection[int]) -> None:
        """Let these seats answer for themselves again."""
        self._helpers = {seat: helper for seat, helper in self._helpers.items() if seat not in seats}

    def asked(self, state: Any) -> Helper | None:
        """Return the agent that answers for the seat to act; None: nobody does."""
        helper = self._helpers.get(int(state.seat))
        return helper if helper and helper.key in (run.key for run in self.offered(state)) else None

    def going_on(self, state: Any, seats: Collection[int]) -> str | None:
        """Return the title of a run of questions that an agent answers in one of these seats; None: there is none."""
        keys = {helper.key for seat, helper in self._helpers.items() if seat in seats}
        return next((run.title for run in self.offered(state) if run.key in keys), None) if keys else None


def reminders_of(game: Game, state: Any) -> list[dict[str, str]]:
    """Return what the seat to act has not done yet in its turn."""
    found = () if game.presentation.reminders is None else game.presentation.reminders(state)
    return [{"key": reminder.key, "text": reminder.text} for reminder in found]
