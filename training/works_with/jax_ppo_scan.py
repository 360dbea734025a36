"""PPO in one compiled program: games, network and learning in a `jax.lax.scan`, as PureJaxRL does.

    python training/works_with/jax_ppo_scan.py

Seen with jax 0.10.2 and optax 0.2.8.

One network plays every seat. A decision is worth what its seat is paid at the end of the game, or in a game that goes
on what the network said at that seat's latest decision. Observations are whole numbers, a quarter of the memory.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

import titan_env

GAMES, STEPS, UPDATES, EPOCHS, PARTS, HIDDEN = 1024, 64, 8, 2, 32, 64
DECISIONS = GAMES * STEPS * UPDATES
env = titan_env.GameJaxEnv("titan_race", titans=2, whole=True, autoreset=True)
start, step = jax.vmap(env.init), jax.vmap(env.step)
optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(1e-3))


class Decision(NamedTuple):
    """A decision of every game, and what came of it."""

    seen: Any
    mask: Any
    seat: Any
    action: Any
    log_prob: Any
    value: Any
    rewards: Any
    over: Any


def network(weights, seen, mask):
    """Return logits (N, A), illegal ones far below, and values (N,)."""
    hidden = jnp.tanh(seen * env.observation_scale @ weights["in"])
    hidden = jnp.tanh(hidden @ weights["middle"])
    return jnp.where(mask, hidden @ weights["policy"], -1e9), (hidden @ weights["value"])[..., 0]


def decide(weights, state, key):
    """Draw an action for each game; return it with its log-probability and the value."""
    logits, value = network(weights, state.observation, state.legal_action_mask)
    action = jax.random.categorical(key, logits)
    return action, jax.nn.log_softmax(logits)[jnp.arange(GAMES), action], value


def play(weights, carry, key):
    """Play one decision in every game."""
    states, latest = carry  # latest value of each seat
    action, log_prob, value = decide(weights, states, key)
    after = step(states, action)
    over = after.terminated | after.truncated
    latest = jnp.where(over[:, None], 0.0, latest.at[jnp.arange(GAMES), states.current_player].set(value))
    seen, mask, seat = states.observation, states.legal_action_mask, states.current_player
    return (after, latest), Decision(seen, mask, seat, action, log_prob, value, after.rewards, over)


def returns(latest, decided):
    """Compute what each decision was worth to its seat: (STEPS, N)."""

    def back(worth, one):
        worth = jnp.where(one.over[:, None], one.rewards, one.rewards + worth)
        return worth, worth[jnp.arange(GAMES), one.seat]

    return jax.lax.scan(back, latest, decided, reverse=True)[1]


def loss(weights, part):
    """Compute the loss of PPO: clipped surrogate, value and entropy."""
    one, worth = part
    logits, value = network(weights, one.seen, one.mask)
    log_probs = jax.nn.log_softmax(logits)
    ratio = jnp.exp(jnp.take_along_axis(log_probs, one.action[:, None], 1)[:, 0] - one.log_prob)
    gain = worth - one.value
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    entropy = -(jnp.exp(log_probs) * jnp.where(one.mask, log_probs, 0.0)).sum(axis=1)
    surrogate = jnp.minimum(ratio * gain, jnp.clip(ratio, 0.8, 1.2) * gain)
    return (0.5 * (value - worth) ** 2 - surrogate - 0.01 * entropy).mean()


def learn(carry, part):
    """Learn from one minibatch."""
    weights, memory = carry
    change, memory = optimizer.update(jax.grad(loss)(weights, part), memory, weights)
    return (optax.apply_updates(weights, change), memory), None


def update(carry, key):
    """Play `STEPS` decisions in every game, and learn from them."""
    weights, memory, states, latest = carry
    keys = jax.random.split(key, STEPS + EPOCHS)
    (states, latest), decided = jax.lax.scan(lambda c, k: play(weights, c, k), (states, latest), keys[:STEPS])
    rows = jax.tree.map(lambda part: part.reshape(GAMES * STEPS, *part.shape[2:]), (decided, returns(latest, decided)))
    for shuffle in keys[STEPS:]:
        order = jax.random.permutation(shuffle, GAMES * STEPS).reshape(PARTS, -1)
        parts = jax.tree.map(lambda part, order=order: part[order], rows)
        (weights, memory), _ = jax.lax.scan(learn, (weights, memory), parts)
    return (weights, memory, states, latest), None


@jax.jit
def train(key):
    """Return the weights before and after learning."""
    ways, games, updates = jax.random.split(key, 3)
    shapes = {"in": (*env.observation_shape, HIDDEN), "middle": (HIDDEN, HIDDEN)}
    shapes |= {"policy": (HIDDEN, env.num_actions), "value": (HIDDEN, 1)}
    keys = dict(zip(shapes, jax.random.split(ways, len(shapes)), strict=True))
    weights = {name: jax.random.normal(keys[name], shape) / shape[0] ** 0.5 for name, shape in shapes.items()}
    carry = weights, optimizer.init(weights), start(jax.random.split(games, GAMES)), jnp.zeros((GAMES, env.num_players))
    return weights, jax.lax.scan(update, carry, jax.random.split(updates, UPDATES))[0][0]


@jax.jit
def wins_against_random(weights, key):
    """Return the share of games won, one seat of each against random moves."""

    def turn(states, key):
        legal = jnp.where(states.legal_action_mask, 0.0, -1e9)
        mine = states.current_player == jnp.arange(GAMES) % 2
        action = jnp.where(mine, decide(weights, states, key)[0], jax.random.categorical(key, legal))
        after = step(states, action)
        return after, (after.rewards[jnp.arange(GAMES), jnp.arange(GAMES) % 2] > 0, after.terminated)

    won, over = jax.lax.scan(turn, start(jax.random.split(key, GAMES)), jax.random.split(key, 256))[1]
    return won.sum() / over.sum()


if __name__ == "__main__":
    before, after = train(jax.random.key(1))
    share = [float(wins_against_random(weights, jax.random.key(2))) for weights in (before, after)]
    print(f"wins against random at a table of two: {share[0]:.0%} before, {share[1]:.0%} after {DECISIONS:,} decisions")
