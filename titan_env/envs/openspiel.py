"""Every game as an OpenSpiel game, for OpenSpiel's algorithms.

::

    game = titan_env.envs.openspiel.load("my_game", players=3)
    state = game.new_initial_state()

Chance is explicit: each die, card and draw of a step is a chance node of its own, with its outcomes and their
probabilities. Needs the extra ``openspiel``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.contract import Game, Status, outcomes, payoff, preset
from titan_env.engine.batch import Records, null_log
from titan_env.engine.batch_loops import scale_observation
from titan_env.engine.illegal_actions import IllegalAction, refuse_illegal
from titan_env.engine.validation import check_limit, initial_state, is_truncated
from titan_env.extras import extra

with extra("openspiel"):
    import pyspiel

SET_UP = -1
"""The pseudo-action of the game's setup, whose chance nodes come first."""
MOST_OUTCOMES = 32_767
"""The upper bound on the outcomes of one chance node."""
MOST_MOVES = 1_000_000
"""The `max_game_length` given to OpenSpiel for games without `max_cycles`."""
_WORD = 2**32
_ENDLESS = 0
"""The value of `max_cycles` that stands for no limit."""
_WORTH = {"win": (1 - 6.0, 1.0), "rank": (-1.0, 1.0)}
"""The lowest and the highest utility, by `reward`."""


def load(name: str, reward: str = "win", max_cycles: int | None = None, **options: Any) -> pyspiel.Game:
    """Return the OpenSpiel game of this name with these options; registers it under its id for `pyspiel.load_game`.

    A game of `max_cycles` decisions is terminal, and its utility 0 to seats that have neither won nor lost: OpenSpiel
    has no truncation.
    """
    game = registry.load(name)
    announce(game)
    told = {"reward": reward, "options": quote(json.dumps(options), safe='{}[]": ')}
    cut = check_limit("max_cycles", max_cycles, "decisions")
    return pyspiel.load_game(game.id, told if cut is None else told | {"max_cycles": cut})


def announce(game: Game) -> None:
    """Register a game with OpenSpiel by its id: ``pyspiel.load_game('my_game_v1(options={"players": 3})')``.

    The options are JSON, with %2C for a comma: OpenSpiel would split them there.
    """
    if game.id in pyspiel.registered_names():
        return
    kinds = pyspiel.GameType
    hidden = game.rules.imagine is not None
    about = kinds(
        short_name=game.id,
        long_name=game.metadata.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=game.rules.seats[0],
        max_num_players=game.rules.seats[1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"reward": "win", "options": "{}", "max_cycles": _ENDLESS},
    )
    # A class: OpenSpiel lets go of what it was given when Python has ended, and a mere function does not survive that.
    pyspiel.register_game(about, type(game.id, (GameOpenSpiel,), {"game": game, "about": about}))


class OpenSpielRules:
    """The rules, options and limits that all states of an OpenSpiel game share."""

    def __init__(self, game: Game, template: Records, reward: str, max_cycles: int | None) -> None:
        self.game, self.template, self.worth, self.max_cycles = (
            game,
            template,
            game.rules.reward_scale(reward),
            max_cycles,
        )
        self.room = len(np.zeros(1, game.rules.luck)["answers"][0])
        self.silence = null_log(game)

    def __deepcopy__(self, memo: Any) -> OpenSpielRules:
        return self

    def play(self, before: Records, action: int, answers: list[int]) -> tuple[Records, Any]:
        """Play an action with these chance answers, then 0s; return the position (1,) after it and the luck record."""
        after: Records = before.copy()
        luck = np.zeros(1, self.game.rules.luck).view(np.recarray)[0]
        preset(luck, [*answers, *[0] * (self.room - len(answers))])
        if action == SET_UP:
            luck.odds = 1.0
            self.game.rules.setup(after[0], luck)
        else:
            self.game.rules.step(after[0], action, luck, self.silence[0])
        return after, luck

    def odds(self, before: Records, action: int, answers: list[int]) -> float:
        """Return the joint probability of those of the answers that are not uniformly distributed.

        Later questions of that kind are summed over all their answers.
        """
        _, luck = self.play(before, action, answers)
        sides = outcomes(luck)[:, 1]
        later = np.flatnonzero(sides[len(answers) :] < 0)
        if not later.size:
            return float(luck.odds)
        until = [*answers, *[0] * int(later[0])]
        return sum(self.odds(before, action, [*until, answer]) for answer in range(-int(sides[len(until)])))


