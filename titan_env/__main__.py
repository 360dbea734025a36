"""The command line: ``python -m titan_env`` with `games`, `play`, `watch`, `replay`, `web`, `speed` and `balance`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from titan_env import registry
from titan_env.contract import Game

app = typer.Typer(help="Board games for many agents: look, play, watch, measure.", no_args_is_help=True)

FIRST = next(iter(registry.GAMES))
GameName = Annotated[str, typer.Argument(help="Name of a game; `games` lists them.")]
Agents = Annotated[
    str, typer.Option(help="Agents in seat order, again from the first where too few: greedy,random (or parted by ;).")
]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", help="Option of the game: name=value; repeatable")]
Preset = Annotated[str | None, typer.Option(help="A named set of the game's options.")]
Seed = Annotated[int | None, typer.Option(help="Seed of all chance; drawn if none is given.")]
RecordTo = Annotated[Path | None, typer.Option("--record", help="Write the game down in this file; `replay` reads it.")]


@contextmanager
def _complaints() -> Iterator[None]:
    """Tell a mistake of the person in one line instead of a traceback."""
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None


def _options(game: Game, preset: str | None, pairs: list[str] | None, otherwise: bool = False) -> dict[str, object]:
    """The options of a preset (or those of the game at its fullest), and those given one by one."""
    from titan_env.cli.seating import read_options

    if preset is not None and preset not in game.presets:
        raise ValueError(f"expected a preset among {', '.join(game.presets)}, got {preset!r}")
    base = game.presets[preset] if preset is not None else game.full if otherwise else {}
    options = {**base, **read_options(pairs or [])}
    unknown = sorted(set(options) - set(game.options))
    if unknown:
        raise ValueError(f"expected options among {', '.join(game.options)}, got {', '.join(unknown)}")
    game.configure(**options)
    return options


def _seed(seed: int | None) -> int:
    """The seed given, or one that is drawn and can be typed again."""
    return random.randrange(10**6) if seed is None else seed


@app.command()
def games() -> None:
    """List every game: seats, sizes, options, presets."""
    from titan_env.cli.catalogue import show_games

    show_games(Console())


@app.command()
def play(
    game: GameName = FIRST,
    seat: Annotated[int, typer.Option(help="Your seat, from 0 on.")] = 0,
    agents: Agents = "greedy",
    option: Options = None,
    preset: Preset = None,
    seed: Seed = None,
    record: RecordTo = None,
) -> None:
    """Play in the terminal against agents."""
    from titan_env.cli.play import play as play_game

    with _complaints():
        loaded = registry.load(game)
        play_game(loaded, seat, agents, _seed(seed), _options(loaded, preset, option), Console(), record)


@app.command()
def watch(
    game: GameName = FIRST,
    agents: Agents = "greedy",
    option: Options = None,
    preset: Preset = None,
    seed: Seed = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between decisions.")] = 0.0,
    quiet: Annotated[bool, typer.Option("--quiet", help="Decisions only: no positions, no events.")] = False,
    record: RecordTo = None,
) -> None:
    """Watch agents play, each decision in words."""
    from titan_env.cli.watch import watch as watch_game

    with _complaints():
        loaded = registry.load(game)
        watch_game(loaded, agents, _seed(seed), delay, quiet, _options(loaded, preset, option), Console(), record)


@app.command()
def speed(
    game: GameName = FIRST,
    repeats: Annotated[int, typer.Option(min=1, help="Measurements of which the median counts.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.01, help="How long each measurement lasts.")] = 0.5,
    cold: Annotated[bool, typer.Option(help="Also compile everything anew in an empty cache (a minute).")] = True,
) -> None:
    """Measure decisions/s, bytes and start-up beside their goals."""
    from titan_env.cli.speed import report

    with _complaints():
        report(registry.load(game), repeats, seconds, cold, Console())


@app.command()
def balance(
    game: GameName = FIRST,
    races: Annotated[int, typer.Option(min=1, help="How many games are played.")] = 3000,
    agents: Annotated[str, typer.Option(help="The agent in every seat.")] = "greedy",
    option: Options = None,
    preset: Preset = None,
    seed: Annotated[int, typer.Option(help="Seed of all chance.")] = 0,
) -> None:
    """Play thousands of games among equal agents: who wins, how long it takes, what happens."""
    from titan_env.cli.balance import report

    with _complaints():
        loaded = registry.load(game)
        report(loaded, agents, races, seed, _options(loaded, preset, option, otherwise=True), Console())


@app.command()
def replay(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Records: of a game watched or played with --record.")
    ],
    check: Annotated[bool, typer.Option("--verify", help="The same as `verify` before the files.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the first one as .html (one file), .gif or .mp4.")] = None,
    theme: Annotated[
        str | None, typer.Option(help="light or dark, for --out; a page follows its reader's if none is given.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Decisions only.")] = False,
) -> None:
    """Step through a recorded game, or turn it into a page or an animation.

    `replay verify FILE...` plays records again and names the first decision that differs.
    """
    from titan_env.cli import replay as replays

    with _complaints():
        if files[0] == Path("verify"):
            check, files = True, files[1:]
        if not files:
            raise ValueError("expected the files of records to verify, got none; `replay verify FILE...`")
        if check:
            raise typer.Exit(0 if replays.verify(files, Console()) else 1)
        if out is not None:
            replays.export(files[0], out, theme)
            typer.echo(f"written: {out}")
        else:
            replays.step_through(files[0], quiet, Console())


@app.command()
def web(
    host: Annotated[
        str, typer.Option(help="Address to listen at; the usual one is reached from this machine only.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at.")] = 8000,
    agent: Annotated[
        list[str] | None, typer.Option(help="Offer this agent too (policy:FILE, say); repeatable.")
    ] = None,
) -> None:
    """Play, watch, open records and edit positions in the browser."""
    with _complaints():
        try:
            from titan_env.web.server import serve
        except ModuleNotFoundError as error:
            raise ValueError(f"expected {error.name} for the page; pip install 'titan_env[web]'") from None
        serve(host, port, agent or [])


if __name__ == "__main__":
    app()
