"""Shared libraries of compiled functions, which are called without Numba (`titan_env.compiler.libraries`).

All functions of a library are linked into one module with what they call, each once, then optimised and written
together. Each that Python calls has an entry, a C function ``int entry(int64 *words, int64 *results)``: it reads the
arguments from words, eight bytes each, as Numba flattens them, and writes the numbers of the result into such words.
Libraries for other platforms are made from the same functions.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.runtime.nrt import rtsys
from numba.core.runtime.nrtdynmod import create_nrt_module

from titan_env.compiler.jit import CALLED
from titan_env.compiler.libraries import ENDING, ENTRY, Symbol
from titan_env.compiler.platforms import Platform
from titan_env.compiler.target import Library, TargetDispatcher, kind_of_machine

_WORD, _BYTE, _CODE = ir.IntType(64), ir.IntType(8), ir.IntType(32)
_SHORT_FLOAT, _FLOAT = ir.FloatType(), ir.DoubleType()
_OPTIMIZATION = 3  # of 0 to 3

_SOURCES = Path(__file__).parent
"""The folder of the sources in C."""
_COMPILERS = ("cc", "gcc", "clang")
_ZIG = [sys.executable, "-m", "ziglang"]
_OPTIONS = ("-fPIC", "-O2", "-fvisibility=hidden", "-Wl,-s")


_WRITTEN: set[tuple[str, str]] = set()
"""What of `jit.CALLED` stands in a library of this process."""


def write_library(path: Path, platforms: Iterable[Platform] = ()) -> dict[str, dict[str, Symbol]]:
    """Write a shared library of what Python has called since the last one; return the functions' symbols in it.

    For each of the other `platforms` one of the same name is written into its folder beside that of `path`. Raises
    RuntimeError, with what the linker says, where it cannot be linked.
    """
    called = {key: overload for key, overload in CALLED.items() if key not in _WRITTEN}
    _WRITTEN.update(called)
    named = {
        f"{overload.fndesc.qualname.rpartition('.')[2]}_{number}": key
        for number, (key, overload) in enumerate(called.items())
    }
    overloads = {name: called[key] for name, key in named.items()}
    _write(path, overloads)
    for platform in platforms:
        folder = path.parents[1] / platform.folder
        folder.mkdir(exist_ok=True)
        _write_for(platform, folder / path.name, overloads)
    symbols: dict[str, dict[str, Symbol]] = {}
    for name, (digest, kinds) in named.items():
        symbols.setdefault(digest, {})[kinds] = Symbol(path.stem, name, _result(overloads[name].fndesc.restype))
    return symbols


def _result(kind: Any) -> str:
    """Return the kind of a result as `Symbol` has it. Raises TypeError for anything but numbers and tuples of them."""
    if isinstance(kind, types.BaseTuple):
        return f"({''.join(map(_result, kind))})"
    if isinstance(kind, types.IntEnumMember):
        return f"{kind.instance_class.__module__}:{kind.instance_class.__qualname__}"
    if kind == types.none:
        return ""
    letters = {types.boolean: "b", types.uint64: "u", types.float32: "d", types.float64: "d"}
    if kind not in letters and not isinstance(kind, types.Integer):
        raise TypeError(f"expected a compiled function to return numbers, got {kind}")
    return letters.get(kind, "i")


def _write(path: Path, overloads: Mapping[str, Any]) -> None:
    """Write a shared library with the entries of compiled functions, by name."""
    context = TargetDispatcher.targetdescr.target_context
    rtsys.initialize(context)
    module = _linked(context, overloads, rtsys.library._get_module_for_linking().clone())
    whole = context.codegen().create_library(path.stem)
    whole._final_module = module
    whole._optimize_final_module()
    module.verify()
    made = path.with_suffix(".o")
    made.write_bytes(_machine(*kind_of_machine()).emit_object(module))
    _compile(path, str(made), str(_SOURCES / "runtime.c"), "-Wl,-z,defs,--gc-sections", "-lm")
    made.unlink()


def _write_for(platform: Platform, path: Path, overloads: Mapping[str, Any]) -> None:
    """Write a shared library for another platform with the entries of compiled functions, by name."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    context = TargetDispatcher.targetdescr.target_context
    module = _linked(context, overloads, llvm.parse_assembly(str(create_nrt_module(context)[0])))
    machine = _machine(platform.triple, "" if platform.level == "generic" else platform.level)
    text = re.sub(r"(target triple = ).*", rf'\1"{platform.triple}"', str(module))
    module = llvm.parse_assembly(re.sub(r"(target datalayout = ).*", rf'\1"{machine.target_data}"', text))
    if platform.is_windows:
        for name in overloads:
            module.get_function(name).storage_class = llvm.StorageClass.dllexport
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(_OPTIMIZATION))
    passes.getModulePassManager().run(module, passes)
    module.verify()
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, f"{path.stem}.o")
        made.write_bytes(machine.emit_object(module))
        _link_for(platform, path, Path(folder), str(made), str(_SOURCES / "runtime.c"), *platform.library)


