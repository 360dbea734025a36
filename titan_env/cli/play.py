"""The command `play`: a person in the terminal against agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from titan_env.agents import Agent
from titan_env.agents.seating import seat_agents, seat_names
from titan_env.cli.tables import tell_accounts
from titan_env.cli.translation import _
from titan_env.compiler.record_copies import copy_records
from titan_env.contract import Game
from titan_env.contract.translation import mark
from titan_env.engine.game_setup import GameSetup
from titan_env.pictures.render import painted
from titan_env.records.atomic_files import write_atomically
from titan_env.records.session import GameSession, result_sentence

HELP = mark(
    "Type the number or the text of an action; `why TEXT` says why an action is not allowed; `show` draws the "
    "position, `describe` tells it in sentences, `legend` explains its signs; `undo` takes your latest decision back; "
    "`help`; `quit`."
)
QUIT, UNDO = -1, -2
"""In place of an action."""


def play(
    setup: GameSetup,
    seat: int,
    agents: str,
    seed: int,
    console: Console,
    record: Path | None = None,
) -> None:
    """Play one game to its end, or until the person quits. Raises ValueError for a seat that is not in the game.

    The record is written at the end: before it would tell what is hidden, and decisions may be taken back.
    """
    game, seats = setup.game, setup.seats
    if not 0 <= seat < seats:
        raise ValueError(f"expected a seat from 0 to {seats - 1}, got {seat}")
    seated, names = seat_agents(game, agents, seats), seat_names(agents, seats)
    names[seat] = "a person"
    session = GameSession(setup, seed, None, names)
    _say(console, _("{title}: you are player {n} of {seats}.", title=game.metadata.title, n=seat + 1, seats=seats))
    _say(console, _(HELP))
    try:
        _go_on(session, seat, seated, console)
    finally:
        tell_accounts(console, names, seated)
        if record is not None:
            write_atomically(record, session.recorder.text)


def _go_on(session: GameSession, seat: int, seated: Sequence[Agent], console: Console) -> None:
    """Let the person and the agents decide in turn until the game is over, or the person quits."""
    own: list[tuple[int, Any, Any]] = []  # the number of decisions, the position and the luck before each own one
    while not session.is_over:
        asked = int(session.state.seat)
        if asked != seat:
            _play(session, session.ask_agent(seated[asked]), seat, console)
            continue
        action = _ask(session, console)
        if action == QUIT:
            _say(console, _("You left the game."))
            return
        if action == UNDO and not own:
            _say(console, _("expected a decision of yours to take back: there is none"))
        elif action == UNDO:
            session.go_back(*own.pop())
        else:
            own.append((session.decided, copy_records(session.states), copy_records(session.luck)))
            _play(session, action, seat, console)
    console.print(painted(session.game, session.game.text.position_text(session.state)), soft_wrap=True)
    _say(console, result_sentence(session.state) or "")


def _play(session: GameSession, action: int, seat: int, console: Console) -> None:
    """Play an action, and print what `seat` may know of it: the decision, then the events that say something else."""
    game, asked = session.game, int(session.state.seat)
    sentence_of_action, in_private = (
        game.action_text_for(session.state, action, seat),
        game.rules.is_private(session.state, seat),
    )
    if sentence_of_action is not None or not in_private:
        _say(
            console,
            _("Player {n}: {say}", n=asked + 1, say="..." if sentence_of_action is None else sentence_of_action),
        )
    for sentence in session.play(action, seat):
        if sentence != sentence_of_action:
            _say(console, f"    {sentence}")


def _say(console: Console, text: str) -> None:
    """Print a text without markup."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _ask(session: GameSession, console: Console) -> int:
    """Return the legal action that the person chooses, `QUIT` or `UNDO`."""
    game, state = session.game, session.state
    _show_question(session, console)
    while True:
        try:
            answer = console.input("> ").strip()
        except EOFError:
            return QUIT
        if answer in ("quit", "q", "exit"):
            return QUIT
        if answer == "undo":
            return UNDO
        if answer == "show":
            _show_question(session, console)
        elif answer == "describe":
            for sentence in game.position_sentences_for(state, int(state.seat)):
                _say(console, sentence)
        elif answer == "legend":
            _show_legend(game, console)
        elif answer in ("", "help", "h", "?"):
            _say(console, _(HELP))
        else:
            action = _read_action(session, answer.removeprefix("why ").strip(), console)
            if action is not None and session.mask[action] and not answer.startswith("why "):
                return action
            if action is not None:
                allowed = _("{action} is allowed.", action=game.rules.actions.texts[action])
                _say(console, game.text.why_not(state, action) or allowed)


def _show_question(session: GameSession, console: Console) -> None:
    """Print the position, and the legal actions by the numbers from 1 on that choose them."""
    game, state = session.game, session.state
    console.print(painted(game, game.position_text_for(state, int(state.seat))), soft_wrap=True)
    _say(console, _("Player {n}, your turn.", n=int(state.seat) + 1))
    for number, action in enumerate(np.flatnonzero(session.mask), 1):
        sentence = game.text.describe_action(state, int(action))
        _say(console, f"{number:4d}  {game.rules.actions.texts[action]:<24}{sentence}")


def _show_legend(game: Game, console: Console) -> None:
    """Print what the signs of a position's text are; of a game without signs, the things on its table."""
    entries = game.text.glossary()
    for sign, name in game.text.signs.items() or ((entry.name, key) for key, entry in entries.items()):
        entry = entries[name]
        _say(console, f"{sign:>4}  {entry.name}: {entry.text}" if game.text.signs else f"{entry.name}: {entry.text}")


def _read_action(session: GameSession, text: str, console: Console) -> int | None:
    """Return the action of the person's number or text, legal or not; None, after an error, for an unknown one."""
    legal = np.flatnonzero(session.mask)
    if text.isdecimal():
        if 1 <= int(text) <= len(legal):
            return int(legal[int(text) - 1])
        message = mark("expected a number from 1 to {most}, or the text of an action, got {got}")
        _say(console, _(message, most=len(legal), got=text[:40]))
        return None
    try:
        return session.game.rules.actions.read(text)
    except ValueError as error:
        _say(console, f"{error}")
        return None
