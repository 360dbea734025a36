"""Train a published agent again, with the commands that are stored in its file::

    python -m titan_env.training.retrain AGENT
    python -m titan_env.training.retrain AGENT --seed 1

The commands run one after the other, each in a folder of its own. Run this again to continue where it was stopped; a
script that cannot continue reports the contents of its folder. With ``--seed`` it is another training by the same
commands: other games and other weights at the start.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from titan_env import agents, registry
from titan_env.cli.console import user_errors
from titan_env.extras import extra
from titan_env.training.run_folder import CONFIG, POLICY

with extra("training"):
    import typer

PAIRS = "delegate"
"""The option of the scripts that maps questions to agents."""
LISTS = ("vary", "also")
"""Options of the scripts that map the game's options to their values."""
FULL = 0.95
"""The share of its time limit from which on a run counts as complete."""
TUNER = "titan_env.training.tune_weights"
"""The script that takes its agent without an option, writes one file, and goes on from it unasked."""
LEARNER = "titan_env.training.ppo"
"""The script with options that are newer than some published policies made with it."""
FOLDER = Path("runs")
"""The folder of all runs of the recipes."""
STRIDE = 100_000_000
"""The distance of the seeds of two trainings by `TUNER`, which plays the blocks from its seed on."""
MOST = 8
"""The last training: the seeds for development end there (docs/explanation/evaluation_protocol.md)."""


class TrainingRun(NamedTuple):
    """One run of a script: its facts from the agent's file, and its folder, or its file."""

    made: Mapping[str, Any]
    out: Path
    training: int = 0
    """Training 0 has the seeds of the agent's file; another one has seeds of its own, and a folder for its runs."""
    device: str = ""
    """The device of the network; "" for that of the agent's file."""

    @property
    def script(self) -> str:
        """The module of the script."""
        return str(self.made["script"])

    @property
    def seconds(self) -> int:
        """The run's time in seconds of one core."""
        return int(self.made["seconds"] * self.made.get("threads", 1))

    @property
    def config(self) -> Mapping[str, Any]:
        """The run's config; an option newer than its file has the value of the behaviour before."""
        config: Mapping[str, Any] = self.made["config"]
        if self.script != LEARNER:
            return config
        return {"sure": 1.0, "critic": False, "value_gae_lambda": config["gae_lambda"], "adviser": "", **config}

    @property
    def arguments(self) -> list[str]:
        """The arguments of `python`. A run that was stopped early gets the minutes that it took."""
        config = self.config
        plain = {name: value for name, value in config.items() if name not in (*LISTS, PAIRS, "scripted")}
        if self.made["seconds"] < 60 * plain.get("minutes", 0) * FULL:
            plain["minutes"] = round(self.made["seconds"] / 60, 1)
        if self.training:
            plain["seed"] += self.training * (STRIDE if self.script == TUNER else 1)
            plain["start"] = _placed(plain.get("start", ""), self.training)
        typed = ["-m", self.script]
        if self.script == TUNER:
            way, tuned, path = plain.pop("agent").partition(":")
            typed.append(f"{way}{tuned}{_placed(path, self.training)}")
            typed += [part for weight in plain.pop("tuned") for part in ("--weight", weight)]
            typed += [part for agent in plain.pop("against", ()) for part in ("--against", agent)]
        for name, value in plain.items():
            if isinstance(value, bool):
                typed.append(option_of(name if value else f"no_{name}"))
            elif value != "" or name == "adviser":  # without it the game's own adviser would be used
                typed += [option_of(name), str(value)]
        for name in LISTS:
            for option, values in (config.get(name) or {}).items():
                typed += [option_of(name), f"{option}={','.join(map(str, values))}"]
        for question, agent in (config.get(PAIRS) or {}).items():
            typed += [option_of(PAIRS), f"{question}={agent}"]
        if "scripted" in config:
            typed += ["--scripted", ",".join(config["scripted"])]
        if self.script == LEARNER:
            typed += ["--threads", str(self.made.get("threads", 1))]
            device = self.device or self.made.get("device", "")
            typed += ["--device", device] if device else []
            if device not in ("", "cpu"):
                # A file without the fact was made when games were played by the CPU.
                typed += ["--games-device", self.made.get("games_device", "cpu")]
        return [*typed, "--out", str(self.out)]

    @property
    def goes_on(self) -> bool:
        """True for a run that was begun and stopped: it is asked to go on."""
        return (self.out / CONFIG).exists()

    @property
    def is_finished(self) -> bool:
        """True if nothing is left to do."""
        return (self.out / POLICY).exists() and not self.goes_on

    def __str__(self) -> str:
        """Return the shell command."""
        return shlex.join(["python", *self.arguments])


def steps(name: str, training: int = 0) -> list[TrainingRun]:
    """Return the runs that make an agent of the package, in order: 0 as it was made, 1, 2, ... with other seeds.

    Raises ValueError for an unknown agent.
    """
    agents.trained(name)
    made: list[Any] = [agents.load(name, registry.load(game_of(name))).made]  # type: ignore[attr-defined]
    while before := made[0].get("before"):
        made.insert(0, before)
    outs = [*map(_began_with, made[1:]), FOLDER / (f"{name}.json" if made[-1]["script"] == TUNER else name)]
    return [
        TrainingRun(facts, Path(_placed(str(out), training)), training) for facts, out in zip(made, outs, strict=True)
    ]


def option_of(name: str) -> str:
    """Return the command-line option of a config's field."""
    return f"--{name.replace('_', '-')}"


def _placed(path: str, training: int) -> str:
    """Return the place of a run's folder or file in another training; "" for none."""
    return str(FOLDER / f"seed-{training}" / Path(path).relative_to(FOLDER)) if training and path else path


def _began_with(made: Mapping[str, Any]) -> Path:
    """Return the folder, or the file, of the run that a run began with."""
    config = made["config"]
    if made["script"] != TUNER:
        return Path(config["start"]).parent
    return Path(config["agent"].partition(":")[2].partition(",")[0])


def game_of(name: str) -> str:
    """Return the game in the name of an agent of the package: way@game-vN."""
    return name.partition("@")[2].rpartition("-v")[0]


def main(
    name: Annotated[str, typer.Argument(help="Trained agent of the package.")],
    tell: Annotated[bool, typer.Option("--tell", help="Print the commands only.")] = False,
    device: Annotated[str, typer.Option(help="Device, cpu or cuda, instead of the original one.")] = "",
    seed: Annotated[int, typer.Option(min=0, max=MOST, help="Training seed; 0 repeats the published run.")] = 0,
) -> None:
    """Train a published agent again, with the commands that made it."""
    with user_errors():
        todo = [step._replace(device=device) for step in steps(name, seed)]
    for step in todo:
        resumed, done_before = " --resume" * step.goes_on, "  # there already" * step.is_finished
        print(f"{step}{resumed}{done_before}", flush=True)
        if not tell and not step.is_finished:
            done = subprocess.run([sys.executable, *step.arguments, *["--resume"] * step.goes_on], check=False)
            if done.returncode:
                raise typer.Exit(done.returncode)


if __name__ == "__main__":
    typer.run(main)
