"""The translated texts of prompts."""

from __future__ import annotations

from pathlib import Path

from titan_env.contract.translation import Catalogue

_ = Catalogue(Path(__file__).parent.parent / "languages")
