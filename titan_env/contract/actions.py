"""The action table of a game: numbers and texts, frozen with its version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from titan_env.contract.options import near


@dataclass(frozen=True)
class ActionTable:
    """The actions of a game by number, 0 to A - 1, and by text. The numbers are frozen with the game's version.

    Raises ValueError for texts that are not unique.
    """

    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.texts)) != len(self.texts):
            raise ValueError("expected every action text to be unique")

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Text -> action number."""
        return {text: number for number, text in enumerate(self.texts)}

    def read(self, text: str) -> int:
        """Return the number of the action with this text. Raises ValueError for an unknown one, with similar ones."""
        if text not in self.numbers:
            close = [known for known in self.texts if known.split(":")[0] == text.split(":")[0]]
            hint = ", ".join(close or sorted({known.split(":")[0] for known in self.texts}))
            raise ValueError(f"expected the text of an action, got {text!r}; there are: {hint}{near(text, self.texts)}")
        return self.numbers[text]
