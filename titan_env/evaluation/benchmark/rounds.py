"""Hold a round of the benchmark: seeds that nobody can know before all entries are in::

    python -m titan_env.evaluation.benchmark.rounds open round.json
    python -m titan_env.evaluation.benchmark.rounds enter round.json GAME=policy:mine.onnx --label mine
    python -m titan_env.evaluation.benchmark.rounds close round.json
    python -m titan_env.evaluation.benchmark.benchmark GAME=policy:mine.onnx --label mine --round round.json

Whoever holds the round opens it: its file has the hash of a salt that stays in a file of its own. An entry is the hash
of all files that its agents consist of. Closing publishes the salt. The seeds of every task are then a hash of the salt
and all entries, the same for all of them, so that differences are paired. Neither can be chosen to fit the other: who
knows the salt would have to know the hash of a table of these very games to make it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

from titan_env.cli.console import user_errors
from titan_env.cli.options import from_dataclasses
from titan_env.evaluation.benchmark.entrants import read_agents
from titan_env.evaluation.matches.fingerprints import fingerprints_by_game
from titan_env.evaluation.matches.round_file import Round, entry_of, promise_of, read_round, write_round
from titan_env.extras import extra
from titan_env.records.atomic_files import ensure_absent, lock_file, write_atomically
from titan_env.records.sealed import reading

with extra("evaluation"):
    import typer

_SALT_BYTES = 16


def salt_file(path: Path) -> Path:
    """Return the file of a round's salt, which only its holder has."""
    return path.with_name(f"{path.name}.salt")


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    action: Annotated[Literal["open", "enter", "close"], typer.Argument()]
    """Action: open, enter or close."""
    path: Annotated[Path, typer.Argument(metavar="FILE")]
    """File of the round."""
    names: Annotated[tuple[str, ...], typer.Argument(metavar="[AGENT]...")] = ()
    """To enter: agent of all games, or GAME=AGENT for each."""
    label: str = ""
    """To enter: name of the entry."""
    trusted: Annotated[bool, typer.Option("--trusted")] = False
    """To enter: play code from files in the referee's process."""


@from_dataclasses
@user_errors()
def main(args: Arguments) -> None:
    """Open a round, enter agents, or close it."""
    lock_file(args.path)
    if args.action == "open":
        ensure_absent(args.path)
        ensure_absent(salt_file(args.path))
        salt = secrets.token_hex(_SALT_BYTES)
        write_atomically(salt_file(args.path), salt)
        write_round(args.path, Round(promise_of(salt)))
        print(f"{args.path} is open; keep {salt_file(args.path)} to yourself until it is closed")
        return
    opened = read_round(args.path)
    if opened.salt:
        raise ValueError(f"expected an open round, but {args.path} is closed; open another one")
    if args.action == "enter":
        if not args.label or args.label in opened.entries:
            raise ValueError(f"expected --label NAME of a new entry, got {args.label!r}; there are {[*opened.entries]}")
        chosen = read_agents(args.names, args.trusted)
        entry = entry_of(chosen, fingerprints_by_game(chosen))
        write_round(args.path, replace(opened, entries={**opened.entries, args.label: entry}))
        print(f"{args.label} is entered with the hash {entry}")
        return
    with reading("the salt of the round", salt_file(args.path), "only who opened the round can close it"):
        closed = replace(opened, salt=salt_file(args.path).read_text("utf-8").strip())
        if promise_of(closed.salt) != opened.commitment:
            raise ValueError("it is not the one that the round promised")
    write_round(args.path, closed)
    print(f"{args.path} is closed with {len(closed.entries)} entries; its id is {closed.id}")


if __name__ == "__main__":
    typer.run(main)
