"""A game on the page: who sits at it, every moment of it, and what of a moment may be shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from titan_env import agents
from titan_env.contract import Game, Status
from titan_env.contract.reading import copied
from titan_env.pictures.render import svg_lines_of, svg_of
from titan_env.records.replay import Moment, parse, positions, respoken
from titan_env.records.session import Seating
from titan_env.web.history import audible, history, said
from titan_env.web.preview import foreseen
from titan_env.web.rules import anchor_of_question
from titan_env.web.sent import Pictures
from titan_env.web.speech import _
from titan_env.web.stages import told
from titan_env.web.visible import visible

PERSON = "person"
MOST_DECISIONS = 10_000
_NOBODY = -1  # the seat that sees no hand


@dataclass(frozen=True)
class Look:
    """How somebody wants to see a game: in which theme, on a narrow screen or not, and at whose hand."""

    theme: str = "light"
    narrow: bool = False
    seat: int | None = None
    """Of several people at one screen, the one who has said that it is them who look."""


class Story:
    """Moments to look at: a record that was opened, with nothing hidden."""

    live = False

    def __init__(self, game: Game, names: Sequence[str], moments: list[Moment], text: str = "") -> None:
        self.game, self.names, self.moments = game, list(names), moments
        self._text = text
        self.lock = threading.Lock()
        self.pictures = Pictures()

    @property
    def record(self) -> str:
        """The game as a record."""
        return self._text

    @property
    def is_played(self) -> bool:
        """Whether something would be lost with it: a record can be opened again."""
        return self.live and len(self.moments) > 1

    @property
    def called(self) -> list[str]:
        """The players as people call them; agents have names."""
        return [_("person") if name == PERSON else name for name in self.names]

    @property
    def persons(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, name in enumerate(self.names) if name == PERSON]

    def viewer(self, now: Any, look: Look) -> int | None:
        """The seat through whose eyes every moment is shown while the game stands at `now`: None sees everything.

        One person sees their own hand only; of several at one screen, the one who is asked now and has said
        so; when all is over, or where a game hides nothing, everybody everything.
        """
        persons = self.persons
        if not self.live or not persons or now.over != Status.RUNNING or self.game.rules.imagine is None:
            return None
        if len(persons) == 1:
            return persons[0]
        return look.seat if look.seat == int(now.seat) and look.seat in persons else _NOBODY

    def view(self, at: int, look: Look) -> dict[str, Any]:
        """One moment as the page shows it; a negative `at` counts from the end. Raises ValueError where none is.

        It may be asked for while a decision is being made.
        """
        moments, now, viewer = self._seen(look)
        at = _place(moments, at)
        game, moment = self.game, moments[at]
        state, before = moment.read, moments[at - 1].read if at else None
        is_now = self.live and at == len(moments) - 1 and not now.over
        is_turn = is_now and int(now.seat) in self.persons
        asked = None if state.over else int((now if is_turn else state).seat)
        is_seen = asked is not None and viewer in (None, asked)
        events, sentences = audible(game, moment, viewer)
        shown: dict[str, Any] = {
            "game": game.name,
            "title": game.metadata.title,
            "names": self.names,
            "at": at,
            "last": len(moments) - 1,
            "live": self.live,
            "asked": asked,
            "waits": is_now and not is_turn,
            "mine": is_turn and viewer != _NOBODY,
            "covered": is_turn and viewer == _NOBODY,
            "open": viewer is None,
            "eyes": viewer,
            "svg": svg_lines_of(game, state, viewer, events, before, look.narrow, self.called, look.theme),
            "events": sentences,
            "staged": before is not None and bool(game.step_parts(before, events, state)),
            "result": _result(state),
            "ranking": _ranking(game, state),
            "actions": _actions(game, state) if is_turn and viewer != _NOBODY else [],
            "barred": is_seen,
            "question": anchor_of_question(game, int(state.ask)) if is_seen else None,
        }
        shown["described"] = game.position_sentences_for(state, viewer)
        if viewer is None:
            shown["position"] = game.text.position_text(state)
        return {**shown, **_decision(game, before, moment, viewer)}

    def stages(self, at: int, look: Look) -> list[dict[str, Any]]:
        """The step to one moment as it is told part by part. Raises ValueError where there is no such moment."""
        moments, _now, viewer = self._seen(look)
        if not 0 < at < len(moments):
            raise _no_moment(1, len(moments) - 1, at)
        return told(self.game, moments[at - 1].state, moments[at], viewer, look.theme, look.narrow, self.called)

    def history(self, since: int, until: int, look: Look) -> list[dict[str, Any]]:
        """What has happened after moment `since` and until another, as one who looks may hear of it.

        See `titan_env.web.history`.
        """
        moments, _now, viewer = self._seen(look)
        return history(self.game, moments[: max(0, until) + 1], since, viewer)

    def reasons(self, at: int, look: Look) -> dict[str, list[str]]:
        """The reasons that forbid actions at one moment, each with the texts of those it forbids."""
        moments, _now, viewer = self._seen(look)
        state = moments[_place(moments, at)].state
        return self.game.illegal_reasons(state) if viewer in (None, int(state.seat)) else {}

    def last(self, look: Look) -> int:
        """Return the number of the latest moment that whoever looks may know of."""
        return len(self._seen(look)[0]) - 1

    def _seen(self, look: Look) -> tuple[list[Moment], Any, int | None]:
        """Return the moments that whoever looks may know of, the position as it stands now, and whose eyes see them."""
        moments = tuple(self.moments)
        now = moments[-1].read
        viewer = self.viewer(now, look)
        return visible(self.game, moments, viewer), now, viewer


class Sitting(Story):
    """A game that is being played. Raises ValueError or TypeError for what cannot be played."""

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
        """One moment as the page shows it, and whether decisions can be taken back."""
        return {**super().view(at, look), "practice": self._practice, "can_undo": self._latest_of_a_person() > 0}

    def play(self, action: int, at: int) -> None:
        """A person decides. Raises ValueError where it is not a person's turn, or another decision has come before."""
        n = self.last(Look(seat=int(self.table.state.seat)))
        if at != n:
            raise ValueError(_("expected decision {n}, got {at}: the game has gone on", n=n, at=at))
        if self.table.is_over or int(self.table.state.seat) not in self.persons:
            raise ValueError(_("expected a person's turn: an agent is to decide, or the game is over"))
        self._go_on(action)

    def preview(self, action: int, at: int, look: Look) -> dict[str, Any]:
        """What an action would do for certain, drawn on the board and in sentences, for the person who is asked.

        Nothing where the game has gone on: whoever decides has just looked at something. Raises ValueError where
        nobody is asked, for an illegal action, or where another seat looks.
        """
        moment, game, last = self.moments[-1], self.game, self.last(look)
        state, viewer = moment.state, self.viewer(moment.state, look)
        if 0 <= at < last:
            return {"svg": "", "would": []}
        if at != last or state.over or int(state.seat) not in self.persons or viewer == _NOBODY:
            raise ValueError(_("expected the moment in which a person is asked, and that person"))
        if not 0 <= action < len(self.table.mask) or not self.table.mask[action]:
            raise ValueError(_("expected a legal action, got {action}", action=action))
        would = Moment(moment.states, None, foreseen(game, moment.states, action))
        events, sentences = audible(game, would, viewer)
        drawn = svg_of(game, state, viewer, events, state, look.narrow, self.called, look.theme)
        return {"svg": drawn, "would": [one["text"] for one in sentences]}

    @property
    def asked(self) -> agents.Agent:
        """The agent that is asked. Raises ValueError where none is."""
        if self.table.is_over or int(self.table.state.seat) in self.persons:
            raise ValueError(_("expected an agent's turn: a person is to decide, or the game is over"))
        return self._agents[self.player]

    @property
    def is_asked_in_private(self) -> bool:
        """Whether an agent is asked what no person at the table may know of: it answers before anybody looks again."""
        state = self.table.state
        return bool(self.persons) and int(state.seat) not in self.persons and self.game.rules.is_private(state, _NOBODY)

    @property
    def player(self) -> str:
        """Who sits on the seat that is to act: the name of an agent, or `PERSON`."""
        return self.names[int(self.table.state.seat)]

    def let_act(self, go_on: Callable[[], None]) -> None:
        """The agent that is asked decides; `go_on` raises where it is to stop. Raises ValueError where none is asked.

        Others may look at the game, not change it, while it does.
        """
        go_on()
        action = self.table.let_act(self.asked, go_on)
        with self.lock:
            self._go_on(action)

    def undo(self) -> None:
        """Take a person's latest decision back, and what followed. Raises ValueError where that is not allowed."""
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
        """The game so far as a record. Raises ValueError while hands must stay hidden."""
        if self.viewer(self.table.state, Look()) is not None:
            raise ValueError(_("expected a game that is over: its record would show every hand"))
        return self.table.recorder.text

    def _latest_of_a_person(self) -> int:
        """The number of the latest decision of a person that may be taken back; 0 where there is none."""
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


