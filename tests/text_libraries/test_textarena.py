"""TextArena: its loop, wrappers and agents play every game by its id, among as many as the game seats."""

from __future__ import annotations

import copy
import random
import re
from typing import Any

import pytest
import textarena as ta
from textarena.envs.registration import ENV_REGISTRY

from titan_env import registry
from titan_env.contract import Game
from titan_env.envs.text import GameTextEnv
from titan_env.envs.textarena import GameTextArenaEnv, register_games
from titan_env.records.replay import parse, positions

RACE = registry.title_id("titan_race")


def legal(message: str) -> list[str]:
    """The actions that the latest question in an observation offers."""
    return [line.partition(" - ")[0] for line in message.rpartition("\n\n")[2].splitlines()[1:] if " - " in line]


def play_out(env: Any, players: int, seed: int, most: int = 100_000) -> tuple[Any, Any]:
    """A game as TextArena's own example plays it, by players who draw; the rewards and the infos."""
    rng = random.Random(seed)
    env.reset(num_players=players, seed=seed)
    done = False
    while not done and most:
        player, text = env.get_observation()
        assert 0 <= player < players
        done, _ = env.step(action=f"I would [never] move so.\n[{rng.choice(legal(text))}]")
        most -= 1
    return env.close()


def test_every_registered_game_is_played_by_its_id_with_textarenas_wrappers(game: Game) -> None:
    register_games()
    fewest, most = game.rules.seats
    for players in {fewest, most}:
        for ending in ("", "-train"):
            env = ta.make(registry.title_id(game.name) + ending, max_cycles=40)
            rewards, infos = play_out(env, players, seed=3)
            assert sorted(rewards) == sorted(infos) == list(range(players))
            assert {about["reason"] for about in infos.values()} != {""}
            assert not any(about["invalid_move"] for about in infos.values())
            *_, last = positions(parse(env.record()))
            assert int(last.state.seats) == players


def test_equal_seeds_give_equal_games_and_nobody_elses_chance_is_seeded() -> None:
    random.seed(5)
    expected = random.random()
    random.seed(5)
    env = ta.make(RACE)
    env.reset(num_players=3, seed=1)
    first = env.get_observation()
    env.reset(num_players=3, seed=1)
    assert random.random() == expected
    again = ta.make(RACE)
    again.reset(num_players=3, seed=1)
    assert again.get_observation() == first


def test_a_player_reads_the_rules_once_and_what_the_text_environment_tells_its_seat() -> None:
    env, text = GameTextArenaEnv("goofspiel"), GameTextEnv("goofspiel")
    env.reset(2, seed=4)
    text.reset(4)
    seen: dict[int, list[Any]] = {0: [], 1: []}
    for _ in range(6):
        player, prompt = env.get_observation()
        question = text.question()
        assert question is not None
        assert player == question.seat
        seen[player] += prompt
        assert prompt[-1] == (ta.GAME_ID, question.board, ta.ObservationType.GAME_BOARD)
        action = next(iter(question.legal))
        env.step(f"[{action}]")
        text.step(action)
    for player, messages in seen.items():
        assert [kind for *_, kind in messages].count(ta.ObservationType.PROMPT) == 1
        assert {sender for sender, *_ in messages} == {player, ta.GAME_ID}, "no other player's words"


@pytest.mark.parametrize("answer", ["[{}]", "ACTION: {}", "I [think].\nACTION: [{}]", "{}", "[yes] no\n[{}]"])
@pytest.mark.parametrize("ending", ["", "-raw"])
def test_answers_are_read_in_brackets_and_as_everywhere(answer: str, ending: str) -> None:
    env = ta.make(RACE + ending)
    env.reset(num_players=2, seed=1)
    _, text = env.get_observation()
    action = legal(text if isinstance(text, str) else text[-1][1])[-1]
    assert env.step(answer.format(action)) == (False, {"reading": "legal", "action": action})


def test_no_action_of_any_game_has_the_brackets_that_answers_are_read_by(game: Game) -> None:
    assert not any(set("[]") & set(text) for text in game.rules.actions.texts)


