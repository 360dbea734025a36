"""An agent that asks a language model at any OpenAI-compatible endpoint: ``chat:MODEL``.

The prompt holds the rules, the events since the seat's last decision, its view of the position, and the legal actions
with their texts and sentences; the answer names one. An answer that cannot be parsed is asked for once more, then an
action is drawn at random; both are counted, the latter with its cause. With fewer letters of `rules` than they have,
the other sections are named, and the model may ask for some before it decides. Decisions of many games are asked in
parallel (`at_once`); each takes `seconds` at most, with all tries, an answer `answer` tokens, and all of one process
`tokens`. OPENAI_BASE_URL is the endpoint, and OPENAI_API_KEY its key, if it needs one. The model behind an endpoint may
change: results hold for the day on which they were played.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import AgentFailed
from titan_env.agents.chat import prompts
from titan_env.agents.chat.endpoint import LETTERS_A_TOKEN, Endpoint, Unanswered
from titan_env.agents.chat.rules_text import RulesText, rules_text
from titan_env.agents.uniform import best
from titan_env.contract import Game
from titan_env.contract.translation import language, mark
from titan_env.play.determinization import Determinizations
from titan_env.play.observation_history import WorldsWithHistory

MOST_THOUGHT = 2000
"""The bound on characters of the model's words that are kept with a decision."""
PATIENCE = 3
"""The number of unanswered decisions in a row that is an error."""

UNANSWERED, UNREADABLE, ILLEGAL = CAUSES = ("unanswered", "unreadable", "illegal")
"""The causes for which a decision is drawn at random: no answer in time, or what the last answer was."""

CHANGE_NOTHING = ("tokens", "at_once")
"""The parameters that change no answer."""

_LOOK = 0.1  # seconds between checks for a request to stop


@dataclass(frozen=True)
class ChatAnswer:
    """The result of one question: the action's text (None: it could not be parsed) and the words around it."""

    action: str | None
    reply: str
    asked_again: bool = False
    looked_up: int = 0
    cause: str = ""
    """The cause for which the decision is drawn at random, one of `CAUSES`; "" if it is not."""


@dataclass(frozen=True)
class _Question:
    """One decision to ask for: its prompt, the texts of the legal actions, and the prompt after a bad answer."""

    prompt: str
    texts: Sequence[str]
    again: str


