"""The language of a visitor, and the page's translated texts."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

from titan_env.contract.translation import ENGLISH, Catalogue, language

COOKIE = "language"
"""The cookie of the language chosen on the page."""

_ = Catalogue(Path(__file__).parents[1] / "languages")


def language_of(chosen: str | None, accepted: str) -> str:
    """Return a visitor's language: the one chosen, else the best that the browser accepts, else English.

    >>> language_of(None, "de, fr-CA;q=0.8, en;q=0.5"), language_of("en", "fr"), language_of("xx", "")
    ('fr', 'en', 'en')
    """
    known = _.languages()
    if chosen in known:
        return chosen
    asked = sorted((_weighed(part) for part in accepted[:400].split(",")), key=lambda wish: -wish[0])
    names = (name.partition("-")[0].lower() for weight, name in asked if weight > 0)
    return next((name for name in names if name in known), ENGLISH)


def _weighed(wish: str) -> tuple[float, str]:
    """Parse one entry of an Accept-Language header: weight and language."""
    name, _sep, weight = wish.strip().partition(";q=")
    return float(weight) if re.fullmatch(r"[01](\.\d{1,3})?", weight) else 1.0, name.strip()


def translated(page: str) -> str:
    """Return a page of HTML in the current language, each ``{{text}}`` translated."""
    filled = re.sub(r"\{\{(.+?)\}\}", lambda gap: html.escape(_(gap[1])), page)
    return filled.replace('<html lang="en"', f'<html lang="{language()}"', 1)


def script() -> str:
    """Return the page's catalogue as a JavaScript module."""
    about = {"words": _.all(), "language": language(), "languages": _.languages()}
    return "".join(f"export const {name} = {json.dumps(value)};\n" for name, value in about.items())
