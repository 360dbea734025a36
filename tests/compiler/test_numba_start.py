"""Numba starts without SciPy's linear algebra, which compiles and runs as ever where it is used."""

from __future__ import annotations

import subprocess
import sys

import pytest

LEAVES_IT_OUT = """
import sys
import titan_env.compiler.dispatchers
assert "numba.np.arraymath" in sys.modules
assert "scipy.linalg" not in sys.modules
import numba
import numpy as np
product = numba.njit(lambda one, other: np.dot(one, other))(np.eye(3) * 2, np.ones((3, 3)))
assert (product == 2).all()
from scipy.linalg import cython_blas
assert hasattr(cython_blas, "__pyx_capi__")
"""
FINDS_IT_THERE = """
import scipy.linalg.cython_blas as before
import sys
import titan_env.compiler.dispatchers
assert sys.modules["scipy.linalg.cython_blas"] is before
"""
GOES_WITHOUT = """
import sys
sys.modules["scipy"] = None
import titan_env.compiler.dispatchers
from numba.np import arraymath
assert not arraymath._HAVE_BLAS
"""


@pytest.mark.thorough
def test_linear_algebra_is_imported_when_a_function_is_compiled_with_it() -> None:
    subprocess.run([sys.executable, "-c", LEAVES_IT_OUT], check=True)


@pytest.mark.thorough
def test_linear_algebra_that_was_imported_before_is_left_alone() -> None:
    subprocess.run([sys.executable, "-c", FINDS_IT_THERE], check=True)


@pytest.mark.thorough
def test_without_scipy_numba_knows_that_it_is_not_there() -> None:
    subprocess.run([sys.executable, "-c", GOES_WITHOUT], check=True)
