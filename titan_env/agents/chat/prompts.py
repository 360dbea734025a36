"""The prompts of a language model for a decision, and the parsing of its answer, from the texts that every game has."""

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
_MARK = re.compile(r"\s\*\((law|inferred|reconstruction)[^)]*\)\*")
"""What says in RULES.md how much of a sentence is printed."""
_MADE = re.compile(r"^\[(made|end): [\w.]+\]: #\n\n?", re.MULTILINE)
"""The lines of RULES.md between which something is generated."""
_DRAWING = re.compile(r"^```\n.*?^```\n+", re.MULTILINE | re.DOTALL)
"""A drawing in RULES.md; the position shows the board that is played on."""


def rules_summary(game: Game, letters: int) -> str:
    """Return the rules in short: RULES.md without drawings and code names, whole sections up to this many letters.

    A game without the file gives its title and options.
    """
    path = Path(game.metadata.folder or "-", "RULES.md")
    if not path.is_file():
        return f"{game.metadata.title}. Options: " + "; ".join(
            f"{name}: {meaning}" for name, meaning in game.rules.options.items()
        )
    sections = re.split(r"(?m)^(?=#)", path.read_text("utf-8"))[2:]  # what comes before is about the file
    text = ""
    for section in sections:
        plain = re.sub(r"(?m)^(#+ .*?):? `[\w.]+`$", r"\1", section)
        plain = _DRAWING.sub("", _MADE.sub("", _MARK.sub("", plain)))
        if len(text) + len(plain) > letters:
            break
        text += plain
    return text.strip()


def system_prompt(game: Game, letters: int) -> str:
    """Return the system prompt: the task and the rules."""
    return f"{_TASK.format(title=game.metadata.title)}\nThe rules:\n\n{rules_summary(game, letters)}"


def user_prompt(game: Game, world: Any, mask: NDArray[np.int8], heard: Sequence[str]) -> str:
    """Return the prompt of one decision: latest events, the seat's view of the position, and the legal actions.

    `world` is an imagined position that fits the seat's view.
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
    """Return each legal action's text and its sentence."""
    return {
        game.rules.actions.texts[action]: game.text.describe_action(world, action)
        for action in np.flatnonzero(mask).tolist()
    }


def retry_prompt(texts: Sequence[str]) -> str:
    """Return the prompt after an answer that could not be parsed."""
    return _AGAIN + "\n".join(texts)


def parse_answer(answer: str, texts: Sequence[str]) -> str | None:
    """Return the legal action that an answer names in its last ``ACTION:`` line, or alone; None if it names none."""
    known = {_plain(text): text for text in texts}
    lines = [line.partition(_ANSWER)[2] for line in answer.splitlines() if _ANSWER in line]
    return known.get(_plain(lines[-1] if lines else answer))


def _plain(text: str) -> str:
    """Return a text in lower case, without Markdown and extra spaces."""
    return " ".join(text.partition(" - ")[0].strip(" \t\n*`\"'.").lower().split())


def usage_summary(counts: Mapping[str, int]) -> str:
    """Return the counters as a sentence."""
    decisions, again, drawn, silent, tokens = (
        f"{counts.get(name, 0):,}" for name in ("decisions", "asked_again", "drawn", "unanswered", "tokens")
    )
    return f"{decisions} decisions, {again} asked again, {drawn} drawn at random ({silent} unanswered), {tokens} tokens"
