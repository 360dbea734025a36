"""Install a wheel of this checkout with each extra, and ask every command of it for its help::

    python -m tools.extras [EXTRA ...]

Each extra gets an environment of its own in a temporary folder, with the newest libraries that it allows, but the torch
of `constraints.txt`, whose newest default build brings several GB of CUDA. Every command has to print its help there or
to say in one line which other extra it lacks, and every way in that needs the extra has to be open.
"""

from __future__ import annotations

import argparse
import configparser
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "titan_env"

COMMANDS = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if re.search(r"^if __name__ ==.*\n    \w+[.\w]*\(.*\)\n\Z", path.read_text("utf-8"), re.M)
]
"""The modules that are run as ``python -m``: those that end in a call of their own."""

DOORS = {
    "stable_baselines3": ("sb3", "titan_env.GameVecEnv"),
    "ray": ("rllib", "titan_env.GameMultiAgentEnv"),
    "scipy": ("evaluation", "importlib.import_module('titan_env.evaluation.matches.duplicate')"),
    "choix": ("evaluation", "importlib.import_module('titan_env.evaluation.matches.plackett_luce')"),
    "torch": ("training", "importlib.import_module('titan_env.training.export_policy')"),
    "rich": ("cli", "drawn('ansi')"),
    "PIL": ("pictures", "drawn('rgb_array')"),
    "pygame": ("window", "drawn('human')"),
    "starlette": ("web", "importlib.import_module('titan_env.web.requests.server')"),
    "cryptography": ("signing", "importlib.import_module('titan_env.records.signing')"),
    "hypothesis": ("testing", "titan_env.testing.playout_checks.check_play(GAME, {}, 1, 10)"),
    "pyspiel": ("openspiel", "importlib.import_module('titan_env.envs.openspiel')"),
    "jax": ("jax", "titan_env.GameJaxEnv"),
    "textarena": ("textarena", "importlib.import_module('titan_env.envs.textarena')"),
    "verifiers": ("verifiers", "titan_env.GameTaskset"),
    "openenv": ("openenv", "importlib.import_module('titan_env.envs.openenv')"),
    "mcp": ("mcp", "importlib.import_module('titan_env.cli.mcp')"),
    "huggingface_hub": ("hub", f"titan_env.agents.load('policy:hf://a/b/c.onnx@{'0' * 64}', GAME)"),
    "anywidget": ("notebook", "importlib.import_module('titan_env.records.widget')"),
    "onnxruntime": ("policy", "titan_env.agents.load('ppo@titan_race-v3', GAME)"),
}
"""A library of an extra -> the extra, and a way into the package that needs the library."""

DOOR = """
import importlib, sys, titan_env, titan_env.testing
GAME = titan_env.load("titan_race")
def drawn(mode):
    env = titan_env.GameAEC(GAME, render_mode=mode)
    env.reset(seed=1)
    env.render()
"""
"""What a way in is tried after."""

ANSWERS = """
import importlib, json, os, runpy, sys, tempfile
from importlib.machinery import PathFinder

absent, names, preloaded, commands = json.loads(sys.stdin.read())

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in absent else super().find_spec(name, path, target)

    @classmethod
    def find_distributions(cls, context):
        normal = (context.name or "").lower().replace("_", "-").replace(".", "-")
        return iter(()) if normal in names else super().find_distributions(context)

sys.meta_path[sys.meta_path.index(PathFinder)] = Without
import titan_env.agents
for module in preloaded:  # once, not in each command's process
    importlib.import_module(module)

def run(module, arguments):
    sys.argv = ["-m", *arguments]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code)
        return 1 if isinstance(end.code, str) else end.code or 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0

outputs = []
for module, *arguments in commands:
    with tempfile.TemporaryFile("w+") as out:
        if not (child := os.fork()):
            os.dup2(out.fileno(), 1), os.dup2(out.fileno(), 2)
            code = run(module, arguments)
            sys.stdout.flush(), sys.stderr.flush()
            os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out.seek(0)
        outputs.append((code, out.read()))
print(json.dumps(outputs))
"""
"""A script that runs commands, each in a process of its own, where libraries are absent."""


