"""Play games through every API, with every agent, and into records and pictures; print a hash of each for a game.

Each argument is the address of a game. With ``--without-numba`` first no module of Numba can be imported, with
``--by-numba`` no built library is used.
"""

import hashlib
import sys
from pathlib import Path

import numpy as np

from titan_env import GameAEC, GameEnv, GameVectorEnv, agents, registry
from titan_env.compiler import libraries
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.pictures.render import svg_of
from titan_env.play.agent_calls import ask_in_batch
from titan_env.records.record_file import parse
from titan_env.records.replay import positions
from titan_env.records.session import GameSession

assert "numba" not in sys.modules
option = sys.argv.pop(1)
if option == "--without-numba":
    sys.modules.update(dict.fromkeys(("numba", "llvmlite")))
else:
    libraries.FOLDER = Path("nowhere")

GAMES_AT_ONCE, STEPS = 32, 80
SHOWN_EVERY = 10


def batches(game):
    """Random games in batches, in fractions and whole numbers."""
    for whole in {False, game.rules.fields.whole}:
        batch = Batch(game, GAMES_AT_ONCE, whole=whole, **game.metadata.benchmark_options)
        batch.seed(1)
        batch.start()
        for _ in range(STEPS):
            batch.step(batch.sample())
            yield batch.observations, batch.masks
            batch.start(batch.over)
        yield batch.states, batch.payoffs(), batch.rollout(STEPS), batch.observations


def aec(game):
    """A game by random actions, agent by agent."""
    env = GameAEC(game)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(STEPS):
        if not env.agents:
            return
        seen, reward, over, cut, _ = env.last()
        action = None if over or cut else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        env.step(action)
        yield seen["observation"], np.array(reward), env.state()


def learners(game):
    """Games of one learner and of many, against chance and alone."""
    for whole in {False, game.rules.fields.whole}:
        for env in (GameVectorEnv(game, 8, whole=whole), GameVectorEnv(game, 8, seats="all", whole=whole)):
            rng = np.random.default_rng(1)
            seen, infos = env.reset(seed=1)
            for _ in range(STEPS):
                masks = infos["action_mask"]
                seen, rewards, *_, infos = env.step((rng.random(masks.shape) * masks).argmax(axis=1))
                yield seen, rewards, infos["action_mask"]
    env = GameEnv(game)
    seen, info = env.reset(seed=1)
    for _ in range(STEPS):
        seen, reward, over, cut, info = env.step(int(info["action_mask"].argmax()))
        yield seen, np.array(reward)
        if over or cut:
            env.reset()


def decisions(game):
    """The decisions of every agent in the same positions."""
    batch = Batch(game, 2, **game.metadata.benchmark_options)
    batch.seed(1)
    batch.start()
    names = [name for name in agents.names(game.name) if name.partition(":")[0] not in ("flat", "mcts")]
    for name in (*names, "flat:2", "mcts:4"):
        try:
            agent = agents.load(name, game)
        except ImportError:  # a policy without the library that runs it
            continue
        for _ in range(3):
            rows = np.flatnonzero(~batch.over)
            actions = np.zeros(2, np.int64)
            if len(rows):
                actions[rows] = ask_in_batch(agent, batch, rows, np.random.default_rng(0)).actions
                batch.step(actions, ~batch.over)
            yield (actions,)


def record(game):
    """A recorded game, with texts and pictures; it is read and played once more."""
    session = GameSession(GameSetup.of_keywords(game, {}), 1)
    agent = agents.load("random", game)
    for number in range(STEPS):
        if session.is_over:
            break
        sentences = session.play(session.ask_agent(agent))
        texts = [*sentences, game.text.position_text(session.state)]
        if number % SHOWN_EVERY == 0:
            texts += [svg_of(game, session.state, 0), str(game.illegal_reasons(session.state))]
        yield (np.array(texts),)
    text = session.recorder.text
    yield (np.array(text), np.array(len(list(positions(parse(text))))))


for address in sys.argv[1:]:
    game = registry.load(address)
    for use in (batches, aec, learners, decisions, record):
        digest = hashlib.sha256()
        for arrays in use(game):
            for array in arrays:
                digest.update(np.ascontiguousarray(array).tobytes())
        print(game.name, use.__name__, digest.hexdigest()[:16], flush=True)
