"""Decide with agents of games and use every API; print each function that is compiled meanwhile.

Each argument is the address of a game and the names of agents: ``tests.games.pig:GAME random mcts:2``.
"""

import sys

import numpy as np
from numba.core import event

from titan_env import registry

with event.install_recorder("numba:compile") as recorder:
    from titan_env import GameAEC, GameEnv, GameVectorEnv, agents
    from titan_env.engine.batch import Batch
    from titan_env.play.agent_calls import ask_in_batch
    from titan_env.play.event_statistics import play_and_count
    from titan_env.play.outcomes import chance_outcomes

    for argument in sys.argv[1:]:
        address, *names = argument.split()
        game = registry.load(address)
        for name in names:
            batch = Batch(game, 2, **game.metadata.benchmark_options)
            batch.seed(1)
            batch.start()
            for _ in range(3):
                actions, rows = np.zeros(2, int), np.flatnonzero(~batch.over)
                if len(rows):
                    actions[rows] = ask_in_batch(agents.load(name, game), batch, rows, np.random.default_rng(0)).actions
                    batch.step(actions, ~batch.over)
        play_and_count(game, agents.load("random", game), 2, 1)
        if not batch.over[0]:
            chance_outcomes(game, batch.states[0], int(batch.sample()[0]))
        batch.payoffs()
        batch.rollout(3)
        aec = GameAEC(game)
        aec.reset(seed=1)
        aec.step(int(aec.last()[0]["action_mask"].argmax()))
        aec.state()
        for env in (GameEnv(game), GameVectorEnv(game, 2), GameVectorEnv(game, 2, seats="all")):
            env.reset(seed=1)
            env.step(env.action_space.sample())
for _time, one in recorder.buffer:
    if one.is_start:
        compiled = one.data["dispatcher"].py_func
        print(compiled.__module__, compiled.__qualname__)
