"""The grammar of agents' names: ``kind:value,parameter=value``, several of them with commas between.

A value that holds a comma, a quotation mark or an equals sign stands in quotation marks, doubled within:
``policy:"runs/a,b/policy.onnx",temperature=1``. A comma before ``parameter=`` belongs to the agent before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_QUOTED = r'"(?:[^"]|"")*"'
_NAME = re.compile(rf'(?:{_QUOTED}|,(?=\s*\w+\s*=)|[^",])*')
_ITEM = re.compile(rf'\s*(?:(\w+)\s*=)?\s*({_QUOTED}|[^",]*)\s*(?:,|$)')


def split_names(text: str) -> list[str]:
    """Split a text into agents' names. Raises ValueError for a quotation mark without its partner.

    >>> split_names('greedy:push=2,row=1,expert')
    ['greedy:push=2,row=1', 'expert']
    >>> split_names('policy:"a,b.onnx",expert')
    ['policy:"a,b.onnx"', 'expert']
    """
    names, end = [], -1
    while end < len(text):
        match = _NAME.match(text, end + 1)
        assert match is not None
        names.append(match[0].strip())
        end = match.end()
        if end < len(text) and text[end] != ",":
            raise ValueError(f"expected quotation marks in pairs, got {text!r}")
    return names


def split_parameters(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parameters after an agent's colon: name ("" if it has none) and value, without quotation marks.

    Raises ValueError for a quotation mark within a value that does not begin with one.

    >>> list(split_parameters('64,depth=3'))
    [('', '64'), ('depth', '3')]
    >>> list(split_parameters('"runs/a=1,b/policy.onnx",temperature=1'))
    [('', 'runs/a=1,b/policy.onnx'), ('temperature', '1')]
    """
    begin = 0
    while begin < len(text):
        match = _ITEM.match(text, begin)
        if match is None:
            raise ValueError(f"expected a value with quotation marks around all of it, got {text!r}")
        value = match[2].strip()
        yield match[1] or "", value[1:-1].replace('""', '"') if value.startswith('"') else value
        begin = match.end()


def quoted(value: str) -> str:
    """Return a value as it stands in a name: in quotation marks if it holds a comma, an equals sign or such a mark.

    >>> quoted("runs/ppo/policy.onnx"), quoted("runs/a,b/policy.onnx")
    ('runs/ppo/policy.onnx', '"runs/a,b/policy.onnx"')
    """
    return '"' + value.replace('"', '""') + '"' if re.search(r'[",=]', value) else value
