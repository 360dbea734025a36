"""Sequences of actions of which a learner may choose one as a single decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.fields import Field

NO_ACTION = -1
"""What fills a sequence up to the length of the longest one; a sequence of nothing else is not there."""


class Candidates(NamedTuple):
    """The sequences among which B learners may choose, and the fields that describe them."""

    sequences: NDArray[np.int16]
    """(B, K, L): action numbers, then `NO_ACTION`."""
    numbers: NDArray[Any]
    """(B, D): the values of the fields in `MacroActions.parts`, as a `DerivedFields` computes them."""


@dataclass(frozen=True)
class MacroActions:
    """Whole sequences of actions as decisions ("options" in the sense of Sutton, Precup and Singh 1999).

    `propose` computes the candidates of B decisions from what the seats see, by field in fractions; it must not depend
    on anything else. A question that needs no sequence is answered by sequences of one action. A learner that follows
    a sequence is asked again when the sequence is over, when its next action is not legal, when another question is
    asked, or when a field in `dropped_when` changes. Who chooses the same candidate again after each of its actions
    must end as the whole sequence would: so a policy that is asked at every action plays as it learned.
    """

    size: int
    """K, the number of candidates."""
    parts: tuple[Field, ...]
    """The fields that tell of the candidates, which follow the observation."""
    propose: Callable[[Mapping[str, NDArray[np.float32]]], Candidates]
    meaning: str
    dropped_when: tuple[str, ...] = ()
