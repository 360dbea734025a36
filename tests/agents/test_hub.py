"""Policies are downloaded from a hub by their hash, once; nothing else is ever played in their place."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from titan_env import agents, registry
from titan_env.agents import shipped
from titan_env.agents.hub import downloaded

pytest.importorskip("huggingface_hub")

FILE = next(iter(shipped(registry.load("titan_race")).values()))
DATA = FILE.read_bytes()
DIGEST = hashlib.sha256(DATA).hexdigest()
PROGRAM = """
import sys
from titan_env import agents, registry
from titan_env.evaluation.matches.fingerprints import fingerprint
race = registry.load("titan_race")
try:
    print(type(agents.load(sys.argv[1], race)).__name__, fingerprint(sys.argv[1], race))
except Exception as error:
    print(f"{type(error).__name__}: {error}")
"""


class Hub(BaseHTTPRequestHandler):
    """A hub with the file ``someone/policies/policy.onnx``."""

    asked: ClassVar[list[str]] = []

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self.asked.append(self.path)
        there = self.path == "/someone/policies/resolve/main/policy.onnx"
        self.send_response(200 if there else 404)
        self.send_header("ETag", f'"{DIGEST}"')
        self.send_header("X-Repo-Commit", "0" * 40)
        self.send_header("Content-Length", str(len(DATA) if there else 0))
        self.end_headers()

    def do_GET(self) -> None:
        self.do_HEAD()
        self.wfile.write(DATA)


@pytest.fixture
def endpoint() -> Iterator[str]:
    Hub.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def answer(name: str, folder: Path, **more: str) -> str:
    """What another process says of an agent, whose caches lie in a folder."""
    places = {"XDG_CACHE_HOME": str(folder / "kept"), "HF_HOME": str(folder / "hub"), **more}
    environment = {name: value for name, value in os.environ.items() if name != "TITAN_ENV_CACHE"} | places
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, name], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.thorough
def test_a_policy_of_the_hub_is_downloaded_once_and_plays_as_the_file_does(endpoint: str, tmp_path: Path) -> None:
    shutil.copyfile(FILE, tmp_path / "policy.onnx")
    name = f"policy:hf://someone/policies/policy.onnx@{DIGEST}"
    here = answer(f"policy:{tmp_path / 'policy.onnx'}", tmp_path)
    assert answer(name, tmp_path, HF_ENDPOINT=endpoint) == here
    assert here.startswith("Policy ")
    assert Hub.asked
    Hub.asked.clear()
    assert answer(name, tmp_path, HF_ENDPOINT=endpoint) == answer(name, tmp_path, HF_HUB_OFFLINE="1") == here
    assert Hub.asked == [], "what is kept is not asked for again"


@pytest.mark.thorough
def test_a_file_of_another_hash_one_that_is_missing_and_no_network_are_each_one_line(
    endpoint: str, tmp_path: Path
) -> None:
    other = "0" * 64
    output = answer(f"policy:hf://someone/policies/policy.onnx@{other}", tmp_path, HF_ENDPOINT=endpoint)
    assert output == f"ValueError: expected someone/policies/policy.onnx of the hub with the hash {other}, got {DIGEST}"
    missing = f"hf://someone/policies/none.onnx@{other}"
    output = answer(f"policy:{missing}", tmp_path, HF_ENDPOINT=endpoint)
    assert output.startswith(f"ValueError: expected to download {missing}, but the hub does not give it: ")
    for offline in ({"HF_HUB_OFFLINE": "1"}, {"HF_ENDPOINT": "http://127.0.0.1:9"}):
        output = answer(f"policy:hf://someone/policies/policy.onnx@{'1' * 64}", tmp_path / "elsewhere", **offline)
        assert output.startswith("ValueError: expected to download hf://someone/policies/policy.onnx@1111")
        assert "\n" not in output
    assert not list(tmp_path.glob("**/policies/*.onnx")), "nothing is kept that has not the hash"


@pytest.mark.parametrize("address", ["hf://policy.onnx", f"hf://a/b/c.onnx@{DIGEST[:12]}", "hf://a/b/c.onnx"])
def test_an_address_without_a_whole_hash_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="expected hf://owner/repo/file@ and the file's sha256 in 64 hex digits, got"):
        agents.load(f"policy:{address}", "titan_race")


def test_a_path_stays_a_path() -> None:
    assert downloaded("runs/policy.onnx") == Path("runs/policy.onnx")
