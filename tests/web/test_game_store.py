"""Games last: a restart opens them again, for those whose games they are, and a file that is none is left alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.web.serving import RACE, Visitor
from titan_env.__main__ import app
from titan_env.contract import Game
from titan_env.web.requests.server import Server
from titan_env.web.sessions import game_store
from titan_env.web.sessions.game_store import FILE, GameStore, check_file, chosen_folder, usual_folder
from titan_env.web.sessions.session_store import SessionStore
from titan_env.web.views.guests import hash_of_secret

Restarted = Callable[..., Visitor]


@pytest.fixture
def restarted(tmp_path: Path) -> Iterator[Restarted]:
    """A server with kept games: each call ends it and starts another one, which a visitor comes to."""
    servers: list[Server] = []

    def start(sessions: SessionStore | None = None) -> Visitor:
        for server in servers:
            server.close()
        servers.append(Server(store=GameStore(tmp_path), sessions=sessions))
        return Visitor(servers[-1])

    yield start
    servers[-1].close()


def cookie_of(visitor: Visitor) -> str:
    """The secret in a visitor's browser."""
    return str(next(cookie.value for cookie in visitor.client.cookies.jar if cookie.name == "seat"))


def again(restarted: Restarted, visitor: Visitor, **how: Any) -> Visitor:
    """The same browser after a restart."""
    cookie = cookie_of(visitor)
    visitor = restarted(**how)
    visitor.client.cookies.clear()
    visitor.client.cookies.set("seat", cookie)
    return visitor


def gone_on(visitor: Visitor, view: dict[str, Any], decisions: int) -> dict[str, Any]:
    """The view after some decisions: people take the first legal action."""
    identity = view["id"]
    for _ in range(decisions):
        if view["asked"] is None:
            break
        if view["your_turn"]:
            view = visitor.do("play", id=identity, action=view["actions"][0]["number"], at=view["at"])
        else:
            view = visitor.do("act", id=identity, at=view["at"])
    return view | {"id": identity}


def without_picture(view: dict[str, Any]) -> dict[str, Any]:
    """A view without the number that the server gave its picture."""
    return {name: value for name, value in view.items() if name not in ("picture", "id")}


def test_after_a_restart_the_same_link_shows_the_same_game(restarted: Restarted, game: Game) -> None:
    visitor = restarted()
    seats = visitor.do("seats", game=game.name)["seats"]
    view = visitor.do("begin", game=game.name, names=["person", *["random"] * (seats - 1)], seed=3)
    gone_on(visitor, view, 12)
    shown = visitor.do("show", id=view["id"])
    visitor = again(restarted, visitor)
    assert without_picture(visitor.do("show", id=view["id"])) == without_picture(shown)
    for at in range(shown["last"]):
        assert visitor.do("show", id=view["id"], at=at)


def test_a_game_with_restarts_ends_as_the_same_one_without(restarted: Restarted) -> None:
    names, ends = ["random", "person", "greedy"], []
    for pause in (1000, 7):
        visitor = restarted()
        view = visitor.do("begin", **RACE, names=names)
        while view["asked"] is not None:
            view = gone_on(visitor, view, pause)
            visitor = again(restarted, visitor)
        ends.append(visitor.do("record", id=view["id"])["text"])
    assert ends[0] == ends[1]


def test_what_was_taken_back_stays_taken_back_and_can_be_taken_back_after_a_restart(restarted: Restarted) -> None:
    visitor = restarted()
    view = gone_on(visitor, visitor.do("begin", **RACE, names=["person"] * 3, practice=True), 0)
    for _ in range(4):
        shown = visitor.do("show", id=view["id"], seat=view["asked"])
        action = shown["actions"][0]["number"]
        view |= visitor.do("play", id=view["id"], action=action, at=shown["at"], seat=view["asked"])
    back = visitor.do("undo", id=view["id"])
    visitor = again(restarted, visitor)
    assert visitor.do("show", id=view["id"])["at"] == back["at"] == 3
    assert visitor.do("undo", id=view["id"])["at"] == 2
    assert again(restarted, visitor).do("show", id=view["id"])["last"] == 2


def test_after_a_restart_a_game_is_its_owners_alone_and_hides_what_it_hid(restarted: Restarted) -> None:
    visitor = restarted()
    view = gone_on(visitor, visitor.do("begin", **RACE, names=["person", "greedy", "greedy"]), 3)
    visitor = again(restarted, visitor)
    other = Visitor(visitor.server)
    for _ in range(2):
        assert other.ask("show", id=view["id"])[0] == 404
        assert not visitor.do("show", id=view["id"])["fully_visible"]
    assert "would show every hand" in visitor.refused("record", id=view["id"])
    assert visitor.ask("show", id="none")[0] == 404


def test_the_file_has_no_visitors_secret_and_its_user_alone_reads_it(restarted: Restarted, tmp_path: Path) -> None:
    visitor = restarted()
    gone_on(visitor, visitor.do("begin", **RACE, names=["greedy"] * 3), 2)
    secret = cookie_of(visitor).encode()
    files = list(tmp_path.glob(f"{FILE}*"))
    assert all(secret not in path.read_bytes() for path in files)
    assert {path.stat().st_mode & 0o077 for path in files} == {0}


def test_a_full_server_shelves_kept_games_and_closes_nobody_out(restarted: Restarted) -> None:
    visitor = restarted(sessions=SessionStore(most=3))
    view = gone_on(visitor, visitor.do("begin", **RACE, names=["greedy"] * 3), 2)
    for _ in range(8):
        other = Visitor(visitor.server)
        gone_on(other, other.do("begin", **RACE, names=["greedy"] * 3), 1)
    assert len(visitor.server.sessions) == 3
    assert gone_on(visitor, view, 1)["at"] == 3


