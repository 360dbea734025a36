"""Files that prove that they are whole: a digest in each, and one way to say that a file is not.

JSON documents have their format, and with it a count of their entries and a digest, among their names; files of JSON
lines have them in the first line; binary files end in their digest. What is appended to, as records are, has a chain
(`titan_env.records.hash_chain`).
"""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from titan_env.records.atomic_files import replace_atomically, write_atomically

MOST_REASON = 120
"""The bound on the letters of a message that tell how a file is damaged, and may quote it."""
_DIGEST = 64  # hex digits at the end of a binary file
_UNPACKED, _TIMES = 2**26, 100
"""The bytes to which any zip file may unpack, and how many times its own size a larger one may."""


def one_line(text: object) -> str:
    """Return a text as one line of at most `MOST_REASON` printable letters."""
    line = "".join(letter if letter.isprintable() else " " for letter in " ".join(str(text).split()))
    return line if len(line) <= MOST_REASON else line[: MOST_REASON - 3] + "..."


def reason_of(error: Exception) -> str:
    """Return in one line why a file could not be read."""
    if isinstance(error, KeyError):
        return one_line(f"it has no {error}")
    if isinstance(error, UnicodeDecodeError):
        return f"it is no text in UTF-8 (byte {error.start})"
    if isinstance(error, RecursionError):
        return "its values are nested too deeply"
    if isinstance(error, AttributeError | TypeError | IndexError):
        return one_line(f"it has other values than expected ({error})")
    return one_line(error) or type(error).__name__


@contextmanager
def reading(kind: str, path: Path, cure: str) -> Iterator[None]:
    """Turn any error of reading a file into a ValueError of one line; `kind` is a noun with its article."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"expected {kind}, found no {path} ({error.strerror or error}); {cure}") from None
    except Exception as error:  # any error: damaged bytes raise anything
        raise ValueError(
            f"expected {kind} in {path}, which is damaged or another file: {reason_of(error)}; {cure}"
        ) from None


def digest_of(content: Any) -> str:
    """Return the digest of a JSON value: 64 hex digits of its shortest text with sorted names."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def sealed(document: Mapping[str, Any], form: str, entries: str) -> dict[str, Any]:
    """Return a document with its format, the number of its `entries` (a name in it), and its digest."""
    document = {"format": form, "count": len(document[entries]), **document}
    return {"digest": digest_of(document), **document}


def unsealed(document: Any, form: str, entries: str) -> dict[str, Any]:
    """Return a document without what `sealed` has added. Raises an error for any other document."""
    rest = dict(document)
    if rest["format"] != form:
        raise ValueError(f"its format is {rest['format']!r}, not {form!r}")
    if rest.pop("digest") != digest_of(rest):
        raise ValueError("its digest is not that of its content")
    del rest["format"]
    if rest.pop("count") != len(rest[entries]):
        raise ValueError(f"it has not as many {entries} as it counts")
    return rest


def sealed_lines(head: Mapping[str, Any], lines: Sequence[Mapping[str, Any]], form: str) -> str:
    """Return a head and lines as JSON, a line each; the head has the format, the number of lines, and their digest."""
    document = sealed({**head, "lines": lines}, form, "lines")
    del document["lines"]
    return "".join(json.dumps(line) + "\n" for line in (document, *lines))


def unsealed_lines(text: str, form: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the head and the lines of a text that `sealed_lines` has made. Raises an error for any other."""
    head, *lines = map(json.loads, text.splitlines())
    document = unsealed({**head, "lines": lines}, form, "lines")
    return document, document.pop("lines")


def seal(data: bytes) -> bytes:
    """Return bytes that end in the digest of all that is before it."""
    return data + hashlib.sha256(data).hexdigest().encode()


def unseal(data: bytes) -> bytes:
    """Return what `seal` was given. Raises ValueError for bytes that do not end in their digest."""
    content = data[:-_DIGEST]
    if data != seal(content):
        raise ValueError("it does not end in its digest, or was not saved here")
    return content


def write_sealed(path: Path, data: bytes) -> None:
    """Write bytes and their digest, atomically."""
    replace_atomically(path, lambda made: made.write_bytes(seal(data)))


def write_arrays(path: Path, arrays: Mapping[str, Any], about: Mapping[str, str] | None = None) -> None:
    """Write arrays, and texts beside them, as a sealed ``.npz`` file, atomically."""
    data = io.BytesIO()
    texts: dict[str, Any] = {name: np.frombuffer(text.encode(), np.uint8) for name, text in (about or {}).items()}
    np.savez_compressed(data, **arrays, **texts)
    write_sealed(path, data.getvalue())


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a sealed ``.npz`` file; use it within `reading`."""
    data = unseal(path.read_bytes())
    expect_unpackable(data)
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def expect_unpackable(data: bytes) -> None:
    """Raise ValueError for a zip file that unpacks to much more than its own size, by its headers and its arrays'."""
    most = max(_UNPACKED, _TIMES * len(data))
    with ZipFile(io.BytesIO(data)) as archive:
        if (size := sum(_unpacked(archive, member) for member in archive.infolist())) > most:
            raise ValueError(f"it would unpack to {size:,} bytes, more than {most:,}")


def _unpacked(archive: ZipFile, member: ZipInfo) -> int:
    """Return the bytes that a member of a zip file takes: by its entry there, and for an array by its own header."""
    if not member.filename.endswith(".npy"):
        return member.file_size
    with archive.open(member) as file:
        version = np.lib.format.read_magic(file)
        read_header = (np.lib.format.read_array_header_1_0, np.lib.format.read_array_header_2_0)[version[0] - 1]
        shape, _, dtype = read_header(file)
    return max(member.file_size, math.prod(shape) * dtype.itemsize)


def write_json(path: Path, document: Mapping[str, Any], form: str, entries: str, indent: int | None = None) -> None:
    """Write a document with its seal as JSON, atomically."""
    write_atomically(path, json.dumps(sealed(document, form, entries), indent=indent) + "\n")


def read_json(path: Path, form: str, entries: str) -> dict[str, Any]:
    """Return the document that `write_json` has written; use it within `reading`."""
    return unsealed(json.loads(path.read_text("utf-8")), form, entries)
