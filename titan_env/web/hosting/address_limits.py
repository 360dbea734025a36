"""Limits for each address: requests and new games a second, connections, and the time for a request's headers."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Callable, Sequence

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_HEADERS = 10.0
"""The seconds within which a request's headers must arrive, once a connection is open or has begun to send them."""
MOST_CONNECTIONS = 100
"""The bound on connections from one address that is neither this machine nor a trusted proxy."""
_MOST_COUNTED = 10_000  # addresses of which the limits are remembered

IpNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network


def networks_of(proxies: Sequence[str]) -> list[IpNetwork]:
    """Return the networks of trusted proxies. Raises ValueError for what is neither an address nor a network."""
    try:
        return [ipaddress.ip_network(proxy, strict=False) for proxy in proxies]
    except ValueError as error:
        raise ValueError(f"expected --proxy as an address or a network, 172.16.0.0/12 for example: {error}") from None


def counted_as(address: str) -> str:
    """Return the name under which an address is counted: itself, or its network of 64 bits, which is one visitor's.

    >>> counted_as("192.0.2.7"), counted_as("2001:db8::7"), counted_as("testclient")
    ('192.0.2.7', '2001:db8::/64', 'testclient')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return address if found.version == 4 else str(ipaddress.ip_network((found, 64), strict=False))


class AddressLimit:
    """A limit for each address: `burst` requests at once, and `per_second` more each second."""

    def __init__(self, per_second: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._burst, self._now = per_second, burst, now
        self._spent: dict[str, tuple[float, float]] = {}

    def admits(self, address: str) -> bool:
        """Count a request of an address; return False if it is one too many."""
        name, now = counted_as(address), self._now()
        spent = self._left_over(name, now)
        if spent + 1 > self._burst:
            return False
        self._spent[name] = (spent + 1, now)
        if len(self._spent) > _MOST_COUNTED:
            self._spent = {name: when for name, when in self._spent.items() if self._left_over(name, now) > 0}
        return True

    def _left_over(self, name: str, now: float) -> float:
        """Return the number of requests that an address has not yet waited for."""
        spent, then = self._spent.get(name, (0.0, now))
        return max(0.0, spent - (now - then) * self._per_second)


class BoundedProtocol(HttpToolsProtocol):
    """HTTP of a server that closes connections with half-sent headers, and those of an address with too many."""

    proxies: Sequence[IpNetwork] = ()
    """The networks of trusted proxies, whose connections are not counted."""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection, unless its address has too many."""
        super().connection_made(transport)  # type: ignore[arg-type]
        if self._has_too_many():
            self.transport.close()
            return
        self._begin_to_wait()

    def on_message_begin(self) -> None:
        """Begin a request, whose headers have some seconds to arrive."""
        super().on_message_begin()
        self._begin_to_wait()

    def on_headers_complete(self) -> None:
        """Go on with a request whose headers are there."""
        self._end_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Take notice of a connection that has ended."""
        self._end_waiting()
        super().connection_lost(exc)

    def _begin_to_wait(self) -> None:
        """Close the connection unless headers are complete in time."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(LONGEST_HEADERS, self._close)

    def _close(self) -> None:
        self.transport.close()

    def _end_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _has_too_many(self) -> bool:
        """Return whether the address of this connection has more than its share of them."""
        if self.client is None:
            return False
        try:
            address = ipaddress.ip_address(self.client[0])
        except ValueError:
            return False
        if address.is_loopback or any(address in network for network in self.proxies):
            return False
        mine = counted_as(self.client[0])
        others = (getattr(other, "client", None) for other in self.connections)
        return sum(client is not None and counted_as(client[0]) == mine for client in others) > MOST_CONNECTIONS
