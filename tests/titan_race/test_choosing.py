"""Choosing is play: who rides which Titan, the order of a player's two, the circuits; and when cards may be used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.titan_race.table import Table, plain
from titan_env.contract import preset, seeded
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.circuits import TERRAINS
from titan_env.games.titan_race.rules.setup import TITAN_NAMES
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, DISCARD, SPACES, Event
from titan_env.testing.scenario import Scenario


def before_the_race(first: int, circuit: Any = "kaldheira", **options: Any) -> Scenario:
    """The first choice, where the die has named the first player."""
    luck = seeded([0], GAME.rules.luck)
    preset(luck[0], [first])
    return Scenario(GAME, GameSetup.of(GAME, {"circuit": circuit, **options}).first_states(luck))


def kinds(game: Scenario) -> list[str]:
    """The Titans in turn order."""
    return [TITAN_NAMES[kind] for kind in game.state.titans["kind"][: game.state.titans_in_race]]


def seen(game: Scenario, seat: int, field: str) -> list[int]:
    """The numbers of a field as a seat sees them."""
    vector = np.zeros(GAME.rules.fields.size, GAME.rules.fields.dtype)
    GAME.rules.observe(game.state, seat, vector)
    return vector[GAME.rules.fields.slices[field]].tolist()


# Who rides which Titan


def test_from_the_first_player_clockwise_each_player_chooses_one_of_the_titans_that_are_left() -> None:
    game = before_the_race(1, titans="choose", players=3)
    assert game.asked == ("titan", 1)
    assert game.may("choose") == list(TITAN_NAMES)
    game.play("choose:slaugg")
    assert game.asked == ("titan", 2)
    assert "slaugg" not in game.may("choose")
    game.play("choose:rassik", "choose:chtooloo")
    assert kinds(game) == ["chtooloo", "slaugg", "rassik"]
    assert game.asked == ("draft", 1)
    assert game.events(Event.CHOSE) == [(Event.CHOSE, 1, -1, 4), (Event.CHOSE, 2, -1, 0), (Event.CHOSE, 0, -1, 5)]


def test_a_titan_that_is_chosen_starts_as_its_own_board_says() -> None:
    game = before_the_race(0, titans="choose", players=2).play("choose:chtooloo", "choose:rassik")
    assert game.state.titans["life_max"][:2].tolist() == [6, 4]
    assert game.state.titans["life"][:2].tolist() == [4, 4]


def test_the_members_of_a_team_choose_each_their_own() -> None:
    game = before_the_race(2, titans="choose", variant="2v2")
    for seat, name in zip((2, 3, 0, 1), ("craken", "grinder", "slaugg", "rassik"), strict=True):
        assert game.asked == ("titan", seat)
        game.play(f"choose:{name}")
    assert kinds(game) == ["slaugg", "rassik", "craken", "grinder"]
    assert game.state.titans["side"][:4].tolist() == [0, 1, 0, 1]


def test_two_players_choose_in_turn_and_then_each_the_order_of_the_own_two() -> None:
    game = before_the_race(3, titans="choose", variant="two_players")  # the colour of B's second Titan: B is first
    for seat, name in zip((1, 0, 1, 0), ("rassik", "craken", "grinder", "slaugg"), strict=True):
        assert game.asked == ("titan", seat)
        game.play(f"choose:{name}")
    assert game.asked == ("order", 1)
    assert game.legal() == ["order:kept", "order:swapped"]
    game.play("order:swapped")
    assert game.asked == ("order", 0)
    game.play("order:kept")
    assert kinds(game) == ["craken", "grinder", "slaugg", "rassik"]
    assert game.state.titans["seat"][:4].tolist() == [0, 1, 0, 1]
    assert game.asked == ("draft", 1)
    assert game.state.titan == 1, "the first player's first Titan begins"


def test_who_has_not_chosen_yet_is_named_by_number_and_seen_by_nobody_as_a_titan() -> None:
    game = before_the_race(0, titans="choose", players=2).play("choose:slaugg")
    sentence = GAME.text.describe_action(game.state, GAME.rules.actions.read("choose:craken"))
    assert sentence == "player 2 chooses Craken"
    assert seen(game, 0, "titan_kind") == [0, 0, 0, 0, 1, 0] + [0] * 30
    assert game.why_not("choose:slaugg") == "Before the race each player chooses a Titan that nobody has yet."
    assert game.why_not("draft:red") == "Before the race each player chooses a Titan that nobody has yet."


def test_the_first_cards_are_dealt_when_all_is_chosen() -> None:
    game = before_the_race(0, titans="choose", players=2).play("choose:slaugg")
    assert (game.state.cards < 0).all()
    game.play("choose:craken", chance=[0, 0])
    assert [(game.state.cards == seat).sum() for seat in range(2)] == [1, 1]


# The circuit


def test_the_first_player_chooses_the_circuit() -> None:
    game = before_the_race(2, "choose", titans=["rassik", "craken", "slaugg"])
    assert game.asked == ("circuit", 2)
    assert game.may("circuit") == list(CIRCUIT_NAMES)
    game.play("circuit:ban_kog")
    assert game.asked == ("draft", 2)
    assert (game.state.terrain[:SPACES] == TERRAINS[CIRCUIT_NAMES.index("ban_kog")]).all()


def test_for_a_grand_slam_the_players_choose_a_circuit_each_in_turn_the_bottom_one_first() -> None:
    game = before_the_race(1, "choose", titans=["rassik", "craken"], grand_slam=True)
    for seat, name in zip((1, 0, 1), ("estenguard", "kaldheira", "anglieh"), strict=True):
        assert game.asked == ("circuit", seat)
        game.play(f"circuit:{name}")
        assert name not in game.may("circuit")
    laid = [CIRCUIT_NAMES.index(name) for name in ("estenguard", "kaldheira", "anglieh")]
    assert game.state.circuit.tolist() == laid
    assert (game.state.terrain.reshape(3, SPACES) == TERRAINS[laid]).all()


def test_circuits_are_chosen_after_titans_and_their_order() -> None:
    game = before_the_race(0, "choose", titans="choose", variant="two_players")
    asked = []
    while game.state.before:
        asked.append(game.asked)
        game.play(game.legal()[0])
    assert asked == [("titan", 0), ("titan", 1)] * 2 + [("order", 0), ("order", 1), ("circuit", 0)]


def test_what_is_laid_is_seen() -> None:
    game = before_the_race(0, "choose", titans=["rassik", "craken"], grand_slam=True).play("circuit:moltenchest")
    assert seen(game, 1, "circuits") == [0, 0, 1, 0, 0, 0] + [0] * 12
    assert (seen(game, 1, "ask_before"), seen(game, 0, "ask_before")) == ([0, 0, 1], [0, 0, 0])
    assert not any(seen(game, 1, "ask"))


# A second, plain implementation


def choices(first: int, players: int, per_player: int, circuits: int) -> Iterator[tuple[str, int, list[str]]]:
    """What is asked before the race, of whom, and what is left; whoever is asked sends the answer."""
    turns = [(first + turn) % players for turn in range(players)]
    titans, laid = list(TITAN_NAMES), list(CIRCUIT_NAMES)
    for _round in range(per_player):
        for seat in turns:
            titans.remove((yield "choose", seat, list(titans)))
    for seat in turns if per_player > 1 else ():
        yield "order", seat, ["kept", "swapped"]
    for board in range(circuits):
        laid.remove((yield "circuit", turns[board % players], list(laid)))


@pytest.mark.parametrize(
    ("players", "per_player", "options"),
    [
        (2, 1, {"titans": "choose", "players": 2}),
        (6, 1, {"titans": "choose", "players": 6}),
        (2, 2, {"titans": "choose", "variant": "two_players"}),
        (4, 1, {"titans": "choose", "variant": "2v2", "grand_slam": True}),
        (2, 2, {"titans": "choose", "variant": "two_players", "grand_slam": True}),
    ],
)
def test_a_plain_implementation_asks_the_same(players: int, per_player: int, options: dict[str, Any]) -> None:
    rng = np.random.default_rng(5)
    for first in range(players):
        game = before_the_race(first, "choose", **options)
        asking: Any = choices(first, players, per_player, 3 if "grand_slam" in options else 1)
        chosen: dict[int, list[str]] = {seat: [] for seat in range(players)}
        laid: list[str] = []
        verb, seat, left = next(asking)
        while verb:
            assert (game.asked[1], game.may(verb)) == (seat, left)
            answer = str(rng.choice(left))
            game.play(f"{verb}:{answer}")
            if verb == "choose":
                chosen[seat].append(answer)
            elif answer == "swapped":
                chosen[seat].reverse()
            elif verb == "circuit":
                laid.append(answer)
            try:
                verb, seat, left = asking.send(answer)
            except StopIteration:
                verb = ""
        assert kinds(game) == [chosen[seat][turn] for turn in range(per_player) for seat in range(players)]
        assert [CIRCUIT_NAMES[number] for number in game.state.circuit[: len(laid)]] == laid
        assert game.asked == ("draft", first)


@pytest.mark.thorough
def test_races_that_were_chosen_are_raced_to_their_end() -> None:
    batch = Batch(GAME, 32, titans="choose", circuit="choose", variant="two_players", first_turn="all")
    batch.seed(1)
    batch.start()
    while not batch.over.all():
        batch.step(np.where(batch.over, 0, batch.sample()), rows=~batch.over)
    assert (batch.states["won"].sum(axis=1) == 1).any()


# A first turn by the English text

PUSH = "face: yellow\naction: yellow\nask: turn\npool: red\nhand 1: shield\n"


@pytest.mark.parametrize(("third", "asked"), [("slaugg: space=none\n", "draft"), ("", "shield")])
def test_as_an_option_nobody_answers_before_all_have_entered(third: str, asked: str) -> None:
    where = {} if third else {"E11": "Sl"}
    board = plain(A1="Gr", A3="Ra", **where)
    table = Table(f"{board}grinder:\nrassik:\n{third or 'slaugg:'}\ntogether: 1\n{PUSH}").play("move:SS")
    assert table.asked[0] == asked


def test_as_an_option_nobody_uses_card_or_ability_before_all_have_entered() -> None:
    lines = "grinder:\nrassik:\nslaugg: space=none\nhand 0: wings\n"
    turn = "face: yellow\naction: yellow\nask: turn\npool: red\n"
    for together, may in ((0, ["wings"]), (1, [])):
        table = Table(f"{plain(A1='Gr', C1='Ra')}{lines}together: {together}\n{turn}")
        assert table.may("play") == may
        assert bool(table.may("ability")) == bool(may)
    message = "Neither ability nor card may be used before the first turn of all is over."
    assert table.why_not("play:wings") == message


# The deck


def test_when_its_last_card_has_been_drawn_the_deck_is_made_of_the_discards_at_once() -> None:
    others = "shield speed_potion surprise_trap explosion fireball lightning retreat healing_potion hourglass"
    lines = f"grinder:\nrassik:\naside: {others}\ndiscard: gust mimic\nhand 1: thorns\n"
    turn = "face: yellow\naction: yellow\nask: turn\npool: red\n"
    table = Table(f"{plain(A1='Gr', A3='*', C1='Ra')}{lines}{turn}").play("move:SS", rolls=[0])
    assert table.hand(0) == ["wings"]
    assert table.hand(DISCARD) == []
    assert sorted(table.hand(-1)) == ["gust", "mimic"]


def test_where_nothing_is_discarded_then_the_deck_is_renewed_when_the_next_card_is_to_be_drawn() -> None:
    others = (
        "shield speed_potion surprise_trap explosion fireball lightning retreat healing_potion hourglass gust mimic"
    )
    lines = f"grinder:\nrassik:\naside: {others}\nhand 0: thorns\n"
    turn = "face: yellow\naction: yellow\nask: turn\npool: red\n"
    table = Table(f"{plain(A1='Gr', A3='*', C1='Ra')}{lines}{turn}").play("move:SS", rolls=[0])
    assert (table.hand(0), table.hand(-1)) == (["wings", "thorns"], [])
    table.play("discard:wings")
    assert (table.hand(DISCARD), table.hand(-1)) == (["wings"], [])
