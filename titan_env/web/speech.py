"""In which language the page speaks to whom, and its words for the browser."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

from babel import negotiate_locale

from titan_env.contract.language import ENGLISH, Words, language

COOKIE = "language"
"""Where the switch of the page keeps what was chosen."""

_ = Words(Path(__file__).parent / "languages")


def language_of(chosen: str | None, accepted: str) -> str:
    """The language for a visitor: what the switch says, else what the browser asks for, else English.

    >>> language_of(None, "de, fr-CA;q=0.8, en;q=0.5"), language_of("en", "fr"), language_of("xx", "")
    ('fr', 'en', 'en')
    """
    known = _.languages()
    if chosen in known:
        return str(chosen)
    asked = sorted((_weighed(part) for part in accepted[:400].split(",")), key=lambda wish: -wish[0])
    return negotiate_locale([name for weight, name in asked if weight > 0], known, sep="-") or ENGLISH


def _weighed(wish: str) -> tuple[float, str]:
    """How much a browser wants a language, and which."""
    name, _sep, weight = wish.strip().partition(";q=")
    return float(weight) if re.fullmatch(r"[01](\.\d{1,3})?", weight) else 1.0, name.strip()


def translated(page: str) -> str:
    """A page of HTML in the language that is spoken: ``{{text}}`` becomes the text."""
    said = re.sub(r"\{\{(.+?)\}\}", lambda gap: html.escape(_(gap[1])), page)
    return said.replace('<html lang="en"', f'<html lang="{language()}"', 1)


def script() -> str:
    """The catalogue of the page as a module for the browser."""
    about = {"words": _.all(), "language": language(), "languages": _.languages()}
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in about.items())
