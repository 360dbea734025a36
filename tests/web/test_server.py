"""The server trusts nobody: what is asked is checked, what is hidden stays hidden, what is yours is yours."""

from __future__ import annotations

import base64
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from tests.records import write
from tests.web.serving import RACE, SHORT, Visitor
from titan_env import registry
from titan_env.__main__ import app
from titan_env.contract import Game
from titan_env.records.replay import parse, positions
from titan_env.web.hosting.routes import LOOPBACK, MOST_BYTES, application
from titan_env.web.hosting.serve import answered_hosts, listen
from titan_env.web.requests.server import Server
from titan_env.web.views.guests import hash_of_secret
from titan_env.web.views.rules import anchors

GOLDEN = Path(__file__).parents[1] / "golden"


def moments(browser: Visitor, view: Any) -> Iterator[Any]:
    """Play a game to its end, the first legal action for every person: every moment that is shown."""
    identity = view["id"]
    while view["asked"] is not None:
        if view["hand_covered"]:
            view = browser.do("show", id=identity, seat=view["asked"])
        yield view
        if view["your_turn"]:
            action = next(action["number"] for action in view["actions"] if "say" in action)
            view = browser.do("play", id=identity, action=action, at=view["at"], seat=view["asked"])
        else:
            view = browser.do("act", id=identity, at=view["at"])
    yield view


def quick(game: Game) -> dict[str, str]:
    """Options of a short game, as they are typed."""
    shorter = {**SHORT, "round_limit": "3", "rounds": "5"}
    return {name: text for name, text in shorter.items() if name in game.rules.options}


# Playing


@pytest.mark.thorough
def test_a_whole_game_is_played_and_its_record_replays(browser: Visitor, game: Game) -> None:
    seats = browser.do("seats", game=game.name, options=quick(game))["seats"]
    names = ["person", *["random"] * (seats - 1)]
    begun = browser.do("begin", game=game.name, options=quick(game), names=names, seed=3)
    last = list(moments(browser, begun))[-1]
    assert last["result"]
    assert last["fully_visible"]
    record = parse(browser.do("record", id=begun["id"])["text"])
    assert len(list(positions(record))) == last["last"] + 1
    assert list(record.header["agents"]) == names
    assert browser.do("record", id=begun["id"], film=True)["text"].startswith("<!doctype html>")
    again = browser.do("open", record=browser.do("record", id=begun["id"])["text"])
    assert browser.do("show", id=again["id"], at=last["last"])["svg"] == last["svg"]


def test_the_same_seed_gives_the_same_game(browser: Visitor) -> None:
    begun = [browser.do("begin", **RACE, names=["random", "greedy", "expert"]) for _ in range(2)]
    ends = [list(moments(browser, one))[-1] for one in begun]
    assert ends[0]["position"] == ends[1]["position"]


def test_every_action_is_listed_legal_with_its_meaning_or_asked_for_with_the_reason(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["person", "greedy", "greedy"])
    assert browser.do("reasons", id=view["id"])["reasons"] == {} or view["your_turn"]
    while not view["your_turn"]:
        view = browser.do("act", id=view["id"], at=view["at"]) | {"id": view["id"]}
    reasons = browser.do("reasons", id=view["id"])["reasons"]
    actions = registry.load("titan_race").rules.actions
    legal = [action["text"] for action in view["actions"]]
    assert sorted([*legal, *(text for texts in reasons.values() for text in texts)]) == sorted(actions.texts)
    why, texts = next(iter(reasons.items()))
    assert why in browser.refused("play", id=view["id"], action=actions.numbers[texts[0]], at=view["at"])
    assert browser.do("show", id=view["id"])["at"] == view["at"]


