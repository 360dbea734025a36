"""The games in play on the page: their tables, and the decisions of people and agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from titan_env import agents
from titan_env.contract import Game
from titan_env.contract.reading import copied
from titan_env.pictures.render import svg_of
from titan_env.records.replay import Moment
from titan_env.records.session import Seating
from titan_env.web.history import audible
from titan_env.web.preview import foreseen
from titan_env.web.speech import _
from titan_env.web.story import MOST_DECISIONS, NOBODY, PERSON, Look, Story


class Sitting(Story):
    """A game in play. Raises ValueError or TypeError for options, players or a position that cannot be played."""

    live = True

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        options: dict[str, Any],
        seed: int,
        practice: bool,
        position: str | None = None,
    ) -> None:
        self.table = Seating(game, seed, options, None, names, position)
        seats = int(self.table.state.seats)
        if len(names) != seats:
            raise ValueError(_("expected {seats} players, got {n}", seats=seats, n=len(names)))
        self._agents = {name: agents.load(name, game) for name in names if name != PERSON}
        self._luck = [copied(self.table.luck)]
        super().__init__(game, names, [Moment(copied(self.table.states))])
        self._practice = practice

    def view(self, at: int, look: Look) -> dict[str, Any]:
        """Return one moment as JSON for the page, and whether a decision can be taken back."""
        return {**super().view(at, look), "practice": self._practice, "can_undo": self._latest_of_a_person() > 0}

    def play(self, action: int, at: int) -> None:
        """Play a person's decision. Raises ValueError if no person is to act, or the game has gone on since `at`."""
        n = self.last(Look(seat=int(self.table.state.seat)))
        if at != n:
            raise ValueError(_("expected decision {n}, got {at}: the game has gone on", n=n, at=at))
        if self.table.is_over or int(self.table.state.seat) not in self.persons:
            raise ValueError(_("expected a person's turn: an agent is to decide, or the game is over"))
        self._go_on(action)

    def preview(self, action: int, at: int, look: Look) -> dict[str, Any]:
        """Return the certain events of an action for the person to act: drawn on the board, and as sentences.

        Empty if the game has gone on since `at`. Raises ValueError if no person is to act, for an illegal action, and
        for another seat's view.
        """
        moment, game, last = self.moments[-1], self.game, self.last(look)
        state, viewer = moment.state, self.viewer(moment.state, look)
        if 0 <= at < last:
            return {"svg": "", "would": []}
        if at != last or state.over or int(state.seat) not in self.persons or viewer == NOBODY:
            raise ValueError(_("expected the moment in which a person is asked, and that person"))
        if not 0 <= action < len(self.table.mask) or not self.table.mask[action]:
            raise ValueError(_("expected a legal action, got {action}", action=action))
        would = Moment(moment.states, None, foreseen(game, moment.states, action))
        events, sentences = audible(game, would, viewer)
        drawn = svg_of(game, state, viewer, events, state, look.narrow, self.called, look.theme)
        return {"svg": drawn, "would": [one["text"] for one in sentences]}

    @property
    def asked(self) -> agents.Agent:
        """The agent to act. Raises ValueError if none is."""
        if self.table.is_over or int(self.table.state.seat) in self.persons:
            raise ValueError(_("expected an agent's turn: a person is to decide, or the game is over"))
        return self._agents[self.player]

    @property
    def is_asked_in_private(self) -> bool:
        """True if an agent has a question that no person may know of: it answers before the next view."""
        state = self.table.state
        return bool(self.persons) and int(state.seat) not in self.persons and self.game.rules.is_private(state, NOBODY)

    @property
    def player(self) -> str:
        """The player of the seat to act: the name of an agent, or `PERSON`."""
        return self.names[int(self.table.state.seat)]

    def let_act(self, go_on: Callable[[], None]) -> None:
        """Let the agent to act decide; `go_on` raises when it is to stop. Raises ValueError if no agent is to act.

        Meanwhile the game can be viewed, but not changed.
        """
        go_on()
        action = self.table.let_act(self.asked, go_on)
        with self.lock:
            self._go_on(action)

    def undo(self) -> None:
        """Take a person's latest decision back, and all after it. Raises ValueError if that is not allowed."""
        latest = self._latest_of_a_person()
        if not latest:
            raise ValueError(_("expected a practice game in which a person has decided something"))
        while len(self.moments) > latest:
            self.moments.pop()
            self._luck.pop()
            self.table.past.take_back()
            self.table.recorder.take_back()
        self.table.states[:] = self.moments[-1].states
        self.table.luck[:] = self._luck[-1]
        self.game.rules.legal(self.table.state, self.table.mask)

    @property
    def record(self) -> str:
        """The game so far as a record. Raises ValueError while it would reveal hidden information."""
        if self.viewer(self.table.state, Look()) is not None:
            raise ValueError(_("expected a game that is over: its record would show every hand"))
        return self.table.recorder.text

    def _latest_of_a_person(self) -> int:
        """Return the number of a person's latest decision that may be taken back; 0 for none."""
        if not self._practice:
            return 0
        persons, moments = self.persons, tuple(self.moments)  # a view may be asked for meanwhile
        for at in range(len(moments) - 1, 0, -1):
            decision = moments[at].decision
            if decision and decision["seat"] in persons:
                return at
        return 0

    def _go_on(self, action: int) -> None:
        if len(self.moments) > MOST_DECISIONS:
            raise ValueError(_("expected at most {n} decisions in a game on the page", n=MOST_DECISIONS))
        self.table.decide(action)
        decision = self.table.recorder.lines[len(self.moments)]
        self.moments.append(Moment(copied(self.table.states), decision, self.table.events))
        self._luck.append(copied(self.table.luck))
