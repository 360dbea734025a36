"""Games as pure functions of JAX on the CPU, for `jax.jit`, `jax.vmap` and `jax.lax.scan`, with the names of Pgx.

    env = titan_env.GameJaxEnv(game)
    state = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 1024))
    state = jax.jit(jax.vmap(env.step))(state, actions)

The compiled rules are called by XLA itself: byte for byte the games of `Batch`, without Python in the loop. Needs the
extra ``jax``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from titan_env import registry
from titan_env.compiler.record_copies import copy_records
from titan_env.contract import MOST_SEATS, Game, Status
from titan_env.engine.batch import null_log
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.validation import check_bool, check_choice
from titan_env.engine.xla_loops import turn_rows
from titan_env.extras import extra

with extra("jax"):
    import jax
    import jax.numpy as jnp

    from titan_env.engine import xla

ON_ILLEGAL = ("raise", "ignore")
_REFUSED = b"expected a legal action in every game, got an illegal one; nothing has changed\0"
_STREAM_BYTES = np.dtype(np.uint64).itemsize

_HANDLERS: dict[tuple[Any, ...], tuple[str, Any]] = {}
"""Rules and kind of observation -> a name that XLA knows, and the handler, which lives as long as the process."""


class State(NamedTuple):
    """The state of a game: what the seat to act sees, and all that the game's future depends on.

    Of one game; under `jax.vmap` each array has a row for each.
    """

    current_player: Any
    """int32, the seat to act."""
    observation: Any
    """(F,), of the seat to act: float32, or with `whole` the integers that the game counts in."""
    rewards: Any
    """float32 (seats,), paid by the latest action: at the end, or when a seat leaves a game that goes on."""
    terminated: Any
    """bool: the latest action, or one before it, ended the game."""
    truncated: Any
    """bool: so did a limit of decisions."""
    legal_action_mask: Any
    """bool (A,); all False when the game is over."""
    illegal: Any
    """bool: the latest action was illegal, and ``on_illegal="ignore"`` left the game as it was."""
    record: Any
    """uint8 (bytes of a state,): ``np.asarray(state.record).view(env.game.rules.state)`` is the engine's record."""
    luck: Any
    """uint8 (bytes of a luck record,): the stream of the game's chance, which goes on here unless `step` gets a key."""


