"""Seeds that are too long to try them all, and bits that a server mixes into the seed of a game among people.

Whoever knows a game's seed can compute its dice and cards, in a second game with the same seed for instance. In games
that people play at several screens, chance is therefore mixed. The outcomes of each decision are drawn from a stream of
their own: a hash of the seed, the decision's number and 128 bits that only the server knows. The record has a hash of
these bits (``"mixed"``) from the first line with such chance on. The bits (``"secret"``) stand in the result, so that
chance can be verified once the game is over.
"""

from __future__ import annotations

import hashlib
import secrets

import numpy as np

from titan_env.play.determinization import agent_rng

SEED_BITS = 63
"""The bits of a seed that is drawn: too many to try them all."""
_SECRET_BYTES = 16


def draw_seed() -> int:
    """Return a seed of `SEED_BITS` bits from the system's entropy."""
    return secrets.randbits(SEED_BITS)


class MixedLuck:
    """The streams of chance of a game whose seed is mixed with the bits in `secret`, 32 hex digits; new ones if "".

    Raises ValueError for another text.
    """

    def __init__(self, seed: int, secret: str = "") -> None:
        bits = bytes.fromhex(secret) if secret else secrets.randbits(8 * _SECRET_BYTES).to_bytes(_SECRET_BYTES)
        if len(bits) != _SECRET_BYTES:
            raise ValueError(f"expected {2 * _SECRET_BYTES} hex digits, got {secret[:40]!r}")
        self._seed, self._bits = seed, bits

    @property
    def secret(self) -> str:
        """The server's bits, 32 hex digits, not to be told before the game is over."""
        return self._bits.hex()

    @property
    def commitment(self) -> str:
        """The SHA-256 of the server's bits, 64 hex digits, which tells nothing of them."""
        return hashlib.sha256(self._bits).hexdigest()

    def stream(self, decision: int) -> np.uint64:
        """Return the stream of chance of a decision; decision 0 is the set-up."""
        digested = f"{self._seed} {decision}".encode()
        return np.uint64(int.from_bytes(hashlib.blake2b(digested, digest_size=8, key=self._bits).digest(), "big"))

    def agents_rng(self) -> np.random.Generator:
        """Return the generator that the game's agents draw from."""
        return agent_rng(self._seed, int.from_bytes(self._bits, "big"))
