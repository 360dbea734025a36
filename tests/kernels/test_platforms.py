"""Built code for other platforms is linked here and shows its entries; that for WebAssembly plays the batch's bytes.

`make test-all` runs this in an environment with ziglang.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.compiler.test_libraries import uses
from titan_env.compiler import jit, libraries
from titan_env.compiler.jit import rule
from titan_env.compiler.library_build import write_entry_module, write_library
from titan_env.compiler.platforms import PLATFORMS, WASM, Platform, platforms_of
from titan_env.engine.batch import Batch
from titan_env.engine.batch_loops import sample_rows, step_rows

GAME, ROWS, STEPS = "titan_race", 20, 50
MARKS = {
    "linux-aarch64": re.compile(rb"\x7fELF.{14}\xb7\0", re.DOTALL),
    "macos-aarch64": re.compile(rb"\xcf\xfa\xed\xfe\x0c\0\0\x01"),
    "macos-x86_64": re.compile(rb"\xcf\xfa\xed\xfe\x07\0\0\x01"),
    "windows-x86_64": re.compile(rb"MZ.{,1024}?PE\0\0\x64\x86", re.DOTALL),
}
"""The beginning of a platform's libraries, with the processor that they are for."""


@pytest.fixture(scope="module")
def recording() -> Iterator[None]:
    """Keep what Python calls, for a library."""
    with pytest.MonkeyPatch.context() as patch:
        called: dict[tuple[str, str], Any] = {}
        patch.setattr(jit, "recording", True)
        patch.setattr(jit, "CALLED", called)
        patch.setattr("titan_env.compiler.library_build.CALLED", called)
        yield


@pytest.fixture(scope="module")
def built(recording: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, set[str]]:
    """The folder of built code with a library of small functions for every platform, and the names of its entries."""
    folder = tmp_path_factory.mktemp("built") / "here"
    folder.mkdir()
    for function, arguments in uses():
        rule(function)(*arguments)
    places = write_library(folder / f"small{libraries.ENDING}", PLATFORMS)
    return folder.parent, {place.entry for found in places.values() for place in found.values()}


@pytest.mark.parametrize("platform", PLATFORMS, ids=[platform.name for platform in PLATFORMS])
def test_a_library_for_another_platform_is_linked_and_shows_its_entries(
    built: tuple[Path, set[str]], platform: Platform
) -> None:
    data = (built[0] / platform.folder / f"small{libraries.ENDING}").read_bytes()
    assert MARKS[platform.name].match(data)
    assert {entry for entry in built[1] if f"{entry}\0".encode() in data} == built[1]
    assert [path.name for path in (built[0] / platform.folder).iterdir()] == [f"small{libraries.ENDING}"]


@pytest.mark.parametrize("platform", PLATFORMS, ids=[platform.name for platform in PLATFORMS])
def test_the_extension_module_for_another_platform_asks_python_for_its_stable_interface(
    platform: Platform, tmp_path: Path
) -> None:
    write_entry_module(tmp_path, platform)
    data = (tmp_path / f"{libraries.ENTRY}{libraries.ENDING}").read_bytes()
    assert MARKS[platform.name].match(data)
    assert b"PyInit_entry\0" in data
    assert b"PyObject_GetBuffer\0" in data
    assert (b"python3.dll\0" in data) == platform.is_windows


def test_a_platform_without_code_is_refused_with_those_that_have_some() -> None:
    with pytest.raises(ValueError, match=r"expected a platform among linux-aarch64, .* got 'amiga'"):
        platforms_of(["amiga"])


