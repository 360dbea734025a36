"""Games as text: what a seat is asked, how its answer is read, and what comes of it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from titan_env import registry
from titan_env.contract import Game
from titan_env.envs.text import GameTextEnv, GameTextVectorEnv
from titan_env.envs.text_seats import agents_around
from titan_env.records.replay import parse, positions, verify_chance

PIG, BIDS, RACE = (registry.load(name) for name in ("pig", "goofspiel", "titan_race"))


def question(env: GameTextEnv) -> str:
    """The text of the current question, without the rules."""
    prompt = env.prompt()
    assert isinstance(prompt, list)
    return prompt[-1]["content"]


def legal(asked: str) -> list[str]:
    """The actions that a question offers."""
    return [line.partition(" - ")[0] for line in asked.rpartition("\n\n")[2].splitlines()[1:]]


def play_out(env: GameTextEnv, most: int = 3000) -> Any:
    """Answer with the last legal action to the end; the result of the last answer."""
    result = None
    for _ in range(most):
        if env.seat < 0:
            break
        result = env.step(f"I think.\nACTION: {legal(question(env))[-1]}")
        assert result.reading == "legal"
    return result


def test_a_whole_game_is_played_in_words_and_its_record_replays(game: Game) -> None:
    limit = {"max_cycles": 60}
    env = GameTextEnv(game, **limit)
    env.reset(seed=3)
    result = play_out(env)
    assert result.terminated != result.truncated
    assert sorted(result.rewards) == list(range(env.games.num_seats))
    record = parse(env.record())
    *_, last = positions(record)
    assert last.states.tobytes() == env.games.batch.states.tobytes()
    assert env.counts().get("decisions", 0) <= len(record.decisions)
    assert env.prompt() is None


def test_a_prompt_tells_rules_past_position_and_actions_and_nothing_that_is_hidden() -> None:
    env = GameTextEnv(BIDS)
    env.reset(seed=1)
    first, bid = env.seat, legal(question(env))[0]
    sentence = BIDS.text.describe_action(env.games.batch.states[0], BIDS.rules.actions.numbers[bid])
    env.step(bid)
    assert env.seat != first
    assert sentence not in question(env).partition("The position")[0], "a covered bid is its bidder's own"
    env.step(legal(question(env))[0])
    own = env.prompt()
    assert isinstance(own, list)
    assert own[0]["role"] == "system"
    assert BIDS.metadata.title in own[0]["content"]


def test_a_question_has_the_parts_of_the_prompt() -> None:
    env = GameTextEnv(RACE, titans=2)
    env.reset(seed=1)
    for _ in range(8):
        text, parts = question(env), env.question()
        assert parts is not None
        heard = "Since your last decision:\n" + "\n".join(parts.events) + "\n\n" if parts.events else ""
        assert text == parts.board.replace("The position:", f"{heard}The position:", 1)
        assert parts.position in text
        assert f"You are asked: {parts.asked}." in text
        assert (list(parts.legal), parts.seat) == (legal(text), env.seat)
        env.step(list(parts.legal)[-1])


def test_prompts_are_the_same_whatever_is_hidden_from_the_seat() -> None:
    """A change of all that the seat cannot know changes no letter of its prompt."""
    env = GameTextEnv(RACE, titans=3)
    env.reset(seed=5)
    rng = np.random.default_rng(0)
    changed = 0
    for _ in range(60):
        text = question(env)
        batch, before = env.games.batch, env.games.batch.states.tobytes()
        RACE.rules.imagine(batch.states[0], env.seat, batch.luck[0])  # type: ignore[misc]
        changed += before != batch.states.tobytes()
        env.games._ask_all(np.array([0]))  # from another imagined world
        assert question(env) == text
        env.step(str(rng.choice(legal(text))))
        if env.seat < 0:
            env.reset(seed=6)
    assert changed > 10


def test_the_past_is_told_once_to_each_seat_from_its_own_decision_on() -> None:
    env = GameTextEnv(PIG, goal=30)
    env.reset(seed=2)
    heard: dict[int, list[str]] = {0: [], 1: []}
    while env.seat >= 0:
        asked = question(env)
        past = re.search(r"Since your last decision:\n(.*?)\n\nThe position:", asked, re.DOTALL)
        lines = past[1].splitlines() if past else []
        if heard[env.seat]:
            assert lines[0].startswith(f"You (player_{env.seat}): ")
            assert not any(line.startswith("You (") for line in lines[1:])
        heard[env.seat].append(asked)
        env.step(legal(asked)[-1])


@pytest.mark.parametrize(
    ("on_illegal", "readings", "counts"),
    [
        ("ask", ["unreadable", "unreadable"], {"unreadable": 2, "decisions": 1, "drawn": 1}),
        ("random", ["unreadable"], {"unreadable": 1, "decisions": 1, "drawn": 1}),
        ("forfeit", ["unreadable"], {"unreadable": 1, "forfeits": 1}),
    ],
)
def test_an_answer_that_cannot_be_read_is_counted_and_does_what_was_asked_for(
    on_illegal: str, readings: list[str], counts: dict[str, int]
) -> None:
    env = GameTextEnv(BIDS, on_illegal=on_illegal)
    env.reset(seed=1)
    seat, results = env.seat, []
    while env.seat == seat and len(results) < 5:
        results.append(env.step("Bonjour !"))
    assert [result.reading for result in results] == readings
    assert env.counts() == counts
    assert results[-1].terminated == (on_illegal == "forfeit")
    if on_illegal == "forfeit":
        assert results[-1].rewards == {seat: -1.0, 1 - seat: 0.0}
    else:
        assert results[-1].action is not None


def test_an_illegal_action_is_told_apart_and_its_reason_is_told() -> None:
    env = GameTextEnv(RACE, titans=2)
    env.reset(seed=1)
    other = next(text for text in RACE.rules.actions.texts if text not in legal(question(env)))
    why = RACE.text.why_not(env.games.batch.states[0], RACE.rules.actions.numbers[other])
    result = env.step(f"ACTION: {other}")
    assert (result.reading, result.action) == ("illegal", None)
    assert str(why) in question(env)
    assert env.step(legal(question(env))[-1] if " - " in question(env) else question(env).splitlines()[-1]).action


def test_other_seats_are_played_by_agents_by_name_and_are_never_asked() -> None:
    env = GameTextEnv(RACE, titans=3, agents={0: "greedy", 2: "random"}, max_cycles=80)
    env.reset(seed=4)
    seats = set()
    while env.seat >= 0:
        seats.add(env.seat)
        env.step(legal(question(env))[0])
    assert seats == {1}
    assert {line["seat"] for line in parse(env.record()).decisions} == {0, 1, 2}


def test_many_games_go_on_as_their_answers_come_and_each_as_it_would_alone() -> None:
    games = GameTextVectorEnv(BIDS, 3)
    games.reset(seed=7)
    alone = GameTextEnv(BIDS)
    alone.reset(seed=8)
    for _ in range(4):
        prompts = games.prompts()
        assert prompts[1] == alone.prompt()
        games.step({1: "what?"})
        games.step({1: "what?", 0: legal(prompts[0][-1]["content"])[0]})  # type: ignore[index]
        alone.step("what?")
        alone.step("what?")
        assert games.prompts()[2] == prompts[2], "nobody answered there"
    assert games.record(1) == alone.record()


def test_a_seat_reads_its_earlier_questions_and_answers_as_a_conversation() -> None:
    env = GameTextEnv(PIG, goal=50)
    env.reset(seed=2)
    while env.seat >= 0 and len(env.prompt() or ()) < 6:
        env.step("ACTION: roll" if "roll" in legal(question(env)) else legal(question(env))[0])
    talk = env.prompt()
    assert isinstance(talk, list)
    assert [message["role"] for message in talk[:4]] == ["system", "user", "assistant", "user"]
    assert {re.match(r"You are (player_\d)", message["content"])[1] for message in talk[1::2]} == {  # type: ignore[index]
        f"player_{env.seat}"
    }


def test_a_single_message_holds_the_rules_and_the_question() -> None:
    env = GameTextEnv(PIG, prompt_form="message")
    env.reset(seed=2)
    text = env.prompt()
    assert isinstance(text, str)
    assert text.startswith(env.games.system_prompt)
    assert "Legal actions" in text or "roll" in text


def test_no_prompt_is_longer_than_its_budget_and_rules_without_room_are_handed_out_on_request() -> None:
    env = GameTextEnv(RACE, titans=2, tokens=3000, max_cycles=120)
    env.reset(seed=1)
    assert env.step("RULE: Cards").reading == "rule"
    assert question(env).startswith("# Cards\n")
    while env.seat >= 0:
        env.step("ACTION: " + str(env.games._rows[0].legal[-1]))
        if env.seat >= 0:
            text = env.prompt()
            assert isinstance(text, list)
            assert sum(len(message["content"]) for message in text) <= 3000 * 4
    with pytest.raises(ValueError, match=r"expected \d+ tokens or more, for rules and first decision, got 100"):
        GameTextEnv(RACE, titans=2, tokens=100)


def size(env: GameTextVectorEnv, i: int = 0) -> int:
    """The letters of the prompt of a game, as one message."""
    text = env.prompt(i)
    assert text is not None
    return len(text) if isinstance(text, str) else sum(len(message["content"]) for message in text)


@pytest.mark.parametrize("prompt_form", ["conversation", "message"])
@pytest.mark.parametrize(
    "answer", ["Well... " * 3000, "No.", "RULE: Cards", "RULE: Cards" + " " * 9000, "ACTION: draw"]
)
def test_no_answer_retry_or_section_brings_a_prompt_over_its_budget(prompt_form: str, answer: str) -> None:
    tokens = int(re.findall(r"\d+", str(refusal(titans=2, tokens=1)))[0])
    games = GameTextVectorEnv(RACE, titans=2, tokens=tokens, max_cycles=60, prompt_form=prompt_form)
    games.reset(seed=1)
    while games.seats[0] >= 0:
        assert size(games) <= tokens * 4
        games.step({0: answer})
    assert sum(games.counts().values())


def refusal(**options: Any) -> ValueError:
    """The refusal of a race with these options."""
    with pytest.raises(ValueError, match="expected") as refused:
        GameTextEnv(RACE, **options)
    return refused.value


def test_a_decision_beyond_the_budget_truncates_its_own_game_alone() -> None:
    games = GameTextVectorEnv(PIG, 2, tokens=2000)
    games.reset(seed=1)
    games._written.whole = size(games, 1) - len(games.system_prompt)
    games._rows[0].history.heard_by = lambda seat: []  # type: ignore[method-assign]
    whole, games._written.whole = games._written.whole, 10
    result = games.step({0: "roll"})[0]
    games._written.whole = whole
    assert (result.terminated, result.truncated, sorted(result.rewards)) == (False, True, [0, 1])
    assert (games.counts(0)["too_long"], games.seats.tolist()[0], games.prompts()[0]) == (1, -1, None)
    assert games.step({1: "roll"})[1].reading == "legal"


@pytest.mark.parametrize("agents", [{0: "random"}, {0: "flat:2"}, {1: "greedy", 2: "random"}])
def test_games_with_agents_are_the_same_in_any_number_of_games_and_in_any_order_of_answers(
    agents: dict[int, str],
) -> None:
    games = GameTextVectorEnv(RACE, 3, titans=3, agents=agents, max_cycles=40)
    games.reset(seed=7)
    for order in ([0, 1, 2], [2], [1, 0], [0], [2, 1], [0, 1, 2]):
        for i in order:
            if games.seats[i] >= 0:
                games.step({i: "ACTION: " + games._rows[i].legal[-1]})
    for i in range(3):
        alone = GameTextEnv(RACE, titans=3, agents=agents, max_cycles=40)
        alone.reset(seed=7 + i)
        for _ in range(4):
            if alone.seat >= 0:
                alone.step("ACTION: " + alone.games._rows[0].legal[-1])
        assert alone.record() == games.record(i)
        assert alone.prompt() == games.prompt(i)


def test_records_tell_the_seed_from_which_their_chance_is_verified_once_the_game_is_over() -> None:
    env = GameTextEnv(PIG, goal=20)
    env.reset(seed=5)
    assert parse(env.record()).header["seed"] is None
    play_out(env)
    record = parse(env.record())
    assert record.header["seed"] == 5
    list(positions(record))
    verify_chance(record)
    env.reset()
    play_out(env)
    assert parse(env.record()).header["seed"] is None, "its stream went on"


def test_a_forfeit_loses_for_the_side_of_the_seat() -> None:
    env = GameTextEnv(RACE, on_illegal="forfeit", variant="2v2")
    env.reset(seed=1)
    seat, side, state = env.seat, RACE.rules.side, env.games.batch.states[0]
    rewards = env.step("?").rewards
    assert rewards == {other: -1.0 if side(state, other) == side(state, seat) else 0.0 for other in rewards}
    assert list(rewards.values()).count(-1.0) == 2


def test_prompts_speak_the_language_that_was_chosen() -> None:
    env = GameTextEnv(RACE, titans=2, language="fr")
    env.reset(seed=1)
    assert "Vous êtes player_" in question(env)
    assert "prend un dé" in question(env)
    assert "# En bref" in env.games.system_prompt
    env.step(legal(question(env))[0])
    assert env.games.system_prompt.startswith("Vous jouez à Titan Race")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"on_illegal": "raise"}, "expected on_illegal to be one of ask, random, forfeit, got 'raise'"),
        ({"prompt_form": "poem"}, "expected prompt_form to be one of conversation, message, got 'poem'"),
        ({"language": "xx"}, "expected a language among en, "),
        ({"agents": {5: "random"}}, "expected agents of seats 0 to 1, got seat 5"),
        ({"agents": {0: "random", 1: "random"}}, "expected at least one of 2 seats without an agent"),
        ({"agents": {0: "clever"}}, "expected an agent among"),
        ({"reward": "love"}, "expected reward to be one of"),
    ],
)
def test_what_is_wrong_is_one_clear_line(options: dict[str, Any], error: str) -> None:
    with pytest.raises(ValueError, match=re.escape(error)):
        GameTextEnv(PIG, **options)


def test_a_refused_answer_has_changed_nothing() -> None:
    games = GameTextVectorEnv(PIG, 2)
    with pytest.raises(ValueError, match="expected reset"):
        games.prompts()
    games.reset(seed=1)
    before = games.prompts()
    for answers in ({5: "roll"}, {0: "roll", 7: "roll"}):
        with pytest.raises(ValueError, match="expected a game from 0 to 1, got"):
            games.step(answers)
    with pytest.raises(TypeError, match="expected a text as the answer of game 1, got 3"):
        games.step({0: "roll", 1: 3})  # type: ignore[dict-item]
    for i in (-1, 2):
        for look in (games.prompt, games.question, games.counts, games.record, games.forfeit):
            with pytest.raises(ValueError, match="expected a game from 0 to 1, got"):
                look(i)
    with pytest.raises(ValueError, match="expected the names of 2 seats, got 1"):
        games.record(0, ["one"])
    with pytest.raises(TypeError, match="expected agents by seat, as"):
        GameTextEnv(PIG, agents=["random"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected answers by the number of their game"):
        games.step(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected a seat from 0 to 1, got '1'"):
        agents_around(2, "1", "random")  # type: ignore[arg-type]
    assert games.prompts() == before
