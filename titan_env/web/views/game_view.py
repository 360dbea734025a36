"""The games on the page as series of moments: their players, and each viewer's share of a moment."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from titan_env.contract import Game, Status
from titan_env.contract.shapes import Shape
from titan_env.pictures.render import shapes_of, svg_lines_of
from titan_env.records.replay import ReplayStep, parse, positions
from titan_env.records.session import result_sentence
from titan_env.records.thoughts import read_thoughts
from titan_env.records.visible import Known, heard, sentence_of_decision, visible
from titan_env.web.views.dice import dice_so_far
from titan_env.web.views.guests import Guests
from titan_env.web.views.history import audible, history, is_in_parts
from titan_env.web.views.presence import Presence
from titan_env.web.views.rules import anchor_of_question
from titan_env.web.views.seat_names import PlayerNames, checked_name
from titan_env.web.views.step_animation import frames
from titan_env.web.views.svg_delta import SvgHistory
from titan_env.web.views.translation import _

PERSON = "person"
MOST_DECISIONS = 10_000
NOBODY = -1
"""The seat of the view that shows no hidden information."""


@dataclass(frozen=True)
class ViewOptions:
    """The settings of a view: theme, width of the screen, and the seats that its viewer decides for."""

    theme: str = "light"
    narrow: bool = False
    seat: int | None = None
    """The seat of the person at a shared screen who has confirmed to be looking."""
    held: frozenset[int] = frozenset()
    """The seats of the people at this screen."""
    watches: bool = False
    """The viewer is a guest without a seat."""
    in_words: bool = True
    """The position is wanted in sentences, too."""


_COPIES, _BESIDE = 4, 1000
"""The memory of a moment at most: so many states, for it and its luck, and so many bytes for its sentences."""


def moment_bytes(game: Game) -> int:
    """Return the bytes that a moment of a game takes in memory, an upper estimate."""
    return _COPIES * game.rules.state.itemsize + _BESIDE


class GameView:
    """A series of moments to view: a record that was opened, without hidden information."""

    live = False
    is_practice = False
    owner = ""
    """The hash of the visitor whose game it is."""
    branch: tuple[str, int] | None = None
    """The game that it is a branch of, and the moment there at which it leaves it; None for a main line."""

    def __init__(self, game: Game, names: Sequence[str], moments: list[ReplayStep], text: str = "") -> None:
        self.game, self.names, self.moments = game, list(names), moments
        self._text = text
        self.lock = threading.Lock()
        self.pictures = SvgHistory()
        self.guests = Guests()
        self.presence = Presence()
        self._known: dict[int | None, Known] = {}
        self.analysed: dict[tuple[Any, ...], Any] = {}
        """The parts of its analysis that were asked for."""

    @property
    def record(self) -> str:
        """The game as a record."""
        return self._text

    @property
    def open_moments(self) -> tuple[ReplayStep, ...]:
        """The moments up to the current position."""
        return tuple(self.moments)

    @property
    def moment_bytes(self) -> int:
        """The memory that one of its moments takes, an upper estimate."""
        return moment_bytes(self.game)

    @property
    def nbytes(self) -> int:
        """The memory that its moments take, an upper estimate in bytes."""
        return len(self.moments) * self.moment_bytes

    @property
    def is_played(self) -> bool:
        """True if forgetting it would lose something: a record can be opened again."""
        return self.live and len(self.moments) > 1

    @property
    def called(self) -> list[str]:
        """The players' names for people, in the current language."""
        named = self.guests.names
        return [named.get(seat, _("person")) if name == PERSON else name for seat, name in enumerate(self.names)]

    @property
    def persons(self) -> list[int]:
        """The seats of people who have not resigned."""
        return [seat for seat, name in enumerate(self.names) if name == PERSON and seat not in self.guests.resigned]

    def seat_names(self, look: ViewOptions) -> PlayerNames:
        """Return the names of the seats as a viewer reads them."""
        own = next(iter(look.held)) if len(look.held) == 1 else None
        return PlayerNames({seat: name for seat, name in self.guests.names.items() if seat in self.persons}, own)

    def admits(self, visitor: str, key: str = "") -> bool:
        """Return whether the game is a visitor's own, or they are a guest or have the key of an open invitation."""
        return self.is_owner(visitor) or self.guests.admits(visitor, key)

    def is_owner(self, visitor: str) -> bool:
        """Return whether the game is a visitor's own."""
        return secrets.compare_digest(self.owner, visitor)

    def held_by(self, visitor: str) -> frozenset[int]:
        """Return the seats that a visitor decides for: a guest those taken by invitation, the owner all others."""
        taken = self.guests.seats
        if self.is_owner(visitor):
            return frozenset(seat for seat in self.persons if seat not in taken)
        return frozenset(seat for seat in self.persons if taken.get(seat) == visitor)

    def sits(self, visitor: str) -> bool:
        """Return whether a visitor is the owner or has taken a seat, also one that they have resigned since."""
        return self.is_owner(visitor) or visitor in self.guests.seats.values()

    def is_a_persons(self, state: Any) -> bool:
        """Return whether a person is to act at a state."""
        return int(state.seat) in self.persons

    def asked_seat(self, now: Any) -> int:
        """Return the seat that is asked at the current position."""
        return int(now.seat)

    def is_asked(self, now: Any, look: ViewOptions) -> bool:
        """Return whether one of the viewer's seats is asked at the current position."""
        return self.is_a_persons(now) and self.asked_seat(now) in look.held

    def viewer(self, now: Any, look: ViewOptions) -> int | None:
        """Return the seat whose view is shown at state `now`; None shows the full state.

        A person alone at a screen sees the view of its own seat. Of several at one screen, the one to act sees it after
        confirming to be the one who looks; otherwise, and to spectators, nothing hidden is shown. Finished
        games, and games without hidden information, are shown in full.
        """
        if not self.live or not self.persons or now.over or self.game.rules.imagine is None:
            return None
        if len(look.held) == 1:
            return next(iter(look.held))
        return look.seat if look.seat == self.asked_seat(now) and look.seat in look.held else NOBODY

    def view(self, at: int, look: ViewOptions) -> dict[str, Any]:
        """Return one moment as JSON for the page; a negative `at` counts from the end. Raises ValueError out of range.

        It may be called while a decision is being made.
        """
        moments, now, viewer = self._seen(look)
        at = _moment_number(moments, at)
        game, moment = self.game, moments[at]
        state, before = moment.read, moments[at - 1].read if at else None
        current = moments[-1].read if self.is_kept_waiting(look) else now
        is_now = self.live and at == len(moments) - 1 and not current.over
        seat, is_here = self.asked_seat(now), is_now and self.is_asked(now, look)
        is_turn = is_here or (is_now and self.is_a_persons(current))
        waits = is_now and not is_turn and not look.watches
        asked = None if state.over else seat if is_here else int(state.seat)
        is_seen = asked is not None and viewer in (None, asked)
        events, sentences = audible(game, moment, viewer)
        names, result = self.seat_names(look), result_sentence(state)
        shown: dict[str, Any] = {
            "game": game.name,
            "title": game.metadata.title,
            "names": self.names,
            "at": at,
            "last": len(moments) - 1,
            "live": self.live,
            "asked": asked,
            "agent_to_move": waits,
            "others_to_move": is_now and not is_here and not waits,
            "your_turn": is_here and viewer != NOBODY,
            "hand_covered": is_here and viewer == NOBODY,
            "fully_visible": viewer is None,
            "finished": not self.live or bool(now.over),
            "clock": self.guests.clock and self.guests.clock.seen(self.persons),
            "viewer_seat": viewer,
            "svg": svg_lines_of(game, state, viewer, events, before, look.narrow, self.called, look.theme),
            "events": [{**one, "text": names.tell(one["text"])} for one in sentences],
            "staged": is_in_parts(game, before, moment, viewer),
            "has_dice": game.presentation.dice is not None,
            "result": result and names.tell(result),
            "ranking": ranking(game, state),
            "actions": _actions(game, state, names) if is_here and viewer != NOBODY else [],
            "barred": is_seen,
            "ask": game.rules.asks(int(state.ask)).name if is_seen else None,
            "question": anchor_of_question(game, int(state.ask)) if is_seen else None,
        }
        own = next(iter(look.held)) if len(look.held) == 1 else seat if is_here else None
        if own is not None and game.presentation.own_panel is not None:
            shown["panel"] = game.presentation.own_panel(state, own)
        if self.is_practice and viewer is None and game.presentation.forecast and not state.over:
            shown["forecast"] = dict(game.presentation.forecast(state))
        if look.in_words:
            shown["described"] = [names.tell(line) for line in game.position_sentences_for(state, viewer)]
        if viewer is None:
            shown["position"] = game.text.position_text(state)
        decision = _decision(game, moments[at - 1] if at else None, moment, viewer)
        return {**shown, **decision, "say": names.tell(decision["say"])}

    def shapes(self, at: int, look: ViewOptions) -> list[Shape]:
        """Return the wide picture of one moment as the viewer may see it. Raises ValueError for one out of range."""
        moments, _now, viewer = self._seen(look)
        at = _moment_number(moments, at)
        moment, before = moments[at], moments[at - 1].read if at else None
        events = heard(self.game, moment, viewer)
        return shapes_of(self.game, moment.read, viewer, events, before, False, self.called)

    def stages(self, at: int, look: ViewOptions) -> list[dict[str, Any]]:
        """Return the animation steps of the step to one moment. Raises ValueError for a moment out of range."""
        moments, _now, viewer = self._seen(look)
        if not 0 < at < len(moments):
            raise _no_moment(1, len(moments) - 1, at)
        names = self.seat_names(look)
        parts = frames(self.game, moments[at - 1].state, moments[at], viewer, look.theme, look.narrow, self.called)
        for part in parts:
            part["events"] = [{**one, "text": names.tell(one["text"])} for one in part["events"]]
        return parts

    def history(self, since: int, until: int, look: ViewOptions) -> list[dict[str, Any]]:
        """Return the history after moment `since` and up to `until`, as the viewer may know it.

        See `titan_env.web.views.history`.
        """
        moments, _now, viewer = self._seen(look)
        names, lines = self.seat_names(look), history(self.game, moments[: max(0, until) + 1], since, viewer)
        for line in lines:
            line |= {"say": names.tell(line["say"]), "events": [names.tell(text) for text in line["events"]]}
        return lines

    def dice(self, look: ViewOptions) -> list[dict[str, Any]]:
        """Return the dice so far, of each seat and name, beside what was to be expected of them."""
        moments, _now, viewer = self._seen(look)
        return dice_so_far(self.game, moments, viewer)

    def reasons(self, at: int, look: ViewOptions) -> dict[str, list[str]]:
        """Return the illegal actions' texts at one moment by the reason that forbids them."""
        moments, _now, viewer = self._seen(look)
        state = moments[_moment_number(moments, at)].state
        return self.game.illegal_reasons(state) if viewer in (None, int(state.seat)) else {}

    def is_kept_waiting(self, look: ViewOptions) -> bool:
        """Return whether another seat is asked what the viewer may not know of: nothing has changed for the viewer."""
        moments = self.open_moments
        now = moments[-1].read
        if len(moments) == 1 or int(now.seat) in look.held:
            return False
        return self.game.rules.is_private(now, self.viewer(now, look))

    def last(self, look: ViewOptions) -> int:
        """Return the number of the latest moment that the viewer may know of."""
        return len(self._seen(look)[0]) - 1

    def _seen(self, look: ViewOptions) -> tuple[list[ReplayStep], Any, int | None]:
        """Return the moments that the viewer may know of, the current position, and the viewer's seat."""
        moments = self.open_moments
        now = moments[-1].read
        viewer = self.viewer(now, look)
        seen, self._known[viewer] = visible(self.game, moments, viewer, self._known.get(viewer))
        return seen, now, viewer


