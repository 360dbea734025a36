"""Ed25519 signatures of records and results: the holder of the key vouches for agents and thoughts too.

The signature of ``race.jsonl`` is a file next to it, ``race.jsonl.sig``: a statement, and 128 hex digits over it. The
statement says which version signed, what the file is and whether it is finished, its SHA-256, and which key signed.
Version 0.2 signed the bytes of a record, without a statement. Keys are PEM files, as OpenSSL writes and reads them.
Needs the extra ``signing``.
"""

from __future__ import annotations

import hashlib
import os
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

from titan_env.extras import extra
from titan_env.records.atomic_files import ensure_absent, replace_atomically, write_atomically
from titan_env.records.content import content_of

with extra("signing"):
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

FORMAT = "titan_env signature 2"
_HEX = "[0-9a-f]{128}"
_KEY_DIGITS = 16
_BEFORE = "signed by version 0.2, which does not say whether it is finished"


def signature_of(record: Path) -> Path:
    """Return the signature's file of a record."""
    return record.with_name(f"{record.name}.sig")


def public_of(key: Path) -> Path:
    """Return the public key's file of a private key made here."""
    return key.with_name(f"{key.name}.pub")


def sign(record: Path, key: Path) -> Path:
    """Sign a file with a private key, which is made if missing; return the signature's file.

    Raises ValueError for a file that is no private key, one that cannot be signed, or that has a signature already.
    """
    out = signature_of(record)
    ensure_absent(out)
    content = content_of(record)
    if not key.exists():
        make_key(key)
    private = _loaded(key, Ed25519PrivateKey)
    content_signed = "\n".join(
        [
            FORMAT,
            f"titan_env {version('titan_env')}",
            content,
            f"sha256 {_hash_of(record)}",
            f"key {key_id(private.public_key())}",
        ]
    )
    write_atomically(out, f"{content_signed}\n{private.sign(content_signed.encode()).hex()}\n")
    return out


def key_id(public: Ed25519PublicKey) -> str:
    """Return the id of a public key: the first 16 hex digits of the SHA-256 of its 32 bytes."""
    raw = public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()[:_KEY_DIGITS]


def _hash_of(path: Path) -> str:
    """Return the SHA-256 of a file in hex digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def verify(record: Path, key: Path) -> str:
    """Return the statement that was signed with a public (or private) key, in one line.

    Raises ValueError unless the file is as the holder of the key signed it.
    """
    out = signature_of(record)
    if not out.exists():
        raise ValueError(f"expected the signature {out}, found none; replay sign {record} --key KEY")
    is_private = b"PRIVATE" in key.read_bytes()
    public = _loaded(key, Ed25519PrivateKey).public_key() if is_private else _loaded(key, Ed25519PublicKey)
    *lines, signed = out.read_text("utf-8", "replace").strip().split("\n")
    if not re.fullmatch(_HEX, signed) or lines[:1] not in ([], [FORMAT]):
        raise ValueError(f"expected a statement and 128 hex digits in {out}, got {signed[:40]!r}")
    try:
        public.verify(bytes.fromhex(signed), "\n".join(lines).encode() if lines else record.read_bytes())
    except InvalidSignature:
        raise ValueError(f"expected what the holder of {key} signed, got another file or another signature") from None
    if not lines:
        return _BEFORE
    if f"sha256 {_hash_of(record)}" not in lines:
        raise ValueError(f"expected the file that the holder of {key} signed, but {record} has changed since")
    _, made_by, content, _, signer = lines
    return f"{content}; signed by {made_by} with the {signer}"


def make_key(key: Path) -> None:
    """Make a private key that only its owner may read, and its public key. Raises ValueError if either exists."""
    ensure_absent(key)
    ensure_absent(public_of(key))
    private = Ed25519PrivateKey.generate()
    pem = serialization.Encoding.PEM
    secret = private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    shown = private.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
    write_atomically(public_of(key), shown.decode())
    replace_atomically(key, lambda half: _write_secret(half, secret))


def _write_secret(path: Path, secret: bytes) -> None:
    """Write a new file that only its owner may read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secret)


def _loaded(key: Path, kind: type[Any]) -> Any:
    """Return the key of a PEM file. Raises ValueError if it holds none of this kind."""
    half = "private" if kind is Ed25519PrivateKey else "public"
    try:
        found: Any = (
            serialization.load_pem_private_key(key.read_bytes(), None)
            if half == "private"
            else serialization.load_pem_public_key(key.read_bytes())
        )
    except (ValueError, TypeError, UnsupportedAlgorithm):
        found = None
    if not isinstance(found, kind):
        raise ValueError(f"expected a {half} key (Ed25519, PEM, without a password) in {key}, found none")
    return found
