"""What a model thinks, as the policy that was made of it must think too."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO


def thoughts(
    model: MaskablePPO, observations: NDArray[np.float32], masks: NDArray[np.int8]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The chance of each action, (B, A), and the value, (B,)."""
    seen = torch.from_numpy(observations)
    with torch.no_grad():
        chances = model.policy.get_distribution(seen, masks).distribution.probs.numpy()
        return chances, model.policy.predict_values(seen)[:, 0].numpy()
