"""A GPU that is none: the modules that go to the GPU's compiler, compiled for this processor and run thread by thread.

The numbers of a thread, which a GPU keeps in registers, are variables here; all else of the code is the same. The
threads of a block that wait for each other run side by side, as threads of this process.
"""

from __future__ import annotations

import ctypes
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from titan_env.compiler.cuda_driver import THREADS
from titan_env.compiler.device_arrays import RowLayout
from titan_env.compiler.kernels import KernelSource

REGISTERS = {"tid": "@tid", "ctaid": "@block"}
"""Special registers that kernels read, and the variable in the place of each; `ntid` is a constant."""

GLUE = """
@tid = global i32 0
@block = global i32 0
define void @run(i64 %first, i64 %last, ptr %words) {{
start:
  br label %next
next:
  %row = phi i64 [%first, %start], [%after, %next]
  %thread = urem i64 %row, {threads}
  %number = udiv i64 %row, {threads}
  %thread32 = trunc i64 %thread to i32
  %number32 = trunc i64 %number to i32
  store i32 %thread32, ptr @tid
  store i32 %number32, ptr @block
  {loads}
  call i32 @"{entry}"({given})
  %after = add i64 %row, 1
  %more = icmp ult i64 %after, %last
  br i1 %more, label %next, label %end
end:
  ret void
}}
declare i32 @"{entry}"({types})
"""


FUNCTIONS = {
    "__nv_fmin": ("llvm.minnum.f64", 2),
    "__nv_fmax": ("llvm.maxnum.f64", 2),
    "__nv_exp": ("llvm.exp.f64", 1),
    "__nv_log": ("llvm.log.f64", 1),
}
"""Functions that NVIDIA's library brings, with the instruction in the place of each, and how many numbers it takes."""

BARRIER = "llvm.nvvm.barrier0"


class Block:
    """Threads of this process in the place of those of a block, which wait for each other at a barrier."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._barrier, self._key = ctypes.create_string_buffer(64), ctypes.c_uint()
        assert self._library.pthread_key_create(ctypes.byref(self._key), None) == 0
        self._pool = ThreadPoolExecutor(THREADS)

    def run(self, kernel: Any, first: int, rows: int, words: int) -> None:
        """Run a kernel for the rows from the first on; threads without a row leave at once, as on a GPU."""
        self._library.pthread_barrier_init(self._barrier, None, min(THREADS, rows - first))

        def run_thread(thread: int) -> None:
            self._library.pthread_setspecific(self._key, ctypes.c_void_p(thread))
            kernel(first + thread, first + thread + 1, words)

        list(self._pool.map(run_thread, range(THREADS)))

    def functions(self, name: str) -> str:
        """Return the function that waits for the other threads, or that reads the number of a thread."""
        if name == "register.barrier":
            return f"""declare i32 @pthread_barrier_wait(ptr)
                define void @"{name}"() {{
                %v = call i32 @pthread_barrier_wait(ptr inttoptr (i64 {ctypes.addressof(self._barrier)} to ptr))
                ret void }}"""
        return f"""declare ptr @pthread_getspecific(i32)
            define i32 @"{name}"() {{
            %p = call ptr @pthread_getspecific(i32 {self._key.value})
            %v = ptrtoint ptr %p to i32
            ret i32 %v }}"""


class Processor:
    """A driver that runs kernels on this processor, one thread after the other."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.sources: dict[Any, KernelSource] = {}
        self._ported: dict[Any, Any] = {}
        self._engines: list[Any] = []
        self._block = Block()

    def load(self, bound: Any, arguments: tuple[Any, ...], layout: RowLayout | None) -> Any:
        """Return the function that runs a kernel for some rows, and the block that its threads need, if they wait."""
        source = KernelSource(bound, arguments, self._ported, layout)
        self.sources[bound.__name__ if layout is None else layout] = source
        machine = llvm.Target.from_default_triple().create_target_machine(cpu=llvm.get_host_cpu_name(), opt=1)
        block = self._block if any(BARRIER in text for text in source.modules) else None
        module = _linked(source, machine, block)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        self._engines.append(engine)  # the code lives as long
        kind = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        return kind(engine.get_function_address("run")), block

    def launch(self, kernel: Any, rows: int, words: list[int]) -> None:
        """Run a kernel for each row, with the threads of the last block that have none."""
        (run, block), values = kernel, np.array(words, np.int64)
        if block is None:
            run(0, -(-rows // THREADS) * THREADS, values.ctypes.data)
        else:
            for first in range(0, rows, THREADS):
                block.run(run, first, rows, values.ctypes.data)


def _linked(source: KernelSource, machine: Any, block: Block | None) -> Any:
    """Return the modules of a kernel as one for this processor."""
    module: Any = None
    for text in source.modules:
        part = llvm.parse_assembly(_retargeted(text, machine))
        part.triple = machine.triple
        if module is None:
            module = part
        else:
            module.link_in(part)
    kernel = module.get_function(source.entry)
    types = [str(argument.type) for argument in kernel.arguments]
    names = [f"%a{place}" for place in range(len(types))]
    loads = (
        f"%p{place} = getelementptr i64, ptr %words, i64 {place}\n  {name} = load {kind}, ptr %p{place}"
        for place, (name, kind) in enumerate(zip(names, types, strict=True))
    )
    glue = GLUE.format(
        threads=THREADS,
        loads="\n  ".join(loads),
        entry=source.entry,
        given=", ".join(map(" ".join, zip(types, names, strict=True))),
        types=", ".join(types),
    )
    unknown = [each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")]
    functions = [_function(name, block) for name in unknown]
    module.link_in(llvm.parse_assembly("\n".join([glue, *functions])))
    assert [
        each.name
        for each in module.functions
        if each.is_declaration and not each.name.startswith(("llvm.", "pthread_"))
    ] == []
    return module


def _retargeted(text: str, machine: Any) -> str:
    """Return a module's text for this processor, with functions in the place of a thread's registers."""
    text = re.sub(r'target triple = ".*"', f'target triple = "{machine.triple}"', text)
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{machine.target_data}"', text)
    text = re.sub(r"(?m)^!nvvm.*$", "", text)
    text = text.replace(BARRIER, "register.barrier")
    return text.replace("llvm.nvvm.read.ptx.sreg", "register").replace("linkonce_odr", "weak_odr")


def _function(name: str, block: Block | None) -> str:
    """Return the function that reads a register of a thread, waits for a block, or is of NVIDIA's library."""
    if name in FUNCTIONS:
        instruction, count = FUNCTIONS[name]
        given = ", ".join(f"double %a{place}" for place in range(count))
        return f"""declare double @{instruction}({", ".join(["double"] * count)})
            define double @"{name}"({given}) {{
            %v = call double @{instruction}({given})
            ret double %v }}"""
    if name.endswith((".y", ".z")):  # a block, and the blocks, stand in a line
        return f'define i32 @"{name}"() {{\n ret i32 {int("ntid" in name)}\n}}'
    register = name.removeprefix("register.").removesuffix(".x")
    if block is not None and register in ("barrier", "tid"):
        return block.functions(name)
    assert register in (*REGISTERS, "ntid"), f"a kernel calls {name}, which a GPU need not have"
    read = f"ret i32 {THREADS}" if register == "ntid" else f"%v = load i32, ptr {REGISTERS[register]}\n ret i32 %v"
    return f'define i32 @"{name}"() {{\n {read}\n}}'
