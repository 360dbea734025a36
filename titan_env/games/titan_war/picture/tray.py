"""The tray beside a war that is edited: the characters that the box still has, to be put in legions."""

from __future__ import annotations

from typing import Any

from titan_env.contract.presentation_values import TrayPiece
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER
from titan_env.games.titan_battle.rules.state import KINDS, Character
from titan_env.games.titan_battle.words.translation import character_name
from titan_env.games.titan_war.picture.pieces import counter
from titan_env.games.titan_war.words.position_editor import may_edit


def tray(state: Any) -> list[TrayPiece]:
    """Return all characters but titans, who belong to their players; none while legions cannot be changed."""
    return [_piece(state, kind) for kind in range(KINDS) if kind != Character.TITAN] if may_edit(state) else []


def _piece(state: Any, kind: int) -> TrayPiece:
    """Return a character with how many the box has."""
    drawn = counter(kind, int(POWER[kind]), 0.0, 0.0, 1.0, "", (), "")
    return TrayPiece(f"box:{CHARACTERS[kind]}", character_name(kind), tuple(drawn), int(state.supply[kind]))
