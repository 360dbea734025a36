"""Packed observations take a fraction of the memory, and come back as they were, in every game."""

from __future__ import annotations

import numpy as np
import pytest

import titan_env
from titan_env.contract import Field, Fields, Game
from titan_env.engine.batch import Batch
from titan_env.engine.packing import ObservationPacker


def observed(game: Game, games: int = 32, steps: int = 60) -> np.ndarray:
    """Return observations in whole numbers of random play, (steps, games, F)."""
    batch = Batch(game, games, whole=True)
    batch.seed(3)
    batch.start()
    seen = []
    rng = np.random.default_rng(0)
    for _ in range(steps):
        seen.append(batch.observations.copy())
        likes = rng.random(batch.masks.shape) * (batch.masks != 0)
        batch.step(likes.argmax(axis=1), ~batch.over)
    return np.array(seen)


def test_what_is_packed_comes_back_as_it_was(game: Game) -> None:
    if not game.rules.fields.whole:
        with pytest.raises(ValueError, match="expected fields of whole numbers"):
            ObservationPacker(game.rules.fields)
        return
    packer, seen = ObservationPacker(game.rules.fields), observed(game)
    packed = packer.pack(seen)
    assert packed.shape == (*seen.shape[:2], packer.size)
    back = packer.unpack(packed)
    assert back.dtype == seen.dtype
    assert (back == seen).all()


def test_torch_unpacks_the_same_fractions(game: Game) -> None:
    torch = pytest.importorskip("torch")
    if not game.rules.fields.whole:
        pytest.skip("it observes in fractions")
    packer, seen = ObservationPacker(game.rules.fields), observed(game, steps=4)
    fractions = packer.unpack_torch(torch.as_tensor(packer.pack(seen)))
    assert (fractions.numpy() == game.rules.fields.to_float(seen)).all()


def test_it_is_at_most_half_of_the_whole_numbers_and_an_eighth_of_float32(game: Game) -> None:
    fields = game.rules.fields
    if fields.whole and fields.size > 100:
        assert ObservationPacker(fields).size * 2 <= fields.size * fields.dtype.itemsize
        assert ObservationPacker(fields).size * 8 <= fields.size * 4


@pytest.mark.thorough
def test_a_chosen_part_of_an_observation_is_packed_too() -> None:
    env = titan_env.GameVectorEnv("titan_race", num_envs=4, whole=True, without=["card*"])
    observations, _ = env.reset(seed=1)
    packer = ObservationPacker(env.view.layout)
    assert (packer.unpack(packer.pack(observations)) == observations).all()
    env.close()


def test_every_bound_comes_back() -> None:
    fields = Fields((Field("a", (3,), -2, 5, ""), Field("b", (), 7, 7, ""), Field("c", (2,), 0, 300, "")), whole=True)
    packer = ObservationPacker(fields)
    assert packer.size == 4  # 3 numbers of 3 bits, 2 of 9
    for row in zip(*fields.bounds(whole=True), strict=True):
        assert row[0] <= row[1]
    ends = np.array(fields.bounds(whole=True))
    assert (packer.unpack(packer.pack(ends)) == ends).all()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (np.zeros(6, np.float32), "expected observations of 6 whole numbers"),
        (np.zeros(5, np.int16), "expected observations of 6 whole numbers"),
        (np.array([9, 0, 0, 7, 0, 0], np.int16), "expected number 0 of an observation from -2 to 5, got 9"),
        (
            np.array([[0, 0, 0, 7, 0, 0], [0, 0, 0, 7, 0, 301]], np.int16),
            "expected number 5 of an observation from 0 to 300, got 301",
        ),
    ],
)
def test_what_cannot_be_packed_is_refused(wrong: np.ndarray, reason: str) -> None:
    fields = Fields((Field("a", (3,), -2, 5, ""), Field("b", (), 7, 7, ""), Field("c", (2,), 0, 300, "")), whole=True)
    with pytest.raises(ValueError, match=reason):
        ObservationPacker(fields).pack(wrong)
