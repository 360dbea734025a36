"""The games in play on the page: their tables, and the decisions of people and agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from titan_env import agents
from titan_env.compiler.record_copies import copy_records
from titan_env.contract.translation import mark
from titan_env.engine.game_setup import GameSetup
from titan_env.pictures.render import svg_of
from titan_env.records.replay import ReplayStep
from titan_env.records.seeding import MixedLuck
from titan_env.records.session import GameSession
from titan_env.web.views.game_journal import GameJournal
from titan_env.web.views.game_view import MOST_DECISIONS, NOBODY, PERSON, GameView, ViewOptions
from titan_env.web.views.guests import Guests
from titan_env.web.views.helpers import Helper, Helpers, reminders_of
from titan_env.web.views.history import audible
from titan_env.web.views.possible_questions import NOTHING_TO_PLAY, PossibleQuestion, PossibleQuestions, as_possible
from titan_env.web.views.preview import certain_events
from titan_env.web.views.standing_orders import ASK_ME, StandingOrders
from titan_env.web.views.translation import _
from titan_env.web.views.undoing import UndoStep, tells_nothing

_CANNOT_BE_TAKEN_BACK = mark(
    "expected a decision that can be taken back: one of a practice game, or one that revealed nothing"
)
_HAS_GONE_ON = mark("expected decision {n}, got {at}: the game has gone on")
_CHALLENGES_ARE_ALONE = mark(
    "expected a game whose dice nobody can compute: a challenge has those of its seed; others may watch it"
)


class LiveGame(GameView):
    """A game in play. Raises ValueError for another number of players, or one that there is not."""

    live = True
    journal: GameJournal | None = None
    undone = 0
    """The number of times that decisions were taken back."""

    def __init__(
        self,
        setup: GameSetup,
        names: Sequence[str],
        seed: int,
        practice: bool,
        by_clock: bool = False,
        mixed: MixedLuck | None = None,
    ) -> None:
        if len(names) != setup.seats:
            raise ValueError(_("expected {seats} players, got {n}", seats=setup.seats, n=len(names)))
        self.setup, game = setup, setup.game
        self.session = GameSession(setup, seed, None, names, by_clock, mixed)
        self.by_clock = by_clock
        """Another game with this seed has the same dice: nothing is taken back."""
        self._agents = {name: agents.load(name, game) for name in names if name != PERSON}
        self._helpers = Helpers(game)
        self._begins_to_help = False
        self._orders = StandingOrders(game)
        self._possible = PossibleQuestions(game, self.is_a_persons)
        self._steps = [UndoStep(copy_records(self.session.luck))]
        super().__init__(game, names, [ReplayStep(copy_records(self.session.states))])
        self.is_practice = practice

    def view(self, at: int, look: ViewOptions) -> dict[str, Any]:
        """Return one moment as JSON for the page, and what a person can do beside deciding."""
        shown, now = super().view(at, look), self.open_moments[-1].read
        known = self._seen(look)[0][-1].read if self.is_kept_waiting(look) else now
        question = self.possible_question
        if question is not None and shown["your_turn"]:
            shown |= as_possible(self.game, question)
        is_true = shown["your_turn"] and question is None
        return {
            **shown,
            "practice": self.is_practice,
            "challenge": self.by_clock,
            "can_undo": self._latest_to_take_back(look) > 0,
            "handovers": self._helpers.titles(now) if is_true else [],
            "helping": self._helpers.going_on(known, look.held),
            "can_order": self._possible.orders(self.moments[-1].read) if shown["your_turn"] else [],
            "orders": self._orders.of(look.held),
            "reminders": reminders_of(self.game, now) if is_true else [],
        }

    @property
    def possible_question(self) -> PossibleQuestion | None:
        """The question that a person is asked now because the others cannot exclude it; None: nobody is."""
        return self._possible.now(self.moments[-1].read)

    @property
    def open_moments(self) -> tuple[ReplayStep, ...]:
        """The moments up to the current position, without what is known when all who could be asked have answered."""
        moments = super().open_moments
        return moments if self.possible_question is None else moments[: self._possible.shown]

    @property
    def questions_left(self) -> int:
        """The number of questions to those who could be asked."""
        return len(self._possible)

    def asked_seat(self, now: Any) -> int:
        """Return the seat that is asked at the current position, or that could be."""
        question = self.possible_question
        return super().asked_seat(now) if question is None else question.seat

    def is_asked(self, now: Any, look: ViewOptions) -> bool:
        """Return whether one of the viewer's seats is asked at the current position, or could be."""
        question = self.possible_question
        return super().is_asked(now, look) if question is None else question.seat in look.held

    def is_kept_waiting(self, look: ViewOptions) -> bool:
        """Return whether another seat is asked, or could be, what the viewer may not know of."""
        question = self.possible_question
        return super().is_kept_waiting(look) if question is None else question.seat not in look.held

    def is_a_persons(self, state: Any) -> bool:
        """Return whether a person is to act at a state, and no agent answers in the person's seat."""
        return super().is_a_persons(state) and self._helpers.asked(state) is None

    def mix_luck(self) -> bool:
        """Mix the seed with bits of the server's, before a seat is given away; return whether the game begins anew.

        Whoever has typed the seed can compute what it deals: as long as no person has decided, all is dealt anew.
        Raises ValueError for a challenge, whose dice are those of its seed.
        """
        if self.by_clock:
            raise ValueError(_(_CHALLENGES_ARE_ALONE))
        if self.session.mixed is not None or self.session.is_over:
            return False
        seed = self.session.recorder.lines[0]["seed"]
        begins_anew = not any(step.is_own for step in self._steps)
        if begins_anew:
            self.session = GameSession(self.setup, seed, None, self.names, mixed=MixedLuck(seed))
            self.session.resigned, self.session.people = self.guests.resigned, self.guests.names
            self._steps[:] = [UndoStep(copy_records(self.session.luck))]
            self.moments[:] = [ReplayStep(copy_records(self.session.states))]
            self.analysed.clear()
            self._possible.clear()
        else:
            self.session.mix(MixedLuck(seed), len(self.moments))
        if self.journal is not None:
            self.journal.luck_mixed(self)
        return begins_anew

    def play(self, action: int, at: int, held: frozenset[int]) -> None:
        """Play a decision of one of these seats.

        Raises ValueError if none of them is to act, or the game has gone on since `at`.
        """
        if self._is_possible(at, held):
            if action != NOTHING_TO_PLAY:
                raise ValueError(_("expected one of {known}, got {got}", known=NOTHING_TO_PLAY, got=action))
            self._possible.answered()
            self._answer_by_order()
            return
        self._expect_a_person(at, held)
        self._go_on(action, True)

    def order(self, order: str, ask: str, at: int, held: frozenset[int]) -> None:
        """Answer the reaction that one of these seats is asked for always, or never; or "ask" them `ask` again.

        Raises ValueError as `play` does, and where no reaction is asked for.
        """
        if order == ASK_ME:
            self._orders.clear(held, ask)
            return
        question = self.possible_question
        if question is not None and self._is_possible(at, held):
            self._orders.keep(question.seat, question.ask, order, question.say, question.orders)
            self._answer_by_order()
            return
        self._expect_a_person(at, held)
        self._go_on(self._orders.give(self.session.state, order, self._possible.orders(self.session.state)), True)

    def hand_over(self, key: str, name: str, at: int, held: frozenset[int]) -> None:
        """Let an agent answer for the person to act as long as the run of questions with this key goes on.

        Raises ValueError if none of these seats is to act, the game has gone on since `at`, or there is no such run.
        """
        self._expect_a_person(at, held)
        keys = [run.key for run in self._helpers.offered(self.session.state)]
        if key not in keys:
            raise ValueError(_("expected one of {known}, got {got}", known=", ".join(keys) or "-", got=repr(key[:200])))
        if name not in self._agents:
            self._agents[name] = agents.load(name, self.game)
        self._helpers.add(int(self.session.state.seat), Helper(key, name, self._agents[name]))
        self._begins_to_help = True
        self.set_clock()

    def take_over(self, held: frozenset[int]) -> None:
        """Let the people in these seats decide for themselves again."""
        self._helpers.clear(held)
        self.set_clock()

    def seat_guests(self, guests: Guests) -> None:
        """Give the game its guests, and load the agents in the seats of those who have resigned."""
        self.guests, self.session.resigned, self.session.people = guests, guests.resigned, guests.names
        self.set_clock()
        for name in guests.resigned.values():
            if name not in self._agents:
                self._agents[name] = agents.load(name, self.game)

    def resign(self, seat: int, name: str, held: frozenset[int]) -> None:
        """Let an agent play on in one of these seats, for the rest of the game; the record tells it.

        Raises ValueError for another seat, and once the game is over.
        """
        if self.open_moments[-1].read.over:
            raise ValueError(_("expected a game that goes on: this one is over, and nobody can resign any more"))
        if seat not in held:
            known = ", ".join(str(own + 1) for own in sorted(held)) or "-"
            raise ValueError(_("expected a seat that you play, among {known}, got {n}", known=known, n=seat + 1))
        self.guests.resign(seat, name)
        self.seat_guests(self.guests)
        self._possible.leave(seat)
        self._answer_by_order()
        if self.journal is not None:
            self.journal.guests_changed(self)

    def set_clock(self, decided: int | None = None) -> None:
        """Let the time run of the person who is asked now, unless in private, and end the time of who was before."""
        if self.guests.clock is None:
            return
        state = self.session.state
        is_open = not state.over and self.possible_question is None and not self.game.rules.is_private(state, NOBODY)
        self.guests.clock.charge(decided, int(state.seat) if is_open and self.is_a_persons(state) else None)

    def _is_possible(self, at: int, held: frozenset[int]) -> bool:
        """Return whether one of these seats is asked what it could be. Raises ValueError if the game has gone on."""
        question = self.possible_question
        if question is None or question.seat not in held:
            return False
        if at != (n := self.last(ViewOptions(seat=question.seat, held=held))):
            raise ValueError(_(_HAS_GONE_ON, n=n, at=at))
        return True

    def _answer_by_order(self) -> None:
        """Answer the questions to those who could be asked, and have ordered how, up to one who has not."""
        while (question := self.possible_question) and self._orders.stand(*question[1:3], question.orders):
            self._possible.answered()
        self.set_clock()

    def _expect_a_person(self, at: int, held: frozenset[int]) -> None:
        """Raise ValueError if none of these seats is to act, in time, or the game has gone on since `at`."""
        if self.guests.clock is not None and self.guests.clock.is_over:
            raise ValueError(_("expected a decision in time: the time of who is asked is over, and an agent plays on"))
        state = self.open_moments[-1].read
        seat, is_a_persons, is_over = self.asked_seat(state), self.is_a_persons(state), bool(state.over)
        look = ViewOptions(seat=seat, held=held)
        if self.is_kept_waiting(look):  # as if nobody were asked
            is_a_persons = self.is_a_persons(self._seen(look)[0][-1].read)
        if not is_over and is_a_persons and seat not in held:
            raise ValueError(_("expected your turn: another player is to decide"))
        n = self.last(look)
        if at != n:
            raise ValueError(_(_HAS_GONE_ON, n=n, at=at))
        if is_over or not is_a_persons or seat not in held:
            raise ValueError(_("expected a person's turn: an agent is to decide, or the game is over"))

    def preview(self, action: int, at: int, look: ViewOptions) -> dict[str, Any]:
        """Return the certain events of an action for the person to act: drawn on the board, and as sentences.

        Empty if the game has gone on since `at`. Raises ValueError if no person is to act, for an illegal action, and
        for another seat's view.
        """
        moment, game, last = self.open_moments[-1], self.game, self.last(look)
        state, viewer = moment.state, self.viewer(moment.state, look)
        if 0 <= at < last:
            return {"svg": "", "would": []}
        if at != last or state.over or not self.is_asked(state, look) or viewer == NOBODY:
            raise ValueError(_("expected the moment in which a person decides, and that person's seat"))
        if self.possible_question is not None:
            return {"svg": "", "would": []}
        mask = game.rules.mask(state)  # the table's own may be of the next decision, which is played meanwhile
        if not 0 <= action < len(mask) or not mask[action]:
            raise ValueError(_("expected a legal action, got {action}", action=action))
        would = ReplayStep(moment.states, None, certain_events(game, moment.states, action))
        events, sentences = audible(game, would, viewer)
        drawn = svg_of(game, state, viewer, events, state, look.narrow, self.called, look.theme)
        return {"svg": drawn, "would": [self.seat_names(look).tell(one["text"]) for one in sentences]}

    @property
    def asked(self) -> agents.Agent:
        """The agent to act. Raises ValueError if none is."""
        is_held = self.possible_question is not None
        if self.session.is_over or is_held or self.is_a_persons(self.session.state):
            raise ValueError(_("expected an agent's turn: a person is to decide, or the game is over"))
        return self._agents[self.player]

    @property
    def is_asked_in_private(self) -> bool:
        """True if an agent has a question that no person may know of: it answers before the next view."""
        state = self.session.state
        if self.possible_question is not None:
            return False
        return bool(self.persons) and int(state.seat) not in self.persons and self.game.rules.is_private(state, NOBODY)

    @property
    def player(self) -> str:
        """The player to act: the name of an agent, also of one in a person's seat, or `PERSON`."""
        helper, seat = self._helpers.asked(self.session.state), int(self.session.state.seat)
        return helper.name if helper else self.guests.resigned.get(seat, self.names[seat])

    def ask_agent(self, go_on: Callable[[], None]) -> None:
        """Let the agent to act decide; `go_on` raises when it is to stop. Raises ValueError if no agent is to act.

        Meanwhile the game can be viewed, but not changed.
        """
        go_on()
        session = self.session
        action = session.ask_agent(self.asked, go_on)
        with self.lock:
            if session is not self.session:
                return  # the game has begun anew meanwhile
            helps = self._helpers.asked(self.session.state) is not None
            is_instead = self.player != self.names[int(self.session.state.seat)]
            self._go_on(action, helps and self._begins_to_help, self.player if is_instead else "")
            self._begins_to_help &= not helps

    def undo(self, held: frozenset[int]) -> None:
        """Take the latest decision of these seats back, and all after it. Raises ValueError if that is not allowed."""
        latest = self._latest_to_take_back(ViewOptions(seat=self.asked_seat(self.session.state), held=held))
        if not latest:
            raise ValueError(_(_CANNOT_BE_TAKEN_BACK))
        self._helpers.clear(held)
        self._possible.clear()
        self.undone += 1
        while len(self.moments) > latest:
            self.moments.pop()
            self._steps.pop()
        self.session.go_back(latest - 1, self.moments[-1].states, self._steps[-1].luck)
        if self.journal is not None:
            self.journal.taken_back(self)

    def repeat(self, line: Mapping[str, Any], is_own: bool, is_safe: bool) -> bool:
        """Play a kept decision again, by its line of the record; return whether it came out as it was kept."""
        if not self.session.repeat(line):
            return False
        self._grow(is_own, is_safe)
        return True

    @property
    def record(self) -> str:
        """The game so far as a record. Raises ValueError while it would reveal hidden information."""
        if self.viewer(self.open_moments[-1].read, ViewOptions()) is not None:
            raise ValueError(_("expected a game that is over: its record would show every hand"))
        return self.session.recorder.text

    def _latest_to_take_back(self, look: ViewOptions) -> int:
        """Return the number of the latest decision behind which undo by these seats goes back; 0 for none.

        In practice that is people's latest one; elsewhere it must be the latest of all, and have told nothing new.
        """
        if (self.session.mixed is not None and self.session.is_over) or self.guests.clock is not None:
            return 0  # the bits that the luck is mixed with were told, or time was spent
        steps = tuple(self._steps)[: len(self.open_moments)]  # a view may be asked for meanwhile
        if self.is_kept_waiting(look):  # what the viewer does not know of has not happened
            shown = self._seen(look)[0][-1]
            steps = steps[: self.moments.index(shown.joined[-1] if shown.joined else shown) + 1]
        latest = len(steps) - 1
        if self.is_practice:
            latest = next((at for at in range(latest, 0, -1) if steps[at].is_own), 0)
        elif not steps[latest].is_safe:
            return 0
        return latest if steps[latest].seat in look.held else 0

    def _go_on(self, action: int, is_own: bool, helper: str = "") -> None:
        if len(self.moments) > MOST_DECISIONS:
            raise ValueError(_("expected at most {n} decisions in a game on the page", n=MOST_DECISIONS))
        self.session.decide(action, helper)
        before, after = self.moments[-1], copy_records(self.session.states)
        is_alone = self.game.rules.imagine is None or len(self.persons) == 1
        can_be_safe = is_own and not self.is_practice and not self.by_clock and is_alone
        is_safe = can_be_safe and tells_nothing(self.game, before.states, action, after)
        if self.guests.seats:
            heard_before = len(self.session.events)
            self._possible.went_on(before.states, action, self.session.luck, after, heard_before, len(self.moments))
        self._grow(is_own, is_safe)
        is_timed = is_own and not helper and not self.game.rules.is_private(before.read, NOBODY)
        self.set_clock(int(before.read.seat) if is_timed else None)
        if self.journal is not None:
            self.journal.went_on(self, is_own, is_safe)
            if self.guests.clock is not None:
                self.journal.guests_changed(self)
        state = self.session.state
        ordered = self._orders.answer(state, self._possible.orders) if self.is_a_persons(state) else None
        if ordered is not None:
            self._go_on(ordered, False)
        self._answer_by_order()

    def _grow(self, is_own: bool, is_safe: bool) -> None:
        """Append the moment after the decision just played."""
        decision = self.session.recorder.lines[len(self.moments)]
        self._steps.append(UndoStep(copy_records(self.session.luck), is_own, is_safe, decision["seat"]))
        self.moments.append(ReplayStep(copy_records(self.session.states), decision, self.session.events))
