"""The private parts of Numba that rules are compiled with are there, as `titan_env.compiler.numba_hooks` lists them."""

from __future__ import annotations

import importlib
import inspect
from inspect import isfunction
from operator import attrgetter

import pytest

from titan_env.compiler import jit
from titan_env.compiler.numba_hooks import HOOKS

PREFIX = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


@pytest.mark.parametrize("name", HOOKS)
def test_numba_has_the_hook_with_these_parameters(name: str) -> None:
    module, _, path = name.partition(":")
    found = attrgetter(path)(importlib.import_module(module))
    parameters = inspect.signature(found).parameters.values()
    assert tuple(f"{PREFIX.get(each.kind, '')}{each.name}" for each in parameters) == HOOKS[name].parameters


def test_every_method_of_numba_that_rules_override_is_listed() -> None:
    listed = {name.rpartition(".")[2] for name in HOOKS}
    for own in (jit._Rule, jit._Kept):
        overridden = {
            name for name, own_part in vars(own).items() if isfunction(own_part) and hasattr(own.__base__, name)
        }
        assert overridden - {"__init__"} <= listed
