"""The question in private goes to everybody who could hold the card: while it is asked, twins are alike for others.

Two games at two screens differ in the hidden card alone, over HTTP: in one somebody is asked in truth, in the other
one nobody is. Until somebody at that screen has answered, the others see, hear and wait the same.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from tests.properties.test_silence import pairs, step
from tests.titan_war.positions import begin_engagements, war_at
from tests.web.serving import Visitor
from tests.web.test_standing_orders import Race
from tests.web.test_together_api import joined
from titan_env import registry
from titan_env.compiler.record_copies import copy_records
from titan_env.contract import Game
from titan_env.records.replay import ReplayStep
from titan_env.web.requests.server import Server
from titan_env.web.views.live_game import LiveGame
from titan_env.web.views.undoing import UndoStep

GAME = registry.load("titan_race")
OPTIONS = {"titans": 6}
OWN = ("id", "picture", "last", "at")
"""What differs between two games on one server."""
TWINS = 6


class Twins(NamedTuple):
    """Two games at two screens: in the first one a person is asked in truth after the next decision."""

    asked: int
    other: int
    action: int
    races: list[Race]


def game_at(server: Server, game: Game, options: dict[str, Any], states: Any, luck: Any, people: Sequence[int]) -> Race:
    """A game at a position, of people at two screens and agents."""
    names = ["person" if seat in people else "random" for seat in range(int(states[0].seats))]
    host = Visitor(server)
    view = host.do("begin", game=game.name, options={name: str(value) for name, value in options.items()}, names=names)
    guest, live_game = joined(host, view, people[1]), server.sessions.alive(view["id"])
    assert isinstance(live_game, LiveGame)
    session = live_game.session
    session.mixed, session.states[:], session.luck[:] = None, states, luck
    game.rules.legal(session.state, session.mask)
    live_game.moments[:], live_game._steps[:] = [ReplayStep(copy_records(states))], [UndoStep(copy_records(luck))]
    return Race(live_game, view["id"], {people[0]: host, people[1]: guest})


def twins(server: Server) -> list[Twins]:
    """Games right before a decision of one seat after which another one, a person, is asked; and their twins."""
    found = []
    for pair in pairs(GAME, OPTIONS):
        after, _ = step(GAME, pair.asking, pair.luck, pair.actions[0])
        asked = int(after[0].seat)
        if asked != int(pair.asking[0].seat):
            people, positions = (asked, pair.viewer), (pair.asking, pair.other)
            races = [game_at(server, GAME, OPTIONS, states, pair.luck, people) for states in positions]
            found.append(Twins(asked, pair.viewer, pair.actions[0], races))
        if len(found) == TWINS:
            return found
    raise AssertionError(f"expected {TWINS} questions, got {len(found)}")


def seen(race: Race, player: int) -> dict[str, Any]:
    """What a player sees, without what differs between two games."""
    return {name: shown for name, shown in race.shown(player).items() if name not in OWN}


def waiting(race: Race, player: int) -> threading.Thread:
    """A player's page that waits for the next decision, or for news."""
    view, visitor = race.shown(player), race.players[player]
    name, more = ("act", {"at": view["at"]}) if view["agent_to_move"] else ("news", {"known": news_of(race, player)})
    thread = threading.Thread(target=lambda: visitor.do(name, id=race.id, **more), daemon=True)
    thread.start()
    return thread


def news_of(race: Race, player: int) -> str:
    """What a player's page knows."""
    return str(race.players[player].do("news", id=race.id, known="")["known"])


