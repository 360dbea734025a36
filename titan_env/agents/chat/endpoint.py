"""A client of OpenAI-compatible chat completions: one question, one answer, within limits.

The address is read from OPENAI_BASE_URL and the key, if one is needed, from OPENAI_API_KEY; nothing is stored.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

from titan_env.agents import AgentFailed
from titan_env.compiler.forks import after_fork
from titan_env.contract.translation import mark

ADDRESS, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
MOST_BYTES = 1_000_000
"""The bound on an answer's bytes."""
LETTERS_A_TOKEN = 4
"""The estimated letters of a token, for endpoints that report no counts."""
LONGEST_WAIT = 8.0
"""The bound on seconds between two tries of one question."""

_CHUNK = 65_536
_SHOWN = 200  # characters of an endpoint's error
_PASSING = (408, 409, 425, 429, *range(500, 600))  # HTTP errors worth another try
_USER = re.compile("//.*@")  # a user's name and password, which are not for records and errors
_NAMES = ("max_tokens", "max_completion_tokens")  # the limit's name: for most models, and for some newer ones

Messages = Sequence[Mapping[str, str]]

# Of this process, by address and model, and by how it is asked.
_counts: defaultdict[tuple[str, str, Hashable], Counter[str]] = defaultdict(Counter)
_silent: Counter[tuple[str, str]] = Counter()  # unanswered decisions in a row, by address and model
_counting = threading.Lock()


def _renew() -> None:
    """Reset the counters and their lock in a forked process."""
    global _counting
    _counting = threading.Lock()
    _silent.clear()
    for counts in _counts.values():
        counts.clear()


after_fork(_renew)


def _shown(body: bytes) -> str:
    """Return the beginning of what an endpoint said in one line, without the key."""
    key = os.environ.get(KEY) or "\0"
    return " ".join(body.decode("utf-8", "replace").replace(key, "***").split())[:_SHOWN]


class Unanswered(Exception):
    """The error for a question without an answer in time, with the endpoint and the last failure."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A handler that refuses redirects, so that the key is sent to its own address only."""

    def redirect_request(self, *_: Any) -> None:
        """Return None: a redirect is an error."""


@dataclass
class Endpoint:
    """A model at an endpoint, with at most `answer` tokens an answer and `tokens` in all of this process.

    Who asks it in different ways (`asked`) has counters for each. Raises ValueError without an address.
    """

    model: str
    answer: int
    tokens: int
    asked: Hashable = ()
    _limit: str = _NAMES[0]

    def __post_init__(self) -> None:
        self.address = os.environ.get(ADDRESS, "").rstrip("/")
        if not self.address.startswith(("http://", "https://")) or "@" in self.address:
            raise ValueError(
                f"expected the address of an OpenAI-compatible endpoint in {ADDRESS}, such as "
                f"http://localhost:11434/v1, got {_USER.sub('//***@', self.address)!r}; "
                f"its key, if it wants one, goes into {KEY}"
            )
        self._opener = urllib.request.build_opener(_NoRedirects)

    @property
    def counts(self) -> Counter[str]:
        """This process's counters of this model asked in this way: its tokens, and those that callers add."""
        return _counts[self.address, self.model, (self.answer, self.asked)]

    def spent(self) -> int:
        """Return this process's tokens of this model, in whatever way it was asked."""
        whole = (self.address, self.model)
        return sum(counts["tokens"] for (*model, _), counts in list(_counts.items()) if (*model,) == whole)

    def count_silence(self, is_unanswered: bool) -> int:
        """Return how many decisions in a row this model has left unanswered, after one that it has or has not."""
        whole = (self.address, self.model)
        _silent[whole] = _silent[whole] + 1 if is_unanswered else 0
        return _silent[whole]

    def cost(self, questions: float, prompts: float) -> str:
        """Return a sentence on the tokens of so many questions, of their prompts and of the longest answers."""
        estimate = f"about {prompts:,.0f} tokens of prompts and at most {questions * self.answer:,.0f} of answers"
        short = f"; its tokens={self.tokens:,} end earlier, then the same command goes on"
        return estimate + (short if prompts > self.tokens else "")

    def ask(self, messages: Messages, until: float) -> str:
        """Return the answer, with repeated tries until that time (of `time.monotonic`).

        Raises Unanswered if none comes, `titan_env.agents.AgentFailed` if none can come, or all tokens are spent.
        """
        wait = 0.25
        while True:
            if self.spent() >= self.tokens:
                why = mark("expected to need at most {tokens} tokens of {model}; raise tokens=")
                raise AgentFailed(why, tokens=f"{self.tokens:,}", model=self.model)
            try:
                return self._read(self._call(messages, until), messages)
            except urllib.error.HTTPError as error:
                asked_to_wait = self._complained(error)
                reason, wait = f"HTTP {error.code}", max(wait, asked_to_wait)
            except (OSError, HTTPException, ValueError) as error:
                reason = _shown(str(error).encode()) or type(error).__name__
            if time.monotonic() + wait >= until:
                raise Unanswered(f"{self.address}: {reason}")
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    def _call(self, messages: Messages, until: float) -> bytes:
        """Make one request and return the body of its answer. Raises OSError for one too long or too slow."""
        asked = {"model": self.model, "messages": list(messages), self._limit: self.answer}
        headers = {"Content-Type": "application/json", "User-Agent": "titan_env"}
        if key := os.environ.get(KEY):
            headers["Authorization"] = f"Bearer {key}"
        address = f"{self.address}/chat/completions"
        request = urllib.request.Request(address, json.dumps(asked).encode(), headers, method="POST")
        body = bytearray()
        with self._opener.open(request, timeout=max(0.1, until - time.monotonic())) as answer:
            while chunk := answer.read1(_CHUNK):
                body += chunk
                if len(body) > MOST_BYTES or time.monotonic() > until:
                    raise OSError(f"its answer is too long, or too slow ({len(body):,} bytes)")
        return bytes(body)

    def _read(self, body: bytes, messages: Messages) -> str:
        """Return the text of an answer, and count its tokens. Raises ValueError for what is no chat completion."""
        try:
            reply = json.loads(body)
            text, usage = reply["choices"][0]["message"]["content"] or "", reply.get("usage")
        except (ValueError, LookupError, TypeError, RecursionError):
            text = usage = None
        if not isinstance(text, str):
            raise ValueError(f"expected a chat completion with a text, got {_shown(body)}")
        used = usage.get("total_tokens") if isinstance(usage, dict) else None
        if type(used) is not int or used < 0:
            used = (sum(len(message["content"]) for message in messages) + len(text)) // LETTERS_A_TOKEN
        with _counting:
            self.counts["tokens"] += used
        return text.encode("utf-8", "replace").decode()  # half a pair of UTF-16 is in no file of UTF-8

    def _complained(self, error: urllib.error.HTTPError) -> float:
        """Return the seconds to wait after an error worth another try. Raises AgentFailed for any other."""
        body = b""
        with suppress(OSError, HTTPException):
            body = error.read(_CHUNK)
        if error.code == 400 and _NAMES[1].encode() in body and self._limit != _NAMES[1]:
            self._limit = _NAMES[1]
            return 0.0
        if error.code not in _PASSING:
            why = mark("expected {address} to answer for the model {model}, got HTTP {code}: {said}")
            raise AgentFailed(why, address=self.address, model=repr(self.model), code=error.code, said=_shown(body))
        later = error.headers.get("Retry-After", "")
        return min(float(later), LONGEST_WAIT) if later.isdecimal() else 0.0
