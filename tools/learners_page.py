"""Write the page that compares families of learners; ``python -m tools.tables`` writes all pages.

The runs are those of ``training/experiments/learners.py``, and earlier ones that stopped after so many seconds.
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
from titan_env.evaluation.benchmark.scores import Estimate, estimate_over_runs, interquartile_over_runs
from titan_env.training.curves import plot
from tools.results import MEASURED, measured_rows

OPPONENTS = ("random", "greedy", "expert")
SHOWN = ("greedy", "expert")
"""The opponents that tell learners apart; all but untrained networks win most games against `random`."""
AGENTS = tuple(f"`{name}`" for name in OPPONENTS)
DRAWN = "greedy"
CONSTANT = "best constant action"
NOT_RUN = "–"

Runs = Sequence[Mapping[str, Any]]

ABOUT = """\
# Learners compared

Made by `python -m tools.tables` from `docs/measured/learners*.json`. This command makes the runs, and goes on where it
was stopped:

```
python training/experiments/learners.py --out runs/learners --results docs/measured/learners_by_decisions.json
```

Learners play the first task of each game of [the benchmark](benchmark.md) with equal settings. Each run then plays at
least {games} games alone among copies of each opponent. Wins are shares of two: equals win 50 %, in the war of four
too. A dash stands for what was not run. Decisions and the processor seconds of one thread are means over runs. **Runs
of 15 seconds are an earlier study, to be repeated by decisions**: how many they took depended on the processor, and
they did not meet `expert`; their war was one of two.

| learner | made by | input |
| --- | --- | --- |
| PPO | `titan_env.training.ppo`, settings of the demo, no adviser | the payoff, itself in every seat |
| MMD | the same with `--kl-coef 0.05 --ent-coef 0.05`: magnetic mirror descent | the same |
| MMD, more entropy | the same with `--kl-coef 0.5 --ent-coef 0.5`, in reduced games only | the same |
| PPO with memory (GRU) | `training/works_with/torch_ppo_networks.py` | the payoff, itself in every seat |
| PPO with attention | the same with `--network attention`: named fields as tokens | the same |
| PPO against random play | `training/works_with/cleanrl_ppo.py` | the payoff, random opponents |
| double DQN | `training/works_with/cleanrl_dqn.py` | the same |
| PSRO | `training/works_with/openspiel_psro.py` | the payoff, opponents that it has made itself |
| Gumbel AlphaZero | `training/works_with/torch_alphazero.py` | the payoff, itself, worlds to search in |
| imitation of the expert | `training/works_with/minari_torch.py` | games of `expert` as a Minari dataset |
| imitation of winners | the same with `--winners` | the decisions of their winners alone, an offline method |

Numbers are percent with 95 % intervals over training seeds. Of one game they are means with Student's interval. Of all
games they are means without the lowest and the highest quarter of all runs (Agarwal et al. 2021), with intervals that
`interquartile_over_runs` explains. At 0 decisions a network is untrained; networks begin alike.
"""

DID_NOT_WORK = """\
## What did not work

- After a million decisions nobody beats `expert`; after ten MMD does in Titan Race and Fantasy Racing, and PPO in the
  latter. In Titan: battle ten million make them the equals of `greedy` only. Against the expert they win next to none
  in Tiny Turbo Cars, where ten million teach no more than one, and in the war.
- At 100,000 decisions imitation is far ahead in Titan Race and Titan: battle, where it is as strong as PPO after ten
  million, but the expert that it imitates beats it.
- Memory and attention win little or nothing in Titan Race, in five and twenty times the time.
- Wins against these three hardly tell MMD from PPO. It is meant to be hard to exploit, which takes an entropy
  coefficient of 0.5 in the race above. The entropy does more for it than the divergence: PPO with a coefficient of 1
  gets as far.
- In reduced games 100,000 decisions make nobody hard to exploit; double DQN and PSRO come nearest, in the last round of
  Tiny Turbo Cars.
"""


def learners_page() -> str:
    """Return the page as Markdown."""
    lines = [ABOUT.format(games=min(run["games"] for run in read_runs()))]
    for opponent in SHOWN:
        lines += [f"## Against `{opponent}`\n", INCLUDE.format(name=f"learners_{opponent}")]
    return "\n".join([*lines, CURVES, REDUCED, INCLUDE.format(name="exploitability"), DID_NOT_WORK])


def learners_tables() -> dict[str, str]:
    """Return the tables that the page includes, by their place in `docs`."""
    runs = read_runs()
    tables = {f"learners_{opponent}": by_game(runs, opponent) for opponent in SHOWN}
    tables["exploitability"] = by_reduced_game(read_losses())
    return {f"measured/{name}.md": markdown(*table) for name, table in tables.items()}


INCLUDE = """\
```{{include}} ../measured/{name}.md
```
"""


CURVES = """\
```{figure} ../pictures/learners.svg
:width: 90%

Wins against `greedy` over the decisions of learning, means over seeds.
```
"""


REDUCED = """\
## Exploitability in reduced games

```
python training/experiments/learners.py --reduced --seeds 3 --budgets 0 100000 1000000 --out runs/reduced \\
    --results docs/measured/exploitability.json --learners PPO MMD "MMD, more entropy"
```

These games are solved exactly. Numbers are losses in hundredths of a payoff (1 for a win, -1 for a loss), on average of
both seats: what best responses win beyond the value of the game, in duels what best play wins. PPO and MMD draw their
actions, others play their best; decisions are rounded up to rollouts. Rows of other learners are of the same command
with `--budgets 100000`. `python -m titan_env.evaluation.reports.exploitability` prints losses of any agent.

- Titan Race: the last three turns over one lap, 15,233 positions, worth 1/6 to the first seat with hidden hands, 0 with
  open ones.