class GameJaxEnv:
    """A game as pure functions: `init` begins one, `step` plays an action, `jax.vmap` makes many of it.

    `reward` is "win", "rank" or "score", as in the other environments. With `autoreset` a game that ends begins anew in
    the same step: `rewards` and `terminated` are of the old game, all else of the new one. With `whole` observations
    are the integers that the game counts in. `fields` or `without` choose what is observed, by name (see
    `ObservationView`). ``on_illegal="raise"`` fails the whole program (`JaxRuntimeError`, which
    may be told as late as at `block_until_ready`), also for a branch of a vmapped `jax.lax.cond` that is not taken;
    ``"ignore"`` leaves that game as it is, and marks it in `State.illegal`: for searches that expand such actions.

    It runs on the CPU; a program for another device cannot hold it. Raises ValueError or TypeError for what the game
    does not take, NotImplementedError with ``NUMBA_DISABLE_JIT=1``.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        reward: str = "win",
        autoreset: bool = False,
        whole: bool = False,
        on_illegal: str = "raise",
        fields: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        **options: Any,
    ) -> None:
        self.game = registry.game_of(game)
        check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        rules = self.game.rules
        template = copy_records(GameSetup.of_keywords(self.game, options, GameJaxEnv).template)
        self.num_players, self.num_actions = int(template.seats[0]), len(rules.actions)
        self.view = ObservationView(self.game, fields, without, whole=whole)
        layout = self.view.layout
        self.observation_shape = (layout.size,)
        ones = np.ones(layout.size, layout.dtype)
        self.observation_scale = layout.to_float(ones) if whole else np.ones_like(ones, np.float32)
        """float32 (F,): an observation times these is the float32 observation."""
        self._target = _target(self.game, whole)
        self._settings = np.zeros(1, xla.SETTINGS_DTYPE)
        self._settings["reward"], self._settings["scale"] = rules.reward_scale(reward)
        self._settings["restart"] = check_bool("autoreset", autoreset)
        self._settings["refuse"] = on_illegal == "raise"
        self._attributes = {
            "error": np.frombuffer(_REFUSED, np.uint8),
            "log": _as_bytes(null_log(self.game)),
            "scales": np.ravel(rules.fields.scales[:0] if whole else rules.fields.scales),
            "template": _as_bytes(template),
        }
        kinds = [
            *(((rules.state.itemsize,), jnp.uint8), ((rules.luck.itemsize,), jnp.uint8)),
            *(((rules.fields.size,), rules.fields.dtype if whole else jnp.float32), ((self.num_actions,), jnp.bool_)),
            *(((MOST_SEATS,), jnp.float32), ((), jnp.int8), ((), jnp.int32), ((), jnp.bool_)),
        ]
        self._results = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in kinds]

    def init(self, key: jax.Array) -> State:
        """Begin a game, whose chance follows the key."""
        record, luck = (jnp.zeros(kind.shape, kind.dtype) for kind in self._results[:2])
        return self._play(record, _reseeded(luck, key), jnp.int32(0), begin=True)

    def step(self, state: State, action: Any, key: jax.Array | None = None) -> State:
        """Play an action of the seat to act; a game that is over stays as it is.

        With a key the chance of this step follows it: a search that plays on with keys of its own cannot see the next
        roll. Without, it goes on from where the state's stream stands. Raises ValueError for more than one action, and
        TypeError for one that is no integer.
        """
        if jnp.shape(action) != ():
            shape = jnp.shape(action)
            raise ValueError(f"expected one action, got an array of shape {shape}; jax.vmap(env.step) takes many")
        if not jnp.issubdtype(jnp.result_type(action), jnp.integer):
            raise TypeError(f"expected an integer as action, got {jnp.result_type(action)}")
        luck = state.luck if key is None else _reseeded(state.luck, key)
        return self._play(state.record, luck, jnp.asarray(action, jnp.int32), begin=False)

    def _play(self, record: Any, luck: Any, action: Any, begin: bool) -> State:
        """Call the compiled loop with one row, or under `jax.vmap` with all rows at once."""
        settings = self._settings.copy()
        settings["begin"] = begin
        call = jax.ffi.ffi_call(
            self._target, self._results, vmap_method="broadcast_all", input_output_aliases={0: 0, 1: 1}
        )
        record, luck, seen, mask, rewards, over, seat, illegal = call(
            record, luck, action, settings=_as_bytes(settings), **self._attributes
        )
        if not self.view.is_plain:
            seen = seen[..., self.view.columns].astype(self.view.dtype)
        rewards, terminated = rewards[..., : self.num_players], over == Status.TERMINATED
        return State(seat, seen, rewards, terminated, over == Status.TRUNCATED, mask, illegal, record, luck)


def _target(game: Game, whole: bool) -> str:
    """Return the name under which XLA knows a game's handler, which is compiled or read from the cache once."""
    key = (*game.rules.functions.values(), whole)
    if key not in _HANDLERS:
        jax.devices("cpu")  # a handler that is refused before the backend has started would take it down
        handler, address = xla.handler(turn_rows, game.rules, whole)
        name = f"titan_env {registry.address(game)} {len(_HANDLERS)}"
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(ctypes.c_void_p(address)), platform="cpu")
        _HANDLERS[key] = name, handler
    return _HANDLERS[key][0]


def _as_bytes(records: Any) -> Any:
    """Return records as their bytes, uint8."""
    return np.ascontiguousarray(records).view(np.ndarray).view(np.uint8).ravel()


def _reseeded(luck: Any, key: jax.Array) -> Any:
    """Return a luck record whose stream, its first field, follows a key."""
    drawn = jax.lax.bitcast_convert_type(jax.random.bits(key, (2,), jnp.uint32), jnp.uint8)
    return luck.at[:_STREAM_BYTES].set(drawn.ravel())
