"""Handlers by which XLA, the compiler of JAX, plays a loop of ours on the CPU, without Python or a C compiler.

XLA calls a C function with the address of a call frame (its typed foreign function interface, ``xla/ffi/api/c_api.h``
among the headers of jaxlib). `handler` compiles such a function with Numba: it reads the frame's structs, views the
buffers of arguments and results as arrays of records, and calls the loop. Handlers are cached on disk with the rules
that the loop is specialized to.

The structs have the field names of the header, without ``XLA_FFI_``; a test compares them with it. XLA only adds fields
to their ends, and accepts every handler that names a version of the interface which it still supports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic

from titan_env.compiler import jit
from titan_env.compiler.dispatchers import Dispatcher, Kept
from titan_env.compiler.origins import Origin, file_of
from titan_env.contract.header import MOST_SEATS

VERSION = (0, 1)
"""The oldest version of the interface with these structs, major and minor: every later minor one still has them."""

# Structs of the header. An address is an int64, and so is the padding after an enum or a pair of ints.
ADDRESS = np.dtype(np.int64)
FLAG, SEAT, SHARE = map(np.dtype, (np.int8, np.int32, np.float32))
ENUM = np.dtype(np.int32)
_BASE = [("struct_size", ADDRESS), ("extension_start", ADDRESS)]
ARGS = np.dtype([*_BASE, ("size", ADDRESS), ("types", ADDRESS), ("args", ADDRESS)])
RETS = np.dtype([*_BASE, ("size", ADDRESS), ("types", ADDRESS), ("rets", ADDRESS)])
ATTRS = np.dtype([*_BASE, ("size", ADDRESS), ("types", ADDRESS), ("names", ADDRESS), ("attrs", ADDRESS)])
CALL_FRAME = np.dtype(
    [
        *(*_BASE, ("api", ADDRESS), ("ctx", ADDRESS), ("stage", ENUM), ("padding", ENUM)),
        *(("args", ARGS), ("rets", RETS), ("attrs", ATTRS), ("future", ADDRESS)),
    ]
)
BUFFER = np.dtype([*_BASE, ("dtype", ENUM), ("padding", ENUM), ("data", ADDRESS), ("rank", ADDRESS), ("dims", ADDRESS)])
ARRAY = np.dtype([("dtype", ENUM), ("padding", ENUM), ("size", ADDRESS), ("data", ADDRESS)])
API_VERSION = np.dtype([*_BASE, ("major_version", ENUM), ("minor_version", ENUM)])
API = np.dtype([*_BASE, ("api_version", API_VERSION), ("internal_api", ADDRESS), ("Error_Create", ADDRESS)])
METADATA = np.dtype([("struct_size", ADDRESS), ("api_version", API_VERSION)])
EXTENSION_BASE = np.dtype([("struct_size", ADDRESS), ("type", ENUM), ("padding", ENUM), ("next", ADDRESS)])
METADATA_EXTENSION = np.dtype([("extension_base", EXTENSION_BASE), ("metadata", ADDRESS)])
ERROR_CREATE_ARGS = np.dtype([*_BASE, ("message", ADDRESS), ("errc", ENUM), ("padding", ENUM)])
ERROR_SIZE = ERROR_CREATE_ARGS.itemsize
IS_METADATA, EXECUTE, INVALID_ARGUMENT = 1, 3, 3
"""Members of the header's enums ``Extension_Type``, ``ExecutionStage`` and ``Error_Code``."""

# Places of buffers and attributes in a call. XLA sorts attributes by name.
RECORD, LUCK, ACTION = 0, 1, 2
OBSERVATION, MASK, REWARDS, OVER, CURRENT, ILLEGAL = 2, 3, 4, 5, 6, 7
ERROR, LOG, SCALES, SETTINGS, TEMPLATE = range(5)

SETTINGS_DTYPE = np.dtype(
    [
        ("begin", np.int64),  # begin a game in each row, instead of playing an action
        ("restart", np.int64),  # begin anew in the same step after a game's end
        ("refuse", np.int64),  # fail for an illegal action, instead of leaving its row as it is
        ("reward", np.int64),  # the number of the reward, and its scale, as `payoff` takes them
        ("scale", np.float64),
    ]
)
"""The settings of a call that a loop gets as one record."""


