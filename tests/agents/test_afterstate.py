"""The afterstate agent: a file that is damaged, or made for something else, is refused in one sentence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.games import game_with
from titan_env import agents, registry
from titan_env.agents.afterstate import ValueNetwork, game_module, read, save, shapes
from titan_env.contract import Game
from titan_env.engine.schema import SchemaMismatch
from titan_env.records.sealed import seal

pytestmark = pytest.mark.thorough

PAGED = [name for name in registry.names() if "afterstate" in registry.load(name).metadata.agents]
WIDTH = 4


@pytest.fixture(params=PAGED)
def paged(request: pytest.FixtureRequest) -> Game:
    return registry.load(request.param)


@pytest.fixture
def judge(paged: Game) -> ValueNetwork:
    """A judge with some weights or other."""
    rng = np.random.default_rng(0)
    return ValueNetwork(
        **{name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes(paged, WIDTH).items()}
    )


def test_a_judge_comes_back_as_it_was_saved_with_how_it_was_made(
    paged: Game, judge: ValueNetwork, tmp_path: Path
) -> None:
    path = tmp_path / "judge.npz"
    save(path, judge, paged, {"seconds": 3})
    back, made = read(path, paged)
    assert made == {"seconds": 3}
    for name in shapes(paged, WIDTH):
        assert (getattr(back, name) == getattr(judge, name)).all()


def test_a_damaged_judge_is_refused_in_one_sentence(paged: Game, judge: ValueNetwork, tmp_path: Path) -> None:
    path = tmp_path / "judge.npz"
    save(path, judge, paged, {})
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    changed = [bytearray(whole) for _ in range(20)]
    for data in changed:
        data[rng.integers(len(whole))] ^= 1
    for damaged in (*map(bytes, changed), whole[:-1000], b"", b"nonsense", whole + b"?"):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="is damaged or another file: it does not end in its digest"):
            agents.load(f"afterstate:{path}", paged)
    path.write_bytes(seal(b"nonsense"))
    with pytest.raises(ValueError, match="is damaged or another file"):
        agents.load(f"afterstate:{path}", paged)
    save(path, replace(judge, bias=judge.bias * np.float32(np.nan)), paged, {})
    with pytest.raises(ValueError, match="expected finite float32 numbers of shapes"):
        agents.load(f"afterstate:{path}", paged)
    save(path, replace(judge, hidden=judge.hidden[1:]), paged, {})
    with pytest.raises(ValueError, match="expected finite float32 numbers of shapes"):
        agents.load(f"afterstate:{path}", paged)
    with pytest.raises(ValueError, match="found no"):
        agents.load("afterstate:nowhere.npz", paged)
    with pytest.raises(ValueError, match="expected the file of a judge"):
        agents.load("afterstate", paged)


def test_a_judge_of_another_observation_and_a_game_without_a_page_are_refused(
    paged: Game, judge: ValueNetwork, tmp_path: Path
) -> None:
    path = tmp_path / "judge.npz"
    save(path, judge, game_with(paged, version=paged.metadata.version + 1), {})
    with pytest.raises(SchemaMismatch, match="asked to play"):
        agents.load(f"afterstate:{path}", paged)
    with pytest.raises(ValueError, match=r"expected an agent among .*, got 'afterstate:.* for Pig"):
        agents.load(f"afterstate:{path}", registry.load("pig"))


def test_weights_by_hand_and_their_changes_are_of_what_the_network_is_told(paged: Game) -> None:
    page = game_module(paged)
    assert set(page.BY_HAND) | set(page.SPREAD) <= set(page.AFTERSTATE)
    assert len({*page.SITUATION}) == len(page.SITUATION)


@pytest.mark.parametrize("name", agents.shipped())
def test_the_agents_that_come_with_the_package_load_and_say_how_they_were_made(name: str) -> None:
    game = registry.load(name.partition("@")[2].rpartition("-v")[0])
    assert agents.load(name, game).made["config"]["game"] == game.name  # type: ignore[attr-defined]
    assert name in agents.names(game)
