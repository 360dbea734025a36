"""The import of Numba without SciPy's linear algebra, which takes longer to load than Numba's compiler.

Numba imports `scipy.linalg.cython_blas` when it first reads compiled code, only to know whether `np.dot` can be
compiled. No rule uses it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

ASKING = "numba.np.arraymath"
"""The module of Numba that, while it is imported, asks whether the other one is there."""
ASKED = "scipy.linalg.cython_blas"


@contextmanager
def _said_to_be_there(name: str) -> Iterator[None]:
    """Let ``import name`` find an empty module meanwhile."""
    sys.modules[name] = ModuleType(name)
    try:
        yield
    finally:
        del sys.modules[name]


def import_without_linear_algebra() -> None:
    """Import what asks for SciPy's linear algebra; that is imported when a function with `np.dot` is compiled.

    Does nothing where either is already imported or SciPy is not installed.
    """
    if not {ASKING, ASKED} & set(sys.modules) and importlib.util.find_spec("scipy") is not None:
        with _said_to_be_there(ASKED):
            importlib.import_module(ASKING)