class CommandOutput(NamedTuple):
    """The exit status of a command, and all that it printed."""

    status: int
    text: str


def run_commands(
    commands: Iterable[Sequence[str]],
    python: str = sys.executable,
    folder: Path = ROOT,
    absent: Sequence[str] = (),
    names: Sequence[str] = (),
    preloaded: Sequence[str] = (),
) -> list[CommandOutput]:
    """Run commands, each ``module argument ...``, as ``python -m`` does in a folder, and return their answers.

    `absent` are modules, and `names` distributions, that are hidden from them; `preloaded` modules are imported before.
    """
    asked = json.dumps([absent, names, preloaded, list(commands)])
    done = subprocess.run(
        [python, "-c", ANSWERS], input=asked, capture_output=True, encoding="utf-8", check=False, cwd=folder
    )
    if done.returncode != 0:
        raise ChildProcessError(done.stderr)
    return [CommandOutput(*one) for one in json.loads(done.stdout.splitlines()[-1])]


def requirements() -> dict[str, set[str]]:
    """Return the requirements of each extra, those of the extras in it among them."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    section = setup["options.extras_require"]
    return {name: {line for line in section[name].splitlines() if line} for name in section}


def check(extra: str, wheel: Path) -> list[str]:
    """Install the wheel with an extra, print what its commands answered, and return the faults."""
    extras = requirements()
    brought = {name for name, asked in extras.items() if asked <= extras[extra]}
    with tempfile.TemporaryDirectory() as folder:
        python = installed(wheel, extra, Path(folder))
        answers = dict(
            zip(COMMANDS, run_commands([[name, "--help"] for name in COMMANDS], python, Path(folder)), strict=True)
        )
        shut = {door: opened(door, python, folder) for name, door in DOORS.values() if name in brought}
    lacking = re.compile(r"Error: expected [\w.]+(, which the extra (\w+) brings; |; run make rllib).+\n")
    faults = [f"{door}: {error}" for door, error in shut.items() if error]
    for command, answer in answers.items():
        line = lacking.fullmatch(answer.text)
        if answer.status != 0 and (not line or line[2] in brought):
            faults.append(f"python -m {command} --help: {answer.text[-400:]}")
    helped = sum(answer.status == 0 for answer in answers.values())
    print(f"{extra}: {helped} of {len(answers)} commands help, {len(shut)} ways in, {len(faults)} faults", flush=True)
    return [f"{extra}: {fault}" for fault in faults]


def installed(wheel: Path, extra: str, folder: Path) -> str:
    """Install a wheel with an extra in a new environment, and return its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    python = str(folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")
    torch = re.findall(r"^torch==.*", (ROOT / "constraints.txt").read_text("utf-8"), re.M)
    only = folder / "torch.txt"
    only.write_text("\n".join(torch), "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile", "-c", str(only)]
    subprocess.run([*pip, f"{wheel}[{extra}]"], check=True)
    return python


def opened(door: str, python: str, folder: str) -> str:
    """Return the last line of the error with which a way into the package ends, "" where it is open."""
    environment = os.environ | {"SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run(
        [python, "-c", f"{DOOR}\n{door}"],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env=environment,
        check=False,
    )
    return done.stderr.strip().rpartition("\n")[2] or f"status {done.returncode}" if done.returncode else ""


def main() -> None:
    """Check the extras that are named, or all; end with status 1 after the faults of all are told."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("extras", nargs="*", metavar="EXTRA", help="Extras to check; all of setup.cfg by default.")
    names = parser.parse_args().extras or list(requirements())
    if unknown := set(names) - requirements().keys():
        parser.error(f"expected extras of {', '.join(requirements())}, got {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, str(ROOT)]
        subprocess.run(pip, check=True)
        (wheel,) = Path(folder).glob("*.whl")
        faults = [fault for name in names for fault in check(name, wheel)]
    sys.exit("\n".join(faults) or None)


if __name__ == "__main__":
    main()
