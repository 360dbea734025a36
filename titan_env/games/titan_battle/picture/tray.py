"""The tray beside a battle that is edited: every character, in a row for each side."""

from __future__ import annotations

from typing import Any

from titan_env.contract.presentation_values import TrayPiece
from titan_env.games.titan_battle.picture.pieces import waiting
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER
from titan_env.games.titan_battle.rules.state import KINDS, Side
from titan_env.games.titan_battle.words.position_editor import SIDES, may_add
from titan_env.games.titan_battle.words.translation import character_name, sentence, side_name


def tray(state: Any) -> list[TrayPiece]:
    """Return the characters that can be added to either side, with how many."""
    return [_piece(state.battle, side, kind) for side in Side for kind in range(KINDS)]


def _piece(battle: Any, side: Side, kind: int) -> TrayPiece:
    """Return a character of a side."""
    counter = waiting(kind, side, int(POWER[kind]), 0.0, 0.0, 1.0, "", (), "")
    left, row = may_add(battle, side, kind), sentence(side_name(side))
    return TrayPiece(f"{SIDES[side]}:{CHARACTERS[kind]}", character_name(kind), tuple(counter), left, row)
