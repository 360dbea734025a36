"""Questions of visitors and their answers, independent of the transport: HTTP, or between processes."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from starlette.concurrency import run_in_threadpool

from titan_env import agents
from titan_env.contract.translation import mark, use_language
from titan_env.web.sessions.agent_scheduler import AgentCancelled
from titan_env.web.sessions.session_store import ServerFull, SessionNotFound
from titan_env.web.views.translation import _


class ApiRequest(NamedTuple):
    """A request: its name, the hash of the visitor's secret, the JSON body, and the language of the answer."""

    name: str
    owner: str
    body: bytes
    language: str


class ApiResponse(NamedTuple):
    """An HTTP status and JSON."""

    status: int
    text: bytes


class Backend(Protocol):
    """A server that answers visitors."""

    async def answer(self, question: ApiRequest) -> ApiResponse:
        """Answer any question. The caller cancels it when the visitor has left."""

    def is_well(self) -> bool:
        """Return whether all that answers visitors is at work."""

    def end_waiting(self) -> None:
        """Answer all requests in progress at once, as the server is about to end."""

    def close(self) -> None:
        """Stop all work; may be called more than once."""


_NOT_THERE = mark(
    "expected one of your games, or an open invitation; this one is another player's, was taken, or was closed because "
    "it was idle or its server stopped"
)

Handler = Callable[[Any, str, Mapping[str, Any]], Any]
"""``handler(server, owner, asked)`` returns the answer's JSON value; it may be a coroutine function."""


async def answer_request(handler: Handler, server: Any, question: ApiRequest) -> ApiResponse:
    """Call a handler, in a thread of its own unless it is a coroutine; its errors become answers too.

    Even a view of a moment may wait for what compiles or loads, as the event loop must not.
    """
    with use_language(question.language):
        try:
            asked = json.loads(question.body or b"{}")
            if not isinstance(asked, dict):
                raise ValueError(_("expected an object"))
            await server.prepare(question.name, question.owner, asked)
            if inspect.iscoroutinefunction(handler):
                answer = await handler(server, question.owner, asked)
            else:
                answer = await run_in_threadpool(handler, server, question.owner, asked)
        except SessionNotFound:
            return error_response(404, _(_NOT_THERE))
        except (AgentCancelled, agents.AgentFailed) as error:
            return error_response(503, error.localized())
        except ServerFull as error:
            return error_response(503, str(error))
        except RecursionError:
            return error_response(400, _("expected JSON that is not nested so deep"))
        except (ValueError, TypeError) as error:
            return error_response(400, str(error))
        return ApiResponse(200, _written(answer))


def error_response(status: int, what: str) -> ApiResponse:
    """Return the answer with an error's sentence."""
    return ApiResponse(status, _written({"error": what}))


def _written(answer: Any) -> bytes:
    """Return JSON without spaces."""
    return json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
