"""The private parts of Numba that rules are compiled with are there, as `titan_env.compiler.numba_hooks` lists them."""

from __future__ import annotations

import importlib
import inspect
from inspect import isclass, isfunction
from operator import attrgetter

import pytest

from titan_env.compiler import dispatchers, target
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
    own_classes = [part for part in vars(target).values() if isclass(part) and part.__module__ == target.__name__]
    for own in (dispatchers.Dispatcher, dispatchers.Kept, *own_classes):
        overridden = {
            name for name, own_part in vars(own).items() if isfunction(own_part) and name in dir(own.__base__)
        }
        assert overridden - set(dir(object)) <= listed