def _linked(context: Any, overloads: Mapping[str, Any], runtime: Any) -> Any:
    """Return a module of these functions with all that they call, and with Numba's `runtime`; only entries are seen."""
    module = llvm.parse_assembly(str(_entries(context, overloads)))
    for library in _needed(overload.library for overload in overloads.values()):
        part = library.part().clone()
        function = part.get_function(library.function_name)
        if library.is_called_by_name:
            function.add_function_attribute("noinline")
        module.link_in(part)
    module.link_in(runtime)
    _hide(module, set(overloads))
    return module


def _machine(triple: str, level: str) -> Any:
    """Return LLVM's target machine for a triple and a level of processors."""
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=level, opt=_OPTIMIZATION, reloc="pic", codemodel="default"
    )


def write_entry_module(folder: Path, platform: Platform | None = None) -> None:
    """Write the extension module that calls entries into a folder, for another `platform` if one is given.

    Raises RuntimeError as `_compile` does.
    """
    path, source = folder / f"{ENTRY}{ENDING}", str(_SOURCES / "entry.c")
    headers = Path(sysconfig.get_path("include"))
    if platform is None:
        _compile(path, source, f"-I{headers}")
        return
    with tempfile.TemporaryDirectory() as scratch:
        own = _headers_for_any_platform(headers, Path(scratch, "include"))
        made = Path(scratch, f"{ENTRY}.o")
        _run(made, *_zig_for(platform), "-c", *platform.headers, f"-I{own}", source, "-o", str(made))
        python = [_import_library(made)] if platform.is_windows else []
        _link_for(platform, path, Path(scratch), str(made), *python, *platform.extension)


def _headers_for_any_platform(headers: Path, folder: Path) -> Path:
    """Copy Python's headers into a folder with this machine's ``pyconfig.h``; return the folder.

    On Debian the file of that name includes the platform's own, which is there for no other platform.
    """
    shutil.copytree(headers, folder)
    machine = headers.parent / str(sysconfig.get_config_var("MULTIARCH")) / headers.name / "pyconfig.h"
    if machine.is_file():
        shutil.copyfile(machine, folder / "pyconfig.h")
    return folder


def _import_library(extension: Path) -> str:
    """Write the import library of what an object of an extension module needs of Python; return its path."""
    needed = sorted({name.decode() for name in re.findall(rb"__imp_(\w+)", extension.read_bytes())})
    names, made = extension.with_name("python3.def"), extension.with_name("libpython3.a")
    names.write_text("\n".join(["LIBRARY python3.dll", "EXPORTS", *needed, ""]), "utf-8")
    _run(made, *_ZIG, "dlltool", "-m", "i386:x86-64", "-d", str(names), "-l", str(made))
    return str(made)


def _compile(path: Path, *arguments: str) -> None:
    """Write a shared library by the system's C compiler or that of ``ziglang``.

    Raises RuntimeError without a compiler, or with what it says.
    """
    compiler = [found for name in _COMPILERS if (found := shutil.which(name))][:1] or [*_ZIG, "cc"]
    _run(path, *compiler, "-shared", *_OPTIONS, *arguments, "-o", str(path))