def opened(text: str) -> Story:
    """A record as a story. Raises BadRecord (a ValueError) where it does not replay."""
    record = parse(text)
    if len(record.decisions) > MOST_DECISIONS:
        count = len(record.decisions)
        raise ValueError(_("expected at most {most} decisions, got {n}", most=MOST_DECISIONS, n=count))
    moments = list(positions(record))
    seats = int(moments[0].state.seats)
    named = [name[:60] for name in record.header["agents"]]
    return Story(record.game, [*named, *["?"] * (seats - len(named))], moments, text)


def _no_moment(first: int, last: int, at: int) -> ValueError:
    """The complaint about a moment that there is not."""
    return ValueError(_("expected a moment from {first} to {last}, got {at}", first=first, last=last, at=at))


def _place(moments: Sequence[Moment], at: int) -> int:
    """The number of a moment; a negative one counts from the end. Raises ValueError where there is none."""
    if not -len(moments) <= at < len(moments):
        raise _no_moment(0, len(moments) - 1, at)
    return at % len(moments)


def _actions(game: Game, state: Any) -> list[dict[str, Any]]:
    """What may be done, and what it means here."""
    legal = np.flatnonzero(game.rules.mask(state)).tolist()
    return [
        {"number": number, "text": game.rules.actions.texts[number], "say": game.text.describe_action(state, number)}
        for number in legal
    ]


