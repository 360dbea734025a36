"""What a visitor asks and what is answered, apart from how both travel: over HTTP, and between processes."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from starlette.concurrency import run_in_threadpool

from titan_env import agents
from titan_env.contract.language import speaking
from titan_env.web.rooms import Full, NotYours
from titan_env.web.speech import _
from titan_env.web.thinking import GivenUp


class Question(NamedTuple):
    """What is asked for, by whom, with which JSON, and in which language the answer is to be."""

    name: str
    owner: str
    body: bytes
    language: str


class Answer(NamedTuple):
    """A status of HTTP, and JSON."""

    status: int
    text: bytes


class Desk(Protocol):
    """Whoever answers visitors."""

    async def answer(self, question: Question) -> Answer:
        """Answer, whatever was asked. Who cancels this is not interested any more."""

    def close(self) -> None:
        """Give up everything; once more does no harm."""


Handler = Callable[[Any, str, Mapping[str, Any]], Any]
"""Takes a server, the visitor's secret and what is asked, and gives what is answered; it may wait."""


async def answered(handler: Handler, server: Any, question: Question) -> Answer:
    """Ask a handler, in a thread of its own unless it waits or is quick; what it complains about is an answer too."""
    with speaking(question.language):
        try:
            asked = json.loads(question.body or b"{}")
            if not isinstance(asked, dict):
                raise ValueError(_("expected an object"))
            if inspect.iscoroutinefunction(handler):
                said = await handler(server, question.owner, asked)
            elif server.is_quick(question.name, asked):
                said = handler(server, question.owner, asked)
            else:
                said = await run_in_threadpool(handler, server, question.owner, asked)
        except NotYours:
            return complaint(404, _("expected a game of yours; this one is not, was idle for too long, or made room"))
        except (GivenUp, agents.AgentFailed) as error:
            return complaint(503, error.told())
        except Full as error:
            return complaint(503, str(error))
        except RecursionError:
            return complaint(400, _("expected JSON that is not nested so deep"))
        except (ValueError, TypeError) as error:
            return complaint(400, str(error))
        return Answer(200, _written(said))


def complaint(status: int, what: str) -> Answer:
    """What is wrong, in a sentence."""
    return Answer(status, _written({"error": what}))


def _written(said: Any) -> bytes:
    """JSON without spaces."""
    return json.dumps(said, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
