"""The server's socket, and the host names that it answers to."""

from __future__ import annotations

import socket
import sys
from collections.abc import Sequence

import uvicorn

from titan_env.web.answers import Desk
from titan_env.web.routes import LOOPBACK, application

MOST_AT_ONCE = 1000
"""The bound on simultaneous connections."""
IDLE_CONNECTION = 75
"""The seconds until an idle connection is closed: a request that crosses the closing is lost."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket with its protocol named: without it asyncio leaves Nagle's delay on."""
    listening = socket.socket(
        socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    )
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()
    except OSError:
        listening.close()
        raise
    return listening


def answered_hosts(host: str, names: Sequence[str]) -> Sequence[str]:
    """Return the host names to answer to: any other would let a foreign site use a visitor's browser.

    Raises ValueError for a host reachable from other machines without names.
    """
    if _named(host) in LOOPBACK:
        return [*LOOPBACK, *names]
    if not names:
        raise ValueError(f"expected the names by which visitors reach {host}: --name game.example.org, repeatable")
    said = "whoever reaches this machine can play here, unencrypted; put a proxy with TLS and a login before it"
    print(f"titan_env: {host} is no address of this machine alone: {said}", file=sys.stderr, flush=True)
    return names


def _named(host: str) -> str:
    """Return a host as it stands in URLs."""
    return f"[{host}]" if ":" in host else host


def serve(host: str, port: int, desk: Desk, names: Sequence[str] = ()) -> None:
    """Serve the page until Ctrl-C, answering to these host names.

    Raises ValueError for an address in use, or one that needs names.
    """
    try:
        app = application(desk, answered_hosts(host, names))
        try:
            listening = listen(host, port)
        except OSError as error:
            raise ValueError(
                f"expected a free address, got {_named(host)}:{port}: {error}; pass another --port"
            ) from None
        print(f"The page is at http://{_named(host)}:{listening.getsockname()[1]}/ (Ctrl-C ends it)", flush=True)
        config = uvicorn.Config(
            app, log_level="warning", limit_concurrency=MOST_AT_ONCE, timeout_keep_alive=IDLE_CONNECTION
        )
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        desk.close()