def _decision(game: Game, before: Any, moment: Moment, viewer: int | None) -> dict[str, Any]:
    """What was decided, as `viewer` may hear of it, and the agent's thoughts, which would give hidden things away."""
    if moment.decision is None:
        return {"seat": None, "say": _("The start")}
    thoughts = ("value", "chances", "thought") if viewer is None else ()
    shown = {name: moment.decision[name] for name in ("seat", *thoughts) if name in moment.decision}
    if "chances" in shown:
        shown["chances"] = respoken(game, before, shown["chances"])
    return {**shown, "say": said(game, before, moment.decision, viewer) or "…"}


def _result(state: Any) -> str | None:
    """How the game has ended, as a sentence; None while it runs."""
    if state.over == Status.RUNNING:
        return None
    winners = [_("Player {n}", n=seat + 1) for seat in range(int(state.seats)) if state.won[seat]]
    if state.over == Status.TRUNCATED:
        return _("The game was cut short: nobody has won")
    if not winners:
        return _("Nobody has won")
    return _.many("{who} won", "{who} won", len(winners), who=_(" and ").join(winners))


def _ranking(game: Game, state: Any) -> list[dict[str, Any]]:
    """The players of a game that is over, the best one first, with what the game keeps of places and points."""
    if state.over == Status.RUNNING:
        return []
    ranking = []
    for seat in range(int(state.seats)):
        line: dict[str, Any] = {"seat": seat, "won": bool(state.won[seat])}
        if state.place[seat]:
            line["place"] = int(state.place[seat])
        if game.rules.score_scale is not None:
            line["points"] = int(state.scores[seat])
        ranking.append(line)
    return sorted(ranking, key=lambda line: (line.get("place", 0), -line.get("points", 0), not line["won"]))
