"""What a language model is told of a decision, and how its answer is read. Made of the words that every game has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game

_ANSWER = "ACTION:"
_TASK = f"""\
You play {{title}} against others, and you want to win. You are told the position as you may see it, and what you may
do. Think briefly, then end your answer with one line: {_ANSWER} followed by the text of one of the legal actions,
exactly as it stands before the dash.
"""
_AGAIN = f"""\
That could not be read. Answer with one line only: {_ANSWER} followed by one of these texts, exactly as it stands here:
"""


def rules_of(game: Game, letters: int) -> str:
    """The rules in short: its RULES.md without what is there for programmers, whole sections up to so many letters."""
    path = Path(game.metadata.folder or "-", "RULES.md")
    if not path.is_file():
        return f"{game.metadata.title}. Options: " + "; ".join(
            f"{name}: {meaning}" for name, meaning in game.rules.options.items()
        )
    sections = re.split(r"(?m)^(?=#)", path.read_text("utf-8"))[2:]  # what comes before is about the file
    text = ""
    for section in sections:
        plain = re.sub(r"(?m)^(#+ .*?):? `[\w.]+`$", r"\1", section).replace(" *(reconstruction)*", "")
        if len(text) + len(plain) > letters:
            break
        text += plain
    return text.strip()


def task(game: Game, letters: int) -> str:
    """What a model is told before all: what it is to do, and the rules."""
    return f"{_TASK.format(title=game.metadata.title)}\nThe rules:\n\n{rules_of(game, letters)}"


def question(game: Game, world: Any, mask: NDArray[np.int8], heard: Sequence[str]) -> str:
    """One decision: what has happened, the position as the seat may see it, and what is legal, in words.

    `world` is an imagined position: nothing else is known here.
    """
    seat = int(world.seat)
    shown = game.position_text_for(world, seat)
    parts = [f"You are player_{seat}."]
    if heard:
        parts.append("Since your last decision:\n" + "\n".join(heard))
    parts.append(f"The position:\n{shown}")
    asked = game.rules.asks(int(world.ask)).name.lower().replace("_", " ")
    actions = [f"{text} - {said}" for text, said in legal(game, world, mask).items()]
    parts.append(f"You are asked: {asked}. Legal actions, each with what it means:\n" + "\n".join(actions))
    return "\n\n".join(parts)


def legal(game: Game, world: Any, mask: NDArray[np.int8]) -> dict[str, str]:
    """The text of each legal action, and what it means here."""
    return {
        game.rules.actions.texts[action]: game.text.describe_action(world, action)
        for action in np.flatnonzero(mask).tolist()
    }


def again(texts: Sequence[str]) -> str:
    """What is asked where an answer could not be read."""
    return _AGAIN + "\n".join(texts)


def read(answer: str, texts: Sequence[str]) -> str | None:
    """The legal action that an answer names in its last line of that kind, or alone; None where it names none."""
    known = {_plain(text): text for text in texts}
    lines = [line.partition(_ANSWER)[2] for line in answer.splitlines() if _ANSWER in line]
    return known.get(_plain(lines[-1] if lines else answer))


def _plain(text: str) -> str:
    """A text without the dress that models put on it."""
    return " ".join(text.partition(" - ")[0].strip(" \t\n*`\"'.").lower().split())


def account(counts: Mapping[str, int]) -> str:
    """What came of all questions, as a sentence."""
    decisions, again, drawn, silent, tokens = (
        f"{counts.get(name, 0):,}" for name in ("decisions", "asked_again", "drawn", "unanswered", "tokens")
    )
    return f"{decisions} decisions, {again} asked again, {drawn} drawn at random ({silent} unanswered), {tokens} tokens"