- Tiny Turbo Cars: the last round, on one of four controllers each, 139,892 positions, worth -3/4.
- Titan: battle: eleven duels.
"""


def read_losses() -> list[dict[str, Any]]:
    """Return the runs in reduced games: game, learner, seed, budget, and losses in the first and the second seat."""
    runs: list[dict[str, Any]] = json.loads((MEASURED / "exploitability.json").read_text("utf-8"))
    return [{"decisions": run["budget"], **run} for run in runs]


def by_reduced_game(runs: Runs) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of losses in hundredths of a payoff: one for each agent, and learner and budget."""
    games, rows = list(dict.fromkeys(run["game"] for run in runs)), []
    for (learner, budget), own in rows_of(runs).items():
        cells = [[50 * sum(run["losses"]) for run in own if run["game"] == game] for game in games]
        decisions, seeds = ("", "") if learner in AGENTS else (f"{budget:,}", str(max(map(len, cells))))
        rows.append([learner, decisions, seeds, *map(_loss, cells)])
    return ["learner", "decisions", "seeds", *(registry.load(game).metadata.title for game in games)], rows


def _loss(losses: Sequence[float]) -> str:
    """Return a mean loss, with its interval over more than one seed."""
    if len(losses) < 2:
        return f"{losses[0]:.1f}" if losses else NOT_RUN
    return str(estimate_over_runs([np.array(losses)]))


def read_runs() -> list[dict[str, Any]]:
    """Return all runs: game, learner, seed, budget ("15 s", or a number of decisions), decisions, seconds and wins."""
    runs: list[dict[str, Any]] = []
    for path in sorted(MEASURED.glob("learners*.json"), reverse=True):
        for run in json.loads(path.read_text("utf-8")):
            runs.append({"budget": f"{run['seconds']} s", "decisions": run.get("budget"), **run})
    return runs


def rows_of(runs: Runs) -> dict[tuple[str, Any], list[Mapping[str, Any]]]:
    """Return the runs of each learner with each budget; learners in the order of the file, then by decisions."""
    learners = list(dict.fromkeys(run["learner"] for run in runs))
    found: dict[tuple[str, Any], list[Mapping[str, Any]]] = {}
    for run in sorted(runs, key=lambda run: (learners.index(run["learner"]), run["decisions"] > 0)):
        found.setdefault((run["learner"], run["budget"]), []).append(run)
    return found


def samples_of(runs: Runs, opponent: str) -> list[Any]:
    """Return the wins against an opponent of the seeds of each game, in percent."""
    known = [run for run in runs if opponent in run["wins"]]
    games = dict.fromkeys(run["game"] for run in known)
    return [100 * np.array([run["wins"][opponent] for run in known if run["game"] == game]) for game in games]


def by_game(runs: Runs, opponent: str) -> tuple[list[str], list[list[str]]]:
    """Return headings and rows of wins: one for each learner and budget, and the best constant action."""
    games = [game for game in registry.GAMES if any(run["game"] == game for run in runs)]
    rows = []
    for (learner, _), own in rows_of(runs).items():
        samples = samples_of(own, opponent)
        if not samples:
            continue
        of_all = str(interquartile_over_runs(samples)) if len(samples) == len(games) else NOT_RUN
        each = [samples_of([run for run in own if run["game"] == game], opponent) for game in games]
        decisions, seconds = (float(np.mean([run[name] for run in own])) for name in ("decisions", "seconds"))
        cells = [str(estimate_over_runs(of_game)) if of_game else NOT_RUN for of_game in each]
        seeds = str(max(len(one) for one in samples))
        rows.append([learner, f"{decisions:,.0f}", f"{seconds:.0f}", seeds, of_all, *cells])
    constant = [{row.get("against"): row["wins"] for row in measured_rows(game, "constant")} for game in games]
    if any(f"`{opponent}`" in wins for wins in constant):
        rows.append([CONSTANT, "", "", "", "", *(wins.get(f"`{opponent}`", "") for wins in constant)])
    titles = [registry.load(game).metadata.title for game in games]
    return ["learner", "decisions", "seconds", "seeds", "all games", *titles], rows


def learners_picture() -> str:
    """Return a plot of all learners as SVG, with a part for each game: wins against `DRAWN` over decisions."""
    runs, written = read_runs(), io.StringIO()
    games = [game for game in registry.GAMES if any(run["game"] == game for run in runs)]
    # The same bytes whatever the settings of whoever draws it.
    with style.context(["default", {"svg.hashsalt": "learners", "svg.fonttype": "none"}]):
        figure = Figure(figsize=(13, 4), layout="constrained")
        for axes, game in zip(figure.subplots(1, len(games), sharey=True), games, strict=True):
            _draw(axes, runs, game)
            axes.set_title(registry.load(game).metadata.title)
        figure.axes[0].set_ylabel(f"wins against {DRAWN} in percent")
        figure.legend(
            *figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=5, fontsize="small"
        )
        figure.savefig(written, format="svg", metadata={"Date": None})
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def _draw(axes: Axes, runs: Runs, game: str) -> None:
    """Draw a line with its interval for each learner in one game; one without runs there keeps its color."""
    points: dict[str, list[tuple[float, Estimate]]] = {learner: [] for learner, _ in rows_of(runs)}
    for (learner, _), own in rows_of([run for run in runs if run["game"] == game]).items():
        decisions = float(np.mean([run["decisions"] for run in own]))
        points[learner].append((decisions, estimate_over_runs(samples_of(own, DRAWN))))
    for learner, known in points.items():
        plot(axes, [at for at, _ in known], [wins for _, wins in known], learner)
    axes.set(xlabel="decisions", ylim=(0, 100))
    axes.set_xscale("symlog", linthresh=10_000)
    axes.set_xlim(left=0)