def opened(text: str) -> GameView:
    """Return the game of a record, with its people's names.

    Raises BadRecord (a ValueError) if it does not replay, ValueError for one too long, and for names out of bounds.
    """
    record = parse(text)
    if len(record.decisions) > MOST_DECISIONS:
        count = len(record.decisions)
        raise ValueError(_("expected at most {most} decisions, got {n}", most=MOST_DECISIONS, n=count))
    moments = list(positions(record))
    seats = int(moments[0].state.seats)
    named = [name[:60] for name in record.header["agents"]]
    game_view = GameView(record.game, [*named, *["?"] * (seats - len(named))], moments, text)
    people_of_record = (record.result or {}).get("people")
    people: dict[str, Any] = people_of_record if isinstance(people_of_record, dict) else {}
    for seat in range(seats):
        if str(seat) in people:
            game_view.guests.call(seat, checked_name(people[str(seat)]))
    return game_view


def _no_moment(first: int, last: int, at: int) -> ValueError:
    """Return the error for a moment out of range."""
    return ValueError(_("expected a moment from {first} to {last}, got {at}", first=first, last=last, at=at))


def _moment_number(moments: Sequence[ReplayStep], at: int) -> int:
    """Return the number of a moment; a negative one counts from the end. Raises ValueError out of range."""
    if not -len(moments) <= at < len(moments):
        raise _no_moment(0, len(moments) - 1, at)
    return at % len(moments)


