"""Duplicate play: the same luck for everybody, and comparisons that stop when they are decided."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from titan_env import agents, registry
from titan_env.agents import Agent
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.duplicate import Comparison, play_blocks
from titan_env.evaluation.matches.evaluate import cells, compare, last, main
from titan_env.evaluation.matches.focal import blocks_alone

pytestmark = pytest.mark.thorough

PIG = registry.load("pig")


def steady(observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An agent that never draws: which legal action it takes depends on what it sees alone."""
    wanted = (observations @ np.arange(1, observations.shape[1] + 1) * 37).astype(np.int64) % masks.sum(axis=1)
    return (masks.cumsum(axis=1) > wanted[:, None]).argmax(axis=1)


def first(observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The first legal action."""
    return masks.argmax(axis=1)


LIMITED = {"pig": {"limit": 200}, "titan_race": {"turn_limit": 200}}


def test_every_agent_sits_in_every_seat_of_the_same_game(game: Game) -> None:
    shares = play_blocks(game, [steady, steady], range(6), **LIMITED.get(game.name, {}))
    assert shares.shape == (6, 2, 2)
    decided = shares.sum(axis=2) > 0
    assert shares.sum(axis=2)[decided] == pytest.approx(1)
    # Both agents are the same and never draw, so that the second game of a block is the first one again.
    assert np.array_equal(shares[:, 0], shares[:, 1][:, ::-1])


def test_equals_that_never_draw_are_equal_in_every_block(game: Game) -> None:
    known = Comparison(play_blocks(game, [steady, steady], range(8), **LIMITED.get(game.name, {})))
    assert known.rate == 0.5
    assert not known.decided
    assert known.equivalent_games is None


def test_a_few_blocks_that_all_went_the_same_way_are_no_certainty() -> None:
    known = Comparison(np.tile([1.0, 0.0], (16, 2, 1)))
    assert known.decided
    assert known.interval[0] < 0.9
    assert known.interval[1] == 1
    assert Comparison(np.tile([1.0, 0.0], (1024, 2, 1))).half_width < known.half_width / 20


def test_blocks_do_not_depend_on_those_played_beside_them(game: Game) -> None:
    options = LIMITED.get(game.name, {})
    together = play_blocks(game, [steady, first], range(4, 9), **options)
    alone = np.concatenate([play_blocks(game, [steady, first], [seed], **options) for seed in range(4, 9)])
    assert np.array_equal(together, alone)


@pytest.mark.parametrize("names", [("random", "greedy"), ("greedy:push=2", "ppo@titan_race-v3:temperature=1")])
def test_blocks_of_agents_that_draw_do_not_depend_on_those_played_beside_them(names: tuple[str, str]) -> None:
    game = registry.load("titan_race")
    players = [agents.load(name, game) for name in names]
    together = play_blocks(game, players, range(6), titans=3)
    assert np.array_equal(together[2:3], play_blocks(game, players, [2], titans=3))
    assert np.array_equal(together[3:], play_blocks(game, players, range(3, 6), titans=3))


def choosing(observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """As anybody may write an agent: row by row, but all from one generator."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


def weighing(observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draws the same noise for all rows."""
    return np.where(masks, rng.random(masks.shape[1]), -1).argmax(axis=1)


@pytest.mark.parametrize("agent", [choosing, weighing])
def test_blocks_of_agents_that_draw_in_their_own_way_do_not_depend_on_those_played_beside_them(agent: Agent) -> None:
    together = play_blocks(PIG, [agent, steady], range(8), goal=20)
    alone = np.concatenate([play_blocks(PIG, [agent, steady], [seed], goal=20) for seed in range(8)])
    assert np.array_equal(together, alone)
    assert len(np.unique(together[:, 0], axis=0)) > 1


def test_blocks_of_planners_do_not_depend_on_those_played_beside_them() -> None:
    players = [agents.load(name, PIG) for name in ("flat:8", "mcts:8")]
    together = play_blocks(PIG, players, range(5), goal=20)
    assert np.array_equal(together[3:], play_blocks(PIG, players, [3, 4], goal=20))


def test_the_dice_of_a_block_repeat_no_more_often_than_dice_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbouring points in time have streams that are strangers to each other, and each stream goes on."""
    dice: dict[int, list[int]] = defaultdict(list)
    step = Batch.step

    def listening(batch: Batch, actions: np.ndarray) -> None:
        running = np.flatnonzero(~batch.over)
        step(batch, actions)
        for row in running:
            asked = int(batch.luck["asked"][row])
            is_die = batch.luck["sides"][row, :asked] == 6
            dice[int(row)] += batch.luck["answers"][row, :asked][is_die].tolist()

    monkeypatch.setattr(Batch, "step", listening)
    play_blocks(registry.load("titan_race"), [steady, first], range(60), titans=2)
    for apart in range(1, 5):
        same = [a == b for rolled in dice.values() for a, b in zip(rolled, rolled[apart:], strict=False)]
        assert len(same) > 1000
        assert np.mean(same) == pytest.approx(1 / 6, abs=0.04)


def test_in_teams_every_team_has_one_agent() -> None:
    game = registry.load("titan_race")
    players = [agents.load(name, game) for name in ("greedy", "random")]
    assert Comparison(play_blocks(game, players, range(16), variant="2v2v2")).rate > 0.7
    with pytest.raises(ValueError, match="expected 2 to 3 agents at a table of 3, got 4"):
        play_blocks(game, [players[0]] * 4, [0], variant="2v2v2")


def test_the_levels_of_all_looks_at_all_cells_add_up_to_five_per_cent() -> None:
    shares = np.zeros((4, 2, 2))
    levels = [Comparison(shares, look, 12).level for look in range(1, 10_000)]
    assert 0.0499 < 12 * sum(levels) < 0.05
    assert Comparison(shares).level == 0.05


def test_a_comparison_stops_when_it_is_decided_and_not_before() -> None:
    looks = list(compare(GameSetup.of(PIG, {}), "flat:30", "random", 0, 512, 0.0))
    assert [known.decided for known in looks] == [False] * (len(looks) - 1) + [True]
    assert looks[-1].rate > 0.5
    assert looks[-1].equivalent_games > 0


def test_equal_agents_are_not_told_apart_more_often_than_the_intervals_say() -> None:
    told_apart = sum(
        list(compare(GameSetup.of(PIG, {}), "random", "random", 1000 * run, 128, 0.0))[-1].decided for run in range(20)
    )
    assert told_apart <= 3


def test_every_look_is_at_a_stricter_level() -> None:
    shares = play_blocks(PIG, [agents.load("random", PIG)] * 2, range(32))
    widths = [Comparison(shares, looks).half_width for looks in (1, 2, 3)]
    assert widths == sorted(widths)
    assert len(set(widths)) == 3


def test_values_of_options_are_combined() -> None:
    assert cells(["a=1,2", "b=x,y"]) == [{"a": a, "b": b} for a in (1, 2) for b in ("x", "y")]
    assert cells(["a=3"]) == [{"a": 3}]
    assert cells([]) == [{}]


def test_too_many_agents_for_the_table_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 2 to 2 agents at a table of 2, got 3"):
        play_blocks(PIG, [agents.load("random", PIG)] * 3, range(2))


def test_whoever_stops_a_table_keeps_what_is_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(looks: object, named: str, console: object) -> Comparison:
        if "expert" in named:
            raise KeyboardInterrupt
        return last(looks, named, console)  # type: ignore[arg-type]

    monkeypatch.setattr("titan_env.evaluation.matches.evaluate.last", stopped)
    app = typer.Typer()
    app.command()(main)
    command = ["greedy", "random", "expert", "--blocks", "4", "--out"]
    result = CliRunner().invoke(app, [*command, str(tmp_path / "x.csv")])
    assert (result.exit_code, "stopped after 1 of 2" in result.output, "the same command goes on" in result.output) == (
        130,
        True,
        True,
    )
    monkeypatch.undo()
    played: list[tuple[Any, ...]] = []
    monkeypatch.setattr(
        "titan_env.evaluation.matches.kept_blocks.blocks_alone",
        lambda *given, **more: played.append(given) or blocks_alone(*given, **more),
    )
    for name in ("x.csv", "whole.csv"):
        assert CliRunner().invoke(app, [*command, str(tmp_path / name)]).exit_code == 0
        assert not (tmp_path / f"{name}.journal").exists()
    assert (tmp_path / "x.csv").read_text("utf-8") == (tmp_path / "whole.csv").read_text("utf-8")
    assert len(played) == 2 + 4, "what was played before the stop is not played again"


def test_the_script_prints_and_saves_its_table(tmp_path: Path) -> None:
    app = typer.Typer()
    app.command()(main)
    arguments = ["flat:20", "random", "--game", "pig", "--over", "goal=10,15", "--blocks", "32"]
    done = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "table.csv")])
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "table.csv").read_text().splitlines()
    assert [line.split(",")[2] for line in lines] == ["game", "goal=10", "goal=15"]
    assert "seeds from 0 on" in done.output
    done = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "deep" / "table.md")])
    assert done.exit_code == 0, done.output
    page = (tmp_path / "deep" / "table.md").read_text()
    assert "| against | 10 | 15 |" in page
    assert "python -m titan_env.evaluation.matches.evaluate" in page
    again = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "deep" / "table.md")])
    assert again.exit_code == 2
    assert "expected a new file, found" in again.stderr
    assert (tmp_path / "deep" / "table.md").read_text() == page
    wrong = CliRunner().invoke(app, ["clever", "random", "--game", "pig"])
    assert wrong.exit_code == 2
    assert "expected an agent among" in wrong.stderr


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--over", "goal=10,nowhere"], "nowhere"),
        (["--over", "goal"], "expected an option with its values such as name=value,value, got 'goal'"),
        (["--over", "goal=10,20,10"], "expected different values of goal, got 10, 20, 10"),
        (["--over", "goal=10", "--over", "goal=20"], "expected goal once with all its values, got it again with 20"),
        (["-o", "goal=10", "-o", "goal=20"], "expected goal once, got it again: 'goal=20'"),
        (["--over", "goal=10", "-o", "gaol=3"], "expected an option of Pig, got 'gaol'"),
        (["--out", "table.txt"], "expected a file .csv or .md"),
        (["--out", "setup.cfg/table.csv"], "file exists"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_played(
    arguments: list[str], error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "titan_env.evaluation.matches.kept_blocks.blocks_alone", lambda *_, **__: pytest.fail("it was played")
    )
    app = typer.Typer()
    app.command()(main)
    done = CliRunner().invoke(app, ["random", "random", "--game", "pig", *arguments])
    assert done.exit_code == 2
    assert error in done.stderr


def test_a_mistake_of_an_agent_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        np.zeros(3) + np.zeros(2)

    monkeypatch.setattr("titan_env.evaluation.matches.kept_blocks.blocks_alone", broken)
    app = typer.Typer()
    app.command()(main)
    done = CliRunner().invoke(app, ["random", "flat:8", "--game", "pig"])
    assert "operands could not be broadcast" in str(done.exception)


def test_several_agents_are_compared_with_one_and_long_names_are_not_cut_in_a_pipe() -> None:
    app = typer.Typer()
    app.command()(main)
    long = f"flat:4,depth={'0' * 90}24"
    done = CliRunner().invoke(app, ["random", "random", long, "--game", "pig", "--blocks", "2"])
    assert done.exit_code == 0, done.output
    assert long in done.output
