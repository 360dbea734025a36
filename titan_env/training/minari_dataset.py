"""Write games between agents as a Minari dataset with action masks::

    python -m titan_env.training.minari_dataset greedy random -o titans=4 --games 200 --dataset titan-race/greedy-v0

Each seat of each game is one episode: its decisions with `observation` and `action_mask`, its rewards, and its last
observation at the end of the game. An episode's metadata has its seed, and under ``options`` the seat, the agent, the
game's options, and the hash of the observation's schema (`titan_env.engine.schema`). ``--folder`` is the folder of
datasets (by default Minari's own). Needs the extra ``minari``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from titan_env import agents
from titan_env.cli.console import check_table, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameName, GameOptions, from_dataclasses
from titan_env.contract import Game, Status
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.schema import schema_of
from titan_env.evaluation.matches.match import seated
from titan_env.extras import extra
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import agent_rng
from titan_env.play.game_loop import play_games
from titan_env.records.atomic_files import SCRATCH, make_folder

with extra("minari"):
    import typer

_FOLDER = "MINARI_DATASETS_PATH"


class Seat:
    """The observations, masks and actions of one seat in one game."""

    def __init__(self) -> None:
        self.observations: list[NDArray[np.float32]] = []
        self.masks: list[NDArray[np.int8]] = []
        self.actions: list[int] = []

    def end(self, observation: NDArray[np.float32], payoff: float, truncated: bool, **facts: Any) -> Any:
        """Return the episode of a finished game; the mask of its last observation is all 0."""
        with extra("minari"):
            from minari.data_collector import EpisodeBuffer

        count = len(self.actions)
        last = np.arange(count) == count - 1
        masks = [*self.masks, np.zeros_like(self.masks[0])]
        return EpisodeBuffer(
            seed=facts.pop("seed"),
            options=facts,
            observations={"observation": np.stack([*self.observations, observation]), "action_mask": np.stack(masks)},
            actions=np.array(self.actions, np.int64),  # type: ignore[arg-type]
            rewards=np.where(last, payoff, 0.0),  # type: ignore[arg-type]
            terminations=last & (not truncated),  # type: ignore[arg-type]
            truncations=last & truncated,  # type: ignore[arg-type]
        )


def play(game: Game, names: list[str], games: int, seed: int, **options: Any) -> list[Any]:
    """Play games to their end; return one episode for each seat of each game that has decided at least once."""
    players = [agents.load(name, game) for name in names]
    batch = Batch(game, games, **options)
    batch.seed(seed)
    batch.start()
    rng = agent_rng(seed)
    sits = seated(game, batch.states, len(players))
    seats = sits.shape[1]
    episodes = [[Seat() for _ in range(seats)] for _ in range(games)]

    @contextmanager
    def around(actions: NDArray[np.int64]) -> Iterator[None]:
        for row in np.flatnonzero(~batch.over):
            mine = episodes[row][batch.states["seat"][row]]
            mine.observations.append(batch.observations[row].copy())
            mine.masks.append(batch.masks[row].copy())
            mine.actions.append(int(actions[row]))
        yield

    play_games(batch, sits, lambda number, rows: ask_in_batch(players[number], batch, rows, rng).actions, around)
    payoffs, truncated = batch.payoffs(), batch.states["over"] == Status.TRUNCATED
    views = [batch.observe(np.full(games, seat, np.int8)) for seat in range(seats)]
    return [
        episodes[row][seat].end(
            views[seat][row],
            float(payoffs[row, seat]),
            bool(truncated[row] and not batch.states["out"][row, seat]),
            seed=seed + row,
            seat=seat,
            agent=names[sits[row, seat]],
            game=game.id,
            game_options=json.dumps(options),
            schema=schema_of(game).hash,
        )
        for row in range(games)
        for seat in range(seats)
        if episodes[row][seat].actions
    ]


def check_dataset_is_new(dataset: str) -> None:
    """Check that a dataset can be written. Raises ValueError for an invalid name or an existing dataset."""
    with extra("minari"):
        from minari.storage import get_dataset_path

    if not re.fullmatch(r"([\w-][\w/-]*[\w-]/)?[\w-]+-v\d+", dataset):
        raise ValueError(
            f"expected the name of a dataset such as namespace/name-v0 (two letters or more before /), got {dataset!r}"
        )
    path = get_dataset_path(dataset)
    if path.exists():
        raise ValueError(f"expected a new dataset, found {path}; choose another name or --folder")


def write(game: Game, dataset: str, episodes: list[Any], description: str) -> Any:
    """Write the episodes as a new Minari dataset, completely or not at all."""
    import minari
    from minari.storage import get_dataset_path

    root = get_dataset_path("")
    make_folder(root.parent)
    beside = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=root.parent))  # a folder that is not searched for datasets
    low, high = game.rules.fields.bounds()
    masks = spaces.MultiBinary(len(game.rules.actions))
    try:
        with warnings.catch_warnings(), _datasets_in(beside):
            warnings.simplefilter("ignore", UserWarning)  # it wants an author and one environment
            minari.create_dataset_from_buffers(
                dataset,
                episodes,
                observation_space=spaces.Dict({"observation": spaces.Box(low, high), "action_mask": masks}),
                action_space=spaces.Discrete(len(game.rules.actions)),
                description=description,
                requirements=["titan_env"],
            )
        make_folder((root / dataset).parent)
        os.replace(beside / dataset, root / dataset)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return minari.load_dataset(dataset)


@contextmanager
def _datasets_in(folder: Path) -> Iterator[None]:
    """Make Minari keep its datasets in this folder while the block runs."""
    before = os.environ.get(_FOLDER)
    os.environ[_FOLDER] = str(folder)
    try:
        yield
    finally:
        os.environ.pop(_FOLDER)
        if before is not None:
            os.environ[_FOLDER] = before


def described(game: Game, names: list[str], games: int, seed: int, options: Mapping[str, Any]) -> str:
    """Return a sentence that describes a dataset."""
    chosen = ", ".join(f"{name}={value}" for name, value in options.items()) or "as it comes"
    return (
        f"{games} games of {game.id} ({chosen}) among {', '.join(names)}, seed {seed}, "
        f"observation {schema_of(game).hash}"
    )


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    names: Annotated[tuple[str, ...], typer.Argument()]
    """Agents by name, one after the other around the table."""
    dataset: str
    """Name of the dataset, such as namespace/name-v0."""
    game: GameName = DEFAULT_GAME
    option: GameOptions = field(default_factory=dict)
    games: Annotated[int, Bounds(1)] = 100
    """Number of games."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the first game."""
    folder: Path | None = None
    """Folder of datasets; by default Minari's own."""


@from_dataclasses
def main(args: Arguments) -> None:
    """Write games between agents as a Minari dataset."""
    names, dataset, games, seed = list(args.names), args.dataset, args.games, args.seed
    if args.folder is not None:
        os.environ[_FOLDER] = str(args.folder.resolve())
    with user_errors():
        loaded, options = check_table(args.game, names, []), args.option
        GameSetup.of(loaded, options).check_agents()
        check_dataset_is_new(dataset)
    episodes = play(loaded, names, games, seed, **options)
    written = write(loaded, dataset, episodes, described(loaded, names, games, seed, options))
    print(f"{written.total_episodes} episodes, {written.total_steps:,} decisions: {written.id}")


if __name__ == "__main__":
    typer.run(main)
