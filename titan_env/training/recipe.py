"""Make a trained agent again, by the commands that its file tells it was made with::

    python -m titan_env.training.recipe AGENT

One command after the other, each in a folder of its own. The same command goes on where this one was stopped; a
script that cannot go on says what it found in its folder.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from titan_env import agents, registry
from titan_env.cli.console import user_errors
from titan_env.training.runs import CONFIG, POLICY

LISTS = ("vary", "also")
"""Options of the scripts that hold, for each option of the game, its values."""
FULL = 0.95
"""The share of its time after which a run is taken to have gone to its end."""
LEARNER = "titan_env.training.ppo"
"""The script that got options after policies were made with it that come with the package."""


class Step(NamedTuple):
    """One run of a script: what the agent's file tells of it, and the folder that it goes to."""

    made: Mapping[str, Any]
    out: Path

    @property
    def seconds(self) -> int:
        """How long it took on one core."""
        return int(self.made["seconds"] * self.made.get("threads", 1))

    @property
    def config(self) -> Mapping[str, Any]:
        """What it depended on: where its file is older than an option, what was done before there was one."""
        config: Mapping[str, Any] = self.made["config"]
        if self.made["script"] != LEARNER:
            return config
        return {"sure": 1.0, "critic": False, "value_trace": config["trace"], "adviser": "", **config}

    @property
    def arguments(self) -> list[str]:
        """The arguments of `python`, as they are typed. A run that was stopped before its time is as long as it was."""
        config = self.config
        plain = {name: value for name, value in config.items() if name not in (*LISTS, "scripted")}
        if self.made["seconds"] < 60 * plain.get("minutes", 0) * FULL:
            plain["minutes"] = round(self.made["seconds"] / 60, 1)
        typed = ["-m", self.made["script"]]
        for name, value in plain.items():
            if isinstance(value, bool):
                typed.append(_flag(name if value else f"no_{name}"))
            elif value != "" or name == "adviser":  # left out, it would be the game's own
                typed += [_flag(name), str(value)]
        for name in LISTS:
            for option, values in (config.get(name) or {}).items():
                typed += [_flag(name), f"{option}={','.join(map(str, values))}"]
        if "scripted" in config:
            typed += ["--scripted", ",".join(config["scripted"])]
        if self.made["script"] == LEARNER:
            typed += ["--threads", str(self.made.get("threads", 1))]
        return [*typed, "--out", str(self.out)]

    def __str__(self) -> str:
        """The command as one types it."""
        return shlex.join(["python", *self.arguments])


def steps(name: str) -> list[Step]:
    """How a trained agent that comes with the package was made, the first step first.

    Raises ValueError for an unknown agent.
    """
    agents.trained(name)
    made: list[Any] = [agents.load(name, registry.load(game_of(name))).made]  # type: ignore[attr-defined]
    while before := made[0].get("before"):
        made.insert(0, before)
    outs = [*(Path(run["config"]["start"]).parent for run in made[1:]), Path("runs") / name]
    return [Step(*step) for step in zip(made, outs, strict=True)]


def game_of(name: str) -> str:
    """The game of a trained agent that comes with the package, as its name says: way@game-vN."""
    return name.partition("@")[2].rpartition("-v")[0]


def _flag(name: str) -> str:
    """The option of a command that stands for a field of its config."""
    return f"--{name.replace('_', '-')}"


def main(
    name: Annotated[str, typer.Argument(help="a trained agent that comes with the package")],
    tell: Annotated[bool, typer.Option("--tell", help="only print the commands")] = False,
) -> None:
    """Make a trained agent again, by the commands that it was made with."""
    with user_errors():
        todo = steps(name)
    for step in todo:
        goes_on = (step.out / CONFIG).exists()
        finished = (step.out / POLICY).exists() and not goes_on
        typer.echo(f"{step}{' --resume' if goes_on else ''}{'  # there already' if finished else ''}")
        if not tell and not finished:
            done = subprocess.run([sys.executable, *step.arguments, *["--resume"] * goes_on], check=False)
            if done.returncode:
                raise typer.Exit(done.returncode)


if __name__ == "__main__":
    typer.run(main)
