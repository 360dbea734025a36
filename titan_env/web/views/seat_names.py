"""The names that people give themselves at a table, and "you" for one's own seat, in sentences about players.

Games say "player 2", in any language. A sentence keeps its grammar: one's own seat is "Player 1 (you)" at its first
mention, and a choice, whose subject is always oneself, does without it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from titan_env.contract.translation import cached_by_language
from titan_env.web.views.translation import _

LONGEST_NAME = 20
"""The bound on a name's characters."""


def checked_name(name: Any) -> str:
    """Return a name without spaces around it; "" for none. Raises ValueError for one that cannot be shown in a line."""
    if not isinstance(name, str) or len(name := name.strip()) > LONGEST_NAME or not name.isprintable():
        message = _(
            "expected a name of at most {n} letters in one line, got {got}", n=LONGEST_NAME, got=repr(name)[:80]
        )
        raise ValueError(message)
    return name


class PlayerNames(NamedTuple):
    """The names of seats, as one viewer reads them."""

    called: Mapping[int, str]
    own: int | None = None
    """The viewer's own seat; None for who watches, and for several people at one screen."""

    def tell(self, sentence: str) -> str:
        """Return a sentence with the players' names, and after the first mention of one's own seat "(you)"."""
        if self.own is None and not self.called:
            return sentence
        own = self.own

        def named(found: re.Match[str]) -> str:
            nonlocal own
            seat = int(found[1]) - 1
            name = self.called.get(seat, found[0])
            if seat != own:
                return name
            own = None
            return _("{name} (you)", name=name)

        return _pattern().sub(named, sentence)

    def offer(self, sentence: str) -> str:
        """Return the sentence of a choice of one's own, which needs no subject."""
        found = _pattern().match(sentence)
        if found is None or self.own is None or int(found[1]) - 1 != self.own:
            return self.tell(sentence)
        rest = self.tell(sentence[found.end() :].lstrip(" :\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"))
        return rest[:1].upper() + rest[1:]


@cached_by_language(1)
def _pattern() -> re.Pattern[str]:
    """Return what matches a player in a sentence of the current language, with the number."""
    before, _gap, after = _("player {n}").partition("{n}")
    return re.compile(rf"\b{re.escape(before)}(\d+)\b{re.escape(after)}", re.IGNORECASE)
