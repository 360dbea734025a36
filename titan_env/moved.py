"""Aliases of what moved or was renamed since version 0.2, which warn with the new name until version 0.4.

An import of an old module gives the new one and a `FutureWarning`, and so does an old name in a module that is still
there; ``python -m`` with an old name runs the new module after a line on stderr.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import importlib.util
import runpy
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import InspectLoader, MetaPathFinder
from types import CodeType, ModuleType
from typing import Any

MOVED: Mapping[str, Sequence[str]] = {
    "titan_env.agents.advice": ("titan_env.agents.score_features",),
    "titan_env.agents.chat.words": ("titan_env.agents.chat.prompts",),
    "titan_env.agents.duplicate": ("titan_env.evaluation.matches.duplicate",),
    "titan_env.agents.expert": ("titan_env.agents.scorer",),
    "titan_env.agents.greedy": ("titan_env.agents.scorer",),
    "titan_env.agents.match": ("titan_env.evaluation.matches.match",),
    "titan_env.cli.balance": ("titan_env.evaluation.reports.balance",),
    "titan_env.cli.catalogue": ("titan_env.cli.list_games",),
    "titan_env.cli.output": ("titan_env.cli.tables",),
    "titan_env.cli.seating": (
        "titan_env.records.session",
        "titan_env.engine.option_text",
        "titan_env.agents.naming",
    ),
    "titan_env.cli.speed": ("titan_env.evaluation.reports.speed",),
    "titan_env.contract.language": ("titan_env.contract.translation",),
    "titan_env.contract.people": ("titan_env.contract.presentation_values",),
    "titan_env.contract.positions": ("titan_env.contract.position_text",),
    "titan_env.contract.reading": ("titan_env.contract.frozen_record", "titan_env.contract.record_copies"),
    "titan_env.engine.asking": ("titan_env.play.agent_calls",),
    "titan_env.engine.given": ("titan_env.engine.validation",),
    "titan_env.engine.hearing": ("titan_env.play.observation_history",),
    "titan_env.engine.loops": ("titan_env.engine.batch_loops", "titan_env.engine.mask_sampling"),
    "titan_env.engine.table": ("titan_env.play.learner_batch",),
    "titan_env.engine.tally": ("titan_env.play.event_statistics",),
    "titan_env.engine.tree": ("titan_env.play.tree_search",),
    "titan_env.engine.turns": ("titan_env.play.learner_loops",),
    "titan_env.engine.winning": ("titan_env.play.turn_solver",),
    "titan_env.engine.worlds": ("titan_env.play.determinization",),
    "titan_env.envs.options": ("titan_env.envs.default_options",),
    "titan_env.envs.solo": ("titan_env.envs.single_agent",),
    "titan_env.evaluation.arena": ("titan_env.evaluation.ratings.ladder",),
    "titan_env.evaluation.enter": ("titan_env.evaluation.ratings.rate_agent",),
    "titan_env.records.again": ("titan_env.records.replay",),
    "titan_env.records.animation": ("titan_env.records.video",),
    "titan_env.records.examples": ("titan_env.records.rule_examples",),
    "titan_env.records.files": ("titan_env.records.atomic_files",),
    "titan_env.records.film": ("titan_env.records.replay_html",),
    "titan_env.records.language": ("titan_env.records.translation",),
    "titan_env.records.reading": ("titan_env.records.record_file",),
    "titan_env.training.afterstates": ("titan_env.training.train_afterstate",),
    "titan_env.training.arena": ("titan_env.evaluation.ratings.ladder",),
    "titan_env.training.calibration": ("titan_env.evaluation.reports.calibration",),
    "titan_env.training.commands": ("titan_env.cli.console",),
    "titan_env.training.config": ("titan_env.training.ppo_config",),
    "titan_env.training.enter": ("titan_env.evaluation.ratings.rate_agent",),
    "titan_env.training.evaluate": ("titan_env.evaluation.matches.evaluate",),
    "titan_env.training.fingerprints": ("titan_env.evaluation.matches.fingerprints",),
    "titan_env.training.graph": ("titan_env.training.onnx_graph",),
    "titan_env.training.learn": ("titan_env.training.ppo_update",),
    "titan_env.training.output": ("titan_env.cli.tables",),
    "titan_env.training.policies": (
        "titan_env.training.network",
        "titan_env.training.checkpoints",
        "titan_env.training.export_policy",
    ),
    "titan_env.training.puzzles": ("titan_env.evaluation.puzzles.puzzles",),
    "titan_env.training.recipe": ("titan_env.training.retrain",),
    "titan_env.training.record": ("titan_env.training.minari_dataset",),
    "titan_env.training.results": ("titan_env.evaluation.ratings.results",),
    "titan_env.training.rollout": ("titan_env.training.ppo_rollout",),
    "titan_env.training.runs": ("titan_env.training.run_folder",),
    "titan_env.training.tournament": ("titan_env.evaluation.ratings.tournament",),
}
"""Old module -> the modules with its contents; ``python -m`` runs the first."""

RENAMED: Mapping[str, Mapping[str, str]] = {
    "titan_env.agents": {"usual": "default_agent", "account": "usage_summary"},
    "titan_env.agents.afterstate": {"Judge": "ValueNetwork", "Decided": "ScoredActions", "page_of": "game_module"},
    "titan_env.agents.naming": {"read_names": "split_names"},
    "titan_env.agents.planning": {"guide": "load_prior", "outlook": "leaf_values"},
    "titan_env.agents.rollout": {"Rollout": "RolloutPlanner"},
    "titan_env.agents.score_features": {"WHOLE": "QUANTIZED_ONE", "size_told": "input_size"},
    "titan_env.contract.frozen_record": {"Reading": "FrozenRecord", "reading": "freeze"},
    "titan_env.contract.position_text": {
        "Notation": "FieldFormat",
        "Notations": "FieldFormats",
        "within": "check_bounds",
    },
    "titan_env.contract.presentation_values": {
        "Note": "GlossaryEntry",
        "Question": "OptionPrompt",
        "Choice": "OptionValue",
        "Form": "SetupFormData",
    },
    "titan_env.contract.record_copies": {"copied": "copy_records"},
    "titan_env.contract.shapes": {"remembered": "cached_drawing"},
    "titan_env.contract.translation": {
        "Words": "Catalogue",
        "speaking": "use_language",
        "ToldLater": "TranslatableError",
    },
    "titan_env.engine.batch": {"silence": "null_log", "plain": "as_arrays"},
    "titan_env.play.determinization": {
        "Worlds": "Determinizations",
        "gather": "batch_of",
        "agents_rng": "agent_rng",
    },
    "titan_env.play.event_statistics": {"Games": "FinishedGames", "play": "play_and_count"},
    "titan_env.play.learner_batch": {"Table": "LearnerBatch"},
    "titan_env.play.observation_history": {"Heard": "WorldsWithHistory", "Past": "EventHistory"},
    "titan_env.play.outcomes": {"chance": "chance_outcomes"},
    "titan_env.play.turn_solver": {"Turn": "TurnSolver", "TooMany": "SearchLimit"},
    "titan_env.engine.validation": {
        "each_seed": "expand_seeds",
        "read_checked": "parse_checked_position",
        "switch": "check_bool",
        "whole_numbers": "check_integer_observations",
    },
    "titan_env.envs.spaces": {"Actions": "MaskedDiscrete"},
    "titan_env.evaluation.matches.duplicate": {"played": "play_block_results"},
    "titan_env.evaluation.matches.match": {
        "SURE": "Z95",
        "Share": "Proportion",
        "seating": "seat_rotation",
        "win_shares": "win_rates",
    },
    "titan_env.pictures.render": {"Window": "PygameWindow"},
    "titan_env.records.atomic_files": {
        "expect_new": "ensure_absent",
        "hold": "lock_folder",
        "make_whole": "replace_atomically",
        "write_whole": "write_atomically",
    },
    "titan_env.records.replay": {
        "Moment": "ReplayStep",
        "prove_chance": "verify_chance",
        "record_of": "build_record",
        "respoken": "translate_thoughts",
    },
    "titan_env.records.replay_html": {"film": "render_html"},
    "titan_env.records.session": {"Seating": "GameSession"},
    "titan_env.records.video": {"save_animation": "save_video"},
    "titan_env.registry": {"Entry": "RegistryEntry"},
    "titan_env.training.ppo_rollout": {"Rollout": "RolloutBuffer"},
}
"""Module -> old name in it -> new name."""


def old_names(module: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a module with old names in `RENAMED`: the new object, after a FutureWarning."""

    def look_up(name: str) -> Any:
        new = RENAMED[module].get(name)
        if new is None:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warnings.warn(f"{module}.{name} goes with version 0.4: write {new}", FutureWarning, stacklevel=2)
        return getattr(sys.modules[module], new)

    return look_up


