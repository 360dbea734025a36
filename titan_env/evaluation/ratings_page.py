"""The published ratings as Markdown: a page of all ladders, and the first ladder's table in the README."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from titan_env.cli import output

BEGIN, END = "<!-- ratings, written by training.arena -->", "<!-- end of the ratings -->"


def page(ladders: Sequence[Mapping[str, Any]]) -> str:
    """Return the page of all ladders: ratings, and every pair's share of wins; the first ladder's game comes first."""
    first, *others = ladders
    others.sort(key=lambda ladder: (ladder["game"] != first["game"], ladder["game"], str(ladder["options"])))
    head = [
        "# Ratings",
        "",
        "Elo's scale, the mean of the agents 0, 95 % intervals from the spread of blocks; each column is the share of",
        "wins against that agent (equals win 50 %). Made by",
        "",
        "```",
        "make ladder",
        "```",
        "",
        "and `python -m titan_env.evaluation.arena --check` plays a sample again.",
        "Two agents share each table and change places within a block, so that a block compares two: ratings are",
        "Bradley-Terry strengths (the library choix). A model of whole rankings would need tables of many agents,",
        "where who sits beside whom counts too. [How to rate agents](../how-to/rate_agents.md) says how to enter one.",
        "",
        "With three and more sides an agent has copies of itself at the table: shares of wins and ratings there can be",
        "won by helping one's own copy, too. They say how strong such a group is, not how one fares alone.",
    ]
    return "\n".join([*head, *(line for ladder in (first, *others) for line in ["", *section(ladder)])]) + "\n"


def section(ladder: Mapping[str, Any]) -> list[str]:
    """Return the section of one ladder, line by line."""
    names = [agent["name"] for agent in ladder["agent"]]
    rates = {(pair["one"], pair["other"]): pair["rate"] for pair in ladder["pair"]}
    rates |= {(other, one): 1 - rate for (one, other), rate in rates.items()}
    counts = sorted({pair["blocks"] for pair in ladder["pair"]})
    played = " or ".join(f"{count:,}" for count in counts)
    options = ", ".join(f"{name}={value}" for name, value in ladder["options"].items()) or "as it comes"
    lines = [
        f"## {ladder['game']}, {options}",
        "",
        f"{played} duplicate blocks of two games a pair, {spent(ladder)}.",
        "",
    ]
    rows = []
    for agent in ladder["agent"]:
        against = [f"{100 * rates[agent['name'], name]:.0f} %" if name != agent["name"] else "" for name in names]
        rating = f"{agent['rating']} ({agent['low']} to {agent['high']})"
        rows.append([f"`{agent['name']}`", rating, *against])
    headings = ["agent", "rating", *(f"against `{name}`" for name in names)]
    return [*lines, *output.markdown(headings, rows).splitlines()]


def seconds_of(pairs: Iterable[Mapping[str, Any]]) -> float:
    """Return the core seconds that the blocks of these pairs took."""
    return float(sum(pair["seconds"] * pair["blocks"] for pair in pairs))


def spent(ladder: Mapping[str, Any]) -> str:
    """Return the core time of a ladder's blocks as text."""
    seconds = seconds_of(ladder["pair"])
    return f"{seconds / 3600:.2f} core hours" if seconds >= 600 else f"{seconds:.0f} seconds of one core"


def short(ladder: Mapping[str, Any]) -> str:
    """Return the table of the ratings alone."""
    rows = [[f"`{one['name']}`", f"{one['rating']} ({one['low']} to {one['high']})"] for one in ladder["agent"]]
    return output.markdown(["agent", "rating"], rows).rstrip()


def with_ratings(readme: str, ladder: Mapping[str, Any]) -> str:
    """Return a README with these ratings between its marks. Raises ValueError if the marks are missing."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"expected {BEGIN!r} and {END!r} in the README, to write the ratings between them")
    return f"{before}{begin}\n{short(ladder)}\n{end}{after}"
