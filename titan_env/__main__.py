"""The command line, ``python -m titan_env``: play, watch and replay games, in the browser too; measure; serve."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

from titan_env import registry
from titan_env.contract import COMPILED, Game
from titan_env.contract.options import near
from titan_env.engine.game_setup import GameSetup, known_options
from titan_env.extras import MissingExtra, extra, told_in_one_line

if __name__ == "__main__":
    told_in_one_line("cli")
with extra("cli"):
    import typer
    from rich.console import Console

app = typer.Typer(
    help="Board games for many agents: look, play, watch, measure.",
    no_args_is_help=True,
    add_completion=__name__ != "__main__",  # of the command `titan_env`: that of `python -m` would take over `python`
)

FIRST = next(iter(registry.GAMES))
WHICH = "A game: by name, as `games` lists them, or module:NAME from outside."
GameName = Annotated[str, typer.Argument(help=WHICH, autocompletion=registry.names)]
Agents = Annotated[
    str | None,
    typer.Option(help="Agents in seat order, again from the first where too few: greedy,random (or parted by ;)."),
]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="Option of the game: name=value; repeatable.")
]
Preset = Annotated[str | None, typer.Option(help="A named set of the game's options.")]
Seed = Annotated[int | None, typer.Option(help="Seed of all chance; drawn if none is given.")]
MoreGames = Annotated[
    list[str] | None, typer.Option("--game", help="Also a game from outside, module:NAME; repeatable.")
]
RecordTo = Annotated[Path | None, typer.Option("--record", help="Write the game down in this file; `replay` reads it.")]


def _user_errors() -> AbstractContextManager[None]:
    """Return the block in which a user's mistake, or an agent's failure, is one line instead of a traceback."""
    from titan_env.agents import AgentFailed
    from titan_env.cli.console import user_errors

    return user_errors((ValueError, TypeError, OSError, MissingExtra, AgentFailed))


def _setup(game: Game, preset: str | None, pairs: list[str] | None, otherwise: bool = False) -> GameSetup:
    """Return a game with the options of a preset (or of a full game), updated with those given one by one."""
    from titan_env.engine.option_text import read_options

    if preset is not None and preset not in game.rules.presets:
        known = list(game.rules.presets)
        raise ValueError(f"expected a preset among {', '.join(known)}, got {preset!r}{near(preset, known)}")
    base = game.rules.presets[preset] if preset is not None else game.metadata.benchmark_options if otherwise else {}
    options = {**base, **read_options(pairs or [])}
    known = known_options(game)
    if unknown := sorted(set(options) - set(known)):
        got = ", ".join(unknown)
        raise ValueError(f"expected options among {', '.join(known)}, got {got}{near(unknown[0], known)}")
    return GameSetup.of_keywords(game, options)


def _console() -> Console:
    """Return the console of the commands; colons in names are no emoji codes."""
    return Console(emoji=False)


def _expect_new(record: Path | None) -> None:
    """Raise ValueError if a record would overwrite a file: before the game, not after it."""
    from titan_env.records.atomic_files import ensure_absent

    if record is not None:
        ensure_absent(record)


def _seed(seed: int | None) -> int:
    """Return the seed given, or a drawn one."""
    from titan_env.records.seeding import draw_seed

    return draw_seed() if seed is None else seed


@app.command()
def games(
    game: Annotated[
        list[str] | None, typer.Argument(help="Only these, by name or as module:NAME.", autocompletion=registry.names)
    ] = None,
) -> None:
    """List every game: seats, sizes, agents, options, presets."""
    from titan_env.cli.list_games import show_games

    with _user_errors():
        show_games(game or registry.names(), _console())


@app.command()
def play(
    game: GameName = FIRST,
    seat: Annotated[int, typer.Option(help="Your seat, from 0 on.")] = 0,
    agents: Agents = None,
    option: Options = None,
    preset: Preset = None,
    seed: Seed = None,
    record: RecordTo = None,
) -> None:
    """Play in the terminal against agents."""
    from titan_env.agents import default_agent
    from titan_env.cli.play import play as play_game
    from titan_env.cli.translation import terminal_language
    from titan_env.contract.translation import use_language

    with _user_errors(), use_language(terminal_language()):
        _expect_new(record)
        loaded = registry.load(game)
        play_game(
            _setup(loaded, preset, option),
            seat,
            agents or default_agent(loaded),
            _seed(seed),
            _console(),
            record,
        )


@app.command()
def watch(
    game: GameName = FIRST,
    agents: Agents = None,
    option: Options = None,
    preset: Preset = None,
    seed: Seed = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between decisions.")] = 0.0,
    quiet: Annotated[bool, typer.Option("--quiet", help="Decisions only: no positions, no events.")] = False,
    record: RecordTo = None,
) -> None:
    """Watch agents play, each decision in words."""
    from titan_env.agents import default_agent
    from titan_env.cli.watch import watch as watch_game

    with _user_errors():
        _expect_new(record)
        loaded = registry.load(game)
        setup, playing = _setup(loaded, preset, option), agents or default_agent(loaded)
        watch_game(setup, playing, _seed(seed), delay, quiet, _console(), record)


@app.command()
def speed(
    game: GameName = FIRST,
    rounds: Annotated[int, typer.Option(min=1, help="Slices of each row, of which the median counts.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.01, help="CPU seconds of a slice.")] = 0.2,
    only: Annotated[list[str] | None, typer.Option(help="The beginning of a row, or a pattern; repeatable.")] = None,
    before: Annotated[Path | None, typer.Option(help="Another checkout of titan_env that stands beside it.")] = None,
) -> None:
    """Measure decisions/s of each API, search, start-up and memory, beside a control and the game's targets."""
    from titan_env.evaluation.reports.speed import report

    with _user_errors():
        report(registry.load(game), rounds, seconds, only or [], before, _console())