NODE = """
import fs from "fs";
const [, , file, scene] = process.argv;
const { entries, words, at, steps, bytes } = JSON.parse(fs.readFileSync(scene + ".json"));
const game = new WebAssembly.Module(fs.readFileSync(file));
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(game))
  (imports[from] ??= {})[name] = () => { throw new Error("called " + name); };
const { exports } = new WebAssembly.Instance(game, imports);
const base = exports.memory.buffer.byteLength;
exports.memory.grow(Math.ceil((bytes + 65536) / 65536));
const memory = new Uint8Array(exports.memory.buffer);
memory.set(fs.readFileSync(scene + ".bin"), base);
const view = new DataView(exports.memory.buffer);
const lists = words.map((list, number) => {
  const place = base + at[number];
  list.forEach(([kind, value], i) => view.setBigInt64(place + 8 * i, BigInt(value) + (kind ? BigInt(base) : 0n), true));
  return place;
});
for (let step = 0; step < steps; step++)
  entries.forEach((name, number) => {
    const status = exports[name](lists[number], base + bytes);
    if (status !== 0 && status !== -2) throw new Error(name + " returned " + status);
  });
process.stdout.write(memory.subarray(base, base + bytes));
"""
"""Lays arrays and words into memory, calls each entry in turn, and writes the memory back."""


class Scene:
    """Arrays one after the other, and the words by which entries are called with them."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._places: dict[int, int] = {}

    def place(self, array: Any) -> int:
        """Return where an array begins."""
        key = array.__array_interface__["data"][0]
        if key not in self._places:
            self.data += bytes(-len(self.data) % 64)
            self._places[key] = len(self.data)
            self.data += np.ascontiguousarray(array).tobytes()
        return self._places[key]

    def words(self, arguments: Any) -> list[tuple[int, int]]:
        """Return the words of arguments, with 1 before those that count from where the arrays begin."""
        found: list[tuple[int, int]] = []
        for argument in arguments:
            if isinstance(argument, tuple):
                found += self.words(argument)
            elif isinstance(argument, np.ndarray):
                sizes = [0, 0, argument.size, argument.itemsize]
                shape = [*argument.shape, *argument.strides]
                found += [(0, size) for size in sizes] + [(1, self.place(argument))] + [(0, size) for size in shape]
            else:
                found.append((0, int(argument)))
        return found


@pytest.mark.skipif(shutil.which("node") is None, reason="node runs WebAssembly")
def test_a_game_in_webassembly_plays_a_thousand_decisions_with_the_bytes_of_the_batch(
    recording: None, tmp_path: Path
) -> None:
    batch = Batch(GAME, ROWS, whole=True)
    batch.seed(1)
    batch.start()
    scene, words, starts, latest = Scene(), dict[str, list[Any]](), dict[str, list[int]](), dict[str, list[Any]]()

    def kept(loop: Any, play: Any) -> Any:
        """Return a loop that lays its arguments out at its first call, and keeps those of the latest."""

        def call(*arguments: Any) -> Any:
            latest[loop.__name__] = [array for array in arguments if isinstance(array, np.ndarray)]
            if loop.__name__ not in words:
                words[loop.__name__] = scene.words(arguments)
                starts[loop.__name__] = list(map(scene.place, latest[loop.__name__]))
            return play(*arguments)

        return call

    batch.loops.update({loop: kept(loop, batch.loops[loop]) for loop in (sample_rows, step_rows)})
    for _ in range(STEPS):
        batch.step(batch.sample())
    assert not batch.over.any()

    (tmp_path / "here").mkdir()
    places = write_library(tmp_path / "here" / f"game{libraries.ENDING}", [WASM])
    entries = {entry.rpartition("_")[0]: entry for found in places.values() for _, entry, _ in found.values()}
    at, data = [], bytes(scene.data)
    for called in words.values():
        data += bytes(-len(data) % 64)
        at.append(len(data))
        data += bytes(8 * len(called))
    (tmp_path / "scene.bin").write_bytes(data)
    (tmp_path / "scene.json").write_text(
        json.dumps(
            {
                "entries": [entries[name] for name in words],
                "words": list(words.values()),
                "at": at,
                "steps": STEPS,
                "bytes": len(data),
            }
        ),
        "utf-8",
    )
    (tmp_path / "play.mjs").write_text(NODE, "utf-8")
    library = tmp_path / WASM.folder / f"game{libraries.ENDING}"
    command = ["node", str(tmp_path / "play.mjs"), str(library), str(tmp_path / "scene")]
    played = subprocess.run(command, capture_output=True, check=True).stdout
    for name, arrays in latest.items():
        for start, array in zip(starts[name], arrays, strict=True):
            assert played[start : start + array.nbytes] == array.tobytes()
