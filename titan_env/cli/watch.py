"""The command `watch`: a game among agents, each decision as a sentence."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from titan_env.agents import Agent
from titan_env.agents.seating import seat_agents, seat_names
from titan_env.cli.tables import tell_accounts
from titan_env.engine.game_setup import GameSetup
from titan_env.pictures.render import painted
from titan_env.records.session import GameSession


def watch(
    setup: GameSetup,
    agents: str,
    seed: int,
    delay: float,
    quiet: bool,
    console: Console,
    record: Path | None = None,
) -> None:
    """Play one game among agents to its end and print it; `quiet` leaves out positions and events."""
    game, seats = setup.game, setup.seats
    seated = seat_agents(game, agents, seats)
    session = GameSession(setup, seed, record, seat_names(agents, seats))
    console.print(f"{game.metadata.title}, seed {seed}", highlight=False)
    try:
        _play_to_end(session, seated, delay, quiet, console)
    finally:
        tell_accounts(console, seat_names(agents, seats), seated)
    if not quiet:
        console.print(painted(game, game.text.position_text(session.state)), soft_wrap=True)
    console.print(session.result(), highlight=False)


def _play_to_end(session: GameSession, seated: Sequence[Agent], delay: float, quiet: bool, console: Console) -> None:
    """Let the agents decide until the game is over, and print each decision."""
    game = session.game
    while not session.is_over:
        seat = int(session.state.seat)
        action = session.ask_agent(seated[seat])
        if not quiet and game.rules.asks(int(session.state.ask)) == game.rules.asks(1):
            console.print(painted(game, game.text.position_text(session.state)), soft_wrap=True)
        console.print(
            f"player_{seat}: {game.text.describe_action(session.state, action)}",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )
        happened = session.play(action)
        if not quiet:
            for sentence in happened:
                console.print(f"    {sentence}", highlight=False, markup=False, soft_wrap=True)
        time.sleep(delay)
