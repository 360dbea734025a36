"""Find an example for each rule of a game, for its page of rules and the documentation::

    python -m tools.find_examples

Agents play twenty games; for each rule a typical one of the decisions in which it takes effect with the fewest events
is written into ``examples.toml`` next to the game's RULES.md. See `titan_env.records.rule_examples`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from titan_env import agents, registry
from titan_env.agents.seating import seat_agents
from titan_env.cli.console import user_errors
from titan_env.contract import Game
from titan_env.contract.luck import outcomes
from titan_env.engine.game_setup import GameSetup
from titan_env.records.atomic_files import write_atomically
from titan_env.records.rule_examples import FILE
from titan_env.records.session import GameSession

GAMES = 20
_HEADING = "# A moment for each rule, written by `python -m tools.find_examples`."


@dataclass(frozen=True)
class RuleMoment:
    """A decision of a game: the positions before and after it, the chance answers, the events."""

    before: Any
    action: int
    chance: list[int]
    after: Any
    events: Any


def moments(game: Game, games: int = GAMES) -> Iterator[RuleMoment]:
    """Yield every decision of some games, which together begin with every preset."""
    presets = [dict(options) for options in game.rules.presets.values()]
    player = agents.default_agent(game)
    for seed in range(games):
        session = GameSession(GameSetup.of(game, presets[seed % len(presets)]), seed)
        players = seat_agents(game, player, int(session.state.seats))
        while not session.is_over:
            action = session.ask_agent(players[int(session.state.seat)])
            before = session.state.copy()
            session.play(action)
            chance = outcomes(session.luck[0])[:, 0].tolist()
            yield RuleMoment(before, action, chance, session.state.copy(), session.events)


def found(game: Game, games: int = GAMES) -> dict[str, RuleMoment]:
    """Return a typical moment for each rule, by its function: of those with the fewest events in which it takes effect.

    It is from the middle of the games, and its decision of the kind that most of those moments have.
    """
    fewest: dict[str, int] = {}
    alike: dict[str, dict[str, list[RuleMoment]]] = {}
    for moment in moments(game, games):
        kind, count = game.rules.actions.texts[moment.action].partition(":")[0], len(moment.events)
        for rule in {game.text.rule_of.get(game.rules.events(int(event[0]))) for event in moment.events} - {None}:
            if count < fewest.get(str(rule), count + 1):
                fewest[str(rule)], alike[str(rule)] = count, {}
            if count == fewest[str(rule)]:
                alike[str(rule)].setdefault(kind, []).append(moment)
    usual = {rule: max(kinds.values(), key=len) for rule, kinds in alike.items()}
    return {rule: same[len(same) // 2] for rule, same in usual.items()}


def as_text(game: Game, best: dict[str, RuleMoment], heading: str = _HEADING) -> str:
    """Return these moments as the file's TOML, under a comment."""
    lines = [heading]
    for rule, moment in sorted(best.items()):
        lines += [
            "",
            f'["{rule}"]',
            f'action = "{game.rules.actions.texts[moment.action]}"',
            f"chance = {moment.chance}",
        ]
        lines += [f'position = """\n{game.text.position_text(moment.before)}"""']
    return "\n".join(lines) + "\n"


def main(game: Annotated[str, typer.Argument(help="Game, or module:NAME.")] = next(iter(registry.GAMES))) -> None:
    """Write the examples of a game."""
    with user_errors():
        loaded = registry.load(game)
        if not loaded.metadata.folder:
            raise ValueError(f"expected a game that comes with its rules; {loaded.metadata.title} has no folder")
    best = found(loaded)
    write_atomically(Path(loaded.metadata.folder, FILE), as_text(loaded, best))
    rules = set(loaded.text.rule_of.values())
    print(f"{FILE}: {len(best)} of the {len(rules)} rules behind events; none for {sorted(rules - set(best))}")


if __name__ == "__main__":
    typer.run(main)
