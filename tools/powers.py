"""Write the table of each API's powers, read from its code: ``docs/reference/environment_apis.md``.

`python -m tools.tables` calls it.

A power is there where an API takes one of its keywords or has one of its methods. Where it is not, `ELSEWHERE` says
which way leads to it, or `REASONS` why there is none: a hole without either is an error.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path

from titan_env.envs import environment_options

ENVS = Path(__file__).parent.parent / "titan_env" / "envs"

APIS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "GameAEC": ("aec.py", ("GameAEC",)),
    "GameEnv": ("single_agent.py", ("GameEnv",)),
    "GameVectorEnv": ("vector.py", ("GameVectorEnv",)),
    "GameVecEnv": ("sb3.py", ("GameVecEnv",)),
    "GameMultiAgentEnv": ("rllib.py", ("GameMultiAgentEnv",)),
    "GameJaxEnv": ("jax.py", ("GameJaxEnv",)),
    "GameTorchEnv": ("torch.py", ("GameTorchEnv",)),
    "OpenSpiel": ("openspiel.py", ("load", "GameState")),
    "GameTextVectorEnv": ("text.py", ("GameTextVectorEnv",)),
}
"""Environment API -> its file, and the classes and functions that users call."""

PROMPTS, COUNTS = "prompts for language models, within a budget", "counts of answers that cannot be read"
GPU = "games on a GPU"
FORFEIT = "a seat that gives its game up"
WIDGET = "a person at the board, in a notebook"
_TEXT, _TORCH = "GameTextVectorEnv", "GameTorchEnv"

POWERS: Mapping[str, tuple[str, ...]] = {
    "what is played for": ("reward",),
    "rewards on the way that change no best play": ("shaping", "gamma"),
    "a limit of decisions, by whomever": ("max_cycles",),
    "a limit of the learner's own steps": ("max_episode_steps",),
    "what an illegal action does, one out of range too": ("on_illegal", "raise_illegal"),
    "seeds": ("reset(seed)", "seed"),
    "options of the game for one episode": ("reset(options)", "set_options"),
    "options of the game that every episode draws": ("vary",),
    "which seat learns": ("seat",),
    "who plays the other seats": ("opponents", "set_opponents", "agents"),
    "agents that answer some questions in the own seat": ("delegate",),
    "one learner in every seat": ("seats",),
    "many games in one call": ("num_envs",),
    "games that begin anew by themselves": ("autoreset_mode", "autoreset"),
    "threads": ("threads",),
    GPU: ("device",),
    "arrays without a copy": ("copy", "out"),
    "legal actions": ("action_masks",),
    "observations in whole numbers": ("whole",),
    "parts of an observation by name": ("named",),
    "some fields of the observation only": ("fields", "without"),
    "fields that the game derives from the others": ("derived",),
    "what all see, for a centralized critic": ("state", "state_space"),
    "text, pictures, films": ("render_mode", "render_width", "render", "get_images", "to_host"),
    "what was heard, in sentences": ("events", "heard"),
    "an action in words, and why it is illegal": ("say", "why_not"),
    "the position as text": ("position",),
    "the game so far as a record": ("record",),
    "taken back to where it stood": ("snapshot", "restore"),
    "worlds that fit what a seat knows": ("resample_from_infostate",),
    PROMPTS: ("prompts", "prompt", "question", "prompt_form", "tokens", "language"),
    COUNTS: ("counts",),
    FORFEIT: ("forfeit",),
    WIDGET: ("play",),
}
"""Each power, and the keywords and methods that bring it."""

_CALLS = """
step reset close observe last observation_space action_space step_async step_wait get_attr set_attr env_method
env_is_wrapped init current_player chance_outcomes is_chance_node is_terminal returns has_begun check_seat
legal_actions legal_actions_mask observation_tensor information_state_tensor
"""
PROTOCOL = frozenset(_CALLS.split())
"""The calls that every API must have."""

ELSEWHERE: Mapping[tuple[str, str], str] = {
    ("rewards on the way that change no best play", "GameAEC"): "the caller's loop: `play.shaping.Potential`",
    ("rewards on the way that change no best play", "GameMultiAgentEnv"): "RLlib's connectors",
    ("rewards on the way that change no best play", "GameJaxEnv"): "the caller's scan",
    ("rewards on the way that change no best play", "OpenSpiel"): "the caller's algorithm",
    ("a limit of the learner's own steps", "GameEnv"): "`gymnasium.make(..., max_episode_steps=n)`",
    ("what an illegal action does, one out of range too", "GameMultiAgentEnv"): "IllegalAction, nothing has changed",
    ("what an illegal action does, one out of range too", "OpenSpiel"): "IllegalAction, nothing has changed",
    ("seeds", "OpenSpiel"): "chance nodes: whoever plays draws the answers",
    ("options of the game for one episode", "OpenSpiel"): "`load` another game: its options are its identity",
    ("which seat learns", "GameAEC"): "every agent",
    ("which seat learns", "GameMultiAgentEnv"): "RLlib's `policies_to_train`",
    ("which seat learns", "OpenSpiel"): "every player",
    ("options of the game that every episode draws", "OpenSpiel"): "`load` another game: its options are its identity",
    ("who plays the other seats", "GameAEC"): "the caller's loop",
    ("who plays the other seats", "GameMultiAgentEnv"): "RLlib's `policy_mapping_fn`",
    ("who plays the other seats", "OpenSpiel"): "the caller's bots",
    ("one learner in every seat", "GameAEC"): "the caller's loop",
    ("one learner in every seat", "GameMultiAgentEnv"): "RLlib's `policy_mapping_fn`",
    ("one learner in every seat", "OpenSpiel"): "self-play of the algorithm",
    ("many games in one call", "GameEnv"): "`GameVectorEnv`, the same games",
    ("many games in one call", "GameMultiAgentEnv"): "RLlib's `num_envs_per_env_runner`",
    ("games that begin anew by themselves", "GameVecEnv"): "always, in the same step",
    ("games that begin anew by themselves", "GameMultiAgentEnv"): "RLlib's runners reset",
    ("threads", "GameMultiAgentEnv"): "RLlib's `num_env_runners`",
    ("legal actions", "GameAEC"): '`observation["action_mask"]`',
    ("legal actions", "GameVectorEnv"): '`infos["action_mask"]`',
    ("legal actions", "GameMultiAgentEnv"): '`observation["action_mask"]`',
    ("legal actions", "OpenSpiel"): "`legal_actions()`, `legal_actions_mask()`",
    ("parts of an observation by name", "GameEnv"): "`env.view.layout.split`",
    ("parts of an observation by name", "GameVectorEnv"): "`env.view.layout.split`",
    ("parts of an observation by name", "GameVecEnv"): "`env.view.layout.split`",
    ("parts of an observation by name", "GameMultiAgentEnv"): "`env.view.layout.split`",
    ("parts of an observation by name", "OpenSpiel"): "the observer's `dict`",
    ("text, pictures, films", "OpenSpiel"): "text: `str(state)`, `observation_string(player)`",
    ("an action in words, and why it is illegal", "OpenSpiel"): "`action_to_string`; refusals say why",
    ("the position as text", "OpenSpiel"): "`str(state)`",
    ("the game so far as a record", "OpenSpiel"): "`history()`, `serialize()`",
    ("taken back to where it stood", "GameEnv"): "`copy.deepcopy(env)`",
    ("taken back to where it stood", "GameVectorEnv"): "`env.batch.snapshot()`, `restore`",
    ("taken back to where it stood", "GameVecEnv"): "`env.batch.snapshot()`, `restore`",
    ("taken back to where it stood", "OpenSpiel"): "`clone()`",
    ("seeds", "GameJaxEnv"): "the keys of `init` and `step`",
    ("which seat learns", "GameJaxEnv"): "every seat: `state.current_player`",
    ("who plays the other seats", "GameJaxEnv"): "the caller's loop",
    ("one learner in every seat", "GameJaxEnv"): "the caller's loop",
    ("many games in one call", "GameJaxEnv"): "`jax.vmap`",
    ("threads", "GameJaxEnv"): "`jax.shard_map` over CPU devices",
    ("arrays without a copy", "GameJaxEnv"): "XLA's buffers; `jax.jit(donate_argnums=...)`",
    ("legal actions", "GameJaxEnv"): "`state.legal_action_mask`",
    ("parts of an observation by name", "GameJaxEnv"): "`env.view.layout.split`",
    ("text, pictures, films", "GameJaxEnv"): "`env.game` draws `state.record` on the host",
    ("an action in words, and why it is illegal", "GameJaxEnv"): "`env.game.text` about `state.record` on the host",
    ("the position as text", "GameJaxEnv"): "`env.game.text` about `state.record` on the host",
    ("taken back to where it stood", "GameJaxEnv"): "states are values: keep the earlier one",
    **{(GPU, api): f"`{_TORCH}`" for api in APIS if api != _TORCH},
    **{(WIDGET, api): "`GameAEC`, which plays the same games" for api in APIS if api != "GameAEC"},
    ("legal actions", _TORCH): '`infos["action_mask"]`',
    ("parts of an observation by name", _TORCH): "`env.view.layout.split`",
    ("an action in words, and why it is illegal", _TORCH): "`env.game.text` about a row of `env.to_host()`",
    ("the position as text", _TORCH): "`env.game.text` about a row of `env.to_host()`",
    **{(power, api): f"`{_TEXT}`" for power in (PROMPTS, COUNTS) for api in APIS if api != _TEXT},
    ("which seat learns", _TEXT): "every seat without an agent",
    ("legal actions", _TEXT): "every prompt lists them",
    ("what was heard, in sentences", _TEXT): "every prompt tells it",
    ("an action in words, and why it is illegal", _TEXT): "every prompt, and the one after an illegal answer",
    ("the position as text", _TEXT): "every prompt, `question`",
    ("threads", _TEXT): "processes of the caller",
    ("taken back to where it stood", _TEXT): "`copy.deepcopy(env)`",
    ("rewards on the way that change no best play", _TEXT): "the caller's loop: `play.shaping.Potential`",
    ("text, pictures, films", _TEXT): "`record` as a film: `titan_env replay`",
}
"""Powers that an API has from elsewhere: from its library, or by another way."""

_ONE_SEAT = "its `opponents` play the other seats"
_ONE_GAME = "one game; many are `GameVectorEnv`'s"
_MANY = "many games: ask `env.game` about a row of `env.batch.states`"
_REFUSALS = "refusals say why; `env.game.text.describe_action` puts into words"
_WORDS = "what a seat sees is words"
_OF_NUMBERS = (
    "arrays without a copy",
    "observations in whole numbers",
    "parts of an observation by name",
    "some fields of the observation only",
    "fields that the game derives from the others",
    "what all see, for a centralized critic",
)
_PLANNERS = "agents that plan get such worlds"

REASONS: Mapping[tuple[str, str], str] = {
    ("threads", _TORCH): "`GameVectorEnv` has them",
    ("fields that the game derives from the others", _TORCH): "NumPy computes them, on the host",
    ("what all see, for a centralized critic", _TORCH): "`env.batch.observe(seats)` shows any seat's view",
    ("what was heard, in sentences", _TORCH): "infos hold tensors of numbers",
    ("the game so far as a record", _TORCH): "kernels keep no history",
    ("taken back to where it stood", _TORCH): "tensors are the caller's to copy; `to_host` returns a `Batch`",
    ("worlds that fit what a seat knows", _TORCH): _PLANNERS,
    ("fields that the game derives from the others", "GameJaxEnv"): "NumPy computes them, outside of XLA",
    ("a limit of the learner's own steps", "GameAEC"): "every decision is some agent's step: `max_cycles`",
    ("a limit of the learner's own steps", "GameMultiAgentEnv"): "every decision is some agent's step: `max_cycles`",
    ("a limit of the learner's own steps", "OpenSpiel"): "every decision is some player's step: `max_cycles`",
    (
        "agents that answer some questions in the own seat",
        "OpenSpiel",
    ): "an agent's choice has no known probability",
    ("one learner in every seat", "GameEnv"): _ONE_SEAT,
    ("one learner in every seat", "GameVecEnv"): "Stable-Baselines3 pairs a row's rewards with one learner's decisions",
    ("many games in one call", "GameAEC"): _ONE_GAME,
    ("many games in one call", "OpenSpiel"): "its algorithms copy states one by one",
    ("games that begin anew by themselves", "GameAEC"): "PettingZoo's loop ends with the game",
    ("games that begin anew by themselves", "GameEnv"): "Gymnasium's loop resets; its vector wrappers do it",
    ("games that begin anew by themselves", "OpenSpiel"): "a state that is over stays so",
    ("threads", "GameAEC"): _ONE_GAME,
    ("threads", "GameEnv"): _ONE_GAME,
    ("threads", "OpenSpiel"): "states are Python objects",
    ("arrays without a copy", "GameAEC"): "a copy of one observation costs nothing beside the step",
    ("arrays without a copy", "GameEnv"): "a copy of one observation costs nothing beside the step",
    ("arrays without a copy", "GameVecEnv"): "Stable-Baselines3 keeps the arrays that it was given",
    ("arrays without a copy", "GameMultiAgentEnv"): "RLlib keeps the arrays that it was given",
    ("arrays without a copy", "OpenSpiel"): "tensors are OpenSpiel's own",
    ("observations in whole numbers", "GameAEC"): "one game has no batch whose memory it would save",
    ("observations in whole numbers", "GameMultiAgentEnv"): "RLlib's networks take float32",
    ("observations in whole numbers", "OpenSpiel"): "its tensors are float32",
    ("what all see, for a centralized critic", "GameEnv"): _ONE_SEAT,
    ("what all see, for a centralized critic", "GameVectorEnv"): "`env.batch.observe(seats)` shows any seat's view",
    ("what all see, for a centralized critic", "GameVecEnv"): "`env.batch.observe(seats)` shows any seat's view",
    ("what all see, for a centralized critic", "GameMultiAgentEnv"): "only the seat that is asked observes",
    ("what all see, for a centralized critic", "OpenSpiel"): "`observation_tensor(player)` shows any player's view",
    ("what was heard, in sentences", "GameEnv"): "infos hold plain numbers: learners read the observation",
    ("what was heard, in sentences", "GameVectorEnv"): "infos hold arrays of numbers",
    ("what was heard, in sentences", "GameVecEnv"): "infos are filled at the end of a game alone",
    ("what was heard, in sentences", "GameMultiAgentEnv"): "infos hold plain numbers: learners read the observation",
    ("an action in words, and why it is illegal", "GameEnv"): _REFUSALS,
    ("an action in words, and why it is illegal", "GameVectorEnv"): _MANY,
    ("an action in words, and why it is illegal", "GameVecEnv"): _MANY,
    (
        "an action in words, and why it is illegal",
        "GameMultiAgentEnv",
    ): "refusals say why; `env.game.text.describe_action` puts into words",
    ("the position as text", "GameVectorEnv"): _MANY,
    ("the position as text", "GameVecEnv"): _MANY,
    ("the position as text", "GameMultiAgentEnv"): '`render_mode="ansi"` shows it',
    ("the game so far as a record", "GameEnv"): "the opponents' decisions are the loop's: play it with `GameAEC`",
    (
        "the game so far as a record",
        "GameVectorEnv",
    ): "compiled loops keep no history: `training.minari_dataset`",
    (
        "the game so far as a record",
        "GameVecEnv",
    ): "compiled loops keep no history: `training.minari_dataset`",
    ("the game so far as a record", "GameMultiAgentEnv"): "RLlib's episodes keep it",
    ("taken back to where it stood", "GameMultiAgentEnv"): "RLlib has no use for it; `GameAEC` plays the same games",
    ("worlds that fit what a seat knows", "GameAEC"): _PLANNERS,
    ("worlds that fit what a seat knows", "GameEnv"): _PLANNERS,
    ("worlds that fit what a seat knows", "GameVectorEnv"): _PLANNERS,
    ("worlds that fit what a seat knows", "GameVecEnv"): _PLANNERS,
    ("worlds that fit what a seat knows", "GameMultiAgentEnv"): "RLlib's algorithms do not search",
    ("a limit of decisions, by whomever", "GameJaxEnv"): "the caller's scan counts",
    ("a limit of the learner's own steps", "GameJaxEnv"): "the caller's scan counts",
    ("options of the game that every episode draws", "GameJaxEnv"): "they are a part of the compiled call",
    ("options of the game for one episode", "GameJaxEnv"): "they are a part of the compiled call: make another one",
    ("agents that answer some questions in the own seat", "GameJaxEnv"): "agents are no functions of JAX",
    ("what all see, for a centralized critic", "GameJaxEnv"): "only the seat that is asked observes",
    ("what was heard, in sentences", "GameJaxEnv"): "compiled loops keep no events",
    ("the game so far as a record", "GameJaxEnv"): "compiled loops keep no history",
    ("worlds that fit what a seat knows", "GameJaxEnv"): "`imagine` draws from the host's luck",
    ("a limit of the learner's own steps", _TEXT): "every decision is some seat's step: `max_cycles`",
    ("options of the game that every episode draws", _TEXT): "`reset(options)` sets them",
    ("agents that answer some questions in the own seat", _TEXT): "a model answers all that its seat is asked",
    ("games that begin anew by themselves", _TEXT): "each game's record and rewards are read first",
    ("worlds that fit what a seat knows", _TEXT): _PLANNERS,
    **{(power, _TEXT): _WORDS for power in _OF_NUMBERS},
    **{(FORFEIT, api): "no rule ends a game so" for api in APIS if api != _TEXT},
}
"""The reasons that an API lacks a power."""


def offered(api: str) -> set[str]:
    """Return the names that an API offers: keywords, methods, and ``reset(keyword)`` for those of `reset`."""
    file, parts = APIS[api]
    found: set[str] = set()
    for node in ast.parse((ENVS / file).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name in parts:
            found |= _parameters(node)
        elif isinstance(node, ast.ClassDef) and node.name in parts:
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    found |= _words_of(method)
    return found - {"game", "name", "config"}


def _words_of(method: ast.FunctionDef) -> set[str]:
    """Return the names that one method of an API offers."""
    if method.name in ("__init__", "_set_up"):
        return _parameters(method)
    if method.name == "reset":
        return {method.name, *(f"reset({name})" for name in _parameters(method))}
    return set() if method.name.startswith("_") else {method.name}


def _parameters(function: ast.FunctionDef) -> set[str]:
    """Return the names of a function's parameters, those that `show_keywords` writes into its signature too."""
    given = function.args
    shown = [re.search(r"show_keywords\((\w+)", ast.unparse(each)) for each in function.decorator_list]
    kinds = [getattr(environment_options, each[1]) for each in shown if each]
    named = {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)} - {"self"}
    return named.union(*(kind.__annotations__ for kind in kinds))


def cell(power: str, api: str) -> str:
    """Return the table's cell of a power in an API. Raises KeyError for a missing power without a reason."""
    names = [name for name in POWERS[power] if name in offered(api)]
    if names:
        return ", ".join(f"`{name}`" for name in names)
    if (power, api) in ELSEWHERE:
        return ELSEWHERE[power, api]
    if (power, api) not in REASONS:
        raise KeyError(f"expected a reason why {api} has nothing for {power!r}; write it into tools/powers.py")
    return f"no: {REASONS[power, api]}"


def powers_page() -> str:
    """Return the page of each API's powers, as Markdown."""
    lines = [
        "# What each API can do",
        "",
        "Made by `python -m tools.tables` from the code: `names` are keywords and methods of the API. Keywords of",
        "`GameMultiAgentEnv` stand in its config, those of OpenSpiel in `titan_env.envs.openspiel.load`. Where another",
        "API is named it has the same games.",
        "",
        f"| | {' | '.join(f'`{api}`' if api.startswith('Game') else api for api in APIS)} |",
        f"| --- |{' --- |' * len(APIS)}",
        *(f"| {power} | {' | '.join(cell(power, api) for api in APIS)} |" for power in POWERS),
    ]
    return "\n".join(lines) + "\n"
