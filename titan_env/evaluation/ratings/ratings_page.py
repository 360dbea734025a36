"""The published ratings as Markdown: a page of all ladders, and the first ladder's table in the README."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from titan_env.cli import tables
from titan_env.evaluation.matches.mixed_tables import Block
from titan_env.evaluation.ratings.ladder_file import rating_of
from titan_env.evaluation.ratings.tournament import share_against

BEGIN, END = "<!-- ratings, written by evaluation.ladder -->", "<!-- end of the ratings -->"
HEAD = """# Ratings

Elo's scale, `expert` 0: 400 points are odds of ten to one against each single opponent. The intervals (95 %) are those
of the difference to `expert`. Made by

```
make ladder
```

and `python -m titan_env.evaluation.ratings.ladder --check` computes them again and plays a sample of the blocks.

All agents of a block differ, so that none sits beside its own copy; `expert` fills places that are left. Ratings are
Plackett-Luce strengths from the winners of all games, clustered by block; an agent that never won is "below" a bound.
Where a game has places, a second column rates whole rankings. [The evaluation
protocol](../explanation/evaluation_protocol.md) explains blocks and entries. Ratings of version 0.2 are not comparable.
"""


def page(ladders: Sequence[tuple[Mapping[str, Any], Sequence[Block]]]) -> str:
    """Return the page of all ladders with their blocks; the first ladder's game comes first."""
    first, *others = ladders
    game = first[0]["game"]
    others.sort(key=lambda one: (one[0]["game"] != game, one[0]["game"], str(one[0]["options"])))
    return "\n".join([HEAD, *("\n".join([*section(*one), ""]) for one in (first, *others))])


def section(ladder: Mapping[str, Any], blocks: Sequence[Block]) -> list[str]:
    """Return the section of one ladder, line by line."""
    sides = len(blocks[0].agents)
    options = ", ".join(f"{name}={value}" for name, value in ladder["options"].items()) or "as it comes"
    names = [agent["name"] for agent in ladder["agent"]]
    by_places = ["by places"] if "places_rating" in ladder["agent"][0] else []
    against = [f"against `{name}`" for name in names] if sides == 2 else []
    rows = []
    for agent in ladder["agent"]:
        rating = rating_of(agent)
        row = [f"`{rating.name}`", str(rating)]
        row += [str(rating_of(agent, "places_")).partition(" (0 of")[0]] if by_places else []
        row += [f"{100 * rating.wins:.1f} %", f"{rating.games:,}"]
        shares = [share_against(blocks, rating.name, other) for other in names] if against else []
        rows.append([*row, *("" if share is None else f"{100 * share:.0f} %" for share in shares)])
    grid = tables.markdown(["agent", "rating", *by_places, "wins", "games", *against], rows)
    return [
        f"## {ladder['game']}, {options}",
        "",
        f"{len(blocks):,} blocks of {sides} games, {spent(ladder)}. {' '.join(ladder['checks'])}",
        "",
        *grid.splitlines(),
    ]


def spent(ladder: Mapping[str, Any]) -> str:
    """Return the core time of a ladder's blocks as text."""
    hours = float(ladder["core_hours"])
    return f"{hours:.2f} core hours" if hours >= 0.1 else f"{60 * hours:.1f} minutes of one core"


def short(ladder: Mapping[str, Any]) -> str:
    """Return the table of the ratings alone."""
    rows = [[f"`{one['name']}`", str(rating_of(one))] for one in ladder["agent"]]
    return tables.markdown(["agent", "rating"], rows).rstrip()


def with_ratings(readme: str, ladder: Mapping[str, Any]) -> str:
    """Return a README with these ratings between its marks. Raises ValueError if the marks are missing."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"expected {BEGIN!r} and {END!r} in the README, to write the ratings between them")
    return f"{before}{begin}\n{short(ladder)}\n{end}{after}"
