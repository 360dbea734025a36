"""The reference of the command line and of all modules, written from the code when the documentation is built."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from titan_env.__main__ import app

PACKAGE = Path(__file__).parents[1] / "titan_env"
ELSEWHERE = ("rllib_ppo",)
"""Scripts that need an environment of their own."""

_HEAD = """\
# The command line

It comes with the extra `cli`; what else a command needs it says in one line. The scripts for training and measuring
stand below the commands.
"""
_MODULES = """\
# Every module

In one line each; what users meet is told in full on the page of the [API](../reference/python_api.md).
"""


def write_reference(folder: Path) -> None:
    """Write the pages ``command_line.md`` and ``modules.md``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "command_line.md").write_text(reference(), "utf-8")
    (folder / "modules.md").write_text(modules(), "utf-8")


def reference() -> str:
    """Return every command and script with its arguments and options, as a page of Markdown."""
    lines = [_HEAD]
    group: Any = typer.main.get_command(app)
    for name in group.list_commands(typer.Context(group)):
        command = group.get_command(typer.Context(group), name)
        lines += _described(name, f"titan_env {name}", inspect.cleandoc(command.help), command)
    for script in sorted([*(PACKAGE / "evaluation").rglob("*.py"), *(PACKAGE / "training").glob("*.py")]):
        if _command_of(script):
            lines += _script(script)
    return "\n".join(lines)


def modules() -> str:
    """Return every module with the first sentence of its docstring, by folder, as a page of Markdown."""
    lines = [_MODULES]
    for folder in ["", *(path.parent.name for path in sorted(PACKAGE.glob("*/__init__.py")))]:
        rows = [f"| `{name}` | {sentence} |" for name, sentence in _sentences(PACKAGE / folder)]
        title = f"titan_env.{folder}" if folder else "titan_env"
        lines += [f"## `{title}`", "", "| module | what it is |", "| --- | --- |", *rows, ""]
    return "\n".join(lines)


def _sentences(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the modules of a folder (with subfolders, except for the package itself) and their first sentences."""
    for path in sorted(folder.glob("*.py") if folder == PACKAGE else folder.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        yield name, _doc(path).partition("\n\n")[0].replace("\n", " ").replace("|", r"\|").rstrip(":")


def _doc(path: Path) -> str:
    """Return the docstring of a file."""
    return ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""


def _command_of(script: Path) -> bool:
    """Return whether a file is a script that users run."""
    return f"python -m titan_env.{_module(script)}" in _doc(script)


def _module(script: Path) -> str:
    """Return the name of a script's module below the package."""
    return ".".join(script.relative_to(PACKAGE).with_suffix("").parts)


def _script(script: Path) -> list[str]:
    """Return the part of the page about a script."""
    title, text = _module(script), f"```text\n{_doc(script)}\n```"
    if script.stem in ELSEWHERE:
        return [f"## {title}", "", text, ""]
    one = typer.Typer(add_completion=False)
    one.command()(importlib.import_module(f"titan_env.{title}").main)
    return _described(title, f"titan_env.{title}", text, typer.main.get_command(one))


def _described(title: str, called: str, about: str, command: Any) -> list[str]:
    """Return the part of the page about a command: purpose, usage, arguments and options."""
    usage = " ".join(command.collect_usage_pieces(typer.Context(command)))
    rows = [f"| `{', '.join(part.opts)}` | {_meaning(part)} |" for part in command.params]
    lines = [f"## {title}", "", about, "", "```", f"python -m {called} {usage}", "```", ""]
    return lines + (["| argument or option | meaning |", "| --- | --- |", *rows, ""] if rows else [])


def _meaning(part: Any) -> str:
    """Return the meaning of an argument or option, and its default."""
    help_text = (part.help or "").replace("|", r"\|")
    default = str(part.default).removeprefix(f"{PACKAGE.parent}/")
    return help_text if part.default in (None, False) else f"{help_text} Otherwise: `{default}`"
