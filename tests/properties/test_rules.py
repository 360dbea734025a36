"""What every game promises, whatever its rules."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.policies import forbidden
from titan_env import registry
from titan_env.contract import COMPILED, Game
from titan_env.engine.batch import Batch
from titan_env.engine.illegal_actions import IllegalAction, illegal_action_error
from titan_env.testing import check_game
from titan_env.testing.playout_checks import check_ends, check_play

DECISIONS = 400


def decisions(game: Game, options: dict[str, Any], seed: int, most: int = DECISIONS) -> Iterator[Batch]:
    """One game, at each of its decisions and at its end."""
    batch = Batch(game, 1, **options)
    batch.seed(seed)
    batch.start()
    yield batch
    for _ in range(most):
        if batch.over[0]:
            break
        batch.step(batch.sample())
        yield batch


@pytest.mark.thorough
def test_a_game_as_usual_is_what_its_tables_expect(game: Game) -> None:
    check_game(game, {}, games=1, decisions=25)


def test_every_preset_is_what_its_tables_expect(game: Game, options: dict[str, Any]) -> None:
    """What a preset lays out is there from the start: its first two positions are looked at, and how it ends."""
    check_play(game, options, games=1, decisions=1)
    check_ends(game, options, seed=0)


MOST_DECISIONS = 2_000
"""Five times as many as the longest of 256 random games of each preset took."""


def test_every_preset_ends_within_2_000_random_decisions(game: Game, options: dict[str, Any]) -> None:
    assert all_end(game, options)


def test_a_game_as_usual_ends_within_2_000_random_decisions(game: Game) -> None:
    assert all_end(game, {})


def all_end(game: Game, options: dict[str, Any]) -> bool:
    """Whether 32 random games are over after as many decisions."""
    batch = Batch(game, 32, **options)
    batch.seed(11)
    batch.start()
    batch.rollout(MOST_DECISIONS, restart=False)
    return bool(batch.over.all())


def test_a_mask_holds_1_for_what_is_legal_and_0_for_all_else(game: Game, options: dict[str, Any]) -> None:
    batch = Batch(game, 32 if COMPILED else 2, **options)
    batch.seed(6)
    batch.start()
    for _ in range(DECISIONS):
        assert np.isin(batch.masks, (0, 1)).all()
        assert (batch.masks.any(axis=1) != batch.over).all(), "something is legal until the game is over"
        if batch.over.all():
            break
        batch.step(batch.sample())


def test_an_illegal_action_raises_and_changes_nothing(game: Game, options: dict[str, Any]) -> None:
    for batch in decisions(game, options, 5, most=6):
        if batch.over[0]:
            break
        before = batch.states.tobytes(), batch.luck.tobytes(), batch.masks.copy(), batch.observations.copy()
        for action in [*np.flatnonzero(batch.masks[0] == 0), -1, len(game.rules.actions)]:
            with pytest.raises(IllegalAction, match="row 0"):
                batch.step([action])
        assert (batch.states.tobytes(), batch.luck.tobytes()) == before[:2]
        np.testing.assert_array_equal(batch.masks, before[2])
        np.testing.assert_array_equal(batch.observations, before[3])


def test_a_refusal_names_the_action_the_reason_and_what_is_legal(game: Game) -> None:
    batch = next(decisions(game, {}, 1))
    state, mask = batch.states[0], batch.masks[0]
    illegal = forbidden(mask)
    text = str(illegal_action_error(game, state, illegal, mask, row=4))
    legal = game.rules.actions.texts[int(np.argmax(mask))]
    for part in ("row 4", game.rules.actions.texts[illegal], game.text.why_not(state, illegal), legal):
        assert str(part) in text


def test_fields_tell_the_whole_observation(game: Game) -> None:
    vector = np.arange(game.rules.fields.size, dtype=np.float32)
    named = game.rules.fields.split(vector)
    assert list(named) == [part.name for part in game.rules.fields.parts]
    np.testing.assert_array_equal(np.concatenate([part.ravel() for part in named.values()]), vector)
    assert all(part.meaning for part in game.rules.fields.parts)
    question = re.compile(r"(what|who|whose|whoever|which|how|where|of|and|not)\b", re.IGNORECASE)
    assert [part.meaning for part in game.rules.fields.parts if question.match(part.meaning)] == []


def test_action_texts_are_unique_and_read_back(game: Game) -> None:
    texts = game.rules.actions.texts
    assert len(set(texts)) == len(texts)
    assert [game.rules.actions.read(text) for text in texts] == list(range(len(texts)))
    with pytest.raises(ValueError, match="expected the text of an action, got 'nonsense'"):
        game.rules.actions.read("nonsense")


def test_damaged_position_text_is_refused(game: Game) -> None:
    text = game.text.position_text(next(decisions(game, {}, 3)).states[0])
    for damaged in ("", "nonsense", text[: len(text) // 3], text.replace(":", ";"), text + "nonsense: 1\n"):
        with pytest.raises(ValueError, match=r"\w"):
            game.text.parse_position(damaged)


def test_unknown_options_are_named(game: Game) -> None:
    with pytest.raises(TypeError, match=r"'nonsense'; (there are|did you mean)"):
        Batch(game, 1, nonsense=1)
    assert game.rules.options
    assert all(game.rules.options.values())


def test_the_registry_knows_the_version(game: Game) -> None:
    assert registry.GAMES[game.name].version == game.metadata.version
    assert registry.load(game.name) is game


def test_an_unknown_game_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="did you mean orchard"):
        registry.load("orchart")
    with pytest.raises(ValueError, match=r"there are: .*bare, pig, "):
        registry.load("xxxxxxxx")
    with pytest.raises(ValueError, match="expected a new name"):
        registry.register("pig", "somewhere:ELSE")


def test_what_cannot_be_a_game_is_not_registered_at_all() -> None:
    for name, place, version in (("Foo bar", "m:G", 0), ("foo", 3, 0), ("foo", "m", 0), ("foo", "m:G", -1)):
        with pytest.raises(ValueError, match="expected"):
            registry.register(name, place, version)  # type: ignore[arg-type]
        assert name not in registry.GAMES


PLAIN = """
import hashlib
import tests.conftest
from tests.policies import forbidden
from titan_env import registry
from titan_env.engine.batch import Batch
digest = hashlib.sha256()
for name in registry.names():
    game = registry.load(name)
    for options, decisions in ({}, 60), *((options, 12) for options in game.rules.presets.values()):
        batch = Batch(game, 1, **options)
        batch.seed(77)
        batch.start()
        for _ in range(decisions):
            batch.step(batch.sample())
            digest.update(batch.states.tobytes() + batch.luck.tobytes() + batch.masks.tobytes())
            digest.update(batch.observations.round(4).tobytes())
print(digest.hexdigest())
"""


@pytest.mark.thorough
def test_plain_python_plays_the_same_game() -> None:
    """The rules mean the same compiled and as plain Python: a game as usual at length, each preset at its start."""
    digests = {}
    for disabled in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": "."}
        run = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", PLAIN], env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        digests[disabled] = run.stdout
    assert digests["0"] == digests["1"]
