"""The keywords of every environment, each typed and documented once, and what all environments make of them alike.

`EnvironmentOptions` are those of every API. A single table, `DEFAULTS`, holds their default values; a keyword that is
none of the API's is an option of the game. Types for editors and mypy come from `Unpack` of these dictionaries, and
`show_keywords` writes names and defaults into the signature, for `help`. Type checkers know the options of the games of
this package; for those of a game of your own call `make` of the environment's module.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, TypeVar

from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from titan_env import registry
from titan_env.agents import agent_of
from titan_env.agents.delegate import load_delegated
from titan_env.contract import Game
from titan_env.contract.options import brief
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.validation import check_limit, errors_in_one_line
from titan_env.envs.default_options import DefaultOptions
from titan_env.envs.opponents import Delegate, Opponents, load_opponents
from titan_env.envs.spaces import RENDER_MODES
from titan_env.pictures.render import Painter
from titan_env.play.shaping import Weights

Function = TypeVar("Function", bound=Callable[..., Any])


class EnvironmentOptions(TypedDict, total=False):
    """Keywords of every environment, beside the options of the game."""

    reward: str
    """``"win"``: 1 for each winner, the losers share the opposite; ``"rank"``: 1 for the first to -1 for the last;
    ``"score"``: points against the mean of the others, in games that have points."""
    max_cycles: int | None
    """Number of decisions, by any seats, after which a game is truncated; None: no limit."""
    delegate: Delegate | None
    """Agents, or their names, that answer some questions in the learner's own seat, or in every seat where all learn,
    by the names of the game's `asks`, as ``{"roll": "greedy"}``; a step goes on past these questions."""
    fields: Sequence[str] | None
    """Fields of the observation to keep, by name or pattern; None: all. See `ObservationView`."""
    without: Sequence[str] | None
    """Fields of the observation to leave out, instead."""
    derived: Sequence[str]
    """Groups of derived fields to add, by the names of the game's `Rules.derived`."""
    vary: Mapping[str, Sequence[Any]] | None
    """Options of the game of which every episode draws a value each, as ``{"option": [1, 2]}``, by its own seed: infos
    hold "variant", the number of the episode's options in ``env.varied.tables``."""
    render_mode: str | None
    """``"ansi"``, ``"rgb_array"``, in environments of one game ``"human"`` too, or None."""
    render_width: int
    """Width of pictures in pixels."""


class AECOptions(EnvironmentOptions, total=False):
    """Keywords of `GameAEC`, beside the options of the game."""

    on_illegal: str
    """``"raise"`` IllegalAction, ``"terminate"`` the game, or play a ``"random"`` legal action."""
    events: bool
    """Whether infos hold the events in sentences."""


class LearnerOptions(EnvironmentOptions, total=False):
    """Keywords of `GameEnv`, beside the options of the game: one seat of each game learns."""

    seat: int | None
    """The learning seat; None: drawn for each game."""
    opponents: Opponents
    """Agents of the other seats, or their names: one for all, as ``"expert"``, a list with one for each, in turn order
    after the learner, or ``{"pool": ["random", "expert"]}``, of which every game draws one for each."""
    on_illegal: str
    """Play a ``"random"`` legal action in the place of an illegal one, which the infos count, or ``"raise"``
    IllegalAction before anything has changed."""
    shaping: Weights | None
    """Weights on the game's observation fields, by name, of a potential whose change is added to the rewards, as
    ``{"field": 0.5}``: see `titan_env.play.shaping`. Infos hold the rewards without as "unshaped_reward"."""
    gamma: float
    """Discount factor of the learner per decision, with which rewards are shaped."""
    whole: bool
    """Whether observations are the integers that the game counts in, in their small dtype (`Fields.whole`);
    `Fields.to_float` converts them to float32."""


class VecEnvOptions(LearnerOptions, total=False):
    """Keywords of `GameVecEnv`, beside the options of the game: many games are played together."""

    max_episode_steps: int | None
    """Number of the learner's own steps after which an episode is truncated; None: no limit. Neither limit cuts a game
    before its learner's first decision."""
    threads: int
    """Number of threads that share the games."""


