"""What abilities, cards, traps and shoves would do now: each as what it adds to the rest of the turn."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from titan_env.agents.expert.titan_race.moves import Turn, Way, pick, value
from titan_env.agents.expert.titan_race.planes import Board, most_lives_of
from titan_env.agents.expert.titan_race.ways import HERE, NEIGHBOUR, ROWS_GAINED
from titan_env.agents.greedy.titan_race import BESIDE, Array
from titan_env.games.titan_race.rules.state import SPACES, Titan

NEVER = -30.0
_IN_THE_WAY = 0.25  # a trap of one's own before oneself
_HOURGLASS = 0.8  # rows that a turn without ability and card is short of
_HEALING = 2


class Deeds:
    """What may be done beside the die's move, in B decisions; each (B, 6) by direction where it has one."""

    def __init__(self, fields: Mapping[str, Array], weights: Mapping[str, float], board: Board, turn: Turn) -> None:
        self._fields, self._weights, self._board, self._turn = fields, weights, board, turn
        self._occupied = board.weight[:, BESIDE] != 0
        self.hit: Array = board.harm[:, BESIDE]
        self.step = _forward(self._go(turn.step))
        self.trap = self._traps()
        self.abilities = self._abilities()
        self.aims = self._aims()

    def _go(self, way: Way) -> Array:
        """What it adds to go a way (B, N) now and spend the rest of the turn from there."""
        there = value(self._board, way, self._weights) + pick(self._turn.rest, way.to)
        return there - self._turn.rest[:, HERE, None]

    def _traps(self) -> Array:
        """A trap on each adjacent space: it hits who stands there, else waits for a pursuer or is in the way."""
        nobody = ~self._occupied
        after = NEIGHBOUR[BESIDE][:, 3:]
        pursuers = np.where(after == HERE, 0, np.maximum(0, self._board.harm[:, after])).sum(axis=2)
        waits = self._weights["trap"] * pursuers
        waits[:, :3] -= _IN_THE_WAY
        return self.hit + nobody * waits

    def _swap(self) -> Array:
        """Changing places: rows for oneself, as many lost by the other; nobody slides."""
        board, count = self._board, len(self._board.lives)
        around = np.broadcast_to(BESIDE, (count, 6))
        rows = np.broadcast_to(ROWS_GAINED, (count, 6))
        other = board.weight[:, BESIDE] * rows + self.hit * np.minimum(1, board.lost[:, HERE, None])
        return self._go(Way(around, rows, board.lost[:, BESIDE], board.gain[:, BESIDE], other, np.zeros_like(rows)))

    def _abilities(self) -> Array:
        """The ability of each kind of Titan, (B, 6 kinds, 6); Slaugg's is the same in every direction."""
        result = np.full((len(self.hit), len(Titan), 6), NEVER, np.float32)
        result[:, Titan.RASSIK] = self.step
        result[:, Titan.CRAKEN] = self._swap()
        result[:, Titan.RAGNAROK] = self._board.shove[:, BESIDE].max(axis=2)
        result[:, Titan.GRINDER] = self.trap
        result[:, Titan.SLAUGG] = self.hit[:, :3].sum(axis=1, keepdims=True)
        result[:, Titan.CHTOOLOO] = self.hit + self.healed(1)[:, None]
        return result

    @property
    def ability(self) -> Array:
        """The own ability, or the one that Mimic lends."""
        lent = self._fields["borrowed"]
        kinds = np.where(lent.any(axis=1, keepdims=True), lent, self._fields["titan_kind"][:, 0])
        chosen: Array = self.abilities[np.arange(len(kinds)), kinds.argmax(axis=1)]
        return chosen

    @property
    def shove(self) -> Array:
        """Which way the target goes."""
        target = self._fields["titan_target"][:, 1:].argmax(axis=1)
        places = np.minimum(self._board.titans[np.arange(len(target)), target], SPACES - 1)
        chosen: Array = self._board.shove[np.arange(len(target)), places]
        return chosen

    def healed(self, lives: int) -> Array:
        """What it is worth to gain lives, (B,)."""
        own, life = self._board.lives, self._board.life
        top = most_lives_of(self._fields)[:, 0]
        gained: Array = life[np.minimum(own + lives, np.maximum(top, own))] - life[own]
        return gained

    def _aims(self) -> dict[str, Array]:
        """The cards that need a direction, in each of the six."""
        gust = self._board.shove[:, BESIDE, np.arange(6)]
        weight = self._board.weight[:, BESIDE]
        return {
            "surprise_trap": self.trap,
            "speed_potion": self.step,
            "fireball": _forward(self.hit[:, :3]),
            "mimic": self._lent(),
            "gust": np.where(self._occupied, gust, NEVER),
            "hourglass": np.where(self._occupied, _HOURGLASS * weight, NEVER),
        }

    def plays(self) -> dict[str, Array]:
        """The cards of one's own turn, (B,) each."""
        rows = np.arange(len(self.hit))
        racing = (self._fields["titan_fit"] * self._fields["titan_on_board"])[:, 1:] > 0
        first = np.where(racing, self._fields["titan_lead"][:, 1:], -np.inf).argmax(axis=1)
        return {name: values.max(axis=1) for name, values in self.aims.items()} | {
            "explosion": self.hit.sum(axis=1),
            "lightning": self._board.titan_harm[rows, first],
            "healing_potion": self.healed(_HEALING),
            "wings": self._go(self._turn.wings)[:, 0],
        }

    def _lent(self) -> Array:
        """What the ability of the Titan in each direction would do."""
        kinds = self._fields["titan_kind"][:, 1:].argmax(axis=2)
        best = np.take_along_axis(self.abilities.max(axis=2), kinds, axis=1)
        stands = self._board.titans[:, :, None] == BESIDE
        lent: Array = np.where(stands, best[:, :, None], NEVER).max(axis=1)
        return lent


def _forward(values: Array) -> Array:
    """Values of the three forward directions as (B, 6)."""
    return np.concatenate([values, np.full_like(values, NEVER)], axis=1)