class OldName:
    """An attribute of a class under its old name, which gives the new one after a FutureWarning."""

    def __init__(self, new: str) -> None:
        self._new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self._old = f"{owner.__name__}.{name}"

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        warnings.warn(f"{self._old} goes with version 0.4: write {self._new}", FutureWarning, stacklevel=2)
        return getattr(instance, self._new)


class _MovedLoader(InspectLoader):
    """Loads a module under its old name, with the contents of its new places."""

    def __init__(self, old: str, places: Sequence[str]) -> None:
        self.places = places
        self.notice = f"{old} is {' and '.join(places)} now; the old name goes with version 0.4"

    def exec_module(self, module: ModuleType) -> None:
        """Warn, and make the module look every name up at its new places."""
        warnings.warn(self.notice, FutureWarning, stacklevel=2)
        found = [importlib.import_module(place) for place in self.places]

        def look_up(name: str) -> Any:
            for place in found:
                if hasattr(place, name):
                    return getattr(place, name)
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}; {self.notice}")

        vars(module)["__getattr__"] = look_up

    def get_code(self, fullname: str) -> CodeType:
        """Return code that runs the new module as a script, for ``python -m``."""
        return compile(f"from titan_env.moved import run; run({self.notice!r}, {self.places[0]!r})", fullname, "exec")

    def get_source(self, fullname: str) -> None:
        """Return nothing: there is no source under the old name."""


class _MovedFinder(MetaPathFinder):
    """Finds modules by their old names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of an old name; None for any other name."""
        if fullname not in MOVED:
            return None
        return importlib.util.spec_from_loader(fullname, _MovedLoader(fullname, MOVED[fullname]))


def run(notice: str, module: str) -> None:
    """Print that a command has moved, and run it at its new place."""
    print(f"titan_env: {notice}", file=sys.stderr, flush=True)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def install() -> None:
    """Install the finder of old names."""
    if not any(isinstance(finder, _MovedFinder) for finder in sys.meta_path):
        sys.meta_path.append(_MovedFinder())