@app.command()
def balance(
    game: GameName = FIRST,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 3000,
    agents: Annotated[str | None, typer.Option(help="The agent in every seat.")] = None,
    option: Options = None,
    preset: Preset = None,
    seed: Annotated[int, typer.Option(help="Seed of all chance.")] = 0,
) -> None:
    """Play thousands of games among equal agents: shares of wins, lengths, events."""
    from titan_env.agents import default_agent
    from titan_env.evaluation.reports.balance import report

    with _user_errors():
        loaded = registry.load(game)
        report(
            loaded,
            agents or default_agent(loaded),
            games,
            seed,
            dict(_setup(loaded, preset, option, otherwise=True).options),
            _console(),
        )


@app.command()
def replay(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Records: of a game watched or played with --record.")
    ],
    check: Annotated[bool, typer.Option("--verify", help="The same as `verify` before the files.")] = False,
    agents: Annotated[bool, typer.Option("--agents", help="Replay the built-in agents too (`verify`).")] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write the first one as .html (one file), .gif or .mp4, a moment as .svg, .pdf.")
    ] = None,
    at: Annotated[
        int | None, typer.Option(help="For .svg and .pdf: the moment after this decision, usually the last; 0: start.")
    ] = None,
    theme: Annotated[
        str | None, typer.Option(help="Theme of --out: light or dark; a page follows its reader's by default.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Decisions only.")] = False,
    key: Annotated[
        Path | None, typer.Option(help="For `sign` a private key, made where there is none; for `verify` a public one.")
    ] = None,
    by: Annotated[str | None, typer.Option(help="For `analyse`: the agent that decides in its play-outs.")] = None,
    worlds: Annotated[int | None, typer.Option(help="For `analyse`: play-outs of each choice; more are surer.")] = None,
    seed: Annotated[int | None, typer.Option(help="For `analyse`: seed of the play-outs, usually 0.")] = None,
    game: MoreGames = None,
) -> None:
    """Step through a recorded game, or turn it into a page, an animation or a figure.

    `replay verify FILE...` plays records again and names the first decision that differs, or with --agents that a
    built-in agent would not have taken. `replay sign FILE... --key KEY` signs them, so that `replay verify FILE...
    --key KEY.pub` proves whose they are. `replay analyse FILE` prints every seat's chances over the game and the
    mistakes; --out writes all that it finds as .csv or .json.
    """
    from titan_env.cli import replay as replays

    with _user_errors():
        meant = [registry.load(name) for name in game or []]
        deed, files = (files[0].name, files[1:]) if str(files[0]) in ("verify", "sign", "analyse") else ("", files)
        if not files:
            raise ValueError(f"expected the files of records to {deed}, got none; `replay {deed} FILE...`")
        replays.expect_games(files, meant)
        if deed == "analyse":
            from titan_env.cli.analyse import analyse

            return analyse(files, by, worlds, seed or 0, out, _console())
        if (by, worlds, seed) != (None, None, None):
            raise ValueError("expected `analyse` before the file, since there is a --by, --worlds or --seed")
        if deed == "sign":
            return replays.sign(files, key)
        if check or deed == "verify":
            raise typer.Exit(0 if replays.verify(files, _console(), key, agents) else 1)
        if agents:
            raise ValueError("expected `verify` before the files, since there is --agents")
        if key is not None:
            raise ValueError("expected `sign` or `verify` before the files, since there is a --key")
        if at is not None and out is None:
            raise ValueError("expected --out FILE.svg or FILE.pdf, since there is an --at")
        if out is not None:
            replays.export(files[0], out, theme, at)
            print(f"written: {out}")
        else:
            replays.step_through(files[0], quiet, _console())