class GameOpenSpiel(pyspiel.Game):  # type: ignore[misc]
    """A game with its options as a `pyspiel.Game`; `announce` derives a class of it for each game."""

    game: Game
    about: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params, game = params or {}, self.game
        reward = params.get("reward", "win")
        if reward not in _WORTH:
            raise ValueError(f"expected reward to be one of {', '.join(_WORTH)}, got {reward!r}")
        max_cycles = check_limit("max_cycles", params.get("max_cycles", _ENDLESS) or None, "decisions")
        template = initial_state(game, json.loads(unquote(params.get("options", "{}"))))
        low, high = _WORTH[reward]
        info = pyspiel.GameInfo(
            num_distinct_actions=len(game.rules.actions),
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=int(template["seats"][0]),
            min_utility=low,
            max_utility=high,
            utility_sum=0.0,
            max_game_length=max_cycles or MOST_MOVES,
        )
        super().__init__(self.about, info, dict(params))
        self.rules = OpenSpielRules(game, template, reward, max_cycles)

    def new_initial_state(self) -> GameState:
        """Return the state before the setup."""
        return GameState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an `Observer`, with perfect recall if `iig_obs_type` asks for it. Raises ValueError for parameters."""
        if params:
            raise ValueError(f"expected no parameters of an observer, got {params!r}")
        remembers = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.game, remembers)


class PastStates(list[Records]):
    """Positions (1,) before each action; they never change, so copies of a game share them."""

    def __deepcopy__(self, memo: Any) -> PastStates:
        return PastStates(self)


class GameState(pyspiel.State):  # type: ignore[misc]
    """A position, or, as a chance node, a decision whose chance answers are not complete."""

    def __init__(self, game: GameOpenSpiel) -> None:
        super().__init__(game)
        self.rules = game.rules
        self.states: Records = game.rules.template.copy()
        self.steps: list[tuple[int, list[int]]] = []
        """Every action so far, the setup first, with its chance answers."""
        self.past = PastStates()
        self.known: tuple[int, list[str]] | None = None
        """In a state from `resample_from_infostate`: the seat it was sampled for, and the texts known to it."""
        self._decide(SET_UP)

    def _decide(self, action: int) -> None:
        """Begin to play an action."""
        self.steps.append((action, []))
        self.past.append(self.states)
        self._go_on()

    def _go_on(self) -> None:
        """Play the current action with its chance answers so far and set `asked`.

        `asked` is the number of outcomes of the next chance question: 0 for none, negative if they are not equally
        likely.
        """
        action, answers = self.steps[-1]
        after, luck = self.rules.play(self.states, action, answers)
        sides = outcomes(luck)[len(answers) :, 1]
        self.asked = int(sides[0]) if len(sides) else 0
        if not self.asked:
            self.states = after

    @property
    def has_begun(self) -> bool:
        """True once the setup is complete."""
        return len(self.steps) > 1 or not self.asked

    def current_player(self) -> int:
        """Return the seat to act, or `PlayerId.CHANCE`, or `PlayerId.TERMINAL`."""
        if self.asked:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.states[0].seat)

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions of the seat to act; none for another player."""
        mask = np.zeros(len(self.rules.game.rules.actions), np.int8)
        if player == self.current_player():
            self.rules.game.rules.legal(self.states[0], mask)
        return [int(action) for action in np.flatnonzero(mask)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible chance answers with their probabilities."""
        if self.asked > 0:
            return [(answer, 1 / self.asked) for answer in range(self.asked)]
        action, answers = self.steps[-1]
        odds = [self.rules.odds(self.states, action, [*answers, answer]) for answer in range(-self.asked)]
        return [(answer, chance / sum(odds)) for answer, chance in enumerate(odds) if chance > 0]

    def _apply_action(self, action: int) -> None:
        """Play a decision or a chance answer.

        OpenSpiel checks neither: raises IllegalAction for an illegal decision, ValueError for an answer that chance
        cannot give; neither changes anything.
        """
        if self.asked:
            self._check_answer(action)
            self.steps[-1][1].append(action)
            self._go_on()
        else:
            if self.is_terminal():
                raise IllegalAction(f"expected a game that goes on, got the action {action} in one that is over")
            refuse_illegal(self.rules.game, self.states[0], action)
            self._decide(action)

    def _check_answer(self, answer: int) -> None:
        """Raise ValueError for an answer that chance cannot give now."""
        if not 0 <= answer < abs(self.asked):
            raise ValueError(f"expected an answer of chance from 0 to {abs(self.asked) - 1}, got {answer}")
        if self.asked < 0 and answer not in dict(self.chance_outcomes()):
            raise ValueError(f"expected an answer that chance can give, got {answer}, which never comes")

    def _action_to_string(self, player: int, action: int) -> str:
        """Return a decision's text, or a chance answer's number as text. Raises ValueError out of range."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance:{action}"
        texts = self.rules.game.rules.actions.texts
        if not 0 <= action < len(texts):
            raise ValueError(f"expected an action from 0 to {len(texts) - 1}, got {action}")
        return texts[action]

    def is_terminal(self) -> bool:
        """Return whether the game is over or has reached `max_cycles` decisions."""
        is_over = self.states["over"][0] != Status.RUNNING
        return not self.asked and bool(is_over or is_truncated(self.states, self.rules.max_cycles))

    def returns(self) -> list[float]:
        """Return each seat's utility: 0 until the game is over."""
        state = self.states[0]
        worth = [float(payoff(state, seat, *self.rules.worth)) for seat in range(int(state.seats))]
        return worth if self.is_terminal() else [0.0] * len(worth)

    def __str__(self) -> str:
        """Return the full position as text, with the action in progress and its chance answers at a chance node."""
        shown = self.rules.game.text.position_text(self.states[0]) if self.has_begun else "to be set up"
        action, answers = self.steps[-1]
        return f"{shown}\n{action}, chance: {answers}" if self.asked else shown

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> GameState:
        """Return a state that `player_id` cannot tell from this one: hidden information is sampled anew.

        `probability_sampler` draws numbers from 0 to below 1. The new state's past, for every player, is the one that
        `player_id` knows; `history` and serialization begin anew with it. Raises ValueError at a chance node.
        """
        self.check_seat(player_id)
        if self.asked:
            raise ValueError("expected a state in which a player decides, got one in which chance is asked")
        game = self.rules.game
        luck = np.zeros(1, game.rules.luck).view(np.recarray)
        luck["stream"] = np.uint64(int(probability_sampler() * _WORD) << 32 | int(probability_sampler() * _WORD))
        world = GameState(self.get_game())
        world.states = self.states.copy()
        if game.rules.imagine is not None:
            game.rules.imagine(world.states[0], player_id, luck[0])
        world.steps, world.past, world.asked = [(SET_UP, [])], PastStates([self.rules.template]), 0
        world.known = (player_id, self.heard(player_id))
        return world

    def check_seat(self, seat: int) -> None:
        """Raise ValueError for a seat that is not in the game."""
        seats = int(self.states[0].seats)
        if not 0 <= seat < seats:
            raise ValueError(f"expected a player from 0 to {seats - 1}, got {seat}")

    def heard(self, seat: int) -> list[str]:
        """Return the texts of all decisions that a seat may know of, those before a resampled state included."""
        game, told = self.rules.game, [] if self.known is None else self.known[1].copy()
        done = len(self.steps) - 1 if self.asked else len(self.steps)
        for (action, _), states in zip(self.steps[1:done], self.past[1:done], strict=True):
            said = game.action_text_for(states[0], action, seat)
            told += [] if said is None else [f"player_{states[0].seat}: {said}"]
        return told


class Observer:
    """An observer of one seat: its fields as one float32 tensor (F,) and by name, and the position as text.

    The tensor is the observation of this package for both of OpenSpiel's kinds. Only the string of the information
    state (`remembers`) holds the decisions so far.
    """

    def __init__(self, game: Game, remembers: bool) -> None:
        self.game, self.remembers = game, remembers
        self.tensor = np.zeros(game.rules.fields.size, np.float32)
        named = game.rules.fields.split(self.tensor)
        self.dict: dict[str, NDArray[np.float32]] = {name: np.atleast_1d(part) for name, part in named.items()}

    def set_from(self, state: GameState, player: int) -> None:
        """Write a seat's observation into the tensor; zeros before the setup. Raises ValueError for an unknown seat."""
        state.check_seat(player)
        self.tensor.fill(0)
        if state.has_begun:
            self.game.rules.observe(state.states[0], player, self.tensor)
            scale_observation(self.tensor, self.game.rules.fields.scales)

    def string_from(self, state: GameState, player: int) -> str:
        """Return a seat's view of the position as text, after the decisions it knows of with perfect recall.

        Raises ValueError for an unknown seat.
        """
        state.check_seat(player)
        if not state.has_begun:
            return "to be set up"
        position = state.states[0]
        shown = self.game.position_text_for(position, player)
        return "\n".join([*(state.heard(player) if self.remembers else ()), f"player_{player} sees", shown])
