"""The HTTP routes of the page, and the checks of every request.

Bodies and waiting times are bounded; a visitor's games belong to the secret in its cookie; only the files named here
are ever sent. Only requests for the given host names are answered, so that another site cannot reach the server through
a visitor's browser.
"""

from __future__ import annotations

import asyncio
import functools
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from titan_env.contract.translation import use_language
from titan_env.web.hosting.address_limits import AddressLimit
from titan_env.web.requests.api import ApiRequest, ApiResponse, Backend, error_response
from titan_env.web.requests.server import HANDLERS, WAITING
from titan_env.web.views.guests import hash_of_secret
from titan_env.web.views.translation import COOKIE, _, language_of, script, translated

MOST_BYTES = 4_000_000
"""The bound on a body's bytes: a record of some thousand decisions."""
LONGEST_BODY = 30.0
"""The seconds within which a body must arrive."""
UNWATCHED = 0.2
"""The seconds after which the connection is watched: watching costs more than most answers."""
BURST = 5
"""The seconds whose requests an address may send at once."""
NEW_GAMES, MOST_NEW_GAMES = 1.0, 120
"""The games that one address may begin each second, and at once."""
LONGEST_COOKIE = 180 * 24 * 3600
"""The seconds for which a browser keeps its games after it has opened the page."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

_COOKIE = "seat"
_KINDS = {".css": "text/css", ".js": "text/javascript"}
_PAGE = {
    f"/{file.name}": _KINDS[Path(file.name).suffix]
    for file in files("titan_env.web").joinpath("page").iterdir()
    if Path(file.name).suffix in _KINDS
}
"""The files of the page, and their media types."""
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def application(
    backend: Backend, hosts: Sequence[str] = LOOPBACK, base_path: str = "", per_address: float = 0
) -> Starlette:
    """Return the ASGI application, which answers only requests for these hosts ("*": any) under `base_path`.

    An address has `per_address` requests a second, and `NEW_GAMES` of new games; 0: any number. ``/healthz`` answers
    whoever asks. The backend is closed when the server ends.
    """
    routes: list[BaseRoute] = [Route("/api/{name}", _endpoint(backend, _Limits(per_address)), methods=["POST"])]
    routes += [Route("/", functools.partial(_index, f"{base_path}/")), Route("/words.js", _words)]
    routes += [Route(path, functools.partial(_file, path, kind)) for path, kind in _PAGE.items()]

    @asynccontextmanager
    async def closing(_app: Starlette) -> AsyncIterator[None]:
        yield
        backend.close()

    health = functools.partial(_health, backend)
    only_these = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    page = Mount(base_path, routes=routes, middleware=[only_these])
    above: list[BaseRoute] = [Route("/healthz", health)]
    if base_path:
        above += [Route(f"{base_path}/healthz", health), Route(base_path, functools.partial(_moved, f"{base_path}/"))]
    return Starlette(routes=[*above, page], lifespan=closing)


class _Limits:
    """The limits of each address; without any for a server that only this machine reaches."""

    def __init__(self, per_second: float) -> None:
        self._all = AddressLimit(per_second, BURST * per_second) if per_second else None
        self._new = AddressLimit(NEW_GAMES, MOST_NEW_GAMES) if per_second else None

    def admit(self, request: Request, name: str) -> bool:
        """Count a request; return False if its address has asked too often."""
        if self._all is None or self._new is None or request.client is None:
            return True
        address = request.client.host
        return self._all.admits(address) and (
            name not in ("begin", "open", "rematch", "branch") or self._new.admits(address)
        )


async def _health(backend: Backend, request: Request) -> Response:
    """Return 200 while all that answers visitors is at work, 503 otherwise."""
    is_well = backend.is_well()
    return JSONResponse({"status": "ok" if is_well else "failing"}, 200 if is_well else 503, _HEADERS)


async def _moved(path: str, request: Request) -> Response:
    """Send a browser to the page's own path, to which the page's links are relative."""
    return RedirectResponse(path)


async def _index(path: str, request: Request) -> Response:
    """Return the page; set the visitor's cookie, which is sent back over TLS only if it came so."""
    with use_language(_language(request)):
        response = HTMLResponse(translated(_read("/index.html")), headers=_HEADERS)
    secret = _secret(request) or secrets.token_urlsafe(32)  # known ones are kept on from now
    is_secure = request.url.scheme == "https"
    cookie: dict[str, Any] = {"path": path, "httponly": True, "samesite": "strict", "secure": is_secure}
    response.set_cookie(_COOKIE, secret, max_age=LONGEST_COOKIE, **cookie)
    if is_secure:
        response.headers["Strict-Transport-Security"] = f"max-age={LONGEST_COOKIE}"
    return response


