"""The chain of files of JSON lines, which reveals lines that were changed, lost or doubled.

Each line of a record or of a journal has a link, a hash of it and of the link before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def link(before: str, line: Mapping[str, Any]) -> str:
    """Return the link of the chain at a line: 16 hex digits of a hash of the line and the link before it."""
    text = before + as_text({name: value for name, value in line.items() if name != "chain"})
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def as_text(line: Mapping[str, Any]) -> str:
    """Return a line as it stands in the file."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
