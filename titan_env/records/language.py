"""What films and complaints about records say beside the game's own words: `_` says it in the language spoken."""

from __future__ import annotations

from pathlib import Path

from titan_env.contract.language import Words

_ = Words(Path(__file__).parent / "languages")
