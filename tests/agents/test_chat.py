"""A language model at the table: what it is told, how its answers are read, and what happens where none come."""

from __future__ import annotations

import json
import pickle
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from tests.web.serving import Visitor
from titan_env import agents, registry
from titan_env.agents import AgentFailed
from titan_env.agents.chat import PATIENCE, Chat, endpoint, prompts
from titan_env.agents.chat.rules_text import rules_text
from titan_env.contract import Game
from titan_env.contract.translation import use_language
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches import evaluate
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.evaluation.matches.match import play
from titan_env.evaluation.ratings import tournament
from titan_env.records.journal import Journal
from titan_env.records.replay import read
from titan_env.records.replay_html import render_html
from titan_env.records.session import GameSession
from titan_env.web.requests.server import Server

PIG, BIDS, RACE = (registry.load(name) for name in ("pig", "goofspiel", "titan_race"))
MODEL = "chat:toy:7b,seconds=5"

Reply = Callable[[dict[str, Any]], tuple[int, Any]]


def first_legal(asked: dict[str, Any]) -> tuple[int, Any]:
    """A model that thinks a little and takes the first action that it is told of."""
    text = asked["messages"][1]["content"].rpartition("\n\n")[2]
    return 200, f"I have thought.\nACTION: `{text.splitlines()[1].partition(' - ')[0].upper()}`"


def says(text: str) -> Reply:
    """A model that always says the same."""
    return lambda asked: (200, text)


class Model:
    """A model behind a small server: what it is asked, and how many questions were under way at a time."""

    def __init__(self, reply: Reply) -> None:
        self.reply, self.asked, self.keys, self.paths = reply, [], [], []
        self.under_way = self.most_under_way = 0
        self._counting = threading.Lock()

    def answer(self, asked: dict[str, Any], key: str | None, path: str) -> tuple[int, bytes]:
        """Status and body."""
        with self._counting:
            self.asked.append(asked)
            self.keys.append(key)
            self.paths.append(path)
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            status, reply_text = self.reply(asked)
        finally:
            self.under_way -= 1
        if not isinstance(reply_text, str) or status != 200:
            return status, json.dumps(reply_text).encode()
        message = {"role": "assistant", "content": reply_text}
        return 200, json.dumps({"choices": [{"message": message}], "usage": {"total_tokens": 10}}).encode()


@contextmanager
def model(monkeypatch: pytest.MonkeyPatch, reply: Reply = first_legal, key: str | None = None) -> Iterator[Model]:
    """An endpoint while the block runs; the environment names it."""
    behind = Model(reply)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, body = behind.answer(asked, self.headers["Authorization"], self.path)
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1/")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    try:
        yield behind
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def seat_one(game: Game, name: str = MODEL, record: Path | None = None, **options: Any) -> GameSession:
    """A game in which the model takes the first decision."""
    table = GameSession(GameSetup.of(game, options), 3, record, [name] * 2)
    table.play(table.ask_agent(agents.load(name, game)))
    return table