@pytest.mark.thorough
def test_twins_are_alike_for_another_screen_until_who_could_be_asked_has_answered(server: Server) -> None:
    for asked, other, action, races in twins(server):
        true, possible = races
        assert seen(true, other) == seen(possible, other)
        for race in races:
            race.live_game._go_on(action, False)
        assert true.live_game.possible_question is None
        assert possible.live_game.possible_question is not None
        assert [race.seat for race in races] == [asked, asked]
        same_for_who_is_not_asked(races, other)
        views = [race.shown(asked) for race in races]
        assert [(view["your_turn"], view["can_order"]) for view in views] == [(True, ["always", "never"])] * 2
        assert views[0]["ask"] == views[1]["ask"]
        waits = [waiting(race, other) for race in races]
        for thread in waits:
            thread.join(0.3)
            assert thread.is_alive(), "nothing comes before who is asked has answered"
        for race, thread in zip(races, waits, strict=True):
            while race.is_silent:
                race.declines()
            thread.join(20)
            assert not thread.is_alive()
        assert seen(true, other) == seen(possible, other)


def same_for_who_is_not_asked(races: list[Race], other: int) -> None:
    """Who is not asked sees, hears and is refused the same in both games."""
    assert seen(races[0], other) == seen(races[1], other)
    assert news_of(races[0], other) == news_of(races[1], other)
    for name in ("play", "preview", "order", "undo"):
        more: dict[str, Any] = {"action": 0, "order": "never"}
        refusals = [race.players[other].refused(name, id=race.id, at=race.shown(other)["at"], **more) for race in races]
        assert refusals[0] == refusals[1]


MUSTERS = """
0 on 41: titan
0 on 1: {}
0 on 2: {}
1 on 41: angel ogre
1 on 300: titan
"""
"""Lions muster on 1 and not on 2, serpents on neither: who has which on which land only their owner knows."""


@pytest.mark.thorough
def test_a_question_with_several_answers_goes_to_who_could_be_asked_too(server: Server) -> None:
    war = registry.load("titan_war")
    games: list[Race] = []
    for kinds in (("lion lion", "serpent serpent"), ("serpent serpent", "lion lion")):
        begun = begin_engagements(war_at(MUSTERS.format(*kinds)))
        games.append(game_at(server, war, {"players": 2}, begun.states, copy_records(begun.luck.reshape(1)), (0, 1)))
    assert seen(games[0], 1) == seen(games[1], 1)
    for one in games:
        one.live_game._go_on(war.rules.actions.read("concede"), False)
    assert [one.live_game.possible_question is None for one in games] == [True, False]
    assert [one.seat for one in games] == [0, 0]
    same_for_who_is_not_asked(games, 1)
    views = [one.shown(0) for one in games]
    assert [len(view["actions"]) for view in views] == [4, 1], "three characters or none"
    assert [(view["ask"], view["can_order"]) for view in views] == [("MUSTER", ["never"])] * 2
    for one, view in zip(games, views, strict=True):
        host = one.players[0]
        assert "expected never to a question" in host.refused("order", id=one.id, order="always", at=view["at"])
        host.do("order", id=one.id, order="never", at=view["at"])
    assert seen(games[0], 1) == seen(games[1], 1)
    assert [one.seat for one in games] == [1, 1]


def test_who_is_asked_what_it_could_be_has_one_answer_and_nobody_else_decides(server: Server) -> None:
    asked, other, action, (_, race) = twins(server)[0]
    race.live_game._go_on(action, False)
    before, player, view = len(race.live_game.moments), race.players[asked], race.shown(asked)
    assert [choice["number"] for choice in view["actions"]] == [-1]
    assert not view["barred"]
    assert player.do("preview", id=race.id, action=-1, at=view["at"]) == {"svg": "", "would": []}
    assert "expected one of -1, got 0" in player.refused("play", id=race.id, action=0, at=view["at"])
    assert "gone on" in player.refused("play", id=race.id, action=-1, at=view["at"] - 1)
    assert "agent's turn" in player.refused("act", id=race.id, at=view["at"])
    assert len(race.live_game.moments) == before
    name = view["ask"]
    ordered = player.do("order", id=race.id, order="never", at=view["at"])
    assert [(order["ask"], order["order"]) for order in ordered["orders"]] == [(name, "never")]
    assert race.live_game.possible_question is None
    assert race.shown(other)["orders"] == []