def test_an_invalid_move_is_told_and_the_same_player_asked_again_then_one_is_drawn() -> None:
    env = ta.make(RACE)
    env.reset(num_players=2, seed=1)
    player, _ = env.get_observation()
    assert env.step("[fly to the moon]") == (False, {"reading": "unreadable", "action": None})
    again, text = env.get_observation()
    assert again == player
    assert "That could not be read." in text
    _, info = env.step("[fly to the moon]")
    assert info["action"] is not None
    assert env.state.game_info[player]["invalid_move"]
    assert not env.state.game_info[1 - player]["invalid_move"]


def test_a_forfeit_ends_the_game_with_its_reason() -> None:
    env = ta.make(RACE, on_illegal="forfeit")
    env.reset(num_players=2, seed=1)
    player, _ = env.get_observation()
    assert env.step("[fly]")[0]
    rewards, infos = env.close()
    assert rewards == {player: -1.0, 1 - player: 0.0}
    assert infos[player]["reason"] == f"Player {player} forfeits: unreadable answer."
    assert env.step("[anything]")[0], "as in TextArena's games, a game that is over stays so"


def test_agents_by_name_play_seats_that_textarena_does_not_ask() -> None:
    env = ta.make(RACE, agents={0: "greedy", 2: "random"}, max_cycles=60)
    env.reset(num_players=3, seed=1)
    done, players = False, set()
    while not done:
        player, text = env.get_observation()
        players.add(player)
        done, _ = env.step(f"[{legal(text)[0]}]")
    assert players == {1}


@pytest.mark.parametrize(
    "wrapper",
    [
        ta.wrappers.GameBoardObservationWrapper,
        ta.wrappers.GameMessagesObservationWrapper,
        ta.wrappers.SingleTurnObservationWrapper,
        ta.wrappers.SettlersOfCatanObservationWrapper,
    ],
)
def test_textarenas_other_wrappers_of_observations_read_it(wrapper: Any) -> None:
    env = wrapper(ta.make(f"{RACE}-raw"))
    env.reset(num_players=2, seed=1)
    _, text = env.get_observation()
    assert "Titan" in text
    done, _ = env.step("[take:1]")
    assert not done
    assert env.get_observation()[1]


def test_textarenas_wrappers_of_actions_and_its_renderer_take_it(capsys: pytest.CaptureFixture[str]) -> None:
    env = ta.wrappers.ClipCharactersActionWrapper(ta.make(f"{RACE}-raw"), max_num_characters=400)
    env = ta.wrappers.SimpleRenderWrapper(env, render_mode="board")
    env.reset(num_players=2, seed=1)
    _, text = env.get_observation()
    env.step(f"[{legal(text[-1][1])[0]}]")
    assert "Game Board" in capsys.readouterr().out


def test_an_environment_is_copied_with_its_game() -> None:
    env = ta.make(RACE)
    env.reset(num_players=2, seed=1)
    _, text = env.get_observation()
    twin = copy.deepcopy(env)
    action = f"[{legal(text)[0]}]"
    assert env.step(action) == twin.step(action)
    assert env.get_observation() == twin.get_observation()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: ta.make("TitanRase-v2"), "TitanRase-v2 not found in registry"),
        (lambda: ta.make(RACE, speed=3), "speed.*expected|expected.*speed"),
        (lambda: ta.make(RACE).reset(num_players=7), "players: expected 2 to 6, got 7"),
        (lambda: ta.make(RACE, on_illegal="cry").reset(num_players=2), "expected on_illegal to be one of"),
        (lambda: ta.make(RACE).step("roll"), r"expected reset\(num_players\) before step"),
        (lambda: ta.make(f"{RACE}-raw").get_observation(), r"expected reset\(num_players\) before get_observation"),
    ],
)
def test_what_is_wrong_is_one_clear_line(call: Any, error: str) -> None:
    with pytest.raises((ValueError, TypeError), match=error) as found:
        call()
    assert "\n" not in str(found.value)


def test_ids_are_those_of_gymnasium_without_the_namespace() -> None:
    import gymnasium

    for name in registry.names():
        assert f"titan_env/{registry.title_id(name)}" in gymnasium.registry
        assert {f"{registry.title_id(name)}{ending}" for ending in ("", "-train", "-raw")} <= set(ENV_REGISTRY)
    assert re.fullmatch(r"\w+-v\d+", RACE)
