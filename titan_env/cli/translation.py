"""The language of the terminal, and the translated texts of the commands."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from titan_env.contract.translation import ENGLISH, Catalogue

_ = Catalogue(Path(__file__).parent / "languages")


def terminal_language() -> str:
    """Return the first language of the POSIX variables in which the commands are translated, else English.

    Catalogues are read by babel, of the extra `web`: without it the terminal speaks English.
    """
    if find_spec("babel") is None:
        return ENGLISH
    variables = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    chosen = next(filter(None, map(os.environ.get, variables)), "")
    asked = (name.partition(".")[0].partition("_")[0] for name in chosen.split(":"))
    return next((name for name in asked if name in _.languages()), ENGLISH)
