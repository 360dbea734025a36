"""Let language models play each other and other agents at mixed tables, under equal limits, and rate them::

    python -m titan_env.evaluation.arena chat:qwen3:8b chat:llama3 greedy expert -o titans=4 --out runs/arena

A tournament (`titan_env.evaluation.ratings.tournament`) of one process, kept block by block: as many different agents
at a table as the game has sides, every one in every place. Each decision of a model has `--seconds` and an answer of
`--answer` tokens, unless its name says otherwise. What this may cost is told first, from the prompts of two games of
the default agent. Beside the ratings stands how often a model forfeited a decision,
which is then drawn at random, each counted under one cause: no answer in time, or a last answer that could not be read
or was illegal; and how often it was asked again after a first such answer. Every game is a record with the models'
words, for `python -m titan_env web` and `replay`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents.chat import ILLEGAL, UNANSWERED, UNREADABLE
from titan_env.cli import tables
from titan_env.cli.console import check_table, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameName, GameOptions, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.match import play
from titan_env.evaluation.matches.mixed_tables import anchor_of, draw_tables
from titan_env.evaluation.ratings.results import Results, read_header
from titan_env.evaluation.ratings.tournament import Arguments as TournamentArguments
from titan_env.evaluation.ratings.tournament import check_names, play_tournament
from titan_env.extras import extra
from titan_env.play.agent_calls import needs_of
from titan_env.play.determinization import Determinizations
from titan_env.records.atomic_files import write_atomically

with extra("evaluation"):
    import typer

GAMES_MEASURED = 2
_COUNTS = {
    "asked_again": "asked again",
    "drawn": "forfeited",
    UNANSWERED: "no answer",
    UNREADABLE: "unreadable",
    ILLEGAL: "illegal",
}
HEADINGS = ("model", "decisions", *_COUNTS.values(), "tokens a decision")
_TITLE = "Answers of the models, with shares of their decisions; each forfeit has one cause"


def limited(name: str, game: Game, limits: Mapping[str, float]) -> str:
    """Return a model's name with those limits that it does not name itself; any other agent's name as it is."""
    if not hasattr(agents.load(name, game), "limits"):
        return name
    given = agents.parse(name, game)[1]
    return name + "".join(f",{limit}={value:g}" for limit, value in limits.items() if limit not in given)


class MeasuredPrompts:
    """The game's default agent, with the tokens of the prompts that a model has in its place."""

    plans = listens = True

    def __init__(self, game: Game, model: Any) -> None:
        self._model, self._agent = model, agents.load(agents.default_agent(game), game)
        self.tokens: list[int] = []

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations,
    ) -> NDArray[np.int64]:
        """Return the default agent's decisions."""
        self.tokens += self._model.prompt_tokens(worlds, masks)
        return self._agent(observations, masks, rng, *([worlds] if needs_of(self._agent).plans else []))


def costs_of(setup: GameSetup, names: Sequence[str], blocks: int, seed: int) -> Iterator[str]:
    """Yield the estimated decisions and tokens of each model in the whole tournament as a sentence."""
    lineups = draw_tables(names, setup.sides, blocks, seed, anchor_of(names))
    for name in names:
        model: Any = agents.load(name, setup.game)
        if not hasattr(model, "prompt_tokens"):
            continue
        measured = MeasuredPrompts(setup.game, model)
        play(setup.game, [measured, measured], GAMES_MEASURED, seed, **setup.options)
        games = sum(lineup.count(name) for lineup in lineups) * setup.sides
        share = games / (GAMES_MEASURED * setup.sides)
        decisions = share * len(measured.tokens)
        line = f"{name}: {games:,} games, about {decisions:,.0f} decisions, "
        yield line + model.limits.cost(decisions, share * sum(measured.tokens))


def rows_of(counted: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    """Return a line for each model, by `HEADINGS`: counts, and their share of its decisions."""
    lines = []
    for name, counts in sorted(counted.items()):
        decisions = counts["decisions"]
        shares = [f"{counts.get(count, 0):,} ({counts.get(count, 0) / max(1, decisions):.1%})" for count in _COUNTS]
        lines.append([name, f"{decisions:,}", *shares, f"{counts.get('tokens', 0) / max(1, decisions):,.0f}"])
    return lines


def show(out: Path) -> None:
    """Print and write what was counted of each model's answers, if any block was played."""
    results = out / "results.jsonl"
    counted = Results(results, read_header(results)).counted if results.exists() else {}
    if counted:
        lines = rows_of(counted)
        tables.console().print(tables.grid(_TITLE, HEADINGS, lines))
        write_atomically(out / "answers.md", tables.markdown(HEADINGS, lines))


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    names: Annotated[tuple[str, ...], typer.Argument()]
    """Two or more agents by name, among them a chat:MODEL."""
    game: GameName = DEFAULT_GAME
    option: GameOptions = field(default_factory=dict)
    blocks: Annotated[int, Bounds(2)] = 16
    """Blocks in which each agent sits."""
    seconds: Annotated[float, Bounds(0.1)] = 30.0
    """Limit of each decision of a model, its tries included."""
    answer: Annotated[int, Bounds(1)] = 1000
    """Limit of tokens of each answer of a model."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the first block."""
    out: Path = Path("runs/arena")
    """Folder of results, tables and records."""


@from_dataclasses
def main(args: Arguments) -> None:
    """Let models play at mixed tables, and rate them."""
    with user_errors():
        check_names(args.names)
        loaded, limits = check_table(args.game, args.names, []), {"seconds": args.seconds, "answer": args.answer}
        seated = tuple(limited(name, loaded, limits) for name in args.names)
        setup = GameSetup.of(loaded, args.option)
        setup.check_agents()
        for cost in costs_of(setup, seated, args.blocks, args.seed):
            tables.console().print(cost, highlight=False, soft_wrap=True)
        given = {name: getattr(args, name) for name in ("game", "option", "blocks", "seed", "out")}
        records = args.out / "records"
    try:
        play_tournament(TournamentArguments(seated, **given, at_once=1, processes=1, records=records))
    finally:
        with user_errors():
            show(args.out)


if __name__ == "__main__":
    typer.run(main)
