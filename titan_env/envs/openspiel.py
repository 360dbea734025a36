"""Every game as an OpenSpiel game, for OpenSpiel's algorithms.

::

    game = titan_env.envs.openspiel.load("my_game", players=3)
    state = game.new_initial_state()

Chance is explicit: each die, card and draw of a step is a chance node of its own, with its outcomes and their
probabilities. Needs the extra ``openspiel``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.compiler.record_copies import as_arrays, copy_records
from titan_env.contract import Game, payoff
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.illegal_actions import IllegalAction, refuse_illegal
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.validation import check_choice, check_limit
from titan_env.envs.openspiel_positions import CHANCE, OpenSpielRules, Position
from titan_env.extras import extra

with extra("openspiel"):
    import pyspiel

MOST_OUTCOMES = 32_767
"""The upper bound on the outcomes of one chance node."""
MOST_MOVES = 1_000_000
"""The `max_game_length` given to OpenSpiel for games without `max_cycles`."""
_TO_BE_SET_UP = "to be set up"
_WORD = 2**32
_ENDLESS = 0
"""The value of `max_cycles` that stands for no limit."""
_WORTH = {"win": (1 - 6.0, 1.0), "rank": (-1.0, 1.0)}
"""The lowest and the highest utility, by `reward`."""


def load(
    name: str,
    reward: str = "win",
    max_cycles: int | None = None,
    *,
    fields: Sequence[str] | None = None,
    without: Sequence[str] | None = None,
    derived: Sequence[str] = (),
    **options: Any,
) -> pyspiel.Game:
    """Return the OpenSpiel game of this name with these options; registers it under its id for `pyspiel.load_game`.

    A game of `max_cycles` decisions is terminal, and its utility 0 to seats that have neither won nor lost: OpenSpiel
    has no truncation. `fields`, `without` and `derived` choose what its tensors hold, by name (see `ObservationView`).
    """
    game = registry.load(name)
    announce(game)
    view = ObservationView(game, fields, without, derived)
    parameters = {"reward": reward, "options": _as_parameter(options)}
    if not view.is_plain:
        parameters["view"] = _as_parameter(view.choice)
    cut = check_limit("max_cycles", max_cycles, "decisions")
    return pyspiel.load_game(game.id, parameters if cut is None else parameters | {"max_cycles": cut})


def _as_parameter(value: Any) -> str:
    """Return a value as JSON with %2C for a comma: OpenSpiel would split it there."""
    return quote(json.dumps(value), safe='{}[]": ')


def announce(game: Game) -> None:
    """Register a game with OpenSpiel by its id: ``pyspiel.load_game('my_game_v1(options={"players": 3})')``.

    The options, and the `view` of what is observed, are JSON, with %2C for a comma.
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
        parameter_specification={"reward": "win", "options": "{}", "max_cycles": _ENDLESS, "view": "{}"},
    )
    # A class: OpenSpiel lets go of what it was given when Python has ended, and a mere function does not survive that.
    pyspiel.register_game(about, type(game.id, (GameOpenSpiel,), {"game": game, "about": about}))


