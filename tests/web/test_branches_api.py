"""What-if branches: of one's own games that hide nothing, listed as a tree, and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.web.serving import RACE, Visitor
from titan_env.web.requests.server import Server
from titan_env.web.sessions.game_store import GameStore

BATTLE = {"game": "titan_battle", "options": {}, "seed": 5}
NAMES = ["person", "random"]
RECORD = (Path(__file__).parents[2] / "docs" / "records" / "titan_battle.jsonl").read_text(encoding="utf-8")


def played_on(browser: Visitor, view: dict[str, Any]) -> dict[str, Any]:
    """Play the first decision of a branch, and return the branch's view after it."""
    return browser.do("play", id=view["id"], at=0, action=view["actions"][0]["number"])


def shape(tree: dict[str, Any]) -> list[Any]:
    """The ids of a tree, each with its moment and its branches."""
    return [tree["id"], tree["at"], [shape(other) for other in tree["branches"]]]


def test_a_branch_begins_at_its_moment_and_the_visitor_decides_for_who_is_asked(browser: Visitor) -> None:
    record = browser.do("open", record=RECORD)
    past = browser.do("show", id=record["id"], at=7)
    begun = browser.do("branch", id=record["id"], at=7)
    assert begun["position"] == past["position"]
    assert begun["your_turn"]
    assert begun["practice"]
    assert begun["asked"] == past["asked"]
    assert [seat for seat, name in enumerate(begun["names"]) if name == "person"] == [past["asked"]]
    last = begun["actions"][-1]
    at_once = browser.do("branch", id=record["id"], at=7, action=last["number"])
    assert at_once["last"] == 1
    assert at_once["say"] == played(browser, begun, last["number"])["say"]


def played(browser: Visitor, view: dict[str, Any], action: int) -> Any:
    """The view after an action in a branch."""
    return browser.do("play", id=view["id"], at=0, action=action)


def test_branches_are_a_tree_with_moments_and_decisions_from_any_of_its_games(browser: Visitor) -> None:
    record = browser.do("open", record=RECORD)
    later, first = (browser.do("branch", id=record["id"], at=at) for at in (7, 2))
    sentences = {view["id"]: played_on(browser, view)["say"] for view in (later, first)}
    nested = browser.do("branch", id=first["id"], at=0)
    trees = [browser.do("branches", id=view["id"])["tree"] for view in (record, later, first, nested)]
    wanted = [record["id"], None, [[first["id"], 2, [[nested["id"], 0, []]]], [later["id"], 7, []]]]
    assert [shape(tree) for tree in trees] == [wanted] * 4
    assert [branch["say"] for branch in trees[0]["branches"]] == [sentences[first["id"]], sentences[later["id"]]]
    assert trees[0]["branches"][0]["branches"][0]["say"] is None
    assert trees[0]["say"] is None


def test_a_game_in_play_is_left_in_practice_alone_and_never_where_anything_is_hidden(browser: Visitor) -> None:
    games = [
        browser.do("begin", **BATTLE, names=NAMES),
        browser.do("begin", **RACE, names=["person", "greedy", "random"], practice=True),
        browser.do("begin", **BATTLE, names=["person", "person"], practice=True),
    ]
    browser.do("invite", id=games[2]["id"], seat=1)
    for view in games:
        assert browser.refused("branch", id=view["id"], at=0).startswith("expected a game that is over, or a practice")
        assert browser.do("branches", id=view["id"])["tree"]["branches"] == []
    practice = browser.do("begin", **BATTLE, names=NAMES, practice=True)
    assert browser.do("branch", id=practice["id"], at=0)["id"] != practice["id"]


def test_a_branch_that_cannot_be_is_refused_and_leaves_no_game_behind(browser: Visitor, server: Server) -> None:
    record = browser.do("open", record=RECORD)
    last, before = record["last"], len(browser.do("mine")["games"])
    assert browser.refused("branch", id=record["id"], at=last) == (
        f"expected a moment at which somebody decides, got {last}"
    )
    assert browser.refused("branch", id=record["id"], at=last + 1).startswith("expected a moment at which somebody")
    assert browser.refused("branch", id=record["id"], at=0, action=-1) == "expected a legal action, got -1"
    assert len(browser.do("mine")["games"]) == before


def test_neither_guests_nor_strangers_make_or_see_branches(browser: Visitor, server: Server) -> None:
    record = browser.do("open", record=RECORD)
    browser.do("branch", id=record["id"], at=3)
    watching = Visitor(server)
    assert "expected one of your games" in watching.refused("branch", id=record["id"], at=3)
    assert "expected one of your games" in watching.refused("branches", id=record["id"])
    watching.do("join", id=record["id"], key=browser.do("invite", id=record["id"], seat=None)["key"])
    assert watching.refused("branch", id=record["id"], at=3).startswith("expected a game that you have begun")
    assert watching.do("branches", id=record["id"]) == {"tree": None}


def test_branches_are_kept_with_what_they_left(tmp_path: Path) -> None:
    store = GameStore(tmp_path)
    visitor = Visitor(Server(store=store))
    main = visitor.do("begin", **BATTLE, names=NAMES, practice=True)
    begun = visitor.do("branch", id=main["id"], at=0)
    played_on(visitor, begun)
    before = visitor.do("branches", id=begun["id"])
    assert before["tree"]["branches"][0]["say"]
    store.close()
    again = Visitor(Server(store=GameStore(tmp_path)))
    again.client.cookies = visitor.client.cookies
    assert again.do("branches", id=main["id"]) == before
    assert again.do("branches", id=begun["id"]) == before
    assert begun["id"] not in again.do("record", id=begun["id"])["text"]
    assert main["id"] not in again.do("record", id=begun["id"])["text"]
