"""Every game's tasks and splits can be played, share no seed, and damaged files are refused."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.evaluation.cards import TASKS, small_benchmark
from titan_env import agents, registry
from titan_env.evaluation.benchmark.entrants import games_with_tasks
from titan_env.evaluation.benchmark.tasks import read_benchmark

FIRST_SEED, LAST_SEED = 2_000_000_000, 2_100_000_000
"""The range of the benchmark in docs/explanation/evaluation_protocol.md."""


def test_every_game_of_the_package_has_tasks_with_references_and_splits() -> None:
    games = games_with_tasks()
    assert [name for name in registry.names() if registry.load(name).metadata.folder] == list(games)
    for game in games.values():
        benchmark = read_benchmark(game)
        assert benchmark.splits
        for task in benchmark.tasks:
            assert 0 <= task.references["random"] < task.references["best"] < 1, (game.name, task.name)
        for name in (benchmark.best, benchmark.opponent):
            agents.load(name, game)


def test_no_seed_is_used_twice() -> None:
    benchmarks = [read_benchmark(game) for game in games_with_tasks().values()]
    ranges = [task.seeds for one in benchmarks for task in one.tasks]
    ranges += [seeds for one in benchmarks for split in one.splits for _, _, seeds in split.sides()]
    ranges.sort(key=lambda seeds: seeds.start)
    assert ranges[0].start >= FIRST_SEED
    assert ranges[-1].stop <= LAST_SEED
    assert all(first.stop <= second.start for first, second in itertools.pairwise(ranges))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("goal = 60", "gaol = 60", "did you mean goal"),
        ("seed = 200", "seed = 110", "two and three share seed 110"),
        ('best = "constant:hold"', "", "it has no 'best'"),
        ("seed = 100", "seed = 100\nrounds = 3", "rounds"),
        ("[task.two]", "[task.two", "Expected"),
        ('opponent = "random"', 'opponents = "random"', "it has opponents"),
    ],
)
def test_a_damaged_file_is_refused_with_what_is_wrong(
    old: str, new: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = small_benchmark(tmp_path, monkeypatch, TASKS.replace(old, new))
    with pytest.raises(ValueError, match=rf"expected tasks in .*benchmark.toml, which is damaged: .*{reason}"):
        read_benchmark(game)


def test_a_game_without_tasks_says_so() -> None:
    with pytest.raises(ValueError, match=r"expected a game with tasks, but pig has no benchmark.toml"):
        read_benchmark(registry.load("pig"))
