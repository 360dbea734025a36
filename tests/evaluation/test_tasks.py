"""Every game's tasks and splits can be played, share no seed, and damaged files are refused."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.evaluation.cards import TASKS, small_benchmark
from titan_env import agents, registry
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark.entrants import games_with_tasks
from titan_env.evaluation.benchmark.references import KEPT, play_row, references_of
from titan_env.evaluation.benchmark.tasks import read_benchmark
from titan_env.play.agent_calls import needs_of

FIRST_SEED, LAST_SEED = 2_000_000_000, 2_100_000_000
"""The range of the benchmark in docs/explanation/evaluation_protocol.md."""


def test_every_game_of_the_package_has_tasks_with_references_and_splits() -> None:
    games = games_with_tasks()
    assert [name for name in registry.names() if registry.load(name).metadata.folder] == list(games)
    for game in games.values():
        benchmark = read_benchmark(game)
        assert benchmark.splits
        for task in benchmark.tasks:
            known = references_of(game, benchmark, task)
            assert known.random < known.hundred, (game.name, task.name)
            assert 0 < known.resolves(task.blocks) < 100, (game.name, task.name)
        agents.load(benchmark.best, game)


def test_every_task_tells_the_best_member_from_the_one_that_scores_100() -> None:
    for game, benchmark in [(game, read_benchmark(game)) for game in games_with_tasks().values()]:
        for task in benchmark.tasks:
            known = references_of(game, benchmark, task)
            assert known.lead > known.resolves(task.blocks), (game.name, task.name)


def test_the_scale_of_no_task_is_noisier_than_two_points_at_its_upper_end() -> None:
    for game, benchmark in [(game, read_benchmark(game)) for game in games_with_tasks().values()]:
        for task in benchmark.tasks:
            assert references_of(game, benchmark, task).score_error(100) < 2, (game.name, task.name)


@pytest.mark.thorough
def test_the_panel_plays_as_when_its_references_were_measured() -> None:
    for game, benchmark in [(game, read_benchmark(game)) for game in games_with_tasks().values()]:
        for task in benchmark.tasks:
            setup, kept = GameSetup.of(game, task.options), task.references["kept"]
            for member in benchmark.panel.members:
                played = play_row(setup, benchmark.panel, member, task.seeds[:KEPT])
                assert played == kept[member], f"{task.name}, {member}: measure the panel again with --references"


def test_members_that_are_held_out_are_of_another_kind_than_those_that_agents_train_against() -> None:
    for game in games_with_tasks().values():
        panel = read_benchmark(game).panel
        assert panel.held_out, game.name
        assert not any(needs_of(agents.load(name, game)).plans for name in panel.known), game.name
        assert all(needs_of(agents.load(name, game)).plans for name in panel.held_out), game.name


def test_no_seed_is_used_twice() -> None:
    benchmarks = [read_benchmark(game) for game in games_with_tasks().values()]
    ranges = [task.reference_seeds for one in benchmarks for task in one.tasks]
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
        ("seed = 100", "seed = 100\nreference_blocks = 101", "two and three share seed 200"),
        ('best = "constant:hold"', "", "it has no 'best'"),
        ("seed = 100", "seed = 100\nrounds = 3", "rounds"),
        ("[task.two]", "[task.two", "Expected"),
        ('best = "constant:hold"', 'best = "constant:hold"\nopponent = "random"', "it has opponent"),
        ('hundred = "flat:4"', 'hundred = "flat:8"', "its panel lacks flat:8"),
        ('known = ["random", "flat:4"]', 'known = ["flat:4"]', "its panel lacks random"),
        ('held_out = ["flat:2"]', 'held_out = ["random"]', "its panel has a member twice"),
        ('hundred = "flat:4"', 'ten = "flat:4"\nhundred = "flat:4"', "its panel has ten"),
        ("[panel]", "[panels]", "it has no 'panel'"),
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
