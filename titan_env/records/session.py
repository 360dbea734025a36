"""A session: one game with its state, luck, latest events, history and record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import copy_records, put_records
from titan_env.contract import Game, Status, events_of, seeded
from titan_env.engine.batch_loops import scale_observation
from titan_env.engine.chance_clock import ChanceClock
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.illegal_actions import refuse_illegal
from titan_env.play.agent_calls import ask_agent
from titan_env.play.determinization import agent_rng
from titan_env.play.observation_history import EventHistory
from titan_env.records.recorder import Recorder
from titan_env.records.seeding import MixedLuck
from titan_env.records.thoughts import THOUGHTS, thoughts_entry
from titan_env.records.translation import _

Agent = Callable[..., NDArray[np.int64]]


def observation_of(game: Game, states: Any) -> NDArray[np.float32]:
    """Return what the seat to act observes in a position (1,), float32 (1, F), as agents take it."""
    observation = np.zeros((1, game.rules.fields.size), np.float32)
    game.rules.observe(states[0], int(states[0].seat), observation[0])
    scale_observation(observation[0], game.rules.fields.scales)
    return observation


class GameSession:
    """One game between agents and people, recorded decision by decision.

    With `by_clock` chance hangs on the seed and the game's clock alone, so that another game with this seed has the
    same dice at the same turn. With `record` it is also written to that file, under the `names` of its players. With
    `mixed` all chance is drawn from its streams.
    """

    def __init__(
        self,
        setup: GameSetup,
        seed: int,
        record: Path | None = None,
        names: Sequence[str] = (),
        by_clock: bool = False,
        mixed: MixedLuck | None = None,
    ) -> None:
        self.game = game = setup.game
        self.rng = agent_rng(seed)
        self.luck = seeded([seed], game.rules.luck)
        self.mixed: MixedLuck | None = None
        """The luck that the seed is mixed with."""
        self._mixed_from = 0
        self.resigned: Mapping[int, str] = {}
        """Seat of a person who has resigned -> the agent that plays on in it."""
        self.people: Mapping[int, str] = {}
        """Seat of a person -> the name that they go by."""
        if mixed is not None:
            self.mix(mixed, 0)
        self.states = setup.first_states(self.luck)
        self._log = np.zeros(1, game.rules.log).view(np.recarray)
        self.mask = np.zeros(len(game.rules.actions), np.int8)
        self._thought: dict[str, Any] = {}
        self.events = events_of(self._log[0])
        """The events of the latest action, int32 (n, 4)."""
        self.history = EventHistory(game)
        game.rules.legal(self.state, self.mask)
        self._clock = ChanceClock(game, self.luck) if by_clock else None
        about: dict[str, Any] = {"options": setup.options, "agents": names, "seed": seed, "position": setup.position}
        about |= {"by_clock": by_clock, "mixed": mixed}
        self.recorder = Recorder(record, game, self.state, self.luck[0], **about)

    @property
    def state(self) -> Any:
        """The current state."""
        return self.states[0]

    @property
    def is_over(self) -> bool:
        """True once the game has ended."""
        return bool(self.state.over != Status.RUNNING)

    def mix(self, mixed: MixedLuck, decision: int) -> None:
        """Draw chance from mixed streams, from the decision with this number on."""
        self.mixed, self._mixed_from, self.rng = mixed, decision, mixed.agents_rng()
        self.luck["stream"] = mixed.stream(decision)

    def ask_agent(self, agent: Agent, go_on: Callable[[], None] = lambda: None) -> int:
        """Return an agent's decision for the seat to act; `go_on` raises when a planning agent is to stop."""
        asked = (agent, self.game, self.states, observation_of(self.game, self.states), self.mask[None], self.rng)
        (action,), (words,), (opinion,) = ask_agent(*asked, [self.history], go_on, weighed=True)
        self._thought = thoughts_entry(self.game, self.state, self.mask, words, opinion)
        return int(action)

    def play(self, action: int, seat: int | None = None) -> list[str]:
        """Play one legal action; return the sentences of its events that `seat` may know (None: all).

        Raises IllegalAction before anything has changed.
        """
        self.decide(action)
        sentences = (self.game.event_text_for(self.state, event, seat) for event in self.events)
        return [sentence for sentence in sentences if sentence is not None]

    def decide(self, action: int, helper: str = "") -> None:
        """Play one legal action. Raises IllegalAction before anything has changed.

        `helper` is the agent that decided in the place of the player of the seat, for the record.
        """
        refuse_illegal(self.game, self.state, action, self.mask)
        log, state, luck = self._log[0], self.state, self.luck[0]
        log.count = 0
        self.recorder.decide(state, action, **self._thought, **({"by": helper} if helper else {}), **self._mixture())
        self._thought = {}
        before = copy_records(self.states)
        if self._clock is not None:
            self._clock.start(self.states, self.luck)
        self.game.rules.step(state, action, luck, log)
        self.events = events_of(log)
        self.history.add(before, action, copy_records(self.states), self.events)
        extra: dict[str, Any] = {"secret": self.mixed.secret} if self.mixed else {}
        extra |= {"resigned": dict(self.resigned)} if self.resigned else {}
        extra |= {"people": dict(self.people)} if self.people else {}
        self.recorder.happened(state, luck, **extra)
        self.game.rules.legal(state, self.mask)

    def _mixture(self) -> dict[str, Any]:
        """Begin the mixed stream of the next decision, if there is one; return what its line of the record tells."""
        if self.mixed is None:
            return {}
        number = len(self.recorder.lines)
        self.luck["stream"] = self.mixed.stream(number)
        self._mixed_from = min(self._mixed_from, number)  # decisions may have been taken back
        return {"mixed": self.mixed.commitment} if number == self._mixed_from else {}

    def repeat(self, line: Mapping[str, Any]) -> bool:
        """Play the decision of a record's line again; return whether chance and the position are as recorded.

        False, with nothing changed, for an action that is unknown or illegal here.
        """
        action = self.game.rules.actions.numbers.get(line["action"], -1)
        if action < 0 or not self.mask[action] or line["seat"] != self.state.seat:
            return False
        self._thought = {name: line[name] for name in THOUGHTS if name in line}
        self.decide(action, line.get("by", ""))
        played = self.recorder.lines[line["n"]]
        return all(played[name] == line[name] for name in ("chance", "hash"))

    @property
    def decided(self) -> int:
        """The number of decisions so far."""
        return len(self.recorder.lines) - 1 - self.is_over

    def go_back(self, decided: int, states: Any, luck: Any) -> None:
        """Take decisions back until `decided` are left; `states` and `luck` (1,) are those of that moment."""
        for _decision in range(self.decided - decided):
            self.history.take_back()
            self.recorder.take_back()
        put_records(self.states, slice(None), states)
        put_records(self.luck, slice(None), luck)
        self.game.rules.legal(self.state, self.mask)

    def result(self) -> str:
        """Return the result of a finished game, as a sentence."""
        if self.state.over == Status.TRUNCATED:
            return "The game was cut short: nobody has won."
        winners = [f"player_{seat}" for seat in range(int(self.state.seats)) if self.state.won[seat]]
        return f"{' and '.join(winners) or 'Nobody has'} won after {int(self.state.decisions)} decisions."


def result_sentence(state: Any) -> str | None:
    """Return the result as a sentence; None while the game runs."""
    if state.over == Status.RUNNING:
        return None
    winners = [_("Player {n}", n=seat + 1) for seat in range(int(state.seats)) if state.won[seat]]
    if state.over == Status.TRUNCATED:
        return _("The game was cut short: nobody has won")
    if not winners:
        return _("Nobody has won")
    return _.many("{who} won", "{who} won", len(winners), who=_(" and ").join(winners))
