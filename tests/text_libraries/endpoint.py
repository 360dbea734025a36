"""A model behind an OpenAI-compatible endpoint on this machine, for the libraries' own clients."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[[dict[str, Any]], str | int]
"""Returns the answer to a request, or the status of an error."""


def legal(message: str) -> list[str]:
    """The actions that a question offers."""
    return [line.partition(" - ")[0] for line in message.rpartition("\n\n")[2].splitlines()[1:]]


def last_legal(asked: dict[str, Any]) -> str:
    """A model that thinks a little and takes the last action that it is told of."""
    return f"I have thought.\nACTION: {legal(asked['messages'][-1]['content'])[-1]}"


def drawn(asked: dict[str, Any]) -> str:
    """A model that takes any action, the same for the same question."""
    text = asked["messages"][-1]["content"]
    return f"[So be it.]\nACTION: {random.Random(text).choice(legal(text))}"


@contextmanager
def endpoint(reply: Reply) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address of the endpoint, and what it is asked, while the block runs."""
    heard: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            heard.append(asked)
            answer = reply(asked)
            message = {"role": "assistant", "content": answer}
            response: dict[str, Any] = {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": asked["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
            }
            body = json.dumps({"error": {"message": "out of order"}} if isinstance(answer, int) else response).encode()
            self.send_response(answer if isinstance(answer, int) else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
