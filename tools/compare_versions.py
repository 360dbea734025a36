"""Compare speed with another checkout of this project::

    python tools/compare_versions.py --before ../titan_env-0.2.0

That is a checkout of version 0.2.0 or newer (``git worktree add ../titan_env-0.2.0 759ea44``). Every api of every game
that both have is played just before, here, and just after; the median of the ratios says how much quicker it is now.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

from speed_cases import APIS, playing, serve

HERE = Path(__file__)


def compare(name: str, api: str, checkout: Path, rounds: int, seconds: float) -> list[str] | None:
    """Return the cells of one api of a game; None where one of both cannot play it."""
    rates, befores, ratios = [], [], []
    with playing(HERE, [name, api], checkout=checkout) as old, playing(HERE, [name, api]) as new:
        if old is None or new is None:
            return None
        for _ in range(rounds):
            before, now, after = old(seconds), new(seconds), old(seconds)
            rates.append(now)
            befores += [before, after]
            ratios.append(2 * now / (before + after))
    low, *_, high = statistics.quantiles(ratios, n=4)
    now, before = statistics.median(rates), statistics.median(befores)
    return [f"{statistics.median(ratios):.2f}", f"{low:.2f} to {high:.2f}", f"{now:,.0f}", f"{before:,.0f}"]


def main() -> None:
    """Print the table, or, for a process that it has started, play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="checkout of another version")
    parser.add_argument("--games", nargs="+", default=["titan_race", "tiny_turbo_cars", "fantasy_racing"])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3, help="of CPU time for each case and round")
    parser.add_argument("--case", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        name, api = given.case
        serve(APIS[api](name))
        return
    if given.before is None or not (given.before / "titan_env" / "registry.py").exists():
        parser.error(
            f"expected a checkout of version 0.2.0 or newer, got {given.before}: git worktree add PATH 759ea44"
        )
    print("| | times before | middle half of the ratios | decisions/s now | before |")
    print("| --- | --: | --: | --: | --: |")
    for name in given.games:
        for api in APIS:
            cells = compare(name, api, given.before.resolve(), given.rounds, given.seconds)
            if cells:
                print(f"| {name}, {api} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
