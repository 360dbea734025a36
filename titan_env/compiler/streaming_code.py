"""Instructions of the processor that rules call (`titan_env.compiler.streaming`), as Numba writes them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LINE = 64
"""The bytes of a line of the cache, and of the vector that is stored at once."""

_BYTE, _SIZE, _NUMBER = ir.IntType(8), ir.IntType(64), ir.IntType(32)
_VECTOR = ir.VectorType(_SIZE, LINE // 8)


@intrinsic
def room_like(typingctx: Any, row: Any, dtype: Any) -> Any:
    """Return an array as long as a row (F,), not initialized, on the stack; it goes when the calling rule returns."""
    made = row.copy(dtype=dtype.dtype)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        from numba.np.arrayobj import populate_array  # 30 ms, which only large batches take

        length = context.make_array(row)(context, builder, args[0]).nitems
        array = context.make_array(made)(context, builder)
        buffer = builder.alloca(context.get_data_type(made.dtype), size=length)
        buffer.align = LINE
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(made.dtype)))
        populate_array(array, buffer, cgutils.pack_array(builder, [length]), [size], size, None)
        return array._getvalue()

    return made(row, dtype), codegen


@intrinsic
def copy_streaming(typingctx: Any, source: Any, target: Any) -> Any:
    """Copy a row to another of the same type and length: whole lines by streaming stores, its ends by ordinary ones."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        read, written = (context.make_array(source)(context, builder, array) for array in args)
        start, end = (builder.bitcast(array.data, _BYTE.as_pointer()) for array in (read, written))
        size = builder.mul(written.nitems, written.itemsize)
        to_line = builder.and_(builder.neg(builder.ptrtoint(end, _SIZE)), _SIZE(LINE - 1))
        head = builder.select(builder.icmp_unsigned("<", to_line, size), to_line, size)
        lines = builder.udiv(builder.sub(size, head), _SIZE(LINE))
        tail = builder.add(head, builder.mul(lines, _SIZE(LINE)))

        def at(base: Any, offset: Any) -> Any:
            return builder.gep(base, [offset])

        cgutils.raw_memcpy(builder, end, start, head, 1)
        with cgutils.for_range(builder, lines) as loop:
            offset = builder.add(head, builder.mul(loop.index, _SIZE(LINE)))
            line = builder.load(builder.bitcast(at(start, offset), _VECTOR.as_pointer()), align=1)
            store = builder.store(line, builder.bitcast(at(end, offset), _VECTOR.as_pointer()), align=LINE)
            store.set_metadata("nontemporal", builder.module.add_metadata([_NUMBER(1)]))
        cgutils.raw_memcpy(builder, at(end, tail), at(start, tail), builder.sub(size, tail), 1)
        return context.get_dummy_value()

    return types.void(source, target), codegen


@intrinsic
def fence_stores(typingctx: Any) -> Any:
    """Wait until all stores before it, streaming ones too, are seen by other threads."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), codegen
