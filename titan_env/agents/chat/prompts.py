"""The prompts of a language model for a decision, and the parsing of its answer, from the texts that every game has.

The system prompt holds all that is constant in a game, so that endpoints can cache it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.chat.rules_text import RulesText, rules_text
from titan_env.agents.chat.translation import _
from titan_env.contract import Game
from titan_env.contract.translation import ENGLISH, language, mark

ANSWER, LOOK_UP = "ACTION:", "RULE:"
"""The words that begin the last line of an answer: a decision, or the heading of a section of the rules to read."""
MOST_LOOK_UPS = 3
"""The bound on sections of the rules that a model may ask for in one decision."""
_THOUGHT = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)
_NAMED = re.compile(r"(?m)(?:\bACTION|^[ \t*#>_]*[Aa]ction)[ \t*_]*[:：][ \t*_]*\n?(.*)")
"""The text behind ``ACTION:``, or on the next line; small letters where a line begins with it, any space or marks."""
_END = re.compile(r"</?\w+>\s*$")

_TASK = mark(
    "You play {title} against others, and you want to win. You are told the position as you may see it, and what you "
    "may do. Think briefly, then end your answer with one line: {answer} followed by the text of one of the legal "
    "actions, exactly as it stands before the dash."
)
_REST = mark(
    "These sections of the rules are left out for room. To read one before you decide, answer with one line only: "
    "{look_up} followed by its heading:"
)
_UNREADABLE = mark(
    "That could not be read. Answer with one line only: {answer} followed by one of these texts, exactly as it stands "
    "here:"
)
_ILLEGAL = mark(
    "That action is not legal now: {why} Answer with one line only: {answer} followed by one of these texts, exactly "
    "as it stands here:"
)


def system_prompt(game: Game, letters: float = math.inf) -> str:
    """Return the system prompt in the current language: the task and the rules, up to this many letters of them.

    Sections that find no room are named, and how to ask for one.
    """
    rules = rules_text(game, letters)
    parts = [_(_TASK, title=game.metadata.title, answer=ANSWER)]
    if rules.text:
        parts.append(_("The rules:") + f"\n\n{rules.text}")
    if rules.left_out:
        headings = "\n".join("  " * (section.depth - 1) + section.heading for section in rules.left_out)
        parts.append(_(_REST, look_up=LOOK_UP) + f"\n{headings}")
    return "\n\n".join(parts)


def user_prompt(game: Game, world: Any, mask: NDArray[np.int8], heard: Sequence[str]) -> str:
    """Return the prompt of one decision: latest events, the seat's view of the position, and the legal actions.

    `world` is an imagined position that fits the seat's view.
    """
    seat = int(world.seat)
    parts = [_("You are player_{seat}.", seat=seat)]
    if game.presentation.seat_names is not None:
        name = game.presentation.seat_names(world)[seat]
        parts = [_("You are player_{seat} ({name}).", seat=seat, name=name)]
    if heard:
        parts.append(_("Since your last decision:") + "\n" + "\n".join(_spoken(seat, heard)))
    parts.append(_("The position:") + f"\n{position(game, world)}")
    question = _("Legal actions, each with what it means:")
    if language() == ENGLISH:
        question = _("You are asked: {asked}. Legal actions, each with what it means:", asked=asked(game, world))
    parts.append("\n".join([question, *(f"{text} - {meaning}" for text, meaning in legal(game, world, mask).items())]))
    return "\n\n".join(parts)


def _spoken(seat: int, heard: Sequence[str]) -> Sequence[str]:
    """Return sentences whose English words before a seat's own decision are those of the current language."""
    english, own = f"You (player_{seat}):", own_decision(seat)
    if own == english:
        return heard
    return [own + sentence.removeprefix(english) if sentence.startswith(english) else sentence for sentence in heard]


def own_decision(seat: int) -> str:
    """Return the words before a seat's own decision among the events."""
    return _("You (player_{seat}):", seat=seat)


def position(game: Game, world: Any) -> str:
    """Return the view of the seat to act: the notation of records, in other languages than English with sentences."""
    seat = int(world.seat)
    notation = game.position_text_for(world, seat)
    if language() == ENGLISH:
        return notation
    sentences = "\n".join(game.position_sentences_for(world, seat))
    if sentences.split() in ([], notation.split()):
        return notation
    return f"{sentences}\n\n" + _("The same in the notation of records, whose words are English:") + f"\n{notation}"


def asked(game: Game, world: Any) -> str:
    """Return the name of the question that a position asks."""
    return game.rules.asks(int(world.ask)).name.lower().replace("_", " ")


def legal(game: Game, world: Any, mask: NDArray[np.int8]) -> dict[str, str]:
    """Return each legal action's text and its sentence."""
    return {
        game.rules.actions.texts[action]: game.text.describe_action(world, action)
        for action in mask.nonzero()[0].tolist()
    }


def retry_prompt(texts: Sequence[str], why: str | None = None) -> str:
    """Return the prompt after an answer that named an illegal action, with the reason, or else could not be read."""
    request = _(_UNREADABLE, answer=ANSWER) if why is None else _(_ILLEGAL, why=why, answer=ANSWER)
    return request + "\n" + "\n".join(texts)


def parse_answer(answer: str, texts: Sequence[str]) -> str | None:
    """Return the action that an answer names in its last ``ACTION:`` line, or alone; None if it names none of these.

    Thoughts between ``<think>`` and ``</think>`` name none, nor does anything behind one that is not closed.

    >>> parse_answer("<think>ACTION: hold?</think> Action : **roll** (best)", ["roll", "hold"])
    'roll'
    """
    known = {_plain(text): text for text in texts}
    shown = _THOUGHT.sub("", answer).rpartition("</think>")[2]
    named = _NAMED.findall(shown)
    decision = named[-1] if named else shown
    return next((known[text] for text in map(_plain, _readings(decision)) if text in known), None)


def _readings(decision: str) -> Iterator[str]:
    """Yield a decision as it stands, and without a remark in parentheses, brackets around it, a mark of the end."""
    yield decision
    yield decision.partition("(")[0]
    yield _END.sub("", decision).strip().strip("[]")


def parse_look_up(answer: str) -> str | None:
    """Return the heading that an answer asks for in its last ``RULE:`` line; None if it asks for none."""
    headings = [line.partition(LOOK_UP)[2].strip() for line in answer.splitlines() if LOOK_UP in line]
    return headings[-1] if headings else None


def section_prompt(rules: RulesText, heading: str) -> str:
    """Return a section of the rules that was asked for, or that there is none of this heading."""
    found = rules.find(heading)
    if found is None:
        return _("There is no section {heading} among those that are left out.", heading=repr(heading))
    return found


def _plain(text: str) -> str:
    """Return a text in lower case, without Markdown and extra spaces."""
    return " ".join(text.partition(" - ")[0].strip(" \t\n*`\"'.").lower().split())


def usage_summary(counts: Mapping[str, int]) -> str:
    """Return the counters as a sentence, the decisions drawn at random by their causes."""
    names = ("decisions", "asked_again", "drawn", "unanswered", "unreadable", "illegal", "looked_up", "tokens")
    decisions, again, drawn, silent, unreadable, illegal, looked, tokens = (
        f"{counts.get(name, 0):,}" for name in names
    )
    read = f", {looked} sections of the rules read" if counts.get("looked_up") else ""
    return (
        f"{decisions} decisions, {again} asked again, {drawn} drawn at random ({silent} unanswered, "
        f"{unreadable} unreadable, {illegal} illegal){read}, {tokens} tokens"
    )
