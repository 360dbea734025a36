"""The agents that play the benchmark's games, as a command names them."""

from __future__ import annotations

from collections.abc import Sequence

from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.evaluation.benchmark.tasks import has_benchmark, named, read_benchmark
from titan_env.evaluation.matches.isolation import isolated


def games_with_tasks() -> dict[str, Game]:
    """Return the registered games that have tasks, by name."""
    games = {name: registry.load(name) for name in registry.GAMES}
    return {name: game for name, game in games.items() if has_benchmark(game)}


def read_agents(texts: Sequence[str], trusted: bool = False) -> dict[str, str]:
    """Return the agent of each game to be played, from ``AGENT`` for all games or ``GAME=AGENT`` for each.

    Code from files runs in processes of its own, unless it is `trusted`.
    Raises ValueError for a game without tasks, one that is named twice, and an agent, or a member of its panel, that a
    game does not have.
    """
    games = games_with_tasks()
    pairs = [text.partition("=") for text in texts]
    if len(texts) == 1 and (":" in pairs[0][0] or not pairs[0][1]):
        chosen = dict.fromkeys(games, texts[0])
    else:
        chosen = {name: agent for name, _, agent in pairs}
        strange = [name for name in chosen if name not in games]
        if strange or len(chosen) < len(texts) or not all(chosen.values()):
            message = f"expected one agent for all games, or GAME=AGENT once for each of {', '.join(games)}"
            raise ValueError(f"{message}; got {' '.join(texts)}")
    resolved = {name: isolated(named(read_benchmark(games[name]), agent), trusted) for name, agent in chosen.items()}
    for name, agent in resolved.items():
        for seated in (agent, *read_benchmark(games[name]).panel.members):
            agents.load(seated, games[name])
    return resolved