def test_of_a_picture_what_has_changed_is_sent(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["greedy"] * 3)
    lines, whole = view["svg"].split("\n"), len(view["svg"])
    for at in range(3):
        picture = view["picture"]
        view = browser.do("act", id=view["id"], at=at, has=picture) | {"id": view["id"]}
        assert len(json.dumps(view)) < whole / 3
        parts = [part if isinstance(part, list) else [part] for part in view["svg"]]
        lines = [line for part in parts for line in (part if isinstance(part[0], str) else lines[slice(*part)])]
        assert "\n".join(lines) == browser.do("show", id=view["id"])["svg"]
    for has in (picture, 99, "1", [1], -1, None):
        assert isinstance(browser.do("show", id=view["id"], has=has)["svg"], str), "what is no longer known comes whole"


def test_answers_leave_at_once() -> None:
    with listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP, "asyncio sets TCP_NODELAY for this protocol only"


def test_a_decision_that_comes_late_or_out_of_turn_changes_nothing(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["greedy", "greedy", "greedy"])
    assert "a person's turn" in browser.refused("play", id=view["id"], action=0, at=0)
    assert browser.do("act", id=view["id"], at=0)["last"] == 1
    assert browser.do("act", id=view["id"], at=0)["last"] == 1
    assert "has gone on" in browser.refused("play", id=view["id"], action=0, at=0)


def test_only_practice_takes_back_and_chance_repeats_itself(browser: Visitor) -> None:
    names = ["person", "person", "person"]
    strict = browser.do("begin", **RACE, names=names)
    next(moments(browser, strict))
    assert "practice" in browser.refused("undo", id=strict["id"])

    view = browser.do("begin", **RACE, names=names, practice=True)
    shown = list(moments(browser, view))
    for _ in range(5):
        back = browser.do("undo", id=view["id"])
    assert back["at"] == shown[-1]["at"] - 5
    assert back["svg"] == browser.do("show", id=view["id"], at=back["at"])["svg"]
    replayed = list(moments(browser, back | {"id": view["id"]}))
    assert replayed[-1]["position"] == shown[-1]["position"]
    assert parse(browser.do("record", id=view["id"])["text"]).result


def test_how_a_game_may_end_is_told_in_practice_alone_and_only_while_it_runs(browser: Visitor) -> None:
    battle: dict[str, Any] = {"game": "titan_battle", "options": {"land": "plains"}, "seed": 1}
    names = ["random", "random"]
    assert "forecast" not in browser.do("begin", **battle, names=names)
    view = browser.do("begin", **battle, names=names, practice=True)
    assert sum(view["forecast"].values()) == pytest.approx(1)
    assert all("forecast" in shown for shown in list(moments(browser, view))[:-1])
    assert "forecast" not in browser.do("show", id=view["id"])
    assert "forecast" not in browser.do("open", record=browser.do("record", id=view["id"])["text"])


def test_a_game_begins_with_a_position_that_was_edited(browser: Visitor) -> None:
    text = browser.do("begin", **RACE, names=["greedy"] * 3)["position"]
    edited = browser.do("position", game="titan_race", text=text, what="token:1", where="space:5")["text"]
    assert edited != text
    view = browser.do("begin", game="titan_race", names=["random"] * 3, position=edited)
    assert view["position"] == edited
    assert 'data-key="piece:1"' in view["svg"]
    assert "expected" in browser.refused("position", game="titan_race", text=text, what="titan:9", where="")
    assert "expected" in browser.refused("position", game="titan_race", text=text[:40])


def test_without_a_text_the_editor_begins_with_a_new_setup(browser: Visitor) -> None:
    drawn = browser.do("position", game="titan_race", text="", options={"titans": "5"})
    assert drawn["seats"] == 5
    assert browser.do("position", game="titan_race", text=drawn["text"])["text"] == drawn["text"]


def test_an_agent_shows_its_value_and_its_weights(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["ppo@titan_race-v3"] * 3)
    acted = browser.do("act", id=view["id"], at=0)
    assert -1 <= acted["value"] <= 1
    assert sum(acted["chances"].values()) <= 1.01


