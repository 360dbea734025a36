"""The import of Numba without SciPy's linear algebra, which takes longer to load than Numba's compiler.

Numba imports `scipy.linalg.cython_blas` when it first reads compiled code, only to know whether `np.dot` can be
compiled. No rule uses it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType

ASKING = "numba.np.arraymath"
"""The module of Numba that, while it is imported, asks whether the other one is there."""
ASKED = "scipy.linalg.cython_blas"


def import_without_linear_algebra() -> None:
    """Import what asks for SciPy's linear algebra, which finds an empty module; the true one comes for `np.dot`.

    Does nothing where either is already imported or SciPy is not installed.
    """
    if {ASKING, ASKED} & set(sys.modules) or importlib.util.find_spec("scipy") is None:
        return
    sys.modules[ASKED] = ModuleType(ASKED)
    try:
        importlib.import_module(ASKING)
    finally:
        del sys.modules[ASKED]
