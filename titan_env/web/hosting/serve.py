"""The server's socket, the host names that it answers to, and its place behind a proxy."""

from __future__ import annotations

import copy
import logging
import re
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.applications import Starlette
from uvicorn.config import LOGGING_CONFIG

from titan_env.web.hosting.address_limits import BoundedProtocol, networks_of
from titan_env.web.hosting.routes import LOOPBACK, application
from titan_env.web.requests.api import Backend

MOST_AT_ONCE = 1000
"""The bound on simultaneous connections."""
IDLE_CONNECTION = 75
"""The seconds until an idle connection is closed: a request that crosses the closing is lost."""
PARTING = 1
"""The seconds that requests in progress have when the server shuts down."""
PER_ADDRESS = 200
"""The requests a second that one address usually has on a server for other machines."""


@dataclass(frozen=True)
class Hosting:
    """The address, path and limits of a served page. Raises ValueError for a path, proxies or names that cannot be."""

    host: str = "127.0.0.1"
    port: int = 8000
    names: Sequence[str] = ()
    """The host names by which visitors reach the server."""
    base_path: str = ""
    """The path under which the page lies, as ``/titan``; empty for the root."""
    proxies: Sequence[str] = ()
    """The addresses or networks of proxies whose word on visitors' addresses and TLS is taken."""
    per_address: int | None = None
    """The requests a second that one address has, 0: any; None: `PER_ADDRESS` unless only this machine asks."""
    access_log: bool = False

    def __post_init__(self) -> None:
        if not re.fullmatch(r"(/[A-Za-z0-9_.~-]+)*", self.base_path):
            raise ValueError(f"expected --base-path as /titan or /lab/titan, got {self.base_path!r}")
        networks_of(self.proxies)

    @property
    def is_for_others(self) -> bool:
        """True if other machines can reach it, directly or by a proxy."""
        return _named(self.host) not in LOOPBACK or bool(self.names)

    @property
    def requests_a_second(self) -> int:
        """The requests a second that one address has; 0: any number."""
        return (PER_ADDRESS if self.is_for_others else 0) if self.per_address is None else self.per_address


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


def answered_hosts(host: str, names: Sequence[str], proxies: Sequence[str] = ()) -> Sequence[str]:
    """Return the host names to answer to: any other would let a foreign site use a visitor's browser.

    Raises ValueError for a host reachable from other machines without names.
    """
    if _named(host) in LOOPBACK:
        return [*LOOPBACK, *names]
    if not names:
        raise ValueError(f"expected the names by which visitors reach {host}: --name game.example.org, repeatable")
    if not proxies:
        message = "whoever reaches this machine can play here, unencrypted; put a proxy with TLS and a login before it"
        print(f"titan_env: {host} is no address of this machine alone: {message}", file=sys.stderr, flush=True)
    return names


def _named(host: str) -> str:
    """Return a host as it stands in URLs."""
    return f"[{host}]" if ":" in host else host


def configured(app: Starlette, hosting: Hosting) -> uvicorn.Config:
    """Return the settings of the HTTP server."""
    log: dict[str, Any] = copy.deepcopy(LOGGING_CONFIG)
    log["formatters"]["access"]["fmt"] = '%(asctime)s %(client_addr)s "%(request_line)s" %(status_code)s'
    protocol = type("Protocol", (BoundedProtocol,), {"proxies": networks_of(hosting.proxies)})
    config = uvicorn.Config(
        app,
        http=protocol,
        log_config=log,
        log_level="warning",
        access_log=hosting.access_log,
        forwarded_allow_ips=list(hosting.proxies) or None,
        limit_concurrency=MOST_AT_ONCE,
        timeout_keep_alive=IDLE_CONNECTION,
        timeout_graceful_shutdown=PARTING,
        server_header=False,
    )
    if hosting.access_log:
        logging.getLogger("uvicorn.access").setLevel(logging.INFO)
    return config


class PromptServer(uvicorn.Server):
    """An HTTP server that stops its backend's decisions when it shuts down, so that it waits for none of them."""

    def __init__(self, config: uvicorn.Config, backend: Backend) -> None:
        super().__init__(config)
        self._backend = backend

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the decisions in progress, whose requests are answered so, then end."""
        self._backend.end_waiting()
        await super().shutdown(sockets)


def serve(hosting: Hosting, backend: Backend) -> None:
    """Serve the page until Ctrl-C. Raises ValueError for an address in use, or one that needs names."""
    host, base = hosting.host, hosting.base_path
    try:
        hosts = answered_hosts(host, hosting.names, hosting.proxies)
        app = application(backend, hosts, base, hosting.requests_a_second)
        try:
            listening = listen(host, hosting.port)
        except OSError as error:
            message = f"expected a free address, got {_named(host)}:{hosting.port}: {error}; pass another --port"
            raise ValueError(message) from None
        port = listening.getsockname()[1]
        print(f"The page is at http://{_named(host)}:{port}{base}/ (Ctrl-C ends it)", flush=True)
        PromptServer(configured(app, hosting), backend).run(sockets=[listening])
    finally:
        backend.close()
