"""The parts of a game as text: the result of an answer, the parts of a question, and the words around one game."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from titan_env.agents.chat import prompts
from titan_env.agents.chat.endpoint import LETTERS_A_TOKEN
from titan_env.agents.chat.rules_text import rules_text
from titan_env.contract import Game, Status
from titan_env.contract.frozen_record import freeze
from titan_env.contract.translation import use_language
from titan_env.engine.batch import Batch, Records
from titan_env.envs.text_history import TextHistory

Message = dict[str, str]
"""A message as chat completions take it, with "role" and "content"."""
Prompt = str | list[Message]
"""A single message, or a conversation."""
SHORTEST_ANSWER = 40
"""The letters of a bad answer that are repeated at least, before a reply to it."""
GAP = 2
"""The letters between two messages that are joined to one."""
_CUT = "[...]"
_MARGIN = 100  # letters of the words between the rules and a decision


class TextStep(NamedTuple):
    """The result of one answer."""

    reading: str
    """``"legal"``, ``"illegal"``, ``"unreadable"``, or ``"rule"``: it asks for a section of the rules."""
    action: str | None
    """The text of the action that was played; None if none was."""
    rewards: dict[int, float]
    """Each seat's payoff once the game is over; {} before."""
    terminated: bool
    truncated: bool


class Question(NamedTuple):
    """The parts of what a seat is asked, as far as it may know."""

    seat: int
    events: list[str]
    """The sentences of what happened since its own last decision, which comes first, as far as they have room."""
    position: str
    asked: str
    """The name of the question."""
    legal: dict[str, str]
    """Each legal action's text and its meaning."""
    board: str
    """The prompt without the events: position, question, legal actions."""


@dataclass
class TextRow:
    """The words around one game."""

    history: TextHistory
    begun: tuple[dict[str, Any], int, int | None]
    """The options, the random stream and the seed with which it began."""
    taken: list[int] = field(default_factory=list)
    talks: dict[int, list[Message]] = field(default_factory=dict)
    """Each seat's messages before its current decision."""
    asked: list[Message] = field(default_factory=list)
    """The messages of the current decision; empty once the game is over."""
    heard: list[str] = field(default_factory=list)
    """The sentences of what happened that stand in its prompt."""
    legal: list[str] = field(default_factory=list)
    world: Any = None
    """The imagined position of the current decision."""
    retries: int = 0
    look_ups: int = 0
    rewards: dict[int, float] = field(default_factory=dict)
    ended: int = Status.RUNNING
    counts: Counter[str] = field(default_factory=Counter)


def letters_of(messages: Sequence[Message]) -> int:
    """Return the letters of messages, with the gaps between them."""
    return sum(len(message["content"]) + GAP for message in messages)


def fit_events(write: Callable[[Sequence[str]], str], events: Sequence[str], budget: float) -> tuple[str, list[str]]:
    """Return a text and the latest events in it, as many as have room; it may be too long with none."""
    heard = list(events)
    text = write(heard)
    while len(text) > budget and heard:
        over = len(text) - budget
        while heard and over > 0:
            over -= len(heard.pop(0)) + 1
        text = write(heard)
    return text, heard


def fit_reply(exchanges: Sequence[Message], answer: str, reply: str, budget: float) -> list[Message]:
    """Return the exchanges of a decision with a further answer and reply, of which the oldest give way to the room.

    A long answer keeps its end. Returns [] where the reply has no room.
    """
    if len(reply) + SHORTEST_ANSWER + 2 * GAP > budget:
        return []
    budget -= len(reply) + 2 * GAP
    shown = answer if len(answer) <= budget else _CUT + answer[-int(budget - len(_CUT)) :]
    budget -= len(shown)
    kept = list(exchanges)
    while kept and letters_of(kept) > budget:
        del kept[:2]
    return [*kept, {"role": "assistant", "content": shown}, {"role": "user", "content": reply}]


def cut_section(section: str, budget: float) -> str:
    """Return a section of the rules whole, or its beginning with a mark where it ends for want of room."""
    most = budget - SHORTEST_ANSWER - 2 * GAP
    return section if len(section) <= most else section[: max(0, int(most - len(_CUT)))] + _CUT


class WrittenPrompts:
    """The prompts of games in a language and a form, within a budget of tokens of which the rules get half."""

    def __init__(self, game: Game, language: str, form: str, tokens: int | None) -> None:
        self._game, self._language, self._form, self._tokens = game, language, form, tokens
        letters = math.inf if tokens is None else tokens * LETTERS_A_TOKEN
        with use_language(language):
            of_rules = max(0, letters / 2 - len(prompts.system_prompt(game, 0)))
            self.rules, self.system = rules_text(game, of_rules), prompts.system_prompt(game, of_rules)
        self.whole = letters - len(self.system) - GAP
        """The letters that the rules leave for a decision."""

    def check(self, template: Records) -> None:
        """Raise ValueError for a budget that has no room for the first decision of a game."""
        if self._tokens is None:
            return
        first = Batch(self._game, 1, templates=template)
        first.seed(0)
        first.start()
        with use_language(self._language):
            text = prompts.user_prompt(self._game, freeze(first.states[0]), first.masks[0], ())
            half = max(len(text), len(prompts.system_prompt(self._game, 0))) + _MARGIN
        if len(text) + GAP > self.whole:
            needed = math.ceil(2 * half / LETTERS_A_TOKEN)
            raise ValueError(f"expected {needed} tokens or more, for rules and first decision, got {self._tokens}")

    def room(self, row: TextRow) -> float:
        """Return the letters that the budget leaves beside the rules and the question of a decision."""
        return self.whole - letters_of(row.asked[:1])

    def shown(self, row: TextRow, seat: int) -> Prompt:
        """Return the prompt of a decision: as one message, or with as much of the seat's earlier talk as has room."""
        if self._form == "message":
            return "\n\n".join([self.system, *(message["content"] for message in row.asked)])
        talk = row.talks.get(seat, [])
        budget = self.room(row) - letters_of(row.asked[1:])
        kept = 0 if self._tokens is None else len(talk)
        while kept and (length := letters_of(talk[kept - 2 : kept])) <= budget:
            budget -= length
            kept -= 2
        return [{"role": "system", "content": self.system}, *talk[kept:], *row.asked]

    def reply(self, row: TextRow, answer: str, reply: str) -> bool:
        """Ask on with a reply to an answer; return False, with nothing changed, if the budget has no room for it."""
        exchanges = fit_reply(row.asked[1:], answer, reply, self.room(row))
        row.asked[1:] = exchanges or row.asked[1:]
        return bool(exchanges)
