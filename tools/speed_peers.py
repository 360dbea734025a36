"""The cases of the page of speed that are not one game's: other libraries, learners, and what the goals are set for.

The workers of `titan_env.evaluation.reports.speed` call these functions; `speed_page` lists them.
"""

from __future__ import annotations

import runpy
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from titan_env import registry
from titan_env.evaluation.reports.speed import Play
from titan_env.evaluation.reports.speed_cases import (  # noqa: F401  (a worker calls two of them by name)
    ON_END,
    ROWS,
    UNDER_WAY,
    begun,
    memory,
    newcomers_loop,
    open_spiel_loop,
    play_once,
    positions,
    start_up,
)

JAX_PPO = str(Path(__file__).parents[1] / "training" / "works_with" / "jax_ppo_scan.py")
SCRIPTS = {
    "PettingZoo": """
from pettingzoo.classic import connect_four_v3
env = connect_four_v3.env()
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
""",
    "OpenSpiel": """
import pyspiel
state = pyspiel.load_game("connect_four").new_initial_state()
state.observation_tensor()
state.apply_action(state.legal_actions()[0])
""",
    "Pgx": """
import jax, pgx
env = pgx.make("connect_four")
state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), {rows}))
jax.block_until_ready(jax.jit(jax.vmap(env.step))(state, state.legal_action_mask.argmax(axis=1)))
""",
    "EnvPool": """
import envpool
env = envpool.make("ConnectFour-v1", env_type="gymnasium", num_envs={rows}, num_threads=1)
_, info = env.reset()
env.step(info["legal_action_mask"].argmax(axis=1).astype("int32"))
""",
}
"""Library -> the first decision of its connect four, of {rows} games where it plays many."""
OF_MANY = ("Pgx", "EnvPool")


def pgx(game: str, scan: bool) -> Play:
    """Play random legal actions in all games of Pgx, one step a call or many in one compiled scan."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    def once(carried: Any, _: None = None) -> Any:
        state, key = carried
        key, drawn, reset = jax.random.split(key, 3)
        seen = jnp.cumsum(state.legal_action_mask, axis=1)
        wanted = jax.random.uniform(drawn, (ROWS, 1)) * seen[:, -1:]
        return (step(state, jnp.argmax(seen > wanted, axis=1), jax.random.split(reset, ROWS)), key), None

    steps = ON_END if scan else 1
    many = jax.jit(lambda carried: jax.lax.scan(once, carried, None, length=steps)[0] if scan else once(carried)[0])
    carried = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), ROWS)), jax.random.PRNGKey(1)

    def play() -> int:
        nonlocal carried
        carried = jax.block_until_ready(many(carried))
        return ROWS * steps

    return play


def envpool() -> Play:
    """Play one step of all games of EnvPool's connect four per call; a compiled loop chooses, as ours do."""
    import envpool
    from numba import njit

    env: Any = envpool.make("ConnectFour-v1", env_type="gymnasium", num_envs=ROWS, num_threads=1)
    rng, actions = np.random.default_rng(0), np.zeros(ROWS, np.int32)
    _, info = env.reset()

    @njit  # type: ignore[untyped-decorator]
    def choose(masks: Any, drawn: Any, actions: Any) -> None:
        for i in range(len(masks)):
            left = int(drawn[i] * masks[i].sum())
            for action in range(masks.shape[1]):
                if masks[i, action]:
                    actions[i] = action
                    left -= 1
                    if left < 0:
                        break

    def play() -> int:
        nonlocal info
        choose(info["legal_action_mask"], rng.random(ROWS), actions)
        *_, info = env.step(actions)
        return ROWS

    return play


def open_spiel(game: str) -> Play:
    """Play a game of OpenSpiel's own: mask and observation tensor at every decision."""
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # noqa: F401  (it registers the game)

    return open_spiel_loop(pyspiel.load_game(game))


def open_spiel_play_outs(game: str) -> Play:
    """Let OpenSpiel play whole games at random in C++, without masks or observations: its quickest way."""
    import pyspiel

    loaded = pyspiel.load_game(game)
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(loaded.num_players())]

    def play() -> int:
        state = loaded.new_initial_state()
        pyspiel.evaluate_bots(state, bots, 0)
        return int(state.move_number())

    return play


def open_spiel_mcts(game: str, simulations: int) -> Play:
    """Let OpenSpiel's search in C++ choose the first action of a game."""
    import pyspiel

    loaded = pyspiel.load_game(game)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(loaded, evaluator, 2.0, simulations, 64, False, 0, False)
    state = loaded.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def play() -> int:
        bot.step(state)
        return simulations

    return play


