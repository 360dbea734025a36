"""The language of complaints about options and boards: `_` says a text in the one that is spoken."""

from __future__ import annotations

from pathlib import Path

from titan_env.contract.translation import Catalogue

_ = Catalogue(Path(__file__).parents[1] / "languages")
