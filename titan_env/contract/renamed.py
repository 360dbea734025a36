"""Aliases of the contract's names of version 0.2, which warn until version 0.4."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

PARTS: Mapping[str, str] = {
    **{
        name: f"rules.{name}"
        for name in (
            *("state", "seats", "actions", "fields", "setup", "legal", "step", "observe", "imagine"),
            *("asks", "events", "configure", "options", "presets", "luck", "log", "score_scale", "sides", "side_of"),
        )
    },
    "clock": "rules.chance_clock",
    "say": "text.describe_action",
    "tell": "text.describe_event",
    "show": "text.position_text",
    "read": "text.parse_position",
    "check": "text.validate_position",
    "why_not": "text.why_not",
    "describe": "text.describe_position",
    "glossary": "text.glossary",
    "say_to": "text.describe_action_for",
    "tell_to": "text.describe_event_for",
    "show_to": "text.position_text_for",
    "inks": "text.styles",
    "rule_of": "text.rule_of",
    "picture": "presentation.picture",
    "stages": "presentation.animation_steps",
    "form": "presentation.setup_form",
    "choices": "presentation.option_values",
    "arrange": "presentation.edit_position",
    "title": "metadata.title",
    "version": "metadata.version",
    "history": "metadata.version_history",
    "folder": "metadata.folder",
    "agents": "metadata.agents",
    "adviser": "metadata.adviser",
    "full": "metadata.benchmark_options",
    "goals": "metadata.speed_targets",
    "traits": "metadata.statistics",
}
"""Attribute of a `Game` of version 0.2 -> its path now."""

METHODS: Mapping[str, str] = {
    "worth": "rules.reward_scale",
    "mask": "rules.mask",
    "side": "rules.side",
    "barred": "illegal_reasons",
    "said": "action_text_for",
    "told": "event_text_for",
    "shown": "position_text_for",
    "described": "position_sentences_for",
}
"""Method of a `Game` of version 0.2 -> its path now."""

FUNCTIONS: Mapping[str, str] = {
    "Over": "Status",
    "heard": "events_of",
    "note": "log_event",
    "log_of": "log_dtype",
    "luck_of": "luck_dtype",
    "put": "push_effect",
    "drop": "pop_effect",
    "shared": "inline_rule",
    "takes": "accepts",
    "hits": "draw_successes",
    "left_before": "result_is_final",
    "bind": "specialize",
    "bind_part": "specialize_part",
}
"""Function or class of `titan_env.contract` in version 0.2 -> its name now."""

FIELDS: Mapping[str, str] = {"places": "slices", "scaled": "to_float", "named": "split"}
"""Method of `Fields` in version 0.2 -> its name now."""


def warn_renamed(old: str, new: str, level: int = 3) -> None:
    """Warn that an old name will be removed in version 0.4."""
    warnings.warn(f"{old} goes with version 0.4: write {new}", FutureWarning, stacklevel=level)


def four_values(old: Mapping[str, Any], values: Mapping[type, Any]) -> tuple[Any, ...]:
    """Return a game's four values, made from keywords that `Game` itself took up to version 0.2, with a FutureWarning.

    Raises TypeError for an unknown keyword, or for parts of a value that is also given as a whole.
    """
    types = {kind.__name__.lower(): kind for kind in values}
    given: dict[str, dict[str, Any]] = {name: {} for name in types}
    for name, part in old.items():
        if name not in PARTS:
            raise TypeError(f"expected Game(name, {', '.join(types)}), got {name!r}")
        value, _, attribute = PARTS[name].partition(".")
        given[value][attribute] = part
    write = "; ".join(f"{name}={types[name].__name__}({', '.join(own)}, ...)" for name, own in given.items() if own)
    warn_renamed(f"Game({', '.join(old)})", write, level=4)
    for name, own in given.items():
        if own and values[types[name]] is not None:
            raise TypeError(f"expected {', '.join(own)} within {name}={types[name].__name__}(...), got both")
    return tuple(types[name](**own) if own else values[types[name]] for name, own in given.items())


def moved_part(game: Any, name: str) -> Any:
    """Return the part or method of a game that had this name up to version 0.2, with a FutureWarning.

    Raises AttributeError for an unknown name.
    """
    new = PARTS.get(name) or METHODS.get(name)
    if new is None or "metadata" not in vars(game):
        raise AttributeError(f"expected a part of a game (rules, text, presentation, metadata), got {name!r}")
    warn_renamed(f"game.{name}", f"game.{new}", level=4)
    part: Any = game
    for attribute in new.split("."):
        part = getattr(part, attribute)
    return part
