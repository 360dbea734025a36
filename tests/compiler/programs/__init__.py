"""Small programs with rules of their own, which tests of the cache copy, change and run in processes of their own."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).parent
ROOT = PROGRAMS.parents[2]


def copy_program(name: str, folder: Path) -> Path:
    """Copy a program, which is a file or a folder of files, into `folder`; return that."""
    source = PROGRAMS / name
    if source.is_dir():
        shutil.copytree(source, folder, dirs_exist_ok=True)
    else:
        shutil.copy(source, folder)
    return folder


def run_python(
    folder: Path, cache: Path, *command: str, most_bytes: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``python COMMAND`` in a folder with this cache of compiled rules; no file may grow beyond `most_bytes`.

    Raises CalledProcessError if it fails.
    """

    def limit_files() -> None:
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    return subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "TITAN_ENV_CACHE": str(cache), "PYTHONPATH": str(ROOT)},
        preexec_fn=limit_files,
        capture_output=True,
        text=True,
        check=True,
    )