def test_every_event_leads_to_the_rule_behind_it(browser: Visitor, game: Game) -> None:
    if not game.text.rule_of:
        assert "has no rules to read here" in browser.refused("rules", game=game.name)
        return
    html = browser.do("rules", game=game.name)["html"]
    known = anchors(game.metadata.folder)
    for kind in game.rules.events:
        function = game.text.rule_of.get(kind)
        assert function in known, f"expected a rule for {kind.name}"
        assert f'id="{known[function]}"' in html


def test_every_question_of_a_game_that_says_so_leads_to_the_rule_behind_it(browser: Visitor) -> None:
    view = browser.do("begin", game="titan_battle", names=["person", "greedy"], seed=1)
    for moment in moments(browser, view):
        assert (moment["question"] is None) == (moment["asked"] is None)
        if moment["question"]:
            assert f'id="{moment["question"]}"' in browser.do("rules", game="titan_battle")["html"]
            break
    assert browser.do("begin", **RACE, names=["person"] * 3)["question"] is None


# What is hidden


def test_a_person_sees_their_own_hand_only_until_the_race_is_over(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["person", "ppo@titan_race-v3", "ppo@titan_race-v3"])
    for shown in moments(browser, view):
        if shown["asked"] is None:
            break
        assert not shown["fully_visible"]
        assert "position" not in shown
        assert "chances" not in shown
        assert "actions" in shown
        assert bool(shown["actions"]) == shown["your_turn"] == (shown["asked"] == 0)
        assert bool(browser.do("reasons", id=view["id"])["reasons"]) == shown["barred"] == (shown["asked"] == 0)
        assert "would show every hand" in browser.refused("record", id=view["id"])
    assert browser.do("record", id=view["id"])["text"]


def test_several_people_at_one_screen_see_the_hand_of_the_one_who_is_asked_and_has_said_so(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["person", "person", "greedy"])
    assert any(shown["your_turn"] for shown in moments(browser, view))
    view = browser.do("begin", **RACE, names=["person", "person", "person"])
    asked, identity = view["asked"], view["id"]
    assert view["hand_covered"]
    for seat in range(3):
        shown = browser.do("show", id=identity, seat=seat)
        hands = {int(seat) for seat in re.findall(r'data-key="hand:(\d)', shown["svg"])}
        assert (shown["your_turn"], bool(shown["actions"]), seat in hands) == (
            (True, True, False) if seat == asked else (False, False, True)
        )


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_a_figure_shows_what_its_viewer_is_shown(browser: Visitor, seat: int | None) -> None:
    view = browser.do("begin", **RACE, names=["person", "person", "greedy"])
    shown = browser.do("show", id=view["id"], at=0, seat=seat)
    drawn = base64.b64decode(browser.do("figure", id=view["id"], at=0, seat=seat, form=".svg")["file"]).decode()
    assert drawn.splitlines()[1:] == shown["svg"].splitlines()[1:]
    assert base64.b64decode(browser.do("figure", id=view["id"], at=0, form=".pdf")["file"]).startswith(b"%PDF-")
    assert "expected a form of .svg, .pdf, got '.png'" in browser.refused("figure", id=view["id"], at=0, form=".png")
    assert "expected a moment from 0 to" in browser.refused("figure", id=view["id"], at=99, form=".svg")


def test_the_past_shows_the_hand_of_the_one_who_is_asked_now(browser: Visitor) -> None:
    view = browser.do("begin", **RACE, names=["person", "person", "person"])
    first = view["asked"]
    for shown in moments(browser, view):
        if shown["asked"] != first:
            break
    past = browser.do("show", id=view["id"], at=0, seat=shown["asked"])
    assert f'data-key="hand:{shown["asked"]}:' not in past["svg"]
    assert f'data-key="hand:{first}:' in past["svg"]


# What is whose