@app.command()
def web(
    host: Annotated[
        str, typer.Option(help="Address to listen at; the usual one is reached from this machine only.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at.")] = 8000,
    agent: Annotated[
        list[str] | None, typer.Option(help="Offer this agent too (policy:FILE, say); repeatable.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="Name by which visitors reach the page, with --host; repeatable.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Processes that share the games by visitor.")] = 1,
    keep: Annotated[
        str | None,
        typer.Option(metavar="FOLDER|none", help="Keep every game there; usually ~/.local/share/titan_env."),
    ] = None,
    base_path: Annotated[str, typer.Option(help="Path under which the page lies behind a proxy: /titan.")] = "",
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="Address or network of a proxy with TLS that tells visitors' addresses; repeatable."),
    ] = None,
    per_address: Annotated[
        int | None, typer.Option(min=0, help="Requests a second from one address; 0: any; usually 200 with --name.")
    ] = None,
    access_log: Annotated[bool, typer.Option("--access-log", help="Print a line for each request.")] = False,
    game: MoreGames = None,
) -> None:
    """Play, watch, open records and edit positions in the browser."""
    with _user_errors():
        first = [registry.load(place).name for place in game or []]
        with extra("web"):
            from titan_env.web.hosting.processes import Processes
            from titan_env.web.hosting.serve import Hosting, serve
            from titan_env.web.requests.api import Backend
            from titan_env.web.requests.server import Server
            from titan_env.web.sessions.game_store import GameStore, chosen_folder
        hosting = Hosting(host, port, name or [], base_path, proxy or [], per_address, access_log)
        offered, keeping = agent or [], chosen_folder(keep)
        if processes == 1:
            store = None if keeping is None else GameStore(keeping)
            server = Server(offered, first=first, store=store)
            server.compile_status.begin()
            desk: Backend = server
        else:
            desk = Processes(processes, offered, game or [], keeping)
        serve(hosting, desk)


@app.command()
def openenv(
    game: GameName = FIRST,
    opponents: Annotated[
        str | None,
        typer.Option(help="Agents of the other seats: one, or one each (greedy,random); else all are asked."),
    ] = None,
    seat: Annotated[
        int | None, typer.Option(help="Seat that is asked, with --opponents; drawn for each game by default.")
    ] = None,
    option: Options = None,
    preset: Preset = None,
    sessions: Annotated[int, typer.Option(min=1, help="Games that may go on at a time.")] = 64,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen at.")] = 8000,
) -> None:
    """Serve a game as text to trainers of language models, as an OpenEnv environment."""
    with _user_errors():
        with extra("openenv"):
            import uvicorn

        from titan_env.envs.openenv import make_app

        loaded = registry.load(game)
        options = dict(_setup(loaded, preset, option).options)
        uvicorn.run(make_app(loaded, sessions, opponents=opponents, seat=seat, **options), host=host, port=port)


@app.command()
def mcp(game: MoreGames = None) -> None:
    """Let an assistant play, by a Model Context Protocol server on standard input and output."""
    with _user_errors():
        from titan_env.cli.mcp import make_server

        for name in game or []:
            registry.load(name)
        make_server().run("stdio")


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Name of the game: small letters, digits and underscores, as my_game.")],
    folder: Annotated[Path, typer.Option(help="Folder in which its folder is made.")] = Path(),
) -> None:
    """Write the folder of a new game: rules, words, an agent and tests, ready to be played and changed."""
    from titan_env.cli.new_game import write_game

    with _user_errors():
        for path in write_game(name, folder):
            print(path)
        print(f"cd {folder / name} && python -m titan_env watch {name}:GAME, or pytest")


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove them; they are compiled anew.")] = False,
    fill: Annotated[bool, typer.Option("--fill", help="Compile the rules and agents of every game now.")] = False,
    build: Annotated[bool, typer.Option("--build", help="Write them into the package, for a wheel.")] = False,
    processes: Annotated[
        int, typer.Option(min=1, help="Games compiled at a time by --fill and --build.")
    ] = os.cpu_count() or 1,
    platform: Annotated[list[str] | None, typer.Option(help="Another one that --build writes for; repeatable.")] = None,
    game: MoreGames = None,
) -> None:
    """Show where compiled rules are kept, and how much room they take."""
    from titan_env.compiler import cache as kept
    from titan_env.compiler.platforms import platforms_of
    from titan_env.envs import warm_up

    with _user_errors():
        with extra("author"):
            from titan_env.compiler import built_code
        platforms = platforms_of(platform or ())
        if clear:
            print(kept.contents())
            kept.clear()
            print("cleared")
        if build and not COMPILED:
            raise ValueError("expected compiled rules to build, got NUMBA_DISABLE_JIT=1; unset it")
        if fill or build:
            names = [*registry.names(), *(game or [])]
            with typer.progressbar(length=len(names), label="games compiled", file=sys.stderr) as bar:
                if build:
                    warm_up.build(names, processes, bar.update, platforms)
                else:
                    warm_up.compile_in_processes(names, processes, bar.update)
        if fill or build or not clear:
            print(kept.contents())
            print(built_code.contents())


if __name__ == "__main__":
    app()
