"""Code that comes with the package: compiled once for a kind of machine, read-only.

`built/<platform>-<level>/` holds the libraries that are called without Numba (`titan_env.compiler.libraries`).
`built/<triple>-<level>/` holds what Numba links where more is compiled, looked up before the user's cache: two archives
for each folder of the cache, the functions with machine code, and the parts that further callers link. An archive is a
checksum and, compressed, a line of JSON (name of each file -> its bytes) and these files, which have their names from
the cache: sources, versions or processors of another kind find nothing here.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from titan_env.compiler.cache import notify, versions
from titan_env.compiler.libraries import FOLDER, Functions, write_index
from titan_env.compiler.machine import folder_name
from titan_env.compiler.platforms import Platform
from titan_env.compiler.target import kind_of_machine

CALLED, LINKED = ".called", ".linked"
"""The endings of the two archives."""
_CHECKSUM = hashlib.sha256().digest_size
_VERSIONS = "versions.txt"


def machine_folder() -> Path:
    """Return the folder of code for this kind of machine."""
    return FOLDER / "-".join(kind_of_machine())


def load(path: Path) -> bytes | None:
    """Return the data of a file of the cache, once, if it came with the package; None if not."""
    for ending in (CALLED, LINKED):
        archive = _archive(machine_folder() / f"{path.parent.name}{ending}")
        if path.name in archive:
            return archive.pop(path.name)
    return None


@functools.cache
def _archive(path: Path) -> dict[str, bytes]:
    """Return the files in an archive by name; none, after a line to stderr, if it is damaged or cannot be read."""
    try:
        kept = path.read_bytes()
        if hashlib.sha256(kept[_CHECKSUM:]).digest() != kept[:_CHECKSUM]:
            notify(f"built code in {path.parent} is damaged: it is compiled anew; install the package again")
            return {}
        import lzma  # which a Python may lack

        head, _, body = lzma.decompress(kept[_CHECKSUM:]).partition(b"\n")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ImportError) as error:
        notify(f"built code in {path.parent} cannot be read ({error}): it is compiled anew")
        return {}
    sizes: dict[str, int] = json.loads(head)
    ends = itertools.accumulate(sizes.values())
    return {name: body[end - size : end] for (name, size), end in zip(sizes.items(), ends, strict=True)}


def libraries_folder() -> Path:
    """Return the folder of libraries for this kind of machine, which is made if it is not there."""
    folder = FOLDER / folder_name(kind_of_machine()[1])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def remove(platforms: Iterable[Platform] = ()) -> None:
    """Remove the built code for this kind of machine, and for other platforms."""
    for folder in (machine_folder(), libraries_folder(), *(FOLDER / platform.folder for platform in platforms)):
        shutil.rmtree(folder, ignore_errors=True)


def write(files: Mapping[Path, tuple[bytes, bool]], functions: Functions, platforms: Iterable[Platform] = ()) -> None:
    """Write the built code for this kind of machine, where there is none but the libraries; of `platforms` the index.

    `files` are those of the cache with their data, and whether they hold machine code; `functions` those of libraries.
    """
    import lzma

    from titan_env.compiler.library_build import write_entry_module

    for platform in (None, *platforms):
        libraries = libraries_folder() if platform is None else FOLDER / platform.folder
        write_entry_module(libraries, platform)
        write_index(libraries, functions)
    folder = machine_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _VERSIONS).write_text(f"{versions()}\n", "utf-8")
    archives: dict[str, dict[str, bytes]] = {}
    for path, (data, is_called) in sorted(files.items()):
        archives.setdefault(f"{path.parent.name}{CALLED if is_called else LINKED}", {})[path.name] = data
    for name, contents in archives.items():
        head = json.dumps({file: len(data) for file, data in contents.items()}).encode()
        packed = lzma.compress(b"\n".join((head, b"".join(contents.values()))))
        (folder / name).write_bytes(hashlib.sha256(packed).digest() + packed)


def contents() -> str:
    """Return a sentence about the built code: its folder, its size, and whether it is for these versions."""
    folder = machine_folder()
    if not (folder / _VERSIONS).is_file():
        return f"{folder}: no built code for this kind of machine"
    built = (folder / _VERSIONS).read_text("utf-8").strip()
    size = sum(path.stat().st_size for each in (folder, libraries_folder()) for path in each.iterdir()) / 1e6
    used = "used where sources are equal" if built == versions() else f"not used, as here is {versions()}"
    return f"{folder}: {size:.1f} MB of code built with {built}, {used}"
