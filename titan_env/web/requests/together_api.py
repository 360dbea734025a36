"""Playing together: invitations, names, guests who join or resign, rematches, and the wait for what others do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool

from titan_env.contract.translation import mark
from titan_env.records.seeding import draw_seed
from titan_env.web.requests.api import Handler
from titan_env.web.requests.qr_api import qr
from titan_env.web.requests.request_validation import asked_number
from titan_env.web.sessions.reopening import keep
from titan_env.web.views.game_view import GameView, ViewOptions
from titan_env.web.views.guests import WATCHING
from titan_env.web.views.live_game import LiveGame
from titan_env.web.views.seat_names import checked_name
from titan_env.web.views.translation import _

LONGEST_WAIT = 25.0
"""The seconds after which a wait for what others do is answered, whatever has happened: proxies close longer ones."""
_BETWEEN = 0.2
"""The seconds between two looks at whether something has happened."""


def invite(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return the key of a new invitation to the seat of a person, or without a seat to watch.

    Before a seat is given away the game's luck is mixed: `anew` is True if the game begins anew with it.
    """
    game_view = _own(server, owner, asked)
    seat = WATCHING if asked.get("seat") is None else asked_number(asked, "seat")
    if seat != WATCHING and (not isinstance(game_view, LiveGame) or seat not in game_view.persons):
        known = ", ".join(str(seat + 1) for seat in game_view.persons) or "-"
        raise ValueError(_("expected the seat of a person among {known}, got {n}", known=known, n=seat + 1))
    if seat in game_view.guests.seats and game_view.game.rules.imagine is not None:
        message = mark("expected a seat that nobody has taken: what is hidden in seat {n} is its player's alone")
        raise ValueError(_(message, n=seat + 1))
    with game_view.lock:
        anew = seat != WATCHING and isinstance(game_view, LiveGame) and game_view.mix_luck()
        key = game_view.guests.invite(seat)
        _keep(game_view)
    return {"key": key, "together": together(game_view, owner), "anew": anew}


