"""The server, for tests that come through the network and for those that only ask it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.testclient import TestClient

from titan_env.web.hosting.routes import LOOPBACK, application
from titan_env.web.hosting.serve import Hosting, configured, listen
from titan_env.web.requests.api import Backend
from titan_env.web.requests.server import Server

SHORT = {"titans": "3", "turn_limit": "3"}
RACE = {"game": "titan_race", "options": SHORT, "seed": 5}


@contextmanager
def serving(asked: Backend | None = None, hosting: Hosting | None = None) -> Iterator[str]:
    """A server while the block runs; its address."""
    hosting = Hosting() if hosting is None else hosting
    listening, app = listen("127.0.0.1", 0), application(asked or Server(), LOOPBACK, hosting.base_path)
    server = uvicorn.Server(configured(app, hosting))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}{hosting.base_path}"
    finally:  # a test that fails must not keep the process from ending
        server.should_exit = True
        thread.join()


class Visitor:
    """A visitor with cookies of their own."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = TestClient(application(server), base_url="http://localhost")
        self.client.get("/")

    def ask(self, name: str, **data: Any) -> tuple[int, Any]:
        """Status and answer."""
        answer = self.client.post(f"/api/{name}", json=data)
        return answer.status_code, answer.json()

    def do(self, name: str, **data: Any) -> Any:
        """The answer to what must go well."""
        status, answer = self.ask(name, **data)
        assert status == 200, answer
        return answer

    def refused(self, name: str, **data: Any) -> str:
        """The complaint about what must go wrong, which is never a failure of the server."""
        status, answer = self.ask(name, **data)
        assert 400 <= status < 500, answer
        return str(answer["error"])
