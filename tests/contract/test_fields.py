"""The table of what a seat sees: names of places are asked for by an example."""

from __future__ import annotations

import re

import pytest

from titan_env.contract import Field


def test_names_of_axes_that_do_not_fit_are_refused_with_an_example() -> None:
    expected = "a name for each place along each axis of life, of shape (3, 2), as in "
    example = "axes=(('life_0', 'life_1'), ('life_0', 'life_1')), and so on; got (('seat', 'lives'),)"
    with pytest.raises(ValueError, match=re.escape(expected + example)):
        Field("life", (3, 2), 0, 1, "lives", (("seat", "lives"),))
