"""The other platforms that code is built for: LLVM writes it, and ``ziglang`` links it, on any machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from titan_env.compiler.machine import folder_name


class Platform(NamedTuple):
    """A platform with LLVM's triple, the level of processors, the target of ``zig cc`` and the tag of its wheels."""

    name: str
    triple: str
    level: str
    zig: str
    tag: str
    library: tuple[str, ...] = ("-shared",)
    """The linker's options for a library."""
    extension: tuple[str, ...] = ("-shared",)
    """The linker's options for an extension module, which finds Python where it is loaded."""
    headers: tuple[str, ...] = ()
    """The compiler's options that the headers of the Python at hand need."""

    @property
    def folder(self) -> str:
        """The name of its folder of built libraries."""
        return folder_name(self.level, self.name)

    @property
    def is_windows(self) -> bool:
        """True where a library lists its entries, and an extension module links an import library of Python."""
        return self.name.startswith("windows")


_ELF = ("-shared", "-Wl,-z,defs,--gc-sections", "-lm")
_FOUND_WHERE_LOADED = (
    "-shared",
    "-Wl,-undefined,dynamic_lookup",
)
_WINDOWS = ("Py_PYCONFIG_H", "MS_WINDOWS", "MS_WIN64", "HAVE_DECLSPEC_DLL", "Py_ENABLE_SHARED")
_SIZES = {"VOID_P": 8, "SIZE_T": 8, "LONG_LONG": 8, "LONG": 4, "WCHAR_T": 2}
"""With `_WINDOWS` what Python's `pyconfig.h` says on Windows."""

PLATFORMS = (
    Platform(
        "linux-aarch64",
        "aarch64-unknown-linux-gnu",
        "generic",
        "aarch64-linux-gnu.2.28",
        "manylinux_2_28_aarch64",
        library=_ELF,
    ),
    Platform(
        "macos-aarch64",
        "arm64-apple-macosx11.0.0",
        "generic",
        "aarch64-macos.11.0",
        "macosx_11_0_arm64",
        extension=_FOUND_WHERE_LOADED,
    ),
    Platform(
        "macos-x86_64",
        "x86_64-apple-macosx11.0.0",
        "x86-64",
        "x86_64-macos.11.0",
        "macosx_11_0_x86_64",
        extension=_FOUND_WHERE_LOADED,
    ),
    Platform(
        "windows-x86_64",
        "x86_64-w64-windows-gnu",
        "x86-64",
        "x86_64-windows-gnu",
        "win_amd64",
        headers=(*(f"-D{name}" for name in _WINDOWS), *(f"-DSIZEOF_{name}={size}" for name, size in _SIZES.items())),
    ),
)

_REACTOR = ("-mexec-model=reactor", "-Wl,--export-dynamic")

WASM = Platform("wasm32", "wasm32-unknown-wasi", "generic", "wasm32-wasi", "", library=_REACTOR)
"""WebAssembly, of which no wheel is made: its libraries play wherever a program reads them."""


def platforms_of(names: Iterable[str]) -> list[Platform]:
    """Return the platforms with these names. Raises ValueError for a name that none has."""
    by_name = {platform.name: platform for platform in PLATFORMS}
    for name in names:
        if name not in by_name:
            raise ValueError(f"expected a platform among {', '.join(by_name)}, got {name!r:.50}")
    return [by_name[name] for name in dict.fromkeys(names)]