def test_the_game_of_another_browser_is_not_there(server: Server) -> None:
    mine, other = Visitor(server), Visitor(server)
    identity = mine.do("begin", **RACE, names=["greedy"] * 3)["id"]
    for name in ("show", "play", "act", "undo", "record"):
        assert other.ask(name, id=identity, at=0, action=0)[0] == 404
        assert other.ask(name, id="none", at=0, action=0)[0] == 404
    assert mine.do("show", id=identity)


def test_whoever_has_no_cookie_of_the_page_is_asked_to_open_it(server: Server) -> None:
    client = TestClient(application(server), base_url="http://localhost")
    assert client.post("/api/catalogue", json={}).status_code == 403
    client.cookies.set("seat", "../../etc/passwd")
    assert client.post("/api/catalogue", json={}).status_code == 403


def test_a_moment_is_shown_while_an_agent_thinks(server: Server, browser: Visitor) -> None:
    identity = browser.do("begin", **RACE, names=["greedy"] * 3)["id"]
    live_game = server.sessions.find(hash_of_secret(browser.client.cookies["seat"]), identity)
    with live_game.lock:
        assert browser.do("show", id=identity)["at"] == 0


# What is asked


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("begin", {"game": "../rules"}, "expected a game among"),
        ("begin", {"game": ["titan_race"]}, "expected a game among"),
        ("begin", {**RACE, "names": "greedy"}, "expected players among"),
        ("begin", {**RACE, "names": ["policy:/etc/passwd"] * 3}, "expected players among"),
        ("begin", {**RACE, "names": ["greedy"] * 2}, "expected 3 players, got 2"),
        ("begin", {**RACE, "names": ["greedy"] * 3, "seed": -1}, "expected a seed"),
        ("begin", {**RACE, "names": ["greedy"] * 3, "seed": "x" * 9999}, "expected a seed"),
        ("begin", {**RACE, "names": ["greedy"] * 3, "seed": "12e"}, "expected a seed"),
        ("begin", {**RACE, "names": ["greedy"] * 3, "position": 7}, "expected"),
        ("begin", {**RACE, "names": ["greedy"] * 3, "theme": "sepia"}, "expected a theme"),
        ("begin", {**RACE, "names": ["greedy"] * 3, "theme": []}, "expected a theme"),
        ("begin", {**RACE, "options": {"titans": "9"}, "names": ["greedy"] * 9}, "titans"),
        ("begin", {**RACE, "options": {"wheels": "4"}, "names": ["greedy"] * 4}, "wheels"),
        ("begin", {**RACE, "options": {"circuit": "/etc/passwd"}, "names": ["greedy"] * 4}, "circuit"),
        ("begin", {**RACE, "options": {"circuit": "x" * 9999}, "names": ["greedy"] * 4}, "at most 4000 letters"),
        ("begin", {**RACE, "options": [], "names": ["greedy"] * 4}, "options of a game by name"),
        ("seats", {"game": "titan_race", "options": {"titans": {}}}, "letters for the option"),
        ("open", {}, "expected the text of a record"),
        ("open", {"record": "GIF89a"}, "line 1"),
        ("open", {"record": '{"format": 99}\n'}, "made by a newer version"),
        ("position", {"game": "titan_race"}, "expected"),
        ("position", {"game": "titan_race", "text": "x" * 100_000}, "expected"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(browser: Visitor, name: str, data: Any, reason: str) -> None:
    assert reason in browser.refused(name, **data)


@pytest.mark.parametrize("at", [None, "1", 1.5, True, [], 10**12, 99, -99])
def test_a_moment_is_a_whole_number_that_is_there(browser: Visitor, at: Any) -> None:
    identity = browser.do("begin", **RACE, names=["greedy"] * 3)["id"]
    assert "expected a" in browser.refused("show", id=identity, at=at)


def test_a_damaged_record_is_refused_with_its_line_and_half_of_one_opens(browser: Visitor, tmp_path: Path) -> None:
    text = (GOLDEN / "race_1.jsonl").read_text("utf-8")
    lines = text.splitlines(keepends=True)
    assert "line 4" in browser.refused("open", record="".join([*lines[:3], *lines[4:]]))
    half = "".join(lines[:9]) + lines[9][:20]
    view = browser.do("open", record=half)
    assert (view["last"], view["live"], view["fully_visible"]) == (8, False, True)
    assert browser.do("record", id=view["id"])["text"] == half
    objects = [json.loads(line) for line in lines]
    objects[0]["agents"][0] = "person"
    by_person = write(tmp_path / "person.jsonl", objects).read_text("utf-8")
    assert browser.do("open", record=by_person)["fully_visible"], "a record hides nothing"
    assert browser.do("record", id=view["id"], film=True)["text"].startswith("<!doctype html>")
    assert "record that was opened" in browser.refused("act", id=view["id"], at=0)


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[1]", "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b"\xff\xfe", "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"{", "application/json; charset=utf-8", 400),
        (b" " * (MOST_BYTES + 1), "application/json", 413),
    ],
    ids=["half", "list", "deep", "not text", "form", "charset", "huge"],
)
def test_a_body_is_a_small_json_object(browser: Visitor, body: bytes, kind: str, status: int) -> None:
    answer = browser.client.post("/api/catalogue", content=body, headers={"content-type": kind})
    assert (answer.status_code, "error" in answer.json()) == (status, True)