def _actions(game: Game, state: Any, names: PlayerNames) -> list[dict[str, Any]]:
    """Return the legal actions with their texts and sentences."""
    legal, texts = np.flatnonzero(game.rules.mask(state)).tolist(), game.rules.actions.texts
    offers = ((number, names.offer(game.text.describe_action(state, number))) for number in legal)
    return [{"number": number, "text": texts[number], "say": say} for number, say in offers]


def _decision(game: Game, before: ReplayStep | None, moment: ReplayStep, viewer: int | None) -> dict[str, Any]:
    """Return a moment's decision as `viewer` may know it; the agent's thoughts only if nothing is hidden from it."""
    if before is None or moment.decision is None:
        return {"seat": None, "say": _("The start")}
    shown = {name: moment.decision[name] for name in ("seat", "by") if name in moment.decision}
    thoughts = read_thoughts(game, before.states, moment.decision) if viewer is None else {}
    return {**shown, **thoughts, "say": sentence_of_decision(game, before.read, moment.decision, viewer) or "…"}


def ranking(game: Game, state: Any) -> list[dict[str, Any]]:
    """Return the players of a finished game, the best first, with their places and points; [] while it runs."""
    if state.over == Status.RUNNING:
        return []
    ranking = []
    names = None if game.presentation.seat_names is None else game.presentation.seat_names(state)
    for seat in range(int(state.seats)):
        line: dict[str, Any] = {"seat": seat, "won": bool(state.won[seat])}
        if names is not None:
            line["piece"] = names[seat]
        if state.place[seat]:
            line["place"] = int(state.place[seat])
        if game.rules.score_scale is not None:
            line["points"] = int(state.scores[seat])
        ranking.append(line)
    return sorted(ranking, key=lambda line: (line.get("place", 0), -line.get("points", 0), not line["won"]))
