"""Write the page of names that have changed since version 0.2, from the tables by which the old ones answer."""

from __future__ import annotations

from collections.abc import Iterable

from titan_env.contract import renamed as contract
from titan_env.moved import MOVED, RENAMED
from titan_env.training.hyperparameters import RENAMED as HYPERPARAMETERS
from titan_env.training.hyperparameters import option_of

_HEAD = """\
# Renamed since version 0.2

Made by `python -m tools.tables`. Every old name answers until version 0.4, with a line that says the new one.
"""


def renamed_page() -> str:
    """Return the page of old and new names, as Markdown."""
    inside = [(f"{module}.{old}", new) for module, names in RENAMED.items() for old, new in names.items()]
    of_games = [(f"Game.{old}", f"Game.{new}") for old, new in {**contract.PARTS, **contract.METHODS}.items()]
    of_games += [(f"Fields.{old}", f"Fields.{new}") for old, new in contract.FIELDS.items()]
    options = [(option_of(old), option_of(new)) for old, new in HYPERPARAMETERS.items()]
    return "\n".join(
        [
            _HEAD,
            *_section("Modules and commands", ((old, ", ".join(places)) for old, places in MOVED.items())),
            *_section("Classes and functions", inside),
            *_section("A game's values", of_games),
            *_section("`titan_env.contract`", contract.FUNCTIONS.items()),
            *_section("Options of `training.ppo`, `training.sb3_maskable_ppo` and `training.rllib_ppo`", options),
            "The names of hyperparameters are CleanRL's. A config that was stored under the old ones is read as it is:",
            "`--resume` goes on with its run, and `python -m titan_env.training.retrain` prints the new options.",
            "",
        ]
    )


def _section(title: str, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines of a section with a table of old and new names."""
    rows = [f"| `{old}` | {', '.join(f'`{name}`' for name in new.split(', '))} |" for old, new in pairs]
    return [f"## {title}", "", "| old | new |", "| --- | --- |", *rows, ""]