# What is sent


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py",
        "/..%2fserver.py",
        "/page/../server.py",
        "//etc/passwd",
        "/%2e%2e/%2e%2e/setup.cfg",
        "/server.py",
    ],
)
def test_no_file_but_those_of_the_page_is_sent(browser: Visitor, path: str) -> None:
    assert browser.client.get(path).status_code == 404
    assert browser.client.get("/app.js").status_code == 200


def test_it_answers_only_to_the_name_it_was_given(server: Server) -> None:
    client = TestClient(application(server), base_url="http://localhost")
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    assert [client.get("/", headers={"host": host}).status_code for host in LOOPBACK] == [200, 200, 200]


def test_the_page_asks_nothing_from_outside(browser: Visitor) -> None:
    for path in ("/", "/app.js", "/style.css", "/board.js", "/setup-form.js", "/editor.js", "/dom.js"):
        answer = browser.client.get(path)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "http://" not in answer.text
        assert "https://" not in answer.text
    catalogue = browser.do("catalogue")
    assert json.dumps(catalogue).count("http") == 0


# The command


def test_an_address_that_is_taken_or_an_agent_that_is_none_is_refused_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(app, ["web", "--keep", "none", "--port", port])
        assert (result.exit_code, "expected a free address, got 127.0.0.1" in result.output) == (2, True)
        result = CliRunner().invoke(app, ["web", "--keep", "none", "--port", port, "--agent", "deepblue"])
        assert (result.exit_code, "expected an agent among" in result.output) == (2, True)


def test_who_listens_to_other_machines_is_warned_and_says_by_which_names(capsys: pytest.CaptureFixture[str]) -> None:
    result = CliRunner().invoke(app, ["web", "--keep", "none", "--host", "0.0.0.0"])
    assert (result.exit_code, "expected the names by which visitors reach 0.0.0.0" in result.output) == (2, True)
    assert answered_hosts("0.0.0.0", ["game.example.org"]) == ["game.example.org"]
    assert "whoever reaches this machine can play here" in capsys.readouterr().err
    assert answered_hosts("::1", []) == list(LOOPBACK)
    assert capsys.readouterr().err == ""


def test_the_games_that_the_page_was_started_for_are_offered_first() -> None:
    names = [game["name"] for game in Visitor(Server(first=["pig"])).do("catalogue")["games"]]
    assert names == ["pig", *(name for name in registry.names() if name != "pig")]
