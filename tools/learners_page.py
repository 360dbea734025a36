"""Write the page that compares families of learners; ``python -m tools.tables`` writes all pages.

The runs are those of ``training/experiments/learners.py``. Intervals are Student's over training seeds.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from titan_env import registry
from titan_env.cli.tables import markdown
from titan_env.evaluation.benchmark.scores import Estimate, estimate_over_runs
from titan_env.training.curves import plot
from tools.results import MEASURED, measured_rows

RUNS = MEASURED / "learners.json"
OPPONENTS = ("random", "greedy")
PLAIN = "PPO"
"""The learner whose untrained network stands for those of all learners without an adviser."""
CONSTANT = "best constant action"

ABOUT = """\
# Learners compared

Made by `python -m tools.tables` from `docs/measured/learners.json`, the runs of

```
python training/experiments/learners.py --out runs/learners --results docs/measured/learners.json
```

Seven learners play the first task of each game of [the benchmark](benchmark.md), which has two sides, for the same
processor time of one thread, with {seeds} training seeds and the settings of their scripts. Each then plays {games}
games against `random` and `greedy`; equals win 50 %. Numbers are means in percent over seeds, in the first table
over games too, with Student's 95 % intervals over seeds.

| learner | script | input |
| --- | --- | --- |
| PPO | `training/works_with/cleanrl_ppo.py` | the payoff, random opponents |
| double DQN | `training/works_with/cleanrl_dqn.py` | the same |
| PSRO | `training/works_with/openspiel_psro.py` | the payoff, opponents that it has made itself |
| Gumbel AlphaZero | `training/works_with/torch_alphazero.py` | the payoff, itself, worlds to search in |
| imitation of the expert | `training/works_with/minari_torch.py` | games of `expert` as a Minari dataset |
| imitation of winners | the same with `--winners` | the decisions of their winners alone, an offline method |
| PPO with an adviser | `titan_env.training.ppo` | the payoff, itself and `greedy` as opponents, an adviser |

The last learner observes its adviser's scores and starts as a copy of it, so its gain over 0 seconds is what it has
learned. The others start untrained. Budgets this short only show which games are easy.

## All games
"""


def learners_page() -> str:
    """Return the page as Markdown."""
    runs = read_runs()
    budgets = sorted({run["seconds"] for run in runs})
    seeds = len({run["seed"] for run in runs})
    headings = ["learner", *(f"{opponent}, {seconds} s" for opponent in OPPONENTS for seconds in budgets)]
    rows = [
        [learner, *(_cell(chosen(runs, learner, seconds), opponent) for opponent in OPPONENTS for seconds in budgets)]
        for learner in learners_of(runs)
    ]
    lines = [ABOUT.format(seeds=seeds, games=f"{runs[0]['games']:,}"), markdown(headings, rows), CURVES]
    for opponent in OPPONENTS:
        lines += [
            f"## Against `{opponent}` after {budgets[-1]} seconds\n",
            markdown(*_by_game(runs, opponent, budgets[-1])),
        ]
    return "\n".join(lines)


CURVES = """\
```{figure} ../pictures/learners.svg
:width: 90%

Wins over the time of learning, means over games and seeds.
```
"""


def read_runs() -> list[dict[str, Any]]:
    """Return all runs: the game, the learner, its seed and seconds, its decisions, and its wins by opponent."""
    runs: list[dict[str, Any]] = json.loads(RUNS.read_text("utf-8"))
    return runs


def learners_of(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the learners in the order of the longest runs, which all have."""
    longest = max(run["seconds"] for run in runs)
    return list(dict.fromkeys(run["learner"] for run in runs if run["seconds"] == longest))


def chosen(runs: Sequence[Mapping[str, Any]], learner: str, seconds: int, game: str = "") -> list[Mapping[str, Any]]:
    """Return the runs of a learner with a budget, in one game or in all; untrained those of `PLAIN` if it has none."""
    alike = [run for run in runs if run["seconds"] == seconds and game in ("", run["game"])]
    names = {run["learner"] for run in alike}
    return [run for run in alike if run["learner"] == (learner if learner in names or seconds else PLAIN)]


def estimate_wins(runs: Sequence[Mapping[str, Any]], opponent: str) -> Estimate:
    """Return the mean of wins in percent over all games and their runs."""
    games = dict.fromkeys(run["game"] for run in runs)
    return estimate_over_runs(
        [100 * np.array([run["wins"][opponent] for run in runs if run["game"] == game]) for game in games]
    )


def _cell(runs: Sequence[Mapping[str, Any]], opponent: str) -> str:
    """Return the table's cell of some runs; empty without any."""
    return str(estimate_wins(runs, opponent)) if runs else ""


def _by_game(runs: Sequence[Mapping[str, Any]], opponent: str, seconds: int) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of wins against an opponent: a row for each learner and the best constant action."""
    games = list(dict.fromkeys(run["game"] for run in runs))
    rows = [
        [learner, *(_cell(chosen(runs, learner, seconds, game), opponent) for game in games)]
        for learner in learners_of(runs)
    ]
    constant = [{row.get("against"): row["wins"] for row in measured_rows(game, "constant")} for game in games]
    rows.append([CONSTANT, *(wins.get(f"`{opponent}`", "") for wins in constant)])
    return ["learner", *(registry.load(game).metadata.title for game in games)], rows


def learners_picture() -> str:
    """Return a plot of all learners as SVG: means of wins over seconds, with intervals."""
    runs, written = read_runs(), io.StringIO()
    # The same bytes whatever the settings of whoever draws it.
    with style.context(["default", {"svg.hashsalt": "learners", "svg.fonttype": "none"}]):
        figure = Figure(figsize=(9, 3.6), layout="constrained")
        for axes, opponent in zip(figure.subplots(1, 2, sharey=True), OPPONENTS, strict=True):
            _draw(axes, runs, opponent)
        figure.axes[0].set_ylabel("wins in percent")
        figure.axes[0].legend(fontsize="small", loc="lower left")
        figure.savefig(written, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def _draw(axes: Axes, runs: Sequence[Mapping[str, Any]], opponent: str) -> None:
    """Draw a line with its interval for each learner."""
    budgets = sorted({run["seconds"] for run in runs})
    for learner in learners_of(runs):
        known = [estimate_wins(chosen(runs, learner, seconds), opponent) for seconds in budgets]
        plot(axes, budgets, known, learner)
    axes.set(title=f"against {opponent}", xlabel="seconds of one core", ylim=(0, 100))
