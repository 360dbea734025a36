"""Calibrate the chances of a battle on battles that they were not fitted to, and measure by tenths what comes true::

    python -m titan_env.games.titan_battle.value.calibrate --battles 20000 --out docs/measured/titan_battle/chances.md

Every other battle fits the calibration, the others measure what it brings; `calibrated.CALIBRATION` is that of the
table there.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.extras import MissingExtra, complaint, print_to_any_terminal, stop_in_one_line
from titan_env.games.titan_battle.rules.state import Result
from titan_env.games.titan_battle.value.battles import fight
from titan_env.games.titan_battle.value.calibrated import Calibration, calibrated
from titan_env.games.titan_battle.value.chances import ENDS, foretell
from titan_env.games.titan_battle.value.measures import calibration
from titan_env.records.atomic_files import write_atomically

if __name__ == "__main__":
    print_to_any_terminal()
    stop_in_one_line()

Array = NDArray[np.float64]

AGENT = "expert"
FEWEST = 2
TRIED = {
    "power": np.arange(0.3, 2.0, 0.01),
    "attacker": np.arange(0.5, 2.0, 0.02),
    "mutual": np.arange(0.3, 2.0, 0.02),
}
"""The constants that are tried, one after the other."""
_ROUNDS = 4  # of one constant after the other: later ones change nothing


def log_loss(predicted: Array, results: NDArray[np.int64]) -> float:
    """Return how much of the ends (B,) is not foretold by chances (B, 3), in nats a battle."""
    ends = (np.where(results == Result.TIME_LOSS, Result.DEFENDER_WINS, results)[:, None] == np.array(ENDS)).argmax(1)
    return float(-np.log(predicted[np.arange(len(ends)), ends]).mean())


def best_calibration(predicted: Array, results: NDArray[np.int64]) -> Calibration:
    """Return the calibration with which the ends of battles (B,) are foretold best, from chances as fitted (B, 3)."""
    best = Calibration()
    for _ in range(_ROUNDS):
        for name, tried in TRIED.items():
            candidates = [best._replace(**{name: round(float(value), 2)}) for value in tried]
            best = min(candidates, key=lambda one: log_loss(calibrated(predicted, one), results))
    return best


def report(fitted: Array, results: NDArray[np.int64], by: Calibration) -> str:
    """Return the tenths of battles by the chances as they were fitted and by the calibrated ones, in Markdown."""
    parts = []
    for title, predicted in (("As fitted", fitted), (title_of(by), calibrated(fitted, by))):
        brier = float(np.square(predicted[:, 0] - (results == Result.ATTACKER_WINS)).mean())
        parts.append(f"### {title}\n\nLog loss {log_loss(predicted, results):.4f}, Brier score {brier:.4f}.\n")
        parts.append(calibration(results, predicted, "battles") + "\n")
    return "\n".join(parts)


def title_of(by: Calibration) -> str:
    """Return the title of the tenths with a calibration."""
    return f"Calibrated, power {by.power:g}, weights {by.attacker:g} (attacker), {by.mutual:g} (mutual)"


def main(typed: Sequence[str] | None = None) -> None:
    """Fight battles, calibrate on half of them, and print the tenths of the others."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--battles", type=int, default=4000)
    parser.add_argument("--agent", default=AGENT, help="Agent of both sides.")
    parser.add_argument("--seed", type=int, default=1_000_000, help="Seed, other than that of the fitted battles.")
    parser.add_argument("--out", type=Path, help="File of the table.")
    chosen = parser.parse_args(typed)
    for name, least in (("battles", FEWEST), ("seed", 0)):
        if (number := getattr(chosen, name)) < least:
            parser.error(f"--{name}: expected at least {least}, got {number}")
    game = registry.load("titan_battle")
    try:
        agents.load(chosen.agent, game)
    except (ValueError, MissingExtra) as error:
        parser.error(complaint(error))
    began = time.process_time()
    fought, _ = fight(game, chosen.agent, chosen.battles, chosen.seed)
    predicted, half, held = foretell(fought.battles)[:, : len(ENDS)], slice(0, None, 2), slice(1, None, 2)
    best = best_calibration(predicted[half], fought.results[half])
    seconds = time.process_time() - began
    command = f"python -m {__spec__.name} --agent {chosen.agent} --battles {chosen.battles} --seed {chosen.seed}"
    command += f" --out {chosen.out}" if chosen.out else ""
    text = (
        f"# Chances that come true\n\nThe chances of a battle beside its end: {len(fought.results[held]):,} battles of "
        f"{chosen.agent} with itself that neither the fit nor the calibration has seen; {game.id}, seed {chosen.seed}, "
        f"{seconds:.0f} seconds of one core:\n\n```\n{command}\n```\n\n"
        f"{report(predicted[held], fought.results[held], best)}"
    )
    print(text)
    if chosen.out:
        write_atomically(chosen.out, text)


if __name__ == "__main__":
    main()