class Chat:
    """The agent. `counts` are this process's decisions, repeated questions, random draws, failures and tokens."""

    plans = listens = at_once = True

    def __init__(self, game: Game, endpoint: Endpoint, seconds: float, at_once: int, rules: float) -> None:
        self._game, self._endpoint = game, endpoint
        self._seconds, self._side_by_side = seconds, at_once
        self._letters = rules
        self._begun: dict[str, tuple[RulesText, str]] = {}  # the rules and the system prompt, by language
        self.counts, self.limits, self.address = endpoint.counts, endpoint, endpoint.address

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations,
    ) -> NDArray[np.int64]:
        """Return the model's decision in each row; a single legal action is taken without asking."""
        chosen = best(np.zeros(masks.shape, np.float32), masks, rng)
        rows = np.flatnonzero(masks.sum(axis=1) > 1)
        asked = self._questions(worlds, masks, rows)
        for row, answer in zip(rows, self._ask_all(asked, worlds), strict=True):
            self._count(answer)
            if answer.action is not None:
                chosen[row] = self._game.rules.actions.numbers[answer.action]
            if isinstance(worlds, WorldsWithHistory):
                drawn = "" if answer.action else f"(drawn at random: {chosen[row]}) "
                worlds.thoughts[row] = (drawn + answer.reply.strip())[:MOST_THOUGHT]
        return chosen

    def _questions(self, worlds: Determinizations, masks: NDArray[np.int8], rows: NDArray[np.int64]) -> list[_Question]:
        """Return the questions of the decisions in these rows."""
        heard = worlds.heard if isinstance(worlds, WorldsWithHistory) else [[] for _ in masks]
        return [self._question(worlds.states[row], masks[row], heard[row]) for row in rows]

    def _question(self, world: Any, mask: NDArray[np.int8], heard: Sequence[str]) -> _Question:
        """Return the question of a decision in an imagined position."""
        texts = [self._game.rules.actions.texts[action] for action in np.flatnonzero(mask).tolist()]
        return _Question(prompts.user_prompt(self._game, world, mask, heard), texts, prompts.retry_prompt(texts))

    def prompt_tokens(self, worlds: Determinizations, masks: NDArray[np.int8]) -> list[int]:
        """Return the estimated tokens of the prompts of decisions (B,), without those of a single legal action."""
        system = self._beginning()[1]
        asked = self._questions(worlds, masks, np.flatnonzero(masks.sum(axis=1) > 1))
        return [-(-(len(system) + len(question.prompt)) // LETTERS_A_TOKEN) for question in asked]

    @staticmethod
    def usage_summary(counts: Mapping[str, int]) -> str:
        """Return such counters as a sentence."""
        return prompts.usage_summary(counts)

    def _beginning(self) -> tuple[RulesText, str]:
        """Return the rules, as far as they are told, and the system prompt in the current language."""
        if language() not in self._begun:
            beginning = rules_text(self._game, self._letters), prompts.system_prompt(self._game, self._letters)
            self._begun[language()] = beginning
        return self._begun[language()]

    def _ask_all(self, asked: Sequence[_Question], worlds: Determinizations) -> list[ChatAnswer]:
        """Return the answers to all questions, asked in parallel by threads that end with the process."""
        coming: list[Future[ChatAnswer]] = [Future() for _ in asked]
        waiting = deque(zip(asked, coming, strict=True))
        for _ in range(min(self._side_by_side, len(asked))):
            Thread(target=copy_context().run, args=(self._answer, waiting), daemon=True).start()
        try:
            while wait(coming, timeout=_LOOK).not_done:
                for answer in coming:
                    if answer.done():
                        answer.result()  # raises AgentFailed
                if isinstance(worlds, WorldsWithHistory):
                    worlds.go_on()
            return [answer.result() for answer in coming]
        finally:
            waiting.clear()

    def _answer(self, waiting: deque[tuple[_Question, Future[ChatAnswer]]]) -> None:
        """Answer the questions that wait, one after the other, until none is left."""
        with suppress(IndexError):
            while True:
                question, coming = waiting.popleft()
                try:
                    coming.set_result(self._ask(question))
                except BaseException as error:  # any error: it is raised where the answer is waited for
                    coming.set_exception(error)

    def _ask(self, question: _Question) -> ChatAnswer:
        """Ask for one decision, hand out sections of the rules, and ask once more if the answer cannot be parsed."""
        until = time.monotonic() + self._seconds
        rules, task = self._beginning()
        messages = [{"role": "system", "content": task}, {"role": "user", "content": question.prompt}]
        text, looked_up, asked_again = "", 0, False
        while True:
            try:
                text = self._endpoint.ask(messages, until)
            except Unanswered as error:
                return ChatAnswer(None, text or str(error), asked_again, looked_up, UNANSWERED)
            action = prompts.parse_answer(text, question.texts)
            may_look_up = action is None and rules.left_out and looked_up < prompts.MOST_LOOK_UPS
            heading = prompts.parse_look_up(text) if may_look_up else None
            if action is not None or (asked_again and heading is None):
                cause = "" if action is not None else self._cause_of(text)
                return ChatAnswer(action, text, asked_again, looked_up, cause)
            looked_up += heading is not None
            asked_again = asked_again or heading is None
            reply = question.again if heading is None else prompts.section_prompt(rules, heading)
            messages += [{"role": "assistant", "content": text}, {"role": "user", "content": reply}]

    def _cause_of(self, text: str) -> str:
        """Return the cause for which an answer without a legal action is none."""
        is_known = prompts.parse_answer(text, self._game.rules.actions.texts) is not None
        return ILLEGAL if is_known else UNREADABLE

    def _count(self, answer: ChatAnswer) -> None:
        """Count one decision. Raises AgentFailed after `PATIENCE` unanswered ones in a row."""
        silent = self._endpoint.count_silence(answer.cause == UNANSWERED)
        self.counts.update(
            decisions=1,
            asked_again=int(answer.asked_again),
            looked_up=answer.looked_up,
            drawn=int(answer.action is None),
            **{cause: int(answer.cause == cause) for cause in CAUSES},
        )
        if silent >= PATIENCE:
            why = mark("{n} decisions in a row without an answer: {said}")
            raise AgentFailed(why, n=silent, said=answer.reply)


def make(
    game: Game,
    model: str = "",
    seconds: float = 30,
    answer: float = 1000,
    tokens: float = 1_000_000,
    at_once: float = 8,
    rules: float = math.inf,
) -> Chat:
    """Return the agent. Raises ValueError without a model or an endpoint, and for limits out of range."""
    if not model:
        raise ValueError("expected the name of a model, as in chat:MODEL")
    for name, number, least in (("seconds", seconds, 0.1), ("answer", answer, 1), ("tokens", tokens, 1)):
        if number < least:
            raise ValueError(f"expected {name} from {least:g} on, got {number:g}")
    if not 1 <= at_once <= 256 or rules < 0:
        raise ValueError(f"expected at_once from 1 to 256 and rules from 0 on, got {at_once:g} and {rules:g}")
    endpoint = Endpoint(model, int(answer), int(tokens), asked=(seconds, rules))
    return Chat(game, endpoint, seconds, int(at_once), rules)
