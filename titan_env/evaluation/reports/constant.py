"""Find the best constant policy of a game, one action played wherever it is legal, and what it wins::

    python -m titan_env.evaluation.reports.constant GAME random greedy -o players=2

Every action is tried against the first of the others; the best one is then played against each of them in blocks of
other seeds, so that its luck in the trial does not count. A learner that wins no more may have learned to press one
button. `--out` writes the table as Markdown, with the command that made it.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Annotated

from titan_env.cli import tables
from titan_env.cli.console import check_table, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameArgument, GameOptions, TableFile, from_dataclasses
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.duplicate import Comparison
from titan_env.evaluation.matches.evaluate import as_two, compare, open_for, options_text
from titan_env.evaluation.matches.kept_blocks import KeptBlocks
from titan_env.evaluation.matches.kept_units import going_on, journal_for, settings_of
from titan_env.extras import extra
from titan_env.records.atomic_files import write_atomically

with extra("evaluation"):
    import typer
    from rich.console import Console
    from rich.progress import track

_SHOWN = 5
"""The actions that did best in the trial, which are shown."""


def rank_actions(
    setup: GameSetup, other: str, seed: int, blocks: int, kept: KeptBlocks | None = None
) -> list[tuple[str, Comparison]]:
    """Return each action's text with its comparison against an agent over so many blocks, the best first."""
    tried = []
    console = Console(stderr=True, emoji=False)
    for action in track(
        setup.game.rules.actions.texts, f"each action against {other}", console=console, transient=True
    ):
        *_, known = compare(setup, name_of(action), other, seed, blocks, 0, False, kept=kept)
        tried.append((action, known))
    return sorted(tried, key=lambda pair: pair[1].rate, reverse=True)


def name_of(action: str) -> str:
    """Return the name of the agent that plays an action."""
    return f'constant:"{action}"' if set(action) & set(',="') else f"constant:{action}"


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    game: GameArgument = DEFAULT_GAME
    others: Annotated[tuple[str, ...], typer.Argument()] = ("random",)
    """Agents that it meets; none: random."""
    option: GameOptions = field(default_factory=dict)
    trial: Annotated[int, Bounds(2)] = 256
    """Blocks in which each action is tried."""
    blocks: Annotated[int, Bounds(2)] = 1024
    """Blocks of each comparison of the best constant policy."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the first block."""
    out: TableFile = None


@from_dataclasses
def main(args: Arguments) -> None:
    """Find the best constant policy of a game, and what it wins against each of the others."""
    began = time.process_time()
    with user_errors():
        loaded = check_table(args.game, args.others, [])
        setup = GameSetup.of(loaded, args.option)
        setup.check_agents()
        if args.out is not None:
            open_for(args.out)
        journal = journal_for(args.out, "the blocks of this trial", settings_of(args, loaded, args.others))
    with going_on(journal):
        kept = KeptBlocks(journal)
        tried = rank_actions(setup, args.others[0], args.seed, args.trial, kept)
        best, first = name_of(tried[0][0]), args.seed + args.trial
        known = [
            list(compare(setup, best, other, first, args.blocks, 0, False, len(args.others), kept))[-1]
            for other in args.others
        ]
        facts = (
            f"{loaded.id}, {options_text(setup.options)}, titan_env {version('titan_env')}, seeds from {args.seed} on"
        )
        facts += f", {time.process_time() - began:,.0f} seconds of one core"
        text = as_markdown(args.others[0], tried[:_SHOWN], best, dict(zip(args.others, known, strict=True)), facts)
        print(text)
        if args.out is not None:
            write_atomically(args.out, text)


def as_markdown(
    met: str, tried: Sequence[tuple[str, Comparison]], best: str, known: Mapping[str, Comparison], facts: str
) -> str:
    """Return both tables as Markdown: what the best one wins, and how the best few did in the trial against `met`."""
    won = [[f"`{other}`", str(result), as_two(result), f"{result.games:,}"] for other, result in known.items()]
    trial = [[f"`{name_of(action)}`", str(result), f"{result.games:,}"] for action, result in tried]
    command = shlex.join(["python", "-m", "titan_env.evaluation.reports.constant", *sys.argv[1:]])
    return (
        f"# The best constant policy: {best}\n\n"
        "One action wherever it is legal, elsewhere any, each as likely; found in a trial of all actions, then played "
        f"with other seeds, alone among the others; intervals of 95 %; {facts}:\n\n"
        f"```\n{command}\n```\n\n"
        f"{tables.markdown(['against', 'wins', 'as a share of two', 'games'], won)}\n"
        f"In the trial against `{met}`, where the luckiest of all actions stands first:\n\n"
        f"{tables.markdown(['agent', 'wins', 'games'], trial)}"
    )


if __name__ == "__main__":
    typer.run(main)
