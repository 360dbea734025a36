"""The chances of a battle as they come true: those that were fitted are a little too sure at both ends.

`titan_env.games.titan_battle.value.calibrate` finds the constants and measures them; the agents of Titan: war reckon
with the chances as fitted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.value.chances import ENDS, Chances
from titan_env.games.titan_battle.value.chances import chances as fitted_chances


class Calibration(NamedTuple):
    """The power to which fitted probabilities are raised, and the weights of two ends beside the defender's of 1."""

    power: float = 1.0
    attacker: float = 1.0
    mutual: float = 1.0


CALIBRATION = Calibration(0.88, 1.06, 0.74)
"""The calibration that is measured in ``docs/measured/titan_battle/chances.md``."""


def calibrated(chances: NDArray[np.float64], by: Calibration = CALIBRATION) -> NDArray[np.float64]:
    """Compute calibrated probabilities (B, 3) of the ends from fitted ones (B, 3)."""
    ends = chances**by.power * np.array([by.attacker, 1.0, by.mutual])
    return np.asarray(ends / ends.sum(axis=1, keepdims=True))


def chances(*battle: Any, **options: Any) -> Chances:
    """Return what may come of a battle, calibrated; arguments are those of `value.chances.chances`."""
    fitted = fitted_chances(*battle, **options)
    ends = calibrated(np.array([fitted[: len(ENDS)]]))[0]
    return Chances(*map(float, ends), *fitted[len(ENDS) :])
