"""Compilation of all that the agents and APIs of games use, ahead of their first use."""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from titan_env import agents, registry
from titan_env.agents.trained import PLAYED_BY
from titan_env.compiler import jit
from titan_env.compiler.forks import end_with_parent
from titan_env.compiler.libraries import ENDING, Symbol
from titan_env.compiler.platforms import Platform
from titan_env.compiler.record_copies import as_arrays
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.packing import ObservationPacker
from titan_env.engine.specialized_loops import STREAMED_FROM
from titan_env.engine.warm_up import play_first_decisions
from titan_env.envs.aec import GameAEC
from titan_env.envs.openspiel_positions import OpenSpielRules
from titan_env.envs.vector import GameVectorEnv
from titan_env.pictures.render import svg_of
from titan_env.play.agent_calls import ask_in_batch
from titan_env.records.record_file import parse
from titan_env.records.replay import positions
from titan_env.records.session import GameSession

_PLANNERS = ("flat:2", "mcts:8", "solve:by=random")
_MOST_GAMES = 100_000  # that fit into memory whatever they are; so many of a small game are compiled when there are
_SHOWN = 60  # the most positions that are shown
_NEW_OBJECTS = 100_000  # between two looks for garbage: compilation makes objects by the million, and keeps them
_DECISIONS = 50  # the most decisions until one with a choice
_NETWORKS = [kind for ending, kind in PLAYED_BY.items() if ending == ".onnx"]


def compile_all(names: Sequence[str]) -> None:
    """Use every API and every agent of each of these games, so that all they need is compiled and cached."""
    play_first_decisions(names)
    for game in map(registry.load, names):
        _step_apis(game)
        _step_many(game)
        _show(game)
        let_agents_decide(game)


class Compiled(NamedTuple):
    """Results of a compilation: files of the cache, and functions in libraries by digest and kinds of arguments."""

    files: set[Path]
    functions: dict[str, dict[str, Symbol]]


def compile_in_processes(
    names: Sequence[str],
    processes: int,
    tell: Callable[[int], Any] = lambda done: None,
    folder: Path | None = None,
    platforms: Sequence[Platform] = (),
) -> Compiled:
    """Compile all that each of these games needs, `processes` games at a time; write libraries into `folder`, if given.

    Libraries for other `platforms` go into folders of their own beside it. A game that uses another one's rules is
    compiled after it in the same process, or both would compile these rules. `tell` is called with the number of games
    that each process has done. The processes end with this one. Raises what `compile_all` raises for a game, once the
    others are done.
    """
    groups = related(names)
    with ProcessPoolExecutor(processes, get_context("spawn"), end_with_parent) as pool:
        running = {pool.submit(_compile_group, group, folder, platforms): len(group) for group in groups}
        for done in as_completed(running):
            tell(running[done])
    compiled = Compiled(set(), {})
    for each in running:
        files, functions = each.result()
        compiled.files.update(files)
        for digest, found in functions.items():
            compiled.functions[digest] = compiled.functions.get(digest, {}) | found
    return compiled


def build(names: Sequence[str], processes: int, tell: Callable[[int], Any], platforms: Sequence[Platform]) -> None:
    """Compile as `compile_in_processes`, and write the code into the package for this machine and for `platforms`."""
    from titan_env.compiler import built_code
    from titan_env.compiler.kept_code import with_needed

    built_code.remove(platforms)
    compiled = compile_in_processes(names, processes, tell, built_code.libraries_folder(), platforms)
    built_code.write(with_needed(compiled.files), compiled.functions, platforms)


def _compile_group(names: Sequence[str], folder: Path | None, platforms: Sequence[Platform]) -> Compiled:
    """Do as `compile_all`, and write libraries as `compile_in_processes`; return what this process has used."""
    from titan_env.compiler.kept_code import used
    from titan_env.compiler.library_build import write_library

    gc.set_threshold(_NEW_OBJECTS)
    jit.recording = folder is not None
    functions: dict[str, dict[str, Symbol]] = {}
    for name in names:
        compile_all([name])
        path = folder and folder / f"{registry.load(name).name}{ENDING}"
        for digest, found in (write_library(path, platforms) if path else {}).items():
            functions[digest] = functions.get(digest, {}) | found
    return Compiled(set(used()), functions)


