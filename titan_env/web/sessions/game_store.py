"""The file in which the games of the page are kept as they are played, in SQLite: a restart loses none of them.

A thread of its own writes, many decisions at once where many are waiting; an answer is sent when what it tells has been
written (`GameStore.written`). Visitors are kept as hashes of their secrets: the file opens no game to its reader.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from titan_env.records.atomic_files import lock_folder

FILE = "games.sqlite"
"""The file's name in its folder."""
LONGEST_KEPT = 180 * 24 * 3600.0
"""The seconds for which a game that nobody opens is kept."""
MOST_KEPT = 100_000
"""The bound on the games in the file: those without decisions go first, then those not seen for the longest time."""

_KIND, _VERSION = 0x7469746E, 2
"""SQLite's `application_id` and `user_version` of the file; a file of version 1 knows no guests, and learns to."""
_MAGIC = b"SQLite format 3\0"
_PATIENCE = 10.0  # seconds that a process waits for the writing of another
_SCHEMA = f"""
BEGIN;
PRAGMA application_id = {_KIND};
PRAGMA user_version = {_VERSION};
CREATE TABLE games (name TEXT PRIMARY KEY, owner TEXT NOT NULL, header TEXT NOT NULL, is_practice INTEGER NOT NULL,
    draws TEXT NOT NULL, decided INTEGER NOT NULL, seen REAL NOT NULL, guests TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE decisions (game TEXT NOT NULL, number INTEGER NOT NULL, line TEXT NOT NULL, is_own INTEGER NOT NULL,
    is_safe INTEGER NOT NULL, PRIMARY KEY (game, number)) WITHOUT ROWID;
CREATE TRIGGER forgotten AFTER DELETE ON games BEGIN DELETE FROM decisions WHERE game = OLD.name; END;
COMMIT;
"""
_GUESTS_TOO = f"""
BEGIN;
ALTER TABLE games ADD COLUMN guests TEXT NOT NULL DEFAULT '';
PRAGMA user_version = {_VERSION};
COMMIT;
"""
_MAKE_ROOM = """
DELETE FROM games WHERE name IN (SELECT name FROM games ORDER BY decided > 0, seen
    LIMIT (SELECT CASE WHEN count(*) > :most THEN count(*) - :most + :most / 100 ELSE 0 END FROM games))
"""


class KeptDecision(NamedTuple):
    """A decision as it is kept: its line of the record, and whether a person decided it or may take it back."""

    line: str
    is_own: bool
    is_safe: bool


class KeptGame(NamedTuple):
    """A game as it is kept: its owner, its record, the state of the agents' random generator, and its guests."""

    owner: str
    header: str
    is_practice: bool
    draws: str
    decisions: list[KeptDecision]
    guests: str


def usual_folder() -> Path | None:
    """Return the user's folder for data, by the XDG rules; None for a user without a home."""
    try:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "titan_env"
    except RuntimeError:  # as in some containers
        return None


def chosen_folder(keep: str | None) -> Path | None:
    """Return the folder meant by ``--keep``, checked and locked for this server; None where nothing is to be kept.

    Nothing given means the usual folder; if another server has that one, a line on stderr says that nothing is kept.
    Raises ValueError for a folder that cannot be used, and for a file in it that is damaged or not this package's.
    """
    if keep == "none":
        return None
    folder = usual_folder() if keep is None else Path(keep).expanduser()
    if folder is None:
        _say_that_none_are_kept("there is no home folder to keep games in")
        return None
    try:
        lock_folder(folder)
    except ValueError as error:
        if keep is None and folder.is_dir():
            _say_that_none_are_kept(str(error))
            return None
        raise ValueError(f"--keep: {error}, or pass --keep none") from None
    except OSError as error:
        raise ValueError(f"expected a folder to keep games in, got {folder}: {error}; pass another --keep") from None
    check_file(folder / FILE)
    return folder


def _say_that_none_are_kept(why: str) -> None:
    """Write a line to stderr."""
    print(f"titan_env: games are not kept: {why}, with --keep FOLDER", file=sys.stderr, flush=True)


def check_file(path: Path) -> None:
    """Raise ValueError for a file that is not one of kept games, or damaged; it is only read."""
    wanted = f"{path} is left as it is: move it, or pass another folder with --keep, or --keep none"
    try:
        with path.open("rb") as file:
            head = file.read(100)
        if not head:
            return
        if head[:16] != _MAGIC or int.from_bytes(head[68:72]) != _KIND:
            raise ValueError(f"expected a file of games kept by titan_env, got another one; {wanted}")
        if not 1 <= (version := int.from_bytes(head[60:64])) <= _VERSION:
            raise ValueError(f"expected kept games of version {_VERSION}, got version {version}; {wanted}")
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
            connection.execute("SELECT draws FROM games, decisions LIMIT 1")
        if found != ["ok"]:
            raise sqlite3.DatabaseError(found[0])
    except FileNotFoundError:
        return
    except sqlite3.Error as error:
        raise ValueError(f"expected a whole file of kept games, got a damaged one ({error}); {wanted}") from None
    except OSError as error:
        raise ValueError(f"expected a file of kept games that can be read, got {error}; {wanted}") from None