@intrinsic
def _pointer(typingctx: Any, address: Any) -> Any:
    """Convert an address to a pointer."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), codegen


@intrinsic
def _call(typingctx: Any, function: Any, argument: Any) -> Any:
    """Call the C function at an address with one address; return the address that it returns."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        return builder.call(builder.inttoptr(args[0], ir.FunctionType(word, [word]).as_pointer()), [args[1]])

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def _stack_space(typingctx: Any) -> Any:
    """Return the address of room for a struct of `ERROR_CREATE_ARGS` on the stack."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        space = ir.ArrayType(ir.IntType(8), ERROR_SIZE)
        return builder.ptrtoint(cgutils.alloca_once(builder, space), ir.IntType(64))

    return types.int64(), codegen


@numba.njit(inline="always")
def _struct(address: Any, dtype: Any) -> Any:
    """View the struct at an address."""
    return carray(_pointer(address), 1, dtype)[0]


@numba.njit(inline="always")
def _buffer(places: Any, number: Any) -> Any:
    """View a buffer, by the array of addresses of all and its number."""
    return _struct(carray(_pointer(places), number + 1, ADDRESS)[number], BUFFER)


@numba.njit(inline="always")
def _attribute(attrs: Any, number: Any) -> Any:
    """View an array that is passed by value."""
    return _struct(carray(_pointer(attrs.attrs), number + 1, ADDRESS)[number], ARRAY)


@numba.njit(inline="always")
def _results_from(args: Any, rets: Any, number: Any, rows: Any, dtype: Any) -> Any:
    """View the records of a result, which begin as those of the argument with the same number."""
    given = carray(_pointer(_buffer(args, number).data), rows, dtype)
    results = carray(_pointer(_buffer(rets, number).data), rows, dtype)
    if _buffer(args, number).data != _buffer(rets, number).data:  # as a rule XLA lets them lie at one place
        for row in range(rows):
            results[row] = given[row]
    return results


# Bound by `handler`: the loop, and the dtypes and sizes of one game.
play: Any = None
STATE_DTYPE: Any = None
LUCK_DTYPE: Any = None
LOG_DTYPE: Any = None
SCALES_DTYPE: Any = None
OBSERVATION_DTYPE: Any = None
FIELDS: Any = None
ACTIONS: Any = None


def play_call(frame_pointer: Any) -> Any:
    """Play one call of XLA: begin every game, or play its action. Returns the address of an error, 0 without one."""
    frame = carray(frame_pointer, 1, CALL_FRAME)[0]
    if frame.extension_start:
        extension = _struct(frame.extension_start, METADATA_EXTENSION)
        if extension.extension_base.type == IS_METADATA:
            known = _struct(extension.metadata, METADATA).api_version
            known.major_version, known.minor_version = VERSION
            return 0
    if frame.stage != EXECUTE:
        return 0
    args, rets, attrs = frame.args.args, frame.rets.rets, frame.attrs
    record = _buffer(args, RECORD)
    rows = np.int64(1)
    for size in carray(_pointer(record.dims), record.rank, ADDRESS)[:-1]:
        rows *= size
    states = _results_from(args, rets, RECORD, rows, STATE_DTYPE)
    luck = _results_from(args, rets, LUCK, rows, LUCK_DTYPE)
    scales = _attribute(attrs, SCALES)
    illegal = play(
        states,
        luck,
        carray(_pointer(_buffer(args, ACTION).data), rows, SEAT),
        carray(_pointer(_buffer(rets, OBSERVATION).data), (rows, FIELDS), OBSERVATION_DTYPE),
        carray(_pointer(_buffer(rets, MASK).data), (rows, ACTIONS), FLAG),
        carray(_pointer(_buffer(rets, REWARDS).data), (rows, MOST_SEATS), SHARE),
        carray(_pointer(_buffer(rets, OVER).data), rows, FLAG),
        carray(_pointer(_buffer(rets, CURRENT).data), rows, SEAT),
        carray(_pointer(_buffer(rets, ILLEGAL).data), rows, FLAG),
        carray(_pointer(scales.data), (scales.size // 3, 3), SCALES_DTYPE),
        carray(_pointer(_attribute(attrs, LOG).data), 1, LOG_DTYPE),
        carray(_pointer(_attribute(attrs, TEMPLATE).data), 1, STATE_DTYPE),
        _struct(_attribute(attrs, SETTINGS).data, SETTINGS_DTYPE),
    )
    if not illegal:
        return 0
    address = _stack_space()
    error = _struct(address, ERROR_CREATE_ARGS)
    error.struct_size, error.extension_start = ERROR_SIZE, 0
    error.message, error.errc = _attribute(attrs, ERROR).data, INVALID_ARGUMENT
    return _call(_struct(frame.api, API).Error_Create, address)


def handler(loop: Callable[..., Any], rules: Any, whole: bool) -> tuple[Any, int]:
    """Return a compiled handler that plays a game's `rules` by `loop`, and the address of its C function.

    The address is valid as long as the handler lives. `whole`: observations are the integers that the game counts in.
    Raises NotImplementedError where rules run as plain Python.
    """
    if not jit.COMPILED:
        raise NotImplementedError("expected compiled rules, which XLA calls; unset NUMBA_DISABLE_JIT")
    constants: Mapping[str, Any] = {
        "play": jit.specialize(loop, rules.functions, counts=False),
        "STATE_DTYPE": rules.state,
        "LUCK_DTYPE": rules.luck,
        "LOG_DTYPE": rules.log,
        "SCALES_DTYPE": rules.fields.scales.dtype,
        "OBSERVATION_DTYPE": rules.fields.dtype if whole else SHARE,
        "FIELDS": rules.fields.size,
        "ACTIONS": len(rules.actions),
    }
    bound = FunctionType(play_call.__code__, {**globals(), **constants}, play_call.__name__)
    compiled = Dispatcher(bound)
    compiled._cache = Kept(compiled, Origin(bound, file_of(rules.setup), tuple(rules.functions.values()), True))
    compiled.compile(types.int64(types.voidptr))
    (overload,) = compiled.overloads.values()
    return compiled, overload.library.get_pointer_to_function(overload.fndesc.llvm_cfunc_wrapper_name)
