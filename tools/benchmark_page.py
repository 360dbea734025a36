"""Write the page of the benchmark from the games' ``benchmark.toml``; ``python -m tools.tables`` writes all pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from titan_env.cli.tables import markdown
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark.entrants import games_with_tasks
from titan_env.evaluation.benchmark.entries import COLUMNS, read_entries, row_of
from titan_env.evaluation.benchmark.references import references_of
from titan_env.evaluation.benchmark.scores import normalise
from titan_env.evaluation.benchmark.tasks import Benchmark, Split, read_benchmark
from titan_env.evaluation.matches.match import Z95

FOLDER = Path(__file__).parents[1] / "agents" / "entries"
"""The folder of the published list of entries."""
ABOUT = """\
# The benchmark

Made by `python -m tools.tables` from each game's `benchmark.toml`. A task is a game with options and a range of seeds.
The entrant sits among members of the game's frozen panel, in every place once with the same set-up and dice
([why](../explanation/evaluation_protocol.md)). In every second block it is alone among copies of one member, in the
others among different ones. These are drawn by lot, the same for all entrants. **Its score is by its rating among them:
0 for that of `random`, 100 for that of `expert`.** Half of their distance in rating points is 50; no later agent moves
the scale.

```
python -m titan_env.evaluation.benchmark.benchmark python:my_agent.py --label mine --out runs/mine.json
python -m titan_env.evaluation.benchmark.compare_cards runs/greedy.json runs/mine.json
```

The first command plays a whole card and goes on where it was after a stop; `GAME=AGENT` names the agent of one game, as
policies have one each. It prints each task's score, the smallest difference of scores that the task resolves, the mean
and the interquartile mean over tasks, with 95 % intervals. They are those of a bootstrap over blocks, widened by the
error of both ends of the scale and of the strengths of all members. The second one sets cards side by side: cards with
one label are runs of one method with different training seeds, with Student's interval over runs. Differences are
paired, since all cards play the same seeds.
`titan_env.evaluation.benchmark.generalisation` plays both sides of the splits, alone among copies of `expert`.

[Learners](learners.md) compares families of learning; lengths of games and shares of luck are on each game's page of
results, as for [Titan Race](games/titan_race_results.md#how-early-a-game-is-decided).

**Tracks.** A card says what its agent was given (`--knowledge`: `none`, or `expert` for rules of thumb, advice or
demonstrations), which members of the panel it was trained against (`--met`), what its training cost (`--budget`:
`decisions`, 10 million; `minutes`, ten of two cores; `open`), and measures the processor time of a decision: at once
(up to 1 ms), 10 ms, 1 s. Agents of this package are asked in many games in one call, which shares the cost out.

**Seeds** are those below, to develop with; who enters plays those of [a round](../how-to/rate_agents.md#a-round), which
nobody knows before. Every card can be [checked](../how-to/rate_agents.md#a-card) by playing blocks of it again.
"""

TASKS = """\
## Tasks

Rating points of `random`, from `expert`, ± with the error of all references; the smallest difference of scores that is
resolved; the best member's lead over `expert`. Every task is long enough to tell that lead from none. References are of
the task's own blocks, or of more (`reference_blocks`) where they alone would move a score of 100 by more than two
points of standard error.
"""

PANELS = """\
## Panels

Scores of the members' own rows in the order of the tasks, ± of their blocks alone. Anybody may train against those that
are not held out, and says so; members that are held out are planners, so that a best response to the known ones shows.
"""

ENTRIES = """\
## Entries

Cards of closed rounds that were [checked and added](../how-to/rate_agents.md#a-round) to `agents/entries`.
"""
NO_ENTRIES = "There is no entry yet.\n"

SPLITS = """\
## Splits

Learn with the options of the train side, measure on both. `generated` lays out another circuit or other boards in every
game, one of 32,000 ([how](../how-to/custom_circuits.md#new-circuits-in-every-game)).
"""


def benchmark_page() -> str:
    """Return the page as Markdown: tasks with their scales, the panels with their scores, splits and entries."""
    benchmarks = {name: (game, read_benchmark(game)) for name, game in games_with_tasks().items()}
    tasks = [row for game, one in benchmarks.values() for row in _tasks(game, one)]
    members = [row for game, one in benchmarks.values() for row in _members(game, one)]
    splits = [row for game, one in benchmarks.values() for row in _splits(game, one.splits)]
    return "\n".join(
        [
            ABOUT,
            TASKS,
            markdown(["game", "task", "options", "seeds", "games", "points of `random`", "resolved", "lead"], tasks),
            PANELS,
            markdown(["game", "member", "scores"], members),
            SPLITS,
            markdown(["game", "split", "train", "test", "seeds"], splits),
            ENTRIES,
            entries_list(FOLDER),
        ]
    )


def entries_list(folder: Path) -> str:
    """Return the table of the entries in a folder as Markdown, a sentence where there is none."""
    rows = [row_of(card) for card in read_entries(folder).values()]
    return markdown([*COLUMNS], rows) if rows else NO_ENTRIES


def _tasks(game: Game, benchmark: Benchmark) -> Iterator[list[str]]:
    """Yield a row for each task of a game."""
    for task in benchmark.tasks:
        sides = GameSetup.of(game, task.options).sides
        known = references_of(game, benchmark, task)
        yield [
            game.metadata.title,
            task.name.replace("_", " "),
            _options_text(task.options),
            _range(task.seeds),
            f"{len(task.seeds) * sides:,}",
            f"{known.random - known.hundred:.0f} ±{Z95 * known.points_error():.0f}",
            f"{known.resolves(task.blocks):.1f}",
            f"{known.lead:.1f}",
        ]


def _members(game: Game, benchmark: Benchmark) -> Iterator[list[str]]:
    """Yield a row for each member of a game's panel, with its scores in the order of the tasks."""
    for name in benchmark.panel.members:
        scores = []
        for task in benchmark.tasks:
            known, measures = references_of(game, benchmark, task), task.references
            score = float(normalise(measures["ratings"][name], known.random, known.hundred))
            error = Z95 * float(normalise(measures["errors"][name], 0.0, known.hundred - known.random))
            scores.append(f"{score:.0f} ±{error:.0f}")
        kind = ", held out" if name in benchmark.panel.held_out else ""
        yield [game.metadata.title, f"`{name}`{kind}", "; ".join(scores)]


def _splits(game: Game, splits: Sequence[Split]) -> Iterator[list[str]]:
    """Yield a row for each split of a game."""
    for split in splits:
        seeds = range(split.seed, split.seed + 2 * split.blocks)
        sides = [" or ".join(map(_options_text, options)) for options in (split.train, split.test)]
        yield [game.metadata.title, split.name, *sides, _range(seeds)]


def _options_text(options: Mapping[str, Any]) -> str:
    """Return options as they are given on a command line; "as it comes" without any."""
    texts = [f"{name}={','.join(value) if isinstance(value, list) else value}" for name, value in options.items()]
    return f"`{' '.join(texts)}`" if texts else "as it comes"


def _range(seeds: range) -> str:
    """Return a range of seeds as text."""
    return f"{seeds.start:,} to {seeds.stop - 1:,}"