class GameStore:
    """The kept games in a folder. Several processes of one server may write to it, each its own games.

    Raises ValueError if the file cannot be made or opened.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._lock = threading.Lock()
        self._waiting: list[tuple[str, tuple[object, ...]]] = []
        self._latest: Future[None] | None = None
        self._is_flushing = self._is_closed = False
        self.is_well = True
        """False while the file cannot be written; what waits is written once it can."""
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            self._connection = sqlite3.connect(self.path, timeout=_PATIENCE, check_same_thread=False)
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise ValueError(f"expected to write games to {self.path}, got: {error}; pass another --keep") from None
        self._writer = ThreadPoolExecutor(1, "game-store")

    def _prepare(self) -> None:
        """Make the tables where there are none, and forget what nobody has opened for long."""
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.rollback()
        if version < _VERSION:
            connection.executescript(_GUESTS_TOO if version else _SCHEMA)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")  # a process that dies loses nothing; a machine, a moment
        with connection:
            connection.execute("DELETE FROM games WHERE seen < ?", (time.time() - LONGEST_KEPT,))

    def begin(self, name: str, owner: str, header: str, is_practice: bool, draws: str) -> None:
        """Keep a game that begins, under its secret name; `owner` is the hash of the visitor's secret."""
        values = (name, owner, header, is_practice, draws, time.time())
        self._add("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, 0, ?, '')", *values)
        self._add(_MAKE_ROOM.replace(":most", str(MOST_KEPT)))

    def append(self, name: str, number: int, decision: KeptDecision, draws: str) -> None:
        """Keep a game's decision, the first one being number 1."""
        self._add("INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?)", name, number, *decision)
        self._add("UPDATE games SET draws = ?, decided = ?, seen = ? WHERE name = ?", draws, number, time.time(), name)

    def take_back(self, name: str, number: int) -> None:
        """Forget a game's decisions from this number on."""
        self._add("DELETE FROM decisions WHERE game = ? AND number >= ?", name, number)

    def set_header(self, name: str, header: str, draws: str) -> None:
        """Keep a game's header instead of the one before."""
        self._add("UPDATE games SET header = ?, draws = ? WHERE name = ?", header, draws, name)

    def set_guests(self, name: str, guests: str) -> None:
        """Keep a game's guests."""
        self._add("UPDATE games SET guests = ? WHERE name = ?", guests, name)

    def find(self, name: str) -> KeptGame | None:
        """Return a kept game; None if there is none. It waits for the disk. Raises sqlite3.Error."""
        with closing(sqlite3.connect(self.path, timeout=_PATIENCE)) as reading, reading:
            reading.execute("BEGIN")
            asked = "SELECT owner, header, is_practice, draws, guests FROM games WHERE name = ?"
            about = reading.execute(asked, (name,)).fetchone()
            lines = reading.execute(
                "SELECT line, is_own, is_safe FROM decisions WHERE game = ? ORDER BY number", (name,)
            )
            if about is None:
                return None
            kept = [KeptDecision(line, bool(is_own), bool(is_safe)) for line, is_own, is_safe in lines]
        self._add("UPDATE games SET seen = ? WHERE name = ?", time.time(), name)
        owner, header, is_practice, draws, guests = about
        return KeptGame(owner, header, bool(is_practice), draws, kept, guests)

    def of_owner(self, owner: str, most: int) -> list[tuple[str, str, int, str | None]]:
        """Return an owner's kept games, the latest first: name, header, number of decisions, line of the first one.

        [] if the file cannot be read.
        """
        asked = "SELECT name, header, decided, line FROM games LEFT JOIN decisions ON game = name AND number = 1 "
        asked += "WHERE owner = ? ORDER BY seen DESC LIMIT ?"
        try:
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE)) as reading:
                return reading.execute(asked, (owner, most)).fetchall()
        except sqlite3.Error:
            return []

    async def written(self) -> None:
        """Wait until all that was handed over is in the file, or could not be written."""
        latest = self._latest
        if latest is not None and not latest.done():
            await asyncio.wait([asyncio.wrap_future(latest)])

    def close(self) -> None:
        """Write what is waiting, and close the file; may be called more than once."""
        with self._lock:
            self._is_closed = True
        self._writer.shutdown()
        self._connection.close()

    def _add(self, statement: str, *values: object) -> None:
        """Hand a statement to the writing thread; all that are handed over in time are one transaction."""
        with self._lock:
            self._waiting.append((statement, values))
            if not self._is_flushing and not self._is_closed:
                self._is_flushing = True
                self._latest = self._writer.submit(self._flush)

    def _flush(self) -> None:
        """Write what waits; the first failure, and its end, are a line on stderr."""
        with self._lock:
            waiting, self._waiting, self._is_flushing = self._waiting, [], False
        try:
            with self._connection:
                for statement, values in waiting:
                    self._connection.execute(statement, values)
        except sqlite3.Error as error:
            with self._lock:
                self._waiting[:0] = waiting
            if self.is_well:
                message = f"games cannot be kept in {self.path} ({error}); they go on, and are written once they can be"
                print(f"titan_env: {message}", file=sys.stderr, flush=True)
            self.is_well = False
            return
        if not self.is_well:
            print(f"titan_env: games are kept in {self.path} again", file=sys.stderr, flush=True)
        self.is_well = True
