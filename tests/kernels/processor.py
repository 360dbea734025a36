"""A GPU that is none: the modules that go to the GPU's compiler, compiled for this processor and run thread by thread.

The numbers of a thread, which a GPU keeps in registers, are variables here; all else of the code is the same.
"""

from __future__ import annotations

import ctypes
import itertools
import re
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from titan_env.compiler.cuda_driver import THREADS
from titan_env.compiler.kernels import KernelSource

REGISTERS = {"tid": "@tid", "ctaid": "@block"}
"""Special registers that kernels read, and the variable in the place of each; `ntid` is a constant."""

GLUE = """
@tid = global i32 0
@block = global i32 0
define void @run(i64 %rows, ptr %words) {{
start:
  br label %next
next:
  %row = phi i64 [0, %start], [%after, %next]
  %thread = urem i64 %row, {threads}
  %number = udiv i64 %row, {threads}
  %thread32 = trunc i64 %thread to i32
  %number32 = trunc i64 %number to i32
  store i32 %thread32, ptr @tid
  store i32 %number32, ptr @block
  {loads}
  call i32 @"{entry}"({given})
  %after = add i64 %row, 1
  %more = icmp ult i64 %after, %rows
  br i1 %more, label %next, label %end
end:
  ret void
}}
declare i32 @"{entry}"({types})
"""


FUNCTIONS = {"__nv_fmin": "llvm.minnum.f64", "__nv_fmax": "llvm.maxnum.f64"}
"""Functions of two numbers that NVIDIA's library brings, and the instruction in the place of each."""


class Processor:
    """A driver that runs kernels on this processor, one thread after the other."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.sources: dict[str, KernelSource] = {}
        self._ported: dict[Any, Any] = {}
        self._engines: list[Any] = []

    def load(self, bound: Any, arguments: tuple[Any, ...]) -> Any:
        """Return the function that runs a kernel for some rows."""
        source = self.sources[bound.__name__] = KernelSource(bound, arguments, self._ported)
        machine = llvm.Target.from_default_triple().create_target_machine(cpu=llvm.get_host_cpu_name(), opt=1)
        module = _linked(source, machine)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        self._engines.append(engine)  # the code lives as long
        kind = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p)
        return kind(engine.get_function_address("run"))

    def launch(self, kernel: Any, rows: int, words: list[int]) -> None:
        """Run a kernel for each row, with the threads of the last block that have none."""
        values = np.array(words, np.int64)
        kernel(-(-rows // THREADS) * THREADS, values.ctypes.data)


def _linked(source: KernelSource, machine: Any) -> Any:
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
    module.link_in(llvm.parse_assembly("\n".join(itertools.chain([glue], map(_register, unknown)))))
    assert [each.name for each in module.functions if each.is_declaration and not each.name.startswith("llvm.")] == []
    return module


def _retargeted(text: str, machine: Any) -> str:
    """Return a module's text for this processor, with functions in the place of a thread's registers."""
    text = re.sub(r'target triple = ".*"', f'target triple = "{machine.triple}"', text)
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{machine.target_data}"', text)
    text = re.sub(r"(?m)^!nvvm.*$", "", text)
    return text.replace("llvm.nvvm.read.ptx.sreg", "register").replace("linkonce_odr", "weak_odr")


def _register(name: str) -> str:
    """Return the function that reads a register of a thread, or one of NVIDIA's library."""
    if name in FUNCTIONS:
        return f"""declare double @{FUNCTIONS[name]}(double, double)
            define double @"{name}"(double %a, double %b) {{
            %v = call double @{FUNCTIONS[name]}(double %a, double %b)
            ret double %v }}"""
    register = name.removeprefix("register.").removesuffix(".x")
    assert register in (*REGISTERS, "ntid"), f"a kernel calls {name}, which a GPU need not have"
    read = f"ret i32 {THREADS}" if register == "ntid" else f"%v = load i32, ptr {REGISTERS[register]}\n ret i32 %v"
    return f'define i32 @"{name}"() {{\n {read}\n}}'
