"""Kept games as they are handed to the store while they are played, and played again when they are opened."""

from __future__ import annotations

import json
import sqlite3
from typing import NamedTuple

from titan_env import registry
from titan_env.contract.translation import mark
from titan_env.engine.game_setup import GameSetup
from titan_env.records.hash_chain import as_text
from titan_env.records.seeding import MixedLuck
from titan_env.web.sessions.game_store import GameStore, KeptDecision, KeptGame
from titan_env.web.sessions.session_store import SessionNotFound
from titan_env.web.views.guests import Guests
from titan_env.web.views.live_game import LiveGame
from titan_env.web.views.translation import _


class StoreJournal(NamedTuple):
    """The journal of one game in the store, under the game's secret name."""

    store: GameStore
    name: str

    def went_on(self, live_game: LiveGame, is_own: bool, is_safe: bool) -> None:
        """Keep the latest decision."""
        number = len(live_game.moments) - 1
        line = as_text(live_game.session.recorder.lines[number])
        self.store.append(self.name, number, KeptDecision(line, is_own, is_safe), draws_of(live_game))

    def taken_back(self, live_game: LiveGame) -> None:
        """Forget what was taken back."""
        self.store.take_back(self.name, len(live_game.moments))

    def guests_changed(self, live_game: LiveGame) -> None:
        """Keep the guests."""
        self.store.set_guests(self.name, live_game.guests.as_text())

    def luck_mixed(self, live_game: LiveGame) -> None:
        """Keep the header with the server's bits, and no decision of before a new beginning."""
        self.taken_back(live_game)
        self.store.set_header(self.name, _header_of(live_game), draws_of(live_game))


def keep(store: GameStore, name: str, owner: str, live_game: LiveGame) -> None:
    """Keep a game from its beginning on."""
    store.begin(name, owner, _header_of(live_game), live_game.is_practice, draws_of(live_game))
    live_game.journal = StoreJournal(store, name)
    if live_game.guests.clock is not None:
        live_game.journal.guests_changed(live_game)


def reopened(store: GameStore, name: str) -> LiveGame:
    """Return a kept game with its owner and guests, played again up to where it was. It takes milliseconds to seconds.

    Raises SessionNotFound for one that does not exist, ValueError for one that this version of its game does not play
    as it was played, or whose file cannot be read.
    """
    try:
        kept = store.find(name)
    except sqlite3.Error:
        raise ValueError(_("the file of kept games cannot be read; whoever runs this server can tell more")) from None
    if kept is None:
        raise SessionNotFound(name)
    live_game = _played_again(kept)
    live_game.owner = kept.owner
    live_game.journal = StoreJournal(store, name)
    return live_game


def _header_of(live_game: LiveGame) -> str:
    """Return the header of a game's record, with the bits of its luck and what it branches off, kept here alone."""
    mixed, branch = live_game.session.mixed, live_game.branch
    kept_here = {**({"secret": mixed.secret} if mixed else {}), **({"branch": branch} if branch else {})}
    return as_text({**live_game.session.recorder.lines[0], **kept_here})


def draws_of(live_game: LiveGame) -> str:
    """Return the state of the agents' random generator as JSON."""
    return json.dumps(live_game.session.rng.bit_generator.state)


def _played_again(kept: KeptGame) -> LiveGame:
    """Play a kept game's decisions again. Raises ValueError where another version of the game leads elsewhere."""
    header = json.loads(kept.header)
    other = mark("this game was begun with another version of {game}, and cannot go on with this one; it is kept")
    game = next((game for game in map(registry.load, registry.names()) if game.id == header["game"]), None)
    if game is None:
        raise ValueError(_(other, game=header["game"]))
    options, position = header["options"], header.get("position")
    setup = GameSetup.of(game, options) if position is None else GameSetup.at(game, position, options)
    mixed = MixedLuck(header["seed"], header["secret"]) if "secret" in header else None
    begun = (header["agents"], header["seed"], kept.is_practice, "by_clock" in header)
    live_game = LiveGame(setup, *begun, mixed if "mixed" in header else None)
    if "branch" in header:
        live_game.branch = (header["branch"][0], header["branch"][1])
    live_game.seat_guests(Guests.from_text(kept.guests))
    first = live_game.session.recorder.lines[0]
    is_same = all(first[name] == header[name] for name in ("chance", "hash"))
    if not is_same or not all(_repeated(live_game, one, mixed) for one in kept.decisions):
        raise ValueError(_(other, game=game.metadata.title))
    if mixed is not None and live_game.session.mixed is None:
        live_game.session.mix(mixed, len(live_game.moments))
    live_game.session.rng.bit_generator.state = json.loads(kept.draws)
    live_game.set_clock()
    return live_game


def _repeated(live_game: LiveGame, kept: KeptDecision, mixed: MixedLuck | None) -> bool:
    """Play one kept decision again, mixing the luck where it was mixed; return whether it came out as it was kept."""
    line = json.loads(kept.line)
    if mixed is not None and "mixed" in line:
        live_game.session.mix(mixed, len(live_game.moments))
    return live_game.repeat(line, kept.is_own, kept.is_safe)