class VectorOptions(VecEnvOptions, total=False):
    """Keywords of `GameVectorEnv`, beside the options of the game."""

    seats: str
    """``"one"`` seat of each game learns, or ``"all"`` of them."""
    autoreset_mode: AutoresetMode | str
    """Gymnasium's `AutoresetMode`, or its name: ``"NEXT_STEP"``, ``"SAME_STEP"`` or ``"DISABLED"``."""
    copy: bool
    """Whether every step returns arrays of its own; without, the next step overwrites them."""
    out: NDArray[Any] | None
    """Array (N, V) that observations are written into and that is returned; None: a new one."""


class TorchOptions(TypedDict, total=False):
    """Keywords of `GameTorchEnv`, beside the options of the game: those of `VectorOptions` that a device plays."""

    reward: str
    """As in `EnvironmentOptions`."""
    max_cycles: int | None
    """As in `EnvironmentOptions`."""
    max_episode_steps: int | None
    """As in `VecEnvOptions`."""
    fields: Sequence[str] | None
    """As in `EnvironmentOptions`."""
    without: Sequence[str] | None
    """As in `EnvironmentOptions`."""
    vary: Mapping[str, Sequence[Any]] | None
    """As in `EnvironmentOptions`."""
    whole: bool
    """As in `LearnerOptions`."""
    seats: str
    """As in `VectorOptions`."""
    seat: int | None
    """As in `LearnerOptions`."""
    opponents: Any
    """As in `LearnerOptions`, but functions are policies ``policy(observations, masks) -> actions`` of tensors on the
    device. A name stands for a `NumpyAgent`, whose scores of actions the device computes where a rule makes them or
    torch can trace them, as those of greedy agents; all else answers on the processor. Each decision of either waits
    for the device."""
    delegate: Mapping[str, Any] | None
    """Such policies or names of agents that answer some questions in the learner's own seats, by the names of the
    game's `asks`, as ``{"roll": policy}``."""
    on_illegal: str
    """Play a ``"random"`` legal action in the place of an illegal one, which the infos count; with ``"raise"`` the game
    stays as it is, ``infos["decided"]`` is False, and `raise_illegal` raises IllegalAction."""
    shaping: Weights | None
    """As in `LearnerOptions`."""
    gamma: float
    """As in `LearnerOptions`."""
    autoreset_mode: AutoresetMode | str
    """As in `VectorOptions`."""
    copy: bool
    """As in `VectorOptions`."""


class TextOptions(TypedDict, total=False):
    """Keywords of `GameTextEnv` and `GameTextVectorEnv`, beside the options of the game."""

    reward: str
    """As in `EnvironmentOptions`."""
    max_cycles: int | None
    """As in `EnvironmentOptions`."""
    on_illegal: str
    """After an answer that names no legal action ``"ask"`` once more, then play a random legal action; play a
    ``"random"`` one at once; or ``"forfeit"``: the game ends with reward -1 for the seat."""
    agents: Mapping[int, Any] | None
    """Seat -> the agent that plays it, or its name; all other seats are asked."""
    language: str
    """Language of the prompts, such as ``"fr"``; texts that have no translation stay English."""
    prompt_form: str
    """``"conversation"``: the rules as system message, the seat's earlier questions and answers, then the question; or
    all but the earlier ones as a single ``"message"``."""
    tokens: int | None
    """Budget of a prompt in tokens of four letters; None: no limit. The rules get half of it, with other sections on
    request; then the oldest questions, the oldest events and the beginning of a long answer give way. A game whose next
    question has no room is truncated. Libraries that keep the conversation themselves are bound in each question."""