def _zig_for(platform: Platform) -> list[str]:
    """Return the command of a C compiler for another platform."""
    return [*_ZIG, "cc", "-target", platform.zig, *_OPTIONS]


def _link_for(platform: Platform, path: Path, scratch: Path, *arguments: str) -> None:
    """Write a shared library for another platform; what the linker leaves beside it stays in the folder `scratch`."""
    linked = scratch / path.name
    _run(linked, *_zig_for(platform), *arguments, "-o", str(linked))
    shutil.copyfile(linked, path)


def _run(path: Path, *command: str) -> None:
    """Run a command that makes a file. Raises RuntimeError, with what the command says, if it does not."""
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if result.returncode:
        raise RuntimeError(f"expected {path.name} to be linked, got: {result.stderr.strip():.500}")


def _needed(libraries: Iterable[Library]) -> Iterator[Library]:
    """Yield these libraries and all that they need, callers before what they call, each once."""
    waiting, seen = list(libraries), set()
    while waiting:
        library = waiting.pop(0)
        if library.unique not in seen:
            seen.add(library.unique)
            yield library
            waiting += library.needed()


def _hide(module: Any, names: set[str]) -> None:
    """Let nothing but these functions be seen from outside of a module."""
    for symbol in [*module.functions, *module.global_variables]:
        if not symbol.is_declaration and symbol.name not in names:
            symbol.linkage = llvm.Linkage.internal


def _entries(context: Any, overloads: Mapping[str, Any]) -> Any:
    """Return a module with the entry of each function, by name."""
    module = context.create_module("entries")
    for name, overload in overloads.items():
        _write_entry(context, module, name, overload.fndesc)
    return module


def _write_entry(context: Any, module: Any, name: str, fndesc: Any) -> None:
    """Write the entry of a function into a module: unpack the words, call it, and unpack what it returns."""
    called = context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes)
    entry = ir.Function(module, ir.FunctionType(_CODE, [_WORD.as_pointer(), _WORD.as_pointer()]), name)
    builder = ir.IRBuilder(entry.append_basic_block())
    words, results = entry.args
    returned = cgutils.alloca_once(builder, called.args[0].pointee)
    builder.store(cgutils.get_null_value(called.args[0].pointee), returned)
    error = cgutils.alloca_once(builder, called.args[1].pointee)
    flat = [
        _from_word(builder, builder.load(builder.gep(words, [_WORD(index)])), kind)
        for index, kind in enumerate(called.args[2:])
    ]
    function = ir.Function(module, called, fndesc.llvm_func_name)
    status = builder.call(function, [returned, error, *flat])
    result = context.get_returned_value(builder, fndesc.restype, builder.load(returned))
    for index, (value, kind) in enumerate(_numbers(builder, result, fndesc.restype)):
        builder.store(_as_word(builder, value, kind), builder.gep(results, [_WORD(index)]))
    builder.ret(status)


def _from_word(builder: Any, word: Any, kind: Any) -> Any:
    """Return a word as an argument of this LLVM type."""
    if isinstance(kind, ir.PointerType):
        return builder.inttoptr(word, kind)
    if kind == _FLOAT:
        return builder.bitcast(word, kind)
    if kind == _SHORT_FLOAT:
        return builder.bitcast(builder.trunc(word, _CODE), kind)
    return word if kind == _WORD else builder.trunc(word, kind)


def _numbers(builder: Any, value: Any, kind: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the numbers of a result with their Numba types: of a tuple each."""
    if isinstance(kind, types.BaseTuple):
        for index, part in enumerate(kind):
            yield from _numbers(builder, builder.extract_value(value, index), part)
    elif kind != types.none:
        yield value, kind


def _as_word(builder: Any, value: Any, kind: Any) -> Any:
    """Return a number as a word."""
    kind = getattr(kind, "dtype", kind)  # of an enum
    if value.type == _SHORT_FLOAT:
        value = builder.fpext(value, _FLOAT)
    if value.type == _FLOAT:
        return builder.bitcast(value, _WORD)
    if value.type == _WORD:
        return value
    is_signed = isinstance(kind, types.Integer) and kind.signed
    return builder.sext(value, _WORD) if is_signed else builder.zext(value, _WORD)
