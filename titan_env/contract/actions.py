"""The actions of a game: a table of numbers and texts, frozen with its version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from titan_env.contract.options import near


@dataclass(frozen=True)
class ActionTable:
    """Every action of a game by number and text. The numbers are frozen with the game's version."""

    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.texts)) != len(self.texts):
            raise ValueError("expected every action text to be unique")

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each text."""
        return {text: number for number, text in enumerate(self.texts)}

    def read(self, text: str) -> int:
        """The number of the action that `text` names. Raises ValueError for an unknown one."""
        if text not in self.numbers:
            close = [known for known in self.texts if known.split(":")[0] == text.split(":")[0]]
            hint = ", ".join(close or sorted({known.split(":")[0] for known in self.texts}))
            raise ValueError(f"expected the text of an action, got {text!r}; there are: {hint}{near(text, self.texts)}")
        return self.numbers[text]
