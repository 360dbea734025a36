"""The command `play`: a person in the terminal against agents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from titan_env.agents import Agent
from titan_env.agents.naming import seat_agents, seat_names
from titan_env.cli.tables import tell_accounts
from titan_env.engine.game_setup import GameSetup
from titan_env.pictures.render import painted
from titan_env.records.atomic_files import write_atomically
from titan_env.records.session import GameSession

HELP = (
    "Type the number or the text of an action; `why TEXT` says why an action is not allowed; "
    "`show` draws the position; `help`; `quit`."
)


def play(
    setup: GameSetup,
    seat: int,
    agents: str,
    seed: int,
    console: Console,
    record: Path | None = None,
) -> None:
    """Play one game to its end, or until the person quits. Raises ValueError for a seat that is not in the game."""
    game, seats = setup.game, setup.seats
    if not 0 <= seat < seats:
        raise ValueError(f"expected a seat from 0 to {seats - 1}, got {seat}")
    seated, names = seat_agents(game, agents, seats), seat_names(agents, seats)
    names[seat] = "a person"
    hides = game.rules.imagine is not None
    table = GameSession(setup, seed, None if hides else record, names)
    _say(console, f"{game.metadata.title}: you are player_{seat} of {seats}. {HELP}")
    try:
        _go_on(table, seat, seated, console)
    finally:
        tell_accounts(console, names, seated)
        if hides and record is not None:  # hidden information is not written before the end
            write_atomically(record, table.recorder.text)


def _go_on(table: GameSession, seat: int, seated: Sequence[Agent], console: Console) -> None:
    """Let the person and the agents decide in turn until the game is over, or the person quits."""
    game = table.game
    while not table.is_over:
        asked = int(table.state.seat)
        if asked == seat:
            action = _ask(table, console)
            if action is None:
                _say(console, "You left the game.")
                return
        else:
            action = table.ask_agent(seated[asked])
            said, in_private = game.action_text_for(table.state, action, seat), game.rules.is_private(table.state, seat)
            if said is not None or not in_private:
                _say(console, f"player_{asked}: {'...' if said is None else said}")
        for sentence in table.play(action, seat):
            _say(console, f"    {sentence}")
    console.print(painted(game, game.text.position_text(table.state)), soft_wrap=True)
    _say(console, table.result())


def _say(console: Console, text: str) -> None:
    """Print a text without markup."""
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def _ask(table: GameSession, console: Console) -> int | None:
    """Return the legal action that the person chooses; None to quit."""
    game, state = table.game, table.state
    _show_question(table, console)
    while True:
        try:
            answer = console.input("> ").strip()
        except EOFError:
            return None
        if answer in ("quit", "q", "exit"):
            return None
        if answer == "show":
            _show_question(table, console)
        elif answer in ("", "help", "h", "?"):
            _say(console, HELP)
        else:
            action = _read_action(table, answer.removeprefix("why ").strip(), console)
            if action is not None and table.mask[action] and not answer.startswith("why "):
                return action
            if action is not None:
                _say(console, game.text.why_not(state, action) or f"{game.rules.actions.texts[action]} is allowed.")


def _show_question(table: GameSession, console: Console) -> None:
    """Print the position, the kind of decision, and the legal actions."""
    game, state = table.game, table.state
    console.print(painted(game, game.position_text_for(state, int(state.seat))), soft_wrap=True)
    question = game.rules.asks(int(state.ask)).name.lower().replace("_", " ")
    _say(console, f"player_{int(state.seat)} is asked: {question}")
    for action in np.flatnonzero(table.mask):
        _say(
            console,
            f"{action:4d}  {game.rules.actions.texts[action]:<24}{game.text.describe_action(state, int(action))}",
        )


def _read_action(table: GameSession, text: str, console: Console) -> int | None:
    """Return the action number of the person's text, legal or not; None, after an error, for an unknown one."""
    actions = table.game.rules.actions
    if text.isdecimal() and int(text) < len(actions):
        return int(text)
    try:
        return actions.read(text)
    except ValueError as error:
        _say(console, f"{error}")
        return None
