"""Files of agents from a hub by hash: ``hf://owner/repo/policy.onnx@<sha256>``, kept in the cache folder by their hash.

Needs huggingface_hub (the extra ``hub``) for the first download alone; ``HF_ENDPOINT`` names another hub.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from titan_env.compiler import cache
from titan_env.extras import complaint, extra
from titan_env.records.atomic_files import replace_atomically

SCHEME = "hf://"
_ADDRESS = re.compile(rf"{SCHEME}([\w.-]+/[\w.-]+)/([^@]+)@([0-9a-f]{{64}})")


def downloaded(path: str | Path) -> Path:
    """Return a file by its path, one at a hub by its address from the cache folder, where it is downloaded to.

    Raises ValueError for an address without a hash, a file that cannot be downloaded, and one of another hash.
    """
    if not str(path).startswith(SCHEME):
        return Path(path)
    if (found := _ADDRESS.fullmatch(str(path))) is None:
        raise ValueError(f"expected {SCHEME}owner/repo/file@ and the file's sha256 in 64 hex digits, got {path}")
    repo, file, digest = found.groups()
    kept = cache.root() / "policies" / f"{digest}{Path(file).suffix}"
    if not kept.is_file() or _hash_of(kept.read_bytes()) != digest:
        data = _asked_for(repo, file, str(path))
        if (got := _hash_of(data)) != digest:
            raise ValueError(f"expected {repo}/{file} of the hub with the hash {digest}, got {got}")
        replace_atomically(kept, lambda half: half.write_bytes(data))
    return kept


def _asked_for(repo: str, file: str, address: str) -> bytes:
    """Return a file of the hub. Raises ValueError where it does not give it, or cannot be reached."""
    with extra("hub"):
        from huggingface_hub import hf_hub_download
    try:
        return Path(hf_hub_download(repo, file)).read_bytes()
    except Exception as error:  # of its own, of its network library, of the system
        reason = complaint(error).strip().partition("\n")[0]
        raise ValueError(f"expected to download {address}, but the hub does not give it: {reason}") from None


def _hash_of(data: bytes) -> str:
    """Return the sha256 of bytes in hex digits."""
    return hashlib.sha256(data).hexdigest()
