"""Films: the recorders of Gymnasium and Stable-Baselines3 take every API that renders, and frames may be drawn on."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo
from gymnasium.wrappers.vector import RecordVideo as RecordVectorVideo
from stable_baselines3.common.vec_env import VecVideoRecorder

from tests.policies import some_legal
from titan_env.contract import Game
from titan_env.envs import aec, sb3, single_agent, vector

pytestmark = pytest.mark.thorough

SMALL: dict[str, Any] = {"render_mode": "rgb_array", "render_width": 120}


@pytest.fixture
def films(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The frames of each film that a recorder hands to moviepy, which holds Pillow back and is no library of ours."""
    made: list[Any] = []

    class ImageSequenceClip:
        def __init__(self, frames: Any, fps: float) -> None:
            self.frames = frames

        def write_videofile(self, path: str, logger: str | None = None) -> None:
            assert path.endswith(".mp4")
            made.append(np.array(self.frames))

    for name in ("moviepy", "moviepy.video", "moviepy.video.io", "moviepy.video.io.ImageSequenceClip"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setattr(sys.modules[name], "ImageSequenceClip", ImageSequenceClip, raising=False)
    return made


def expect_film(films: list[Any], count: int) -> None:
    """One film of so many pictures, that before the first step included; at least one differs from the first."""
    (film,) = films
    assert (film.dtype, film.shape[0], film.shape[-1]) == (np.uint8, count, 3)
    assert (film != film[0]).any()


def test_gymnasium_films_many_games(tmp_path: Path, films: list[Any]) -> None:
    env: Any = vector.make(3, game="titan_race", **SMALL)
    env = RecordVectorVideo(env, str(tmp_path / "films"), step_trigger=lambda step: step == 0, video_length=3)
    _, infos = env.reset(seed=1)
    for _ in range(4):
        _, _, _, _, infos = env.step(some_legal(infos["action_mask"], np.random.default_rng(0)))
    env.close()
    expect_film(films, 4)


def test_gymnasium_films_one_game(tmp_path: Path, films: list[Any]) -> None:
    env: Any = RecordVideo(
        single_agent.make(game="titan_race", **SMALL), str(tmp_path / "films"), lambda episode: True, video_length=3
    )
    _, info = env.reset(seed=1)
    for _ in range(4):
        *_, info = env.step(int(info["action_mask"].argmax()))
    env.close()
    expect_film(films, 4)


def test_stable_baselines_films_many_games(tmp_path: Path, films: list[Any]) -> None:
    games = sb3.make(3, game="titan_race", **SMALL)
    env = VecVideoRecorder(games, str(tmp_path / "films"), lambda step: step == 0, video_length=3)
    env.reset()
    for _ in range(4):
        env.step(some_legal(games.action_masks(), np.random.default_rng(0)))
    env.close()
    expect_film(films, 4)


def test_every_api_draws_frames_of_one_kind_that_may_be_drawn_on(game: Game) -> None:
    agents, single = aec.make(game=game, **SMALL), single_agent.make(game=game, **SMALL)
    many, stable = vector.make(2, game=game, **SMALL), sb3.make(2, game=game, **SMALL)
    agents.reset(seed=0)
    single.reset(seed=0)
    many.reset(seed=0)
    stable.reset()
    frames = [agents.render(), single.render(), *(many.render() or ()), *stable.get_images()]
    for frame in frames:
        assert isinstance(frame, np.ndarray)
        assert (frame.shape[1:], frame.dtype) == ((120, 3), np.uint8)
        frame[:] = 0
    tiled = stable.render()
    assert isinstance(tiled, np.ndarray)
    assert tiled.shape[2] == 3


def test_texts_of_many_games_are_one_each(game: Game) -> None:
    many, stable = vector.make(2, game=game, render_mode="ansi"), sb3.make(2, game=game, render_mode="ansi")
    many.reset(seed=3)
    stable.seed(3)
    stable.reset()
    assert list(many.render() or ()) == stable.render()


def test_a_mode_that_there_is_not_is_refused_in_words(game: Game) -> None:
    for maker in (vector.make, sb3.make):
        with pytest.raises(
            ValueError, match=r"expected render_mode to be one of \(None, 'ansi', 'rgb_array'\), got 'hu"
        ):
            maker(2, game=game, render_mode="human")
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"expected reset\(\) before the first render"):
        sb3.make(2, game=game, **SMALL).render()