async def resign(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Let the usual agent play on in one of a visitor's seats for the rest of the game; return the new view."""
    live_game = _live(server.sessions.find(owner, str(asked.get("id"))))
    seat, agent = asked_number(asked, "seat"), server.players(live_game.game)[1]
    return await _left(server, owner, asked, lambda: live_game.resign(seat, agent, live_game.held_by(owner)))


async def late(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Let the usual agent play on in the seat whose time is over, if one's is; return the new view."""
    live_game = _live(server.sessions.find(owner, str(asked.get("id"))))
    agent = server.players(live_game.game)[1]

    def leave() -> None:
        clock = live_game.guests.clock
        if clock is not None and clock.is_over and (seat := clock.running) is not None:
            clock.late.append(seat)
            live_game.resign(seat, agent, frozenset({seat}))

    return await _left(server, owner, asked, leave)


async def _left(server: Any, owner: str, asked: Mapping[str, Any], leave: Callable[[], None]) -> Any:
    """Let a person leave a seat to an agent, in a thread; return the view after it."""
    live_game = server.sessions.find(owner, str(asked.get("id")))

    def alone() -> None:
        with live_game.lock:
            leave()

    await run_in_threadpool(alone)
    await server.scheduler.answer_in_private(live_game)
    return await run_in_threadpool(server.view, live_game, owner, asked)


def call(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Let a visitor go by a name in one of their seats; an empty one takes it away. Return the new view."""
    live_game = _live(server.sessions.find(owner, str(asked.get("id"))))
    seat, name = asked_number(asked, "seat"), checked_name(asked.get("called"))
    if seat not in (held := live_game.held_by(owner)):
        known = ", ".join(str(own + 1) for own in sorted(held)) or "-"
        raise ValueError(_("expected a seat that you play, among {known}, got {n}", known=known, n=seat + 1))
    with live_game.lock:
        live_game.guests.call(seat, name)
        live_game.seat_guests(live_game.guests)
        _keep(live_game)
    return server.view(live_game, owner, asked)


def rematch(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return the id of a new game of the same people with the same options, begun by the first of them who asks.

    With `places` everybody sits so many seats further. Whoever asks later, or watches, comes to the same game.
    """
    live_game = _live(server.sessions.find(owner, str(asked.get("id"))))
    shift = asked_number(asked, "places", 0)
    with live_game.lock:
        if not live_game.open_moments[-1].read.over:
            raise ValueError(_("expected a game that is over: play it to its end, or resign"))
        if not _is_kept(server, live_game.guests.rematch):
            if not live_game.sits(owner):
                raise ValueError(_("expected somebody who plays: you watch this game"))
            live_game.guests.play_again(_begin_again(server, live_game, shift))
            _keep(live_game)
    return {"id": live_game.guests.rematch}


def _begin_again(server: Any, live_game: LiveGame, shift: int) -> str:
    """Begin a new game among the same players, each so many seats further; return its id."""
    names, seats = live_game.names, len(live_game.names)
    moved = [names[(seat - shift) % seats] for seat in range(seats)]
    again = LiveGame(live_game.setup, moved, draw_seed(), live_game.is_practice, live_game.by_clock)
    again.seat_guests(live_game.guests.moved_on(shift, seats))
    if again.guests.seats:
        again.mix_luck()
    name = server.sessions.add(live_game.owner, again)
    if server.store is not None:
        keep(server.store, name, live_game.owner, again)
        _keep(again)
    return str(name)


def _is_kept(server: Any, name: str) -> bool:
    """Return whether there is a game of this name, in memory or in the file."""
    return server.sessions.has(name) or (server.store is not None and server.store.find(name) is not None)


def _live(game_view: GameView) -> LiveGame:
    """Return a game that is played here. Raises ValueError for a record that was opened."""
    if not isinstance(game_view, LiveGame):
        raise ValueError(_("expected a game that is played here, got a record that was opened"))
    return game_view


def join(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Join a game by the key of an invitation; return its latest view. Its owner needs none."""
    key = str(asked.get("key"))
    game_view = server.sessions.find(owner, str(asked.get("id")), key)
    if not game_view.is_owner(owner):
        with game_view.lock:
            game_view.guests.join(owner, key)
            _keep(game_view)
    return {"id": asked["id"], **server.view(game_view, owner, asked)}


async def news(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Wait until a visitor's view differs from what is `known`, or others are on line; return what is then.

    At most `LONGEST_WAIT`; meanwhile the visitor is on line.

    Only what the visitor may see counts as a difference, so that the wait tells nothing else.
    """
    game_view = server.sessions.find(owner, str(asked.get("id")))
    look, known = server.look(game_view, owner, asked), asked.get("known")
    until, counted, found = time.monotonic() + LONGEST_WAIT, None, ""
    with game_view.presence.waits(owner):
        online = asked.get("online", _online(game_view))
        while True:
            if counted != (counted := _count(game_view)):
                found = _known(game_view, owner, look)
            is_new = found != known or online != _online(game_view)
            if is_new or time.monotonic() > until or server.is_ending:
                break
            await asyncio.sleep(_BETWEEN)
        return {"known": found, "last": game_view.last(look), "together": together(game_view, owner)}


async def until_known(server: Any, live_game: LiveGame, look: ViewOptions) -> None:
    """Wait, as for an agent, until nobody is asked what the viewer may not know of, at most `LONGEST_WAIT`."""
    until = time.monotonic() + LONGEST_WAIT
    while live_game.is_kept_waiting(look) and time.monotonic() < until and not server.is_ending:
        await asyncio.sleep(_BETWEEN)


def together(game_view: GameView, visitor: str) -> dict[str, Any]:
    """Return who sits where, as the page shows it to a visitor."""
    guests, own = game_view.guests, game_view.held_by(visitor)
    return {
        "owner": game_view.is_owner(visitor),
        "sits": game_view.sits(visitor),
        "shared": bool(guests),
        "resigned": guests.resigned,
        "rematch": guests.rematch,
        "names": game_view.seat_names(ViewOptions()).called,
        "online": _online(game_view),
        "held": sorted(own),
        "people": {seat: seat in guests.seats for seat in game_view.persons} if game_view.live else {},
        "watching": len(guests.watching),
    }


def _online(game_view: GameView) -> list[int]:
    """Return the seats of people who are on line; [] for a game at one screen."""
    taken = game_view.guests.seats if game_view.live and game_view.guests else None
    people = [] if taken is None else game_view.persons
    return [seat for seat in people if game_view.presence.is_here((taken or {}).get(seat, game_view.owner))]


def _known(game_view: GameView, visitor: str, look: ViewOptions) -> str:
    """Return a text that differs wherever a visitor's view of a game does."""
    undone = game_view.undone if isinstance(game_view, LiveGame) else 0
    asked = _possible(game_view) if game_view.is_asked(game_view.open_moments[-1].read, look) else 0
    return f"{game_view.last(look)} {undone} {game_view.guests.changes} {asked}"


def _count(game_view: GameView) -> tuple[int, int, int, int]:
    """Return numbers of which one changes whenever something happens in a game."""
    undone = game_view.undone if isinstance(game_view, LiveGame) else 0
    return len(game_view.moments), undone, game_view.guests.changes, _possible(game_view)


def _possible(game_view: GameView) -> int:
    """Return the number of questions to those who could be asked that are not answered yet."""
    return game_view.questions_left if isinstance(game_view, LiveGame) else 0


def _own(server: Any, owner: str, asked: Mapping[str, Any]) -> GameView:
    """Return a visitor's own game. Raises ValueError for one at which the visitor is a guest."""
    game_view: GameView = server.sessions.find(owner, str(asked.get("id")))
    if not game_view.is_owner(owner):
        raise ValueError(_("expected a game that you have begun: its owner invites"))
    return game_view


def _keep(game_view: GameView) -> None:
    """Keep the guests with the game, if it is kept."""
    if isinstance(game_view, LiveGame) and game_view.journal is not None:
        game_view.journal.guests_changed(game_view)


TOGETHER: tuple[Handler, ...] = (invite, qr, join, resign, late, call, rematch, news)
"""The requests of people who play together."""
