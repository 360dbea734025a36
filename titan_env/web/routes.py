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
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from titan_env.contract.translation import use_language
from titan_env.web.answers import Answer, Desk, Question, complaint
from titan_env.web.server import HANDLERS, WAITING
from titan_env.web.translation import COOKIE, _, language_of, script, translated

MOST_BYTES = 4_000_000
"""The bound on a body's bytes: a record of some thousand decisions."""
LONGEST_BODY = 30.0
"""The seconds within which a body must arrive."""
UNWATCHED = 0.2
"""The seconds after which the connection is watched: watching costs more than most answers."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

_COOKIE = "seat"
_SCRIPTS = ["app", "base", "board", "deeds", "dice", "editor", "explain", "form", "glide", "history", "people"]
_SCRIPTS += ["preview", "rules", "stages", "zoom"]
_PAGE = {"/style.css": "text/css"} | {f"/{name}.js": "text/javascript" for name in _SCRIPTS}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def application(desk: Desk, hosts: Sequence[str] = LOOPBACK) -> Starlette:
    """Return the ASGI application, which answers only requests for these hosts ("*": any).

    The desk is closed when the server ends.
    """
    routes = [Route("/api/{name}", _endpoint(desk), methods=["POST"])]
    routes += [Route("/", _index), Route("/words.js", _words)]
    routes += [Route(path, functools.partial(_file, path, kind)) for path, kind in _PAGE.items()]

    @asynccontextmanager
    async def closing(_app: Starlette) -> AsyncIterator[None]:
        yield
        desk.close()

    only_these = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    return Starlette(routes=routes, middleware=[only_these], lifespan=closing)


async def _index(request: Request) -> Response:
    """Return the page; set the cookie of a new visitor."""
    with use_language(_language(request)):
        response = HTMLResponse(translated(_read("/index.html")), headers=_HEADERS)
    if _owner(request) is None:
        response.set_cookie(_COOKIE, secrets.token_urlsafe(32), httponly=True, samesite="strict")
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


def _owner(request: Request) -> str | None:
    """Return the visitor's secret from its cookie, None for none or an invalid one; it owns the games begun with it."""
    secret = request.cookies.get(_COOKIE, "")
    return secret if len(secret) == 43 and secret.replace("-", "").replace("_", "").isalnum() else None


def _endpoint(desk: Desk) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler of API requests: it checks a request, then asks the desk."""

    async def endpoint(request: Request) -> Response:
        name, language = request.path_params["name"], _language(request)
        if name not in HANDLERS:
            raise HTTPException(404)
        with use_language(language):
            owner = _owner(request)
            if owner is None:
                return _sent(complaint(403, _("expected the cookie of the page; open it first, and allow cookies")))
            if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return _sent(complaint(415, _("expected application/json")))
            try:
                body = await _body(request)
                if body is None:
                    return _sent(complaint(413, _("expected at most {n} bytes", n=f"{MOST_BYTES:,}")))
                answering = desk.answer(Question(name, owner, body, language))
                return _sent(await (_unless_gone(request, answering) if name in WAITING else answering))
            except TimeoutError:
                said = _("expected what is asked within {n} seconds", n=f"{LONGEST_BODY:g}")
                return _sent(complaint(408, said))
            except ClientDisconnect:
                return Response()  # the visitor has left

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


def _sent(answer: Answer) -> Response:
    return Response(answer.text, answer.status, _HEADERS, "application/json")
