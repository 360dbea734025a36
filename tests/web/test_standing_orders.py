"""While a person at another screen is asked in silence nothing tells so; who answers by order keeps nobody waiting."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.serving import Visitor
from tests.web.test_together_api import joined
from titan_env.web.requests.server import Server
from titan_env.web.views.live_game import LiveGame
from titan_env.web.views.standing_orders import ALWAYS, NEVER

RACE = {"game": "titan_race", "names": ["person", "person", "random", "random"]}
SEEDS = range(6_000_013, 6_000_037)
MOST = 160


class Race:
    """A race of two people at two screens and two agents, each deciding the first thing allowed."""

    def __init__(self, live_game: LiveGame, identity: str, players: dict[int, Visitor]) -> None:
        self.live_game, self.id, self.players = live_game, identity, players

    @classmethod
    def begun(cls, server: Server, seed: int) -> Race:
        """A race that has begun, in which the people have seats 0 and 1."""
        host = Visitor(server)
        view = host.do("begin", **RACE, seed=seed)
        live_game = server.sessions.alive(view["id"])
        assert isinstance(live_game, LiveGame)
        return cls(live_game, view["id"], {0: host, 1: joined(host, view, 1)})

    @property
    def seat(self) -> int:
        """The seat that is asked, in truth or as the others cannot exclude it."""
        return self.live_game.asked_seat(self.live_game.session.state)

    @property
    def is_silent(self) -> bool:
        """Whether somebody is asked in private, in truth or not."""
        live_game = self.live_game
        return bool(live_game.possible_question) or live_game.game.rules.is_private(live_game.session.state, -1)

    def shown(self, player: int) -> dict[str, Any]:
        """The view of a player, but for the number that the server gives to each picture it sends."""
        return {name: shown for name, shown in self.players[player].do("show", id=self.id).items() if name != "picture"}

    def declines(self) -> None:
        """The person who is asked in private declines."""
        view = self.shown(self.seat)
        self.players[self.seat].do("play", id=self.id, action=view["actions"][-1]["number"], at=view["at"])

    def goes_on(self) -> None:
        """One decision."""
        if self.seat < 2:
            view = self.shown(self.seat)
            self.players[self.seat].do("play", id=self.id, action=view["actions"][0]["number"], at=view["at"])
        else:
            self.players[0].do("act", id=self.id, at=self.shown(0)["last"])

    def questions(self) -> Iterator[tuple[int, dict[str, Any], bool]]:
        """While somebody is asked in private, true or not: the other one, what they saw, and whether they decided.

        A seat that was asked in the same step, too, knows of that question, and is left out.
        """
        for _ in range(MOST):
            if self.live_game.session.is_over:
                return
            before, seat = [self.shown(player) for player in (0, 1)], self.seat
            self.goes_on()
            known = set()
            while self.is_silent:
                other = 1 - self.seat
                if other not in known:
                    yield other, before[other], other == seat
                known.add(self.seat)
                self.declines()


@pytest.mark.thorough
def test_while_somebody_is_asked_in_silence_another_screen_shows_what_it_showed_before(server: Server) -> None:
    asked = {False: 0, True: 0}
    for seed in SEEDS:
        race = Race.begun(server, seed)
        for other, before, has_decided in race.questions():
            now, is_true = race.shown(other), race.live_game.possible_question is None
            if has_decided:
                assert now["others_to_move"], "they have decided, and wait"
                assert not now["your_turn"]
            else:
                assert now == before
                refusal = race.players[other].refused("play", id=race.id, action=0, at=now["at"])
                assert "an agent is to decide" in refusal or "another player is to decide" in refusal
                if before["agent_to_move"]:
                    waits_like_for_an_agent(race, other, now)
            asked[is_true] += 1
        if min(asked.values()) >= 3:
            return
    pytest.fail(f"{asked} questions in {len(SEEDS)} races")


def waits_like_for_an_agent(race: Race, other: int, now: dict[str, Any]) -> None:
    """The page asks for the agent's decision: the answer comes when the person has answered, with what all may see."""
    answers: list[dict[str, Any]] = []
    asking = threading.Thread(
        target=lambda: answers.append(race.players[other].do("act", id=race.id, at=now["at"])), daemon=True
    )
    asking.start()
    asking.join(0.3)
    assert asking.is_alive()
    assert not answers


@pytest.mark.thorough
def test_who_reacts_by_order_is_asked_no_more_until_they_want_to_be(server: Server) -> None:
    for order in (NEVER, ALWAYS):
        for seed in SEEDS:
            race = Race.begun(server, seed)
            found = next(race.questions(), None)
            if found is not None:
                break
        asked, view = race.seat, race.shown(race.seat)
        assert view["can_order"] == [ALWAYS, NEVER]
        assert not race.shown(1 - asked)["can_order"]
        name, player = view["ask"], race.players[asked]
        after = player.do("order", id=race.id, order=order, at=view["at"])
        assert [(one["ask"], one["order"]) for one in after["orders"]] == [(name, order)]
        assert race.shown(1 - asked)["orders"] == []
        for other, _before, _own in race.questions():
            assert (1 - other, race.shown(1 - other)["ask"]) != (asked, name)
        player.do("order", id=race.id, order="ask", ask=name, at=0)
        assert player.do("show", id=race.id)["orders"] == []


def test_no_order_is_taken_where_no_reaction_is_asked_for(server: Server) -> None:
    race = Race.begun(server, SEEDS[0])
    while race.seat > 1:
        race.goes_on()
    at = race.shown(race.seat)["at"]
    player, other = race.players[race.seat], race.players[1 - race.seat]
    assert "to a question for a reaction" in player.refused("order", id=race.id, order="never", at=at)
    assert "another player" in other.refused("order", id=race.id, order="never", at=at)