@pytest.mark.thorough
def test_a_game_is_played_in_words_and_its_thoughts_are_kept_beside_its_decisions(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with model(monkeypatch, key="sesame") as asked:
        player = agents.load(MODEL, PIG)
        table = GameSession(GameSetup.of(PIG, {"goal": 4}), 3, tmp_path / "pig.jsonl", [MODEL] * 2)
        while not table.is_over and table.state.decisions < 30:
            table.play(table.ask_agent(player))
    assert set(asked.keys) == {"Bearer sesame"}
    assert set(asked.paths) == {"/v1/chat/completions"}
    assert {one["model"] for one in asked.asked} == {"toy:7b"}
    record = read(tmp_path / "pig.jsonl")
    thoughts = [line["thought"] for line in record.decisions if "thought" in line]
    assert len(thoughts) == len(asked.asked)
    assert thoughts[0].startswith("I have thought.")
    assert "I have thought." in render_html(record) or "thought" in json.dumps(record.decisions[-1])
    assert "sesame" not in (tmp_path / "pig.jsonl").read_text("utf-8")


def test_where_one_action_is_legal_nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with model(monkeypatch) as asked:
        seat_one(PIG)  # nothing to hold yet: it must roll
    assert asked.asked == []


@pytest.mark.thorough
def test_a_model_is_told_rules_position_past_and_actions_and_nothing_that_is_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with model(monkeypatch) as asked:
        player = agents.load(MODEL, BIDS)
        table = GameSession(GameSetup.of(BIDS, {}), 3, None, ["?"] * 2)
        for _ in range(3):
            table.play(table.ask_agent(player))
    first, second, third = (one["messages"][1]["content"] for one in asked.asked)
    seats = [int(re.match(r"You are player_(\d)", text)[1]) for text in (first, second, third)]  # type: ignore[index]
    assert "Since your last decision" not in first
    assert BIDS.metadata.title in asked.asked[0]["messages"][0]["content"]
    hidden = BIDS.action_text_for(
        BIDS.rules.configure()[0], 0, 1 - seats[0]
    )  # what the other seat hears of a bid that is covered
    assert hidden is None or hidden in second
    assert BIDS.text.describe_action(table.states[0], 0) not in second.partition("The position")[0]
    assert "Since your last decision" in third
    assert f"You (player_{seats[2]})" in third


def test_the_past_of_a_batch_is_what_the_table_of_one_game_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    with model(monkeypatch) as asked:
        play_blocks(BIDS, [agents.load(MODEL, BIDS), agents.load("random", BIDS)], [1])
        texts = [one["messages"][1]["content"] for one in asked.asked]
        asked.asked.clear()
        play(BIDS, [agents.load(MODEL, BIDS), agents.load("random", BIDS)], 2, 1)
    assert sum("You (player_" in text for text in texts) == len(texts) - 2  # all but the first of two games
    assert any("You (player_" in one["messages"][1]["content"] for one in asked.asked)


def test_all_rules_of_every_game_are_told_without_what_is_for_programmers(game: Game) -> None:
    rules = rules_text(game)
    assert rules.left_out == ()
    assert not re.search(r"`\w+\.\w+`$|\*\((law|inferred|reconstruction)", rules.text, re.MULTILINE)
    if game.metadata.folder:
        headings = re.findall(r"(?m)^#+ .*?(?=:? `|$)", Path(game.metadata.folder, "RULES.md").read_text("utf-8"))[1:]
        assert [line for line in rules.text.splitlines() if line.startswith("#")] == [line.strip() for line in headings]
        assert len(rules.text) <= 22_500
    assert rules.text in prompts.system_prompt(game)


def test_rules_are_cut_at_a_section_and_the_headings_of_all_others_are_told() -> None:
    whole, some = rules_text(RACE), rules_text(RACE, 4000)
    assert 2000 < len(some.text) <= 4000
    assert whole.text == f"{some.text}\n\n{''.join(section.text for section in some.left_out)}".strip()
    text = prompts.system_prompt(RACE, 4000).partition("RULE:")[2]
    assert [line.strip() for line in text.splitlines()[1:]] == [section.heading for section in some.left_out]
    assert "RULE:" not in prompts.system_prompt(RACE)


def test_a_chapter_that_is_asked_for_comes_with_its_sections() -> None:
    rules = rules_text(RACE, 0)
    assert rules.text == ""
    chapter = rules.find("**cards** ")
    assert chapter is not None
    assert chapter.startswith("# Cards\n")
    assert re.findall(r"(?m)^# .*", chapter) == ["# Cards"]
    assert len(re.findall(r"(?m)^## .*", chapter)) > 1
    assert rules.find("Cheating") is None


def test_a_model_may_read_sections_of_the_rules_before_it_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = iter(["Let me see.\nRULE: Dice", "RULE: Cheating", None])

    def reply(asked: dict[str, Any]) -> tuple[int, Any]:
        return 200, next(replies) or f"ACTION: {first}"

    first = ""
    with model(monkeypatch, lambda asked: reply(asked)) as asked:
        name = f"{MODEL},rules=3000"
        player = agents.load(name, RACE)
        table = GameSession(GameSetup.of(RACE, {"titans": 2}), 3, None, [MODEL] * 2)
        first = RACE.rules.actions.texts[int(table.mask.nonzero()[0][-1])]
        assert RACE.rules.actions.texts[table.ask_agent(player)] == first
        texts = [one["content"] for one in asked.asked[-1]["messages"]]
    assert texts[3].startswith("# Dice\n")
    assert texts[5].startswith("There is no section 'Cheating' among those that are left out.")
    assert agents.counts(MODEL, RACE) == {}, "counters are those of a name with its parameters"
    assert agents.counts(name, RACE) | {"tokens": 0} == {
        **{"decisions": 1, "asked_again": 0, "drawn": 0, "unanswered": 0, "looked_up": 2, "tokens": 0},
        **{"unreadable": 0, "illegal": 0},
    }
    assert "2 sections of the rules read" in agents.usage_summary(name, RACE)


def test_what_is_constant_comes_first_in_every_prompt_of_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    with model(monkeypatch) as asked:
        for seed in range(2):
            play(BIDS, [agents.load(MODEL, BIDS), agents.load("random", BIDS)], 2, seed)
    prompts = [one["messages"] for one in asked.asked]
    assert len({messages[0]["content"] for messages in prompts}) == 1
    assert {messages[0]["role"] for messages in prompts} == {"system"}


@pytest.mark.parametrize(
    "answer",
    [
        "ACTION: hold",
        "Well. ACTION: roll\n**ACTION:** no\nACTION:  `HOLD`.",
        "hold",
        "ACTION: hold - hold\n",
        "'Hold'",
        "<think>ACTION: roll?</think>\nhold",
        "I see ...\nACTION: roll</think>ACTION: hold",
        "ACTION : hold",
        "Action: hold (the safe one)",
        "**ACTION:**\nhold",
        "ACTION: [hold]</s>",
    ],
)
def test_answers_are_read_as_models_write_them(answer: str) -> None:
    assert prompts.parse_answer(answer, ["roll", "hold"]) == "hold"


@pytest.mark.parametrize("answer", ["", "I hold.", "ACTION: fold", "ACTION:", "roll or hold", "<think>ACTION: hold"])
def test_what_names_no_legal_action_is_not_read(answer: str) -> None:
    assert prompts.parse_answer(answer, ["roll", "hold"]) is None


def test_what_cannot_be_read_is_asked_again_once_then_drawn_and_both_are_counted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with model(monkeypatch, says("Let me see...")) as asked:
        player = agents.load(MODEL, BIDS)
        assert isinstance(player, Chat)
        seat_one(BIDS, record=tmp_path / "bids.jsonl")
        assert len(asked.asked) == 2
        assert asked.asked[1]["messages"][2]["content"] == "Let me see..."
        assert "could not be read" in asked.asked[1]["messages"][3]["content"]
        counted = {"tokens": 20, "decisions": 1, "asked_again": 1, "drawn": 1, "unanswered": 0, "looked_up": 0}
        assert dict(player.counts) == counted | {"unreadable": 1, "illegal": 0}, "one cause, however many answers"
    assert "drawn at random" in read(tmp_path / "bids.jsonl").decisions[0]["thought"]


def test_an_action_that_is_not_legal_is_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    table = GameSession(GameSetup.of(RACE, {"titans": 2}), 3, None, [MODEL] * 2)
    illegal = RACE.rules.actions.texts[int((table.mask == 0).nonzero()[0][0])]
    with model(monkeypatch, says(f"ACTION: {illegal}")):
        table.ask_agent(agents.load(MODEL, RACE))
        counted = agents.counts(MODEL, RACE)
    assert (counted["illegal"], counted["unreadable"], counted["drawn"]) == (1, 0, 1)


def test_a_second_answer_that_can_be_read_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = iter(["hm", "ACTION: {}"])

    def reply(asked: dict[str, Any]) -> tuple[int, Any]:
        last = asked["messages"][-1]["content"].splitlines()[-1]
        return 200, next(replies).format(last.partition(" - ")[0])

    with model(monkeypatch, reply):
        seat_one(BIDS)
        assert agents.counts(MODEL, BIDS)["drawn"] == 0


def test_questions_of_many_games_go_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(asked: dict[str, Any]) -> tuple[int, Any]:
        time.sleep(0.05)
        return first_legal(asked)

    with model(monkeypatch, slow) as asked:
        name = f"{MODEL},at_once=4"
        play_blocks(BIDS, [agents.load(name, BIDS), agents.load("random", BIDS)], range(4))
    assert 2 <= asked.most_under_way <= 4


def test_a_busy_endpoint_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = iter([(503, {"error": "busy"}), (429, {"error": "slower"})])
    with model(monkeypatch, lambda asked: next(replies, first_legal(asked))) as asked:
        seat_one(BIDS)
        assert len(asked.asked) == 3
        assert agents.counts(MODEL, BIDS)["drawn"] == 0


@pytest.mark.parametrize("status", [301, 401, 404])
def test_an_endpoint_that_refuses_is_one_error_without_the_key(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    complaint = {"error": "no such model for sesame"}
    with (
        model(monkeypatch, lambda asked: (status, complaint), key="sesame") as asked,
        pytest.raises(AgentFailed, match=f"HTTP {status}") as failed,
    ):
        seat_one(BIDS)
    assert "sesame" not in str(failed.value)
    assert len(asked.asked) == 1  # and nothing was sent elsewhere


def test_a_model_that_calls_the_longest_answer_otherwise_is_asked_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def reply(asked: dict[str, Any]) -> tuple[int, Any]:
        if "max_tokens" in asked:
            return 400, {"error": "use 'max_completion_tokens' instead"}
        return first_legal(asked)

    with model(monkeypatch, reply) as asked:
        seat_one(BIDS)
    assert asked.asked[-1]["max_completion_tokens"] == 1000


def test_who_does_not_answer_in_time_is_drawn_for_and_after_some_decisions_in_a_row_that_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with model(monkeypatch, lambda asked: (503, {"error": "busy"})):
        name = "chat:toy,seconds=0.3"
        player, table = agents.load(name, BIDS), GameSession(GameSetup.of(BIDS, {}), 3, None, [])
        for _ in range(PATIENCE - 1):
            table.play(table.ask_agent(player))
        assert agents.counts(name, BIDS)["unanswered"] == PATIENCE - 1
        with pytest.raises(AgentFailed, match=f"{PATIENCE} decisions in a row without an answer: .*HTTP 503"):
            table.ask_agent(player)


def test_tokens_are_a_limit_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    with model(monkeypatch):
        name = "chat:toy,tokens=25"
        for _ in range(3):
            seat_one(BIDS, name)
        with pytest.raises(AgentFailed, match="at most 25 tokens of toy; raise tokens="):
            seat_one(BIDS, name)


def test_without_an_endpoint_or_a_model_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    for name, error in (
        ("chat", "expected the name of a model"),
        ("chat:toy", "in OPENAI_BASE_URL, such as"),
        ("chat:toy,seconds=0", "expected seconds from 0.1 on"),
        ("chat:toy,at_once=0", "at_once from 1 to 256"),
    ):
        with pytest.raises(ValueError, match=error):
            agents.load(name, PIG)


def test_the_page_offers_a_model_that_is_named_and_tells_why_it_does_not_play(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = iter([(200, "ACTION: none"), (200, "no idea")])
    with model(monkeypatch, lambda asked: next(replies, (401, {"error": "who are you?"}))):
        visitor = Visitor(Server([MODEL]))
        begun = visitor.do("begin", game="goofspiel", options={}, seed=3, names=[MODEL, MODEL])
        view = visitor.do("act", id=begun["id"], at=0)
        assert (view["last"], view["thought"].endswith("no idea")) == (1, True)
        status, answer = visitor.ask("act", id=begun["id"], at=1)
        assert (status, "HTTP 401" in answer["error"]) == (503, True)


def test_why_a_model_does_not_play_is_said_in_the_language_of_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    with model(monkeypatch, lambda asked: (404, {"error": "no {model} of that name"})):
        visitor = Visitor(Server([MODEL]))
        visitor.client.headers["accept-language"] = "fr"
        view = visitor.do("begin", game="goofspiel", options={}, seed=3, names=[MODEL, MODEL])
        _, complaint = visitor.ask("act", id=view["id"], at=0)
        assert complaint["error"].startswith("attendu : une réponse de http://127.0.0.1:")
        assert "HTTP 404 : " in complaint["error"]
        assert "no {model} of that name" in complaint["error"]


def test_a_failure_crosses_to_another_process_as_it_is() -> None:
    failed = AgentFailed("{n} decisions in a row without an answer: {said}", n=3, said="HTTP 503: {busy}")
    again = pickle.loads(pickle.dumps(failed))
    assert str(again) == str(failed) == "3 decisions in a row without an answer: HTTP 503: {busy}"
    with use_language("fr"):
        assert again.localized() == "3 décisions de suite sans réponse : HTTP 503: {busy}"


def run(main: object, *arguments: str) -> str:
    """What a script says."""
    app = typer.Typer()
    app.command()(main)  # type: ignore[type-var]
    done = CliRunner().invoke(app, list(arguments))
    return " ".join(done.output.split())


@pytest.mark.thorough
def test_evaluation_and_tournament_tell_what_was_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with model(monkeypatch):
        output = run(evaluate.main, MODEL, "random", "--game", "goofspiel", "--blocks", "4")
        assert re.search(r"chat:toy:7b,seconds=5: \d\d+ decisions, 0 asked again, 0 drawn at random", output), output
        small = ["--game", "goofspiel", "--blocks", "2", "--processes", "1", "--out", str(tmp_path / "out")]
        output = run(tournament.main, MODEL, "random", *small, "--records", str(tmp_path / "records"))
        again = run(tournament.main, MODEL, "random", *small)
    counted = re.search(r"seconds=5: (\d+) decisions", output)
    assert counted is not None
    assert counted[0] in again
    records = [read(path) for path in (tmp_path / "records").glob("*/*.jsonl")]
    assert len(records) == 4
    thoughts = sum("thought" in line for record in records for line in record.decisions)
    assert thoughts == int(counted[1])


@pytest.mark.thorough
def test_an_evaluation_whose_tokens_end_prints_what_was_played_keeps_it_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    few = "chat:toy:7b,seconds=5,tokens=1000"
    out = tmp_path / "x.csv"
    with model(monkeypatch):
        command = [few, "random", "--game", "goofspiel", "--blocks", "16", "--out", str(out)]
        output = run(evaluate.main, *command)
        assert "expected to need at most 1,000 tokens of toy:7b" in output
        assert "the same command goes on where this one was" in output
        assert "stopped after 0 of 1 comparisons" in output
        games = re.search(r"stopped │ +(\d+)", output)
        assert games is not None, output
        kept = Journal(out.with_name("x.csv.journal"), "blocks").lines
        assert 0 < 2 * len(kept) == int(games[1]) < 32
        tries = 1
        while not out.exists() and tries < 20:
            endpoint._renew()  # as in a new process, which has as many tokens again
            command[0] = few.replace("1000", f"100{tries}")
            output = run(evaluate.main, *command)
            tries += 1
        endpoint._renew()
        whole = run(evaluate.main, few.replace("1000", "100000"), *command[1:-1], str(tmp_path / "whole.csv"))
    assert tries > 1
    assert "stopped" not in whole
    all_kept = [re.search(r"(\d+) decisions", text) for text in (output, whole)]
    assert len({kept and kept[1] for kept in all_kept}) == 1, f"counted over all processes: {all_kept}"
    files = [re.sub(r"tokens=\d+", "", (tmp_path / name).read_text("utf-8")) for name in ("x.csv", "whole.csv")]
    assert files[0] == files[1], "blocks that were kept are those of a run without a stop"


def test_a_refusal_ends_an_evaluation_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with model(monkeypatch, lambda asked: (401, {"error": "who are you?"})):
        output = run(evaluate.main, MODEL, "random", "--game", "goofspiel", "--blocks", "4")
    assert "Error: expected http" in output
    assert "HTTP 401" in output


def test_decisions_come_out_alike_however_many_are_asked_beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    with model(monkeypatch, says("?")):
        players = [agents.load(MODEL, BIDS), agents.load("random", BIDS)]
        together = play_blocks(BIDS, players, range(3))
        assert np.array_equal(together[1], play_blocks(BIDS, players, [1])[0])