DEFAULTS: Mapping[str, Any] = {
    "reward": "win",
    "max_cycles": None,
    "delegate": None,
    "fields": None,
    "without": None,
    "derived": (),
    "vary": None,
    "render_mode": None,
    "render_width": 900,
    "on_illegal": "random",
    "events": False,
    "seat": None,
    "opponents": "random",
    "shaping": None,
    "gamma": 1.0,
    "whole": False,
    "max_episode_steps": None,
    "threads": 1,
    "seats": "one",
    "autoreset_mode": AutoresetMode.NEXT_STEP,
    "copy": True,
    "out": None,
    "agents": None,
    "language": "en",
    "prompt_form": "conversation",
    "tokens": None,
}
"""Default values of all keywords; `GameAEC` and `GameTextEnv` have another `on_illegal`."""

_VIEW = ("fields", "without", "derived", "whole")
_TABLE = (
    *("seat", "opponents", "on_illegal", "reward", "whole", "max_cycles", "max_episode_steps", "delegate"),
    *("copy", "threads", "shaping", "gamma"),
)


def show_keywords(options: type, **defaults: Any) -> Callable[[Function], Function]:
    """Return a decorator that writes the keywords of a dictionary such as `LearnerOptions` into a signature.

    `defaults` are those that differ from `DEFAULTS`.
    """

    def decorate(function: Function) -> Function:
        signature = inspect.signature(function)
        *own, free = signature.parameters.values()
        values = {**DEFAULTS, **defaults}
        keywords = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=values[name], annotation=kind.__forward_arg__
            )
            for name, kind in options.__annotations__.items()
        ]
        function.__signature__ = signature.replace(parameters=[*own, *keywords, free])  # type: ignore[attr-defined]
        return function

    return decorate


class EnvironmentSetup:
    """A game with the keywords of one environment: its view, its painter, and the options of the game.

    `api` is the environment's constructor, whose signature names its keywords (`show_keywords`); `load` makes a player
    of each opponent and delegate, as `agent_of`. Raises TypeError for a keyword that is neither of the environment nor
    of the game, ValueError or TypeError for an invalid value.
    """

    def __init__(
        self,
        game: Game | str,
        options: Mapping[str, Any],
        api: Callable[..., Any],
        render_modes: Sequence[str | None] = RENDER_MODES,
        load: Callable[[Any, Game], Any] = agent_of,
    ) -> None:
        self.game = registry.game_of(game)
        known = [each for each in inspect.signature(api).parameters.values() if each.kind is each.KEYWORD_ONLY]
        taken = {each.name: options.get(each.name, each.default) for each in known}
        self.keywords = {name: DEFAULTS[name] for name in EnvironmentOptions.__annotations__} | taken
        """Every keyword of the environment with its value."""
        self.render_mode = self.keywords["render_mode"]
        if not isinstance(self.render_mode, str | None) or self.render_mode not in render_modes:
            message = f"expected render_mode to be one of {tuple(render_modes)}, got {brief(self.render_mode)}"
            raise ValueError(message)
        of_game = {name: value for name, value in options.items() if name not in taken}
        self.usual = DefaultOptions(self.game, of_game, api, self.keywords["vary"])
        self.game.rules.reward_scale(self.keywords["reward"])
        self.keywords["delegate"] = load_delegated(self.game, self.keywords["delegate"], load)
        if "opponents" in self.keywords:
            self.keywords["opponents"] = load_opponents(self.keywords["opponents"], self.game, load)
        self.max_cycles = check_limit("max_cycles", self.keywords["max_cycles"], "decisions")
        with errors_in_one_line():
            self.view = ObservationView(self.game, **self._chosen(_VIEW))
        self.painter = Painter(self.game, self.render_mode, self.keywords["render_width"])

    def batch_keywords(self) -> dict[str, Any]:
        """Return the keywords of the `LearnerBatch` behind the environment, with their values."""
        return {**self._chosen(_TABLE), "varied": self.usual.varied}

    def _chosen(self, names: Sequence[str]) -> dict[str, Any]:
        """Return those of some keywords that the environment has, with their values."""
        return {name: self.keywords[name] for name in names if name in self.keywords}