async def _words(request: Request) -> Response:
    """Return the catalogue of the page's scripts."""
    with use_language(_language(request)):
        return Response(script(), media_type="text/javascript", headers=_HEADERS)


def _language(request: Request) -> str:
    """Return a visitor's language."""
    return language_of(request.cookies.get(COOKIE), request.headers.get("accept-language", ""))


async def _file(path: str, kind: str, request: Request) -> Response:
    return Response(_read(path), media_type=kind, headers=_HEADERS)


@functools.cache
def _read(path: str) -> str:
    """Return one of the files of the page."""
    return files("titan_env.web").joinpath(f"page{path}").read_text("utf-8")


def _secret(request: Request) -> str | None:
    """Return the visitor's secret from its cookie, None for none or an invalid one."""
    secret = request.cookies.get(_COOKIE, "")
    return secret if len(secret) == 43 and secret.replace("-", "").replace("_", "").isalnum() else None


def _endpoint(backend: Backend, limits: _Limits) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler of API requests: it checks a request, then asks the backend."""

    async def endpoint(request: Request) -> Response:
        name, language = request.path_params["name"], _language(request)
        if name not in HANDLERS:
            raise HTTPException(404)
        with use_language(language):
            secret = _secret(request)
            if secret is None:
                return _sent(
                    error_response(403, _("expected the cookie of the page; open it first, and allow cookies"))
                )
            if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return _sent(error_response(415, _("expected application/json")))
            if not limits.admit(request, name):
                message = _("expected fewer requests from one address; wait some seconds, then try again")
                return _sent(error_response(429, message))
            try:
                body = await _body(request)
                if body is None:
                    return _sent(error_response(413, _("expected at most {n} bytes", n=f"{MOST_BYTES:,}")))
                answering = backend.answer(ApiRequest(name, hash_of_secret(secret), body, language))
                return _sent(await (_unless_gone(request, answering) if name in WAITING else answering))
            except TimeoutError:
                message = _("expected the whole request within {n} seconds", n=f"{LONGEST_BODY:g}")
                return _sent(error_response(408, message))
            except ClientDisconnect:
                return Response()  # the visitor has left
            except asyncio.CancelledError:
                return Response(status_code=503)  # the server ends, and waits for no answer

    return endpoint


async def _body(request: Request) -> bytes | None:
    """Return the body; None if it is too long. Raises TimeoutError if it does not arrive in time."""
    body = bytearray()
    async with asyncio.timeout(LONGEST_BODY):
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                return None
    return bytes(body)


async def _unless_gone(request: Request, work: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of this work. Raises ClientDisconnect, and cancels it, when the visitor leaves."""
    working = asyncio.ensure_future(work)
    try:
        if not (await asyncio.wait([working], timeout=UNWATCHED))[0]:
            leaving = asyncio.ensure_future(request.receive())
            await asyncio.wait([working, leaving], return_when=asyncio.FIRST_COMPLETED)
            leaving.cancel()
        if working.done():
            return working.result()
    finally:
        working.cancel()
    raise ClientDisconnect


def _sent(answer: ApiResponse) -> Response:
    return Response(answer.text, answer.status, _HEADERS, "application/json")