def related(names: Sequence[str]) -> list[list[str]]:
    """Return the games in lists, the longest first: games that use each other's modules are in one, bases first."""
    own = {name: _modules_of(registry.load(name)) for name in names}
    used = {
        name: {
            getattr(value, "__module__", None) for module in own[name] for value in vars(sys.modules[module]).values()
        }
        for name in names
    }
    groups: list[list[str]] = []
    for name in sorted(names, key=lambda name: sum(bool(own[other] & used[name]) for other in names)):
        bases = [group for group in groups if any(own[other] & used[name] for other in group)]
        groups = [group for group in groups if group not in bases]
        groups.append([*itertools.chain(*bases), name])
    return sorted(groups, key=len, reverse=True)


def _modules_of(game: Game) -> set[str]:
    """Return the names of the imported modules of a game's package, or of the module that it is written in."""
    home = registry.address(game).partition(":")[0]
    return {name for name in list(sys.modules) if name == home or name.startswith(f"{home}.")}


def let_agents_decide(game: Game) -> None:
    """Call every agent of a game once at a decision with a choice; policies are left out, as they compile nothing."""
    batch = Batch(game, 1, **game.metadata.benchmark_options)
    batch.seed(0)
    batch.start()
    for _ in range(_DECISIONS):
        if batch.masks.sum() > 1 or batch.over.any():
            break
        batch.step(batch.sample())
    own = [name for name in agents.names(game) if agents.parse(name, game)[0] not in ("flat", "mcts", *_NETWORKS)]
    for name in (*own, *_PLANNERS):
        ask_in_batch(agents.load(name, game), batch, np.arange(1), np.random.default_rng(0))


def _step_apis(game: Game) -> None:
    """Play a step of one game with each API that compiles loops of its own, observed in each kind of numbers."""
    env = GameAEC(game)
    env.reset(seed=0)
    env.state()
    seen = env.observe(env.agent_selection)
    env.step(int(seen["action_mask"].argmax()))
    for whole in sorted({False, game.rules.fields.whole}):
        _use_batch(Batch(game, 1, whole=whole))
        for seats in ("one", "all"):
            games = GameVectorEnv(game, 1, seats=seats, whole=whole)
            _, infos = games.reset(seed=0)
            games.step(infos["action_mask"].argmax(axis=1))
    template = GameSetup.of_keywords(game, {}).template
    spiel = OpenSpielRules(game, template, "win", None, ObservationView(game))
    spiel.mask(as_arrays(env.batch.states))
    spiel.play(as_arrays(env.batch.states), int(env.batch.masks[0].argmax()), ())


def _use_batch(batch: Batch) -> None:
    """Use all that a batch offers."""
    batch.seed(0)
    batch.start()
    batch.step(batch.sample())
    batch.refresh()
    batch.observe(np.zeros(batch.num_games, np.int8))
    batch.payoffs()
    batch.rollout(1)
    batch.step(batch.sample())
    if batch.whole:
        packer = ObservationPacker(batch.game.rules.fields)
        packer.unpack(packer.pack(batch.observations))


def _step_many(game: Game) -> None:
    """Play a step of so many games that their observations are written past the processor's cache."""
    many = 1 + STREAMED_FROM // (game.rules.fields.size * np.dtype(np.float32).itemsize)
    if many > _MOST_GAMES:
        return
    _use_batch(Batch(game, many))
    for seats in ("one", "all"):
        games = GameVectorEnv(game, many, seats=seats)
        _, infos = games.reset(seed=0)
        games.step(infos["action_mask"].argmax(axis=1))


def _show(game: Game) -> None:
    """Record a random game, and show its first positions in texts and pictures, as the page does."""
    session = GameSession(GameSetup.of_keywords(game, dict(game.metadata.benchmark_options)), 0)
    agent = agents.load("random", game)
    for _ in range(_SHOWN):
        if session.is_over:
            break
        state = session.state
        for seat in (None, int(state.seat)):
            game.position_text_for(state, seat)
            game.position_sentences_for(state, seat)
            svg_of(game, state, seat, session.events)
        for action in np.flatnonzero(session.mask).tolist():
            game.action_text_for(state, action)
        game.illegal_reasons(state)
        session.play(session.ask_agent(agent))
    for _position in positions(parse(session.recorder.text)):
        pass