class GameOpenSpiel(pyspiel.Game):  # type: ignore[misc]
    """A game with its options as a `pyspiel.Game`; `announce` derives a class of it for each game."""

    game: Game
    about: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params, game = params or {}, self.game
        reward = params.get("reward", "win")
        check_choice("reward", reward, _WORTH)
        max_cycles = check_limit("max_cycles", params.get("max_cycles", _ENDLESS) or None, "decisions")
        template = GameSetup.of_keywords(game, json.loads(unquote(params.get("options", "{}")))).template
        self.view = ObservationView(game, **json.loads(unquote(params.get("view", "{}"))))
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
        self.rules = OpenSpielRules(game, template, reward, max_cycles, self.view)

    def new_initial_state(self) -> GameState:
        """Return the state before the setup."""
        return GameState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an `Observer`, with perfect recall if `iig_obs_type` asks for it. Raises ValueError for parameters.

        Without a type the observer names the fields of its tensor; OpenSpiel's own, of which ``observation_tensor()``
        and its like are made, have one name for all, as OpenSpiel asks Python for each name at every call.
        """
        if params:
            raise ValueError(f"expected no parameters of an observer, got {params!r}")
        remembers = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.game, self.view, remembers, names_fields=iig_obs_type is None)


class GameState(pyspiel.State):  # type: ignore[misc]
    """A position, or, as a chance node, a decision whose chance answers are not complete."""

    def __init__(self, game: GameOpenSpiel) -> None:
        super().__init__(game)
        self.position: Position = game.rules.begun

    def current_player(self) -> int:
        """Return the seat to act, or `PlayerId.CHANCE`, or `PlayerId.TERMINAL`."""
        return self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        """Return the legal actions of the seat to act; none for another player."""
        return self.position.legal_actions() if player == self.position.seat else []

    # OpenSpiel's own answers to the next five go through C++ and back number by number: they are left for what is rare,
    # and for its algorithms in C++.

    def is_chance_node(self) -> bool:
        """Return whether chance acts."""
        return self.position.player == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions or chance answers, in order; none for a player who does not act."""
        if self._decides(player):
            return self.position.legal_actions()
        return _asked(super().legal_actions, player)

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Return the mask of legal actions or chance answers, 0 or 1 each; zeros for a player who does not act."""
        if self._decides(player):
            return self.position.mask().copy()
        return _asked(super().legal_actions_mask, player)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return the observation of a player, by default of the one to act."""
        if self._sees(player):
            return self.position.tensor(self.position.seat if player is None else player)
        return _asked(super().observation_tensor, player)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return the observation of a player, by default of the one to act; the string alone holds the past."""
        return self.observation_tensor(player)

    def _decides(self, player: int | None) -> bool:
        """Return whether it is a player's turn to decide; None: whether it is anybody's."""
        return self.position.player >= 0 and (player is None or player == self.position.player)

    def _sees(self, player: int | None) -> bool:
        """Return whether there is something to see for a player; None: for the one to act."""
        if player is None:
            return self.position.player >= 0
        return self.position.has_begun and player in self.position.rules.players

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible chance answers with their probabilities."""
        return self.position.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        """Play a decision or a chance answer.

        OpenSpiel checks neither: raises IllegalAction for an illegal decision, ValueError for an answer that chance
        cannot give; neither changes anything.
        """
        position = self.position
        if position.asked:
            self._check_answer(action)
            self.position = position.answered(action)
            return
        if position.is_over:
            raise IllegalAction(f"expected a game that goes on, got the action {action} in one that is over")
        if not position.is_legal(action):
            refuse_illegal(position.rules.game, position.state[0], action)
        self.position = position.decided(action)

    def _check_answer(self, answer: int) -> None:
        """Raise ValueError for an answer that chance cannot give now."""
        asked = self.position.asked
        if not 0 <= answer < abs(asked):
            raise ValueError(f"expected an answer of chance from 0 to {abs(asked) - 1}, got {answer}")
        if asked < 0 and answer not in dict(self.chance_outcomes()):
            raise ValueError(f"expected an answer that chance can give, got {answer}, which never comes")

    def _action_to_string(self, player: int, action: int) -> str:
        """Return a decision's text, or a chance answer's number as text. Raises ValueError out of range."""
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance:{action}"
        texts = self.position.rules.game.rules.actions.texts
        if not 0 <= action < len(texts):
            raise ValueError(f"expected an action from 0 to {len(texts) - 1}, got {action}")
        return texts[action]

    def is_terminal(self) -> bool:
        """Return whether the game is over or has reached `max_cycles` decisions."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """Return each seat's utility: 0 until the game is over."""
        position = self.position
        if not position.is_over:
            return [0.0] * len(position.rules.players)
        return [float(payoff(position.state[0], seat, *position.rules.worth)) for seat in position.rules.players]

    def __str__(self) -> str:
        """Return the full position as text, with the action in progress and its chance answers at a chance node."""
        position = self.position
        text = position.rules.game.text
        shown = text.position_text(position.state[0]) if position.has_begun else _TO_BE_SET_UP
        return f"{shown}\n{position.action}, chance: {list(position.answers)}" if position.asked else shown

    def resample_from_infostate(self, player_id: int, probability_sampler: Callable[[], float]) -> GameState:
        """Return a state that `player_id` cannot tell from this one: hidden information is sampled anew.

        `probability_sampler` draws numbers from 0 to below 1. The new state's past, for every player, is the one that
        `player_id` knows; `history` and serialization begin anew with it. Raises ValueError at a chance node.
        """
        self.check_seat(player_id)
        if self.position.asked:
            raise ValueError("expected a state in which a player decides, got one in which chance is asked")
        rules = self.position.rules.game.rules
        luck = np.zeros(1, rules.luck).view(np.recarray)
        luck["stream"] = np.uint64(int(probability_sampler() * _WORD) << 32 | int(probability_sampler() * _WORD))
        states = as_arrays(copy_records(self.position.state))
        if rules.imagine is not None:
            rules.imagine(states[0], player_id, luck[0])
        world = GameState(self.get_game())
        world.position = Position.resampled(self.position, states, player_id)
        return world

    def heard(self, seat: int) -> list[str]:
        """Return the texts of the decisions that a seat may know of, those before a resampled state included."""
        return self.position.heard(seat)

    def check_seat(self, seat: int) -> None:
        """Raise ValueError for a seat that is not in the game."""
        if seat not in (players := self.position.rules.players):
            raise ValueError(f"expected a player from 0 to {len(players) - 1}, got {seat}")


def _asked(own: Callable[..., list[Any]], player: int | None) -> list[Any]:
    """Return OpenSpiel's own answer for a player, or for the one to act."""
    return own() if player is None else own(player)


class Observer:
    """An observer of one seat: its fields as one float32 tensor (F,) and by name, and the position as text.

    The tensor is the observation of this package for both of OpenSpiel's kinds. Only the string of the information
    state (`remembers`) holds the decisions so far. Without `names_fields`, `dict` has one entry for the whole tensor.
    """

    def __init__(self, game: Game, view: ObservationView, remembers: bool, names_fields: bool = True) -> None:
        self.game, self.remembers, self._view = game, remembers, view
        self._rows = np.zeros((1, game.rules.fields.size), np.float32)
        self.tensor = self._rows[0] if view.is_plain else np.zeros(view.layout.size, np.float32)
        named = view.layout.split(self.tensor) if names_fields else {"observation": self.tensor}
        self.dict: dict[str, NDArray[np.float32]] = {name: np.atleast_1d(part) for name, part in named.items()}

    def set_from(self, state: GameState, player: int) -> None:
        """Write a seat's observation into the tensor; zeros before the setup. Raises ValueError for an unknown seat."""
        state.check_seat(player)
        if state.position.has_begun:
            state.position.rules.observe(state.position.state, player, self._rows)
            if not self._view.is_plain:
                self.tensor[:] = self._view(self._rows[0])
        else:
            self.tensor.fill(0)

    def string_from(self, state: GameState, player: int) -> str:
        """Return a seat's view of the position as text, after the decisions it knows of with perfect recall.

        Raises ValueError for an unknown seat.
        """
        state.check_seat(player)
        position = state.position
        if not position.has_begun:
            return _TO_BE_SET_UP
        shown = self.game.position_text_for(position.state[0], player)
        known = position.heard(player) if self.remembers else ()
        return "\n".join([*known, f"player_{player} sees", shown])
