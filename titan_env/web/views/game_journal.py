"""The place where a game of the page is kept as it is played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from titan_env.web.views.live_game import LiveGame


class GameJournal(Protocol):
    """A place where a game is kept as it is played."""

    def went_on(self, live_game: LiveGame, is_own: bool, is_safe: bool) -> None:
        """Keep the latest decision, and whether undo may go back behind it in practice, and elsewhere."""

    def taken_back(self, live_game: LiveGame) -> None:
        """Forget the decisions that the game has no longer."""

    def guests_changed(self, live_game: LiveGame) -> None:
        """Keep the guests."""

    def luck_mixed(self, live_game: LiveGame) -> None:
        """Keep the bits that the luck was mixed with, and the new beginning if the game has begun anew."""
