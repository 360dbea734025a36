"""Every game that declares a tray: its pieces are drawn in every language, put somewhere and taken off again."""

from __future__ import annotations

from typing import Any

import pytest

from titan_env.contract import Game
from titan_env.contract.translation import use_language
from titan_env.engine.batch import Batch
from titan_env.pictures.render import shapes_of
from titan_env.pictures.svg import svg

DECISIONS = 400


def first_with_a_tray(game: Game) -> Any:
    """The first position of a random game with pieces in the tray, as it reads back from its text."""
    assert game.presentation.tray is not None
    batch = Batch(game, 1)
    batch.seed(3)
    batch.start()
    for _decision in range(DECISIONS):
        if game.presentation.tray(batch.states[0]):
            return game.text.parse_position(game.text.position_text(batch.states[0]))[0]
        batch.rollout(1)
    raise AssertionError("expected pieces in the tray early in a game")


def edited(game: Game, state: Any, what: str, where: str) -> Any:
    """The position after a thing is put; None where that cannot be."""
    edit, after = game.presentation.edit_position, state.copy()
    assert edit is not None
    try:
        edit(after, what, where)
        game.text.validate_position(after)
    except ValueError:
        return None
    return after


def keys_of(game: Game, state: Any, kinds: Any) -> list[str]:
    """The keys of the things of these kinds in the picture."""
    keys = {shape.key for shape in shapes_of(game, state) if shape.key}
    return sorted(key for key in keys if key.partition(":")[0] in kinds)


def test_pieces_of_a_tray_are_drawn_in_every_language(game: Game) -> None:
    tray = game.presentation.tray
    if tray is None:
        pytest.skip("the game has no tray")
    state = first_with_a_tray(game)
    drawn = set()
    for language in game.languages:
        with use_language(language):
            pieces = tray(state)
            drawn.add("".join(svg(piece.picture, title=piece.title) for piece in pieces))
        assert all(piece.title and piece.picture for piece in pieces)
    assert len(drawn) == len(game.languages)
    keys = [piece.key for piece in pieces]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {shape.key for shape in shapes_of(game, state)}


def test_a_piece_of_the_tray_that_is_put_and_taken_off_again_leaves_the_position_as_it_was(game: Game) -> None:
    tray = game.presentation.tray
    if tray is None:
        pytest.skip("the game has no tray")
    state = first_with_a_tray(game)
    text, places = game.text.position_text(state), keys_of(game, state, game.presentation.edit_keys.places)
    for piece in tray(state):
        puts = [after for place in places if (after := edited(game, state, piece.key, place)) is not None]
        assert bool(puts) == (piece.left > 0), piece.key
        for after in puts[:2]:
            left = next(one.left for one in tray(after) if one.key == piece.key)
            assert left < piece.left
            taken = [edited(game, after, key, "") for key in keys_of(game, after, game.presentation.edit_keys.moved)]
            assert text in [game.text.position_text(back) for back in taken if back is not None], piece.key