def test_a_game_that_was_shelved_while_it_is_in_use_stays_one_game(restarted: Restarted) -> None:
    visitor = restarted(sessions=SessionStore(most=1))
    view = visitor.do("begin", **RACE, names=["greedy"] * 3)
    owner, sessions = hash_of_secret(cookie_of(visitor)), visitor.server.sessions
    held = sessions.find(owner, view["id"])
    Visitor(visitor.server).do("begin", **RACE, names=["greedy"] * 3)
    assert not sessions.has(view["id"])
    assert Visitor(visitor.server).ask("show", id=view["id"])[0] == 404
    visitor.do("show", id=view["id"])
    assert sessions.find(owner, view["id"]) is held


def test_a_game_of_another_version_says_so_and_stays_in_the_file(restarted: Restarted, tmp_path: Path) -> None:
    visitor = restarted()
    views = [gone_on(visitor, visitor.do("begin", **RACE, names=["greedy"] * 3), 3) for _ in range(3)]
    again(restarted, visitor).server.close()
    file = sqlite3.connect(tmp_path / FILE)
    with file:
        changes = [("hash", "0" * 12), ("action", "no such action")]
        for view, (name, value) in zip(views, changes, strict=False):
            asked = "SELECT line FROM decisions WHERE game = ? AND number = 2"
            line = json.loads(file.execute(asked, (view["id"],)).fetchone()[0]) | {name: value}
            file.execute("UPDATE decisions SET line = ? WHERE game = ? AND number = 2", (json.dumps(line), view["id"]))
        header = json.loads(file.execute("SELECT header FROM games WHERE name = ?", (views[2]["id"],)).fetchone()[0])
        header = json.dumps(header | {"game": "titan_race_v0"})
        file.execute("UPDATE games SET header = ? WHERE name = ?", (header, views[2]["id"]))
    file.close()
    visitor = again(restarted, visitor)
    for view in views:
        assert "begun with another version of" in visitor.refused("show", id=view["id"])
    reading = sqlite3.connect(tmp_path / FILE)
    assert reading.execute("SELECT count(*) FROM games").fetchone() == (3,)
    reading.close()


def test_a_file_that_cannot_be_written_stops_no_game_and_is_written_later(
    restarted: Restarted, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    visitor = restarted()
    store = visitor.server.store
    assert store is not None
    view = gone_on(visitor, visitor.do("begin", **RACE, names=["greedy"] * 3), 1)
    store._connection.execute("PRAGMA query_only = ON")
    view = gone_on(visitor, view, 2)
    assert view["at"] == 3
    assert capsys.readouterr().err.count("games cannot be kept in") == 1
    assert not store.is_well
    store._connection.execute("PRAGMA query_only = OFF")
    gone_on(visitor, view, 1)
    assert "are kept" in capsys.readouterr().err
    assert again(restarted, visitor).do("show", id=view["id"])["at"] == 4


def test_the_oldest_games_make_room_those_without_decisions_first(
    restarted: Restarted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_store, "MOST_KEPT", 2)
    visitor = restarted()
    played = gone_on(visitor, visitor.do("begin", **RACE, names=["greedy"] * 3), 1)
    unplayed, last = (visitor.do("begin", **RACE, names=["greedy"] * 3) for _ in range(2))
    visitor = again(restarted, visitor)
    found = [visitor.ask("show", id=view["id"])[0] for view in (played, unplayed, last)]
    assert found == [200, 404, 200]


DAMAGED: list[bytes | str] = [b"GIF89a", b"SQLite format 3\0" + bytes(200), "foreign", "cut", "scribbled", "newer"]


@pytest.mark.parametrize("content", DAMAGED, ids=["other", "sqlite", "foreign", "cut", "scribbled", "newer"])
def test_a_damaged_or_foreign_file_is_refused_and_left_as_it_is(content: bytes | str, tmp_path: Path) -> None:
    path = tmp_path / FILE
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content == "foreign":
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE games (name TEXT)")
        other.close()
    else:
        store = GameStore(tmp_path)
        for number in range(50):
            store.begin(f"{number:022}", "owner", "x" * 1000, False, "")
        store.close()
        whole = path.read_bytes()
        newer = whole[:60] + (3).to_bytes(4) + whole[64:]
        scribbled = whole[:4096] + b"\xff" * 8192 + whole[12288:]
        cut = {"cut": whole[: len(whole) // 2], "scribbled": scribbled, "newer": newer}
        path.write_bytes(cut[content])
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"^expected .* is left as it is: move it, or pass another folder"):
        check_file(path)
    result = CliRunner().invoke(app, ["web", "--port", "0", "--keep", str(tmp_path)])
    assert (result.exit_code, "is left as it is" in " ".join(result.output.split())) == (2, True)
    assert path.read_bytes() == before


def test_where_games_are_kept_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert chosen_folder("none") is None
    assert chosen_folder(None) == usual_folder() == tmp_path / "data" / "titan_env"
    assert chosen_folder(str(tmp_path / "mine")) == tmp_path / "mine"
    (tmp_path / "file").write_text("here already")
    with pytest.raises(ValueError, match=r"--keep: expected a folder, .*--keep none"):
        chosen_folder(str(tmp_path / "file"))


def test_a_second_server_keeps_nothing_in_the_usual_folder_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def taken(folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        raise ValueError(f"expected a folder of its own, but another process works in {folder}; choose another")

    monkeypatch.setattr(game_store, "lock_folder", taken)
    assert chosen_folder(None) is None
    assert "games are not kept: " in capsys.readouterr().err
    with pytest.raises(ValueError, match="another process works in"):
        chosen_folder(str(tmp_path))