def pettingzoo() -> Play:
    """Play PettingZoo's connect four in the loop of its documentation."""
    from pettingzoo.classic import connect_four_v3

    return newcomers_loop(connect_four_v3.env())


def state_call(name: str, call: str) -> Play:
    """Call a method of an OpenSpiel state in the middle of a game."""
    from titan_env.envs import openspiel

    state = openspiel.load(name).new_initial_state()
    while state.move_number() < UNDER_WAY or state.is_chance_node():
        state.apply_action(state.legal_actions()[0])

    def play() -> int:
        for _ in range(ON_END):
            getattr(state, call)()
        return ON_END

    return play


def records_copied(name: str, by_numpy: bool) -> Play:
    """Copy the records of 256 games, as NumPy does or as the engine does."""
    from titan_env.compiler.record_copies import copy_records

    batch = begun(name, 256)
    records = (batch.states, batch.luck)

    def play() -> int:
        for part in records:
            part.copy() if by_numpy else copy_records(part)
        return batch.num_games

    return play


def with_loops(name: str, whole: bool, rows: int, blind: bool) -> Play:
    """Play one decision in every game per call with other loops.

    With `blind` that is the floor of a decision: the same without observing, and a bare write of as many bytes;
    else observations are stored through the cache, however many they are.
    """
    from titan_env.contract import specialize, specialize_part
    from titan_env.engine.batch_loops import sample_rows, start_rows, step_rows
    from titan_env.engine.specialized_loops import Loops

    batch = begun(name, rows, whole, under_way=True)
    loops: Any = Loops(batch.game)
    if blind:
        parts = {**batch.game.rules.functions, "observe_scaled": specialize_part(_see_nothing, {}, counts=False)}
        unseeing = {loop: specialize(loop, parts, counts=False) for loop in (start_rows, step_rows)}
        loops = {sample_rows: loops[sample_rows], **unseeing}
    batch.__dict__["loops"] = loops

    def play() -> int:
        play_once(batch)
        if blind:
            batch.observations.fill(0)
        return rows

    return play


def _see_nothing(state: Any, seat: Any, vector: Any, scales: Any) -> None:
    """Leave an observation as it is."""


def policy(name: str, bits: int, rows: int) -> Play:
    """Ask a trained policy at so many positions in one call."""
    from titan_env import agents
    from titan_env.agents.policy import Policy

    batch = positions(name, rows)
    asked = Policy(batch.game, agents.shipped(batch.game)[f"ppo@{batch.game.id.replace('_v', '-v')}"], bits=bits)

    def play() -> int:
        asked.logits(batch.observations, batch.masks)
        return rows

    return play


def ppo(name: str, width: int) -> Play:
    """Learn by this package's PPO, with its own settings but for fewer games: a rollout and an update."""
    return _ppo({"game": name, "num_envs": 256, "num_steps": 64, "width": width})


def ppo_like_jax() -> Play:
    """Learn by this package's PPO with the settings of `jax_ppo`: games, steps, epochs, minibatches and layers."""
    same = {"num_envs": 1024, "num_steps": 64, "update_epochs": 2, "minibatch_size": 2048, "width": 64}
    return _ppo({**same, "game": "titan_race", "vary": {"titans": [2]}, "adviser": "", "sure": 1.0, "others": 0.0})


def _ppo(settings: dict[str, Any]) -> Play:
    """Learn by this package's PPO with some settings: a rollout and an update."""
    from titan_env.training.ppo import Trainer
    from titan_env.training.ppo_config import Config

    config = Config(**settings)
    trainer = Trainer(registry.load(config.game), config, Path(tempfile.gettempdir()))

    def play() -> int:
        trainer.iterate()
        return config.num_envs * config.num_steps

    return play


def jax_ppo() -> Play:
    """Learn by the example in JAX, games, network and learning in one compiled program: several updates."""
    import jax

    program = runpy.run_path(JAX_PPO)
    train, key = program["train"].lower(jax.random.key(1)).compile(), jax.random.key(1)

    def play() -> int:
        jax.block_until_ready(train(key))
        decisions: int = program["DECISIONS"]
        return decisions

    return play


def maskable_ppo(name: str) -> Play:
    """Learn by sb3-contrib's PPO from one seat of each game, the others at random: a rollout and an update."""
    from sb3_contrib import MaskablePPO

    from titan_env.envs.sb3 import GameVecEnv

    env, steps = GameVecEnv(registry.load(name), 256), 64
    layers = {"net_arch": [256, 256]}
    model = MaskablePPO("MlpPolicy", env, n_steps=steps, batch_size=4096, n_epochs=3, policy_kwargs=layers)

    def play() -> int:
        model.learn(env.num_envs * steps, reset_num_timesteps=False)
        return env.num_envs * steps

    return play
