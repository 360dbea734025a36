"""Endpoints that speak no chat completions, or no HTTP at all: each is one clear line, and counts stay true."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.agents.test_chat import model, seat_one
from titan_env import agents, registry
from titan_env.agents import AgentFailed
from titan_env.agents.chat import PATIENCE, endpoint
from titan_env.engine.game_setup import GameSetup
from titan_env.records.replay import read
from titan_env.records.session import GameSession

BIDS = registry.load("goofspiel")
NAME = "chat:toy:7b,seconds=0.3"
OK = b"HTTP/1.1 200 OK\r\n"
RAW = {
    "closes the connection": b"",
    "no HTTP": b"hello\r\n\r\n",
    "half a body": OK + b'Content-Length: 500\r\n\r\n{"choices"',
    "a broken chunk": OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a header without end": OK + b"X: " + b"a" * 70_000 + b"\r\n\r\n",
    "half an error": b"HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "a strange time to wait": b"HTTP/1.1 429 Slower\r\nRetry-After: \xb2\r\nContent-Length: 0\r\n\r\n",
    "an endless nest": OK + b"Connection: close\r\n\r\n" + b"[" * 100_000,
    "no text": OK + b"Connection: close\r\n\r\n\xff\xfe",
}


@contextmanager
def raw(monkeypatch: pytest.MonkeyPatch, message: bytes) -> Iterator[None]:
    """An endpoint that says these bytes to every request, and hangs up."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            while True:
                try:
                    heard, _ = server.accept()
                except OSError:
                    return
                with heard:
                    heard.recv(65_536)
                    heard.sendall(message)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        yield
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def failure_of(name: str) -> str:
    """The error of a model that answers no decision of a game."""
    endpoint._renew()
    player, table = agents.load(name, BIDS), GameSession(GameSetup.of(BIDS, {}), 3, None, [])
    for _ in range(PATIENCE - 1):
        table.play(table.ask_agent(player))
    with pytest.raises(AgentFailed) as failed:
        table.ask_agent(player)
    return str(failed.value)


@pytest.mark.parametrize("message", RAW.values(), ids=RAW)
def test_what_is_no_answer_in_http_is_one_line(monkeypatch: pytest.MonkeyPatch, message: bytes) -> None:
    with raw(monkeypatch, message):
        error = failure_of(NAME)
    assert error.startswith(f"{PATIENCE} decisions in a row without an answer: http://127.0.0.1:")
    assert "\n" not in error


@pytest.mark.parametrize(
    "body", [{"html": "Welcome"}, [1], {"choices": []}, {"choices": [{"message": {"content": ["x"]}}]}, None]
)
def test_what_is_no_chat_completion_is_said_as_it_came(monkeypatch: pytest.MonkeyPatch, body: Any) -> None:
    with model(monkeypatch, lambda asked: (200, body)):
        assert "expected a chat completion with a text, got " in failure_of(NAME)


@pytest.mark.parametrize("usage", ["many", [3], {"total_tokens": -5}, {"total_tokens": True}, {}, None])
def test_tokens_that_are_no_number_are_estimated(monkeypatch: pytest.MonkeyPatch, usage: Any) -> None:
    endpoint._renew()
    body = {"choices": [{"message": {"content": "?"}}], "usage": usage}
    with model(monkeypatch, lambda asked: (200, body)):
        seat_one(BIDS, NAME)
        assert agents.counts(NAME, BIDS)["tokens"] > 100


def test_words_that_are_no_text_are_kept_in_a_record(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with model(monkeypatch, lambda asked: (200, "Hm \ud800\nACTION: none")):
        seat_one(BIDS, NAME, tmp_path / "bids.jsonl")
    assert "Hm ?" in read(tmp_path / "bids.jsonl").decisions[0]["thought"]


@pytest.mark.parametrize("address", ["ftp://x", "localhost:11434", "http://", "http://me:sesame@127.0.0.1:9/v1"])
def test_an_address_of_no_endpoint_is_refused_without_a_password(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    with pytest.raises(ValueError, match="expected the address of an OpenAI-compatible endpoint") as refused:
        agents.load(NAME, BIDS)
    assert "sesame" not in str(refused.value)


def test_an_address_that_is_none_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("http://x y/v1", "http://[::1", "http://127.0.0.1:99999/v1"):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        assert address in failure_of(NAME)
