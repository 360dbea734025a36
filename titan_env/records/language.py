"""What films and animations say beside the game's own words: `_` says it in the language that is spoken."""

from __future__ import annotations

from pathlib import Path

from titan_env.contract.language import Words

_ = Words(Path(__file__).parent / "languages")
