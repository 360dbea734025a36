"""A short game through every route of the page, before visitors come: all that it takes is loaded then.

It begins twice: at the setup, and shortly before an end, whose analysis is asked for too.
"""

from __future__ import annotations

import itertools
import json
import random
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from titan_env import agents
from titan_env.compiler.record_copies import copy_records
from titan_env.contract import Game
from titan_env.contract.translation import ENGLISH
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.records.rule_examples import kept
from titan_env.web.requests.api import ApiRequest
from titan_env.web.views.game_view import NOBODY, PERSON

_DECISIONS, _LONGEST = 40, 3000
"""The decisions that are played from the setup on, and those within which a random game must end."""
_BEFORE_THE_END, _TO_THE_END = 12, 40
"""The decisions before that end from which the second game begins at most, and those within which it is to end."""
_HOST, _GUEST, _QUICK = "a host", "a guest", "random"
_NAME, _LINK = "Ada", "http://localhost/"
_CHANGING = {"begin", "open", "play", "act", "hand_over", "take_over", "order", "undo", "invite", "join", "stop"}
_CHANGING |= {"call", "resign", "late", "rematch", "branch"}
_OF_ALL_GAMES = {"catalogue", "mine", "progress"}
_AFTER_THE_END = ("show", "history", "dice", "figure", "record", "chances", "choices", "instead", "rematch")


class Rehearsal:
    """The questions about one game, asked of a server that answers these routes; refusals are answers too."""

    def __init__(self, server: Any, routes: Iterable[str], game: Game, seed: int = 0) -> None:
        self._server, self._game, self._seed = server, game, seed
        self._questions = sorted(set(routes) - _CHANGING - _OF_ALL_GAMES)
        self._choose = random.Random(seed).choice
        self._agent = agents.default_agent(game)
        self._met: set[str] = set()
        """The questions to a person that have come."""
        self._about: dict[str, Any] = {"key": "", "known": "", "since": 0, "text": "", "form": ".svg"}
        self._about |= {"rule": next(iter(kept(game)), ""), "agent": self._agent, "seat": None, "link": _LINK}

    async def play(self) -> None:
        """Play the beginning of a game, then an end."""
        seats = GameSetup.of(self._game, {}).seats
        view = await self._begin([PERSON, *[self._agent] * (seats - 1)], practice=True)
        for _ in range(_DECISIONS):
            if view["your_turn"]:
                view = await self._answer(view)
            elif view["agent_to_move"]:
                view = await self._ask("act", at=view["at"])
        await self._ask("stages", at=1)
        for name in ("stop", "take_over", "undo"):
            await self._ask(name)
        await self._ask("call", seat=0, called=_NAME)
        for seat in (0, None):
            invited = await self._ask("invite", seat=seat)
            await self._ask("join", _GUEST, key=invited.get("key", ""))
        await self._ask("resign", _GUEST, seat=0)
        await self._ask("late")
        if (end := _before_an_end(self._game, self._seed)) is not None:
            await self._play_to_the_end(*end)

    async def _play_to_the_end(self, position: str, actions: Sequence[int]) -> None:
        """Play a game from a position on, by these actions as far as they are legal; ask about it once it is over."""
        seats = GameSetup.at(self._game, position, {}).seats
        view = await self._begin([PERSON] * seats, position=position, challenge=True)
        for wanted in [*actions, *[NOBODY] * _TO_THE_END]:
            seat = view["asked"]
            if view["hand_covered"]:
                view = await self._ask("show", seat=seat)
            if not view["your_turn"]:
                break
            legal = [action["number"] for action in view["actions"]]
            action = wanted if wanted in legal else self._choose(legal)
            view = await self._ask("play", seat=seat, at=view["at"], action=action)
        for name in _AFTER_THE_END:  # at the end itself, where no play-outs take time and memory
            await self._ask(name, at=view["at"], moments=[view["at"]], agent=_QUICK)
        await self._ask("branch", at=max(0, view["at"] - 1))
        await self._ask("advise", at=max(0, view["at"] - 1), agent=_QUICK)
        record = await self._ask("record")
        if "text" in record:
            await self._ask("open", record=record["text"])

    async def _begin(self, names: Sequence[str], **asked: Any) -> dict[str, Any]:
        """Begin the game that is asked about from now on; return its first view."""
        view = await self._ask("begin", names=names, seed=self._seed, **asked)
        self._about["id"] = view["id"]
        return view

    async def _answer(self, view: dict[str, Any]) -> dict[str, Any]:
        """Answer a question to a person, after all requests about it if it is the first of its kind."""
        chosen = {"at": view["at"], "action": self._choose(view["actions"])["number"]}
        if view["ask"] not in self._met:
            self._met.add(view["ask"])
            for name in self._questions:
                await self._ask(name, **chosen)
            for run in view["handovers"]:
                await self._ask("hand_over", **chosen, key=run["key"])
                await self._ask("take_over")
            if view["can_order"]:
                view = await self._ask("order", **chosen, order="never")
                for standing in view["orders"]:  # such questions are to come again
                    view = await self._ask("order", at=view["at"], order="ask", ask=standing["ask"])
                return view
        return await self._ask("play", **chosen)

    async def _ask(self, name: str, owner: str = _HOST, **asked: Any) -> dict[str, Any]:
        """Ask one question, and return the answer."""
        body = json.dumps({"game": self._game.name, **self._about, **asked}).encode()
        answer = await self._server.answer(ApiRequest(name, owner, body, ENGLISH))
        return dict(json.loads(answer.text))


def _before_an_end(game: Game, seed: int) -> tuple[str, list[int]] | None:
    """Return the text of a position before the end of a random game, and the actions to that end.

    None if no game has ended, or none can begin there.
    """
    batch = Batch(game, 1)
    batch.seed(seed)
    batch.start()
    latest: deque[tuple[Any, int]] = deque(maxlen=_BEFORE_THE_END)
    for _ in range(_LONGEST):
        actions = batch.sample()
        latest.append((copy_records(batch.states), int(actions[0])))
        batch.step(actions)
        if batch.over[0]:
            break
    for number in reversed(range(len(latest) if batch.over[0] else 0)):
        text = game.text.position_text(latest[number][0][0])
        if _can_be_played(game, text):
            return text, [action for _states, action in itertools.islice(latest, number, None)]
    return None


def _can_be_played(game: Game, position: str) -> bool:
    """Return whether a game can begin with a position: in the midst of a move some cannot."""
    try:
        GameSetup.at(game, position, {})
    except ValueError:
        return False
    return True
