"""Gumbel MuZero's search plans with the real rules inside `jax.jit`, by mctx.

    python training/works_with/jax_mctx.py

Seen with jax 0.10.2 and mctx 0.0.71.

A position is worth what play-outs of random moves make of it. Each step of the search gets a key of its own, so it sees
none of the game's coming rolls. Fantasy Racing hides nothing; in a game that does, `State.record` holds the hidden
things too, and a search from it would know them. Observations are not looked at: whole numbers make them small.
"""

import jax
import jax.numpy as jnp
import mctx

import titan_env

GAMES, SIMULATIONS, PLAYOUT, DECISIONS = 16, 16, 24, 300
env = titan_env.GameJaxEnv("fantasy_racing", players=2, rounds=5, whole=True, on_illegal="ignore")
step = jax.vmap(env.step)


def logits_of(state):
    """Return logits that are equal for all legal actions."""
    return jnp.where(state.legal_action_mask, 0.0, -1e9)


def one_turn(state, key):
    """Play one random move in every game, with chance of its own."""
    move, chance = jax.random.split(key)
    action = jax.random.categorical(move, logits_of(state))
    return step(state, action, jax.random.split(chance, GAMES))


def worth(state, key):
    """Return what random moves pay the seat to act, 0 if the game goes on."""

    def play_on(carry, key):
        state, paid = carry
        state = one_turn(state, key)
        return (state, paid + state.rewards), None

    nothing = jnp.zeros((GAMES, env.num_players))
    (_, paid), _ = jax.lax.scan(play_on, (state, nothing), jax.random.split(key, PLAYOUT))
    return paid[jnp.arange(GAMES), state.current_player]


def imagine(_, key, action, state):
    """Play one action of the search, with a roll of its own."""
    chance, playout = jax.random.split(key)
    after = step(state, action, jax.random.split(chance, GAMES))
    mover = state.current_player
    same = jnp.where(after.current_player == mover, 1.0, -1.0)  # two seats, and what one wins the other loses
    return mctx.RecurrentFnOutput(
        reward=after.rewards[jnp.arange(GAMES), mover],
        discount=jnp.where(after.terminated | after.truncated, 0.0, same),
        prior_logits=logits_of(after),
        value=worth(after, playout),
    ), after


def plan(state, key):
    """Return the action that the search finds best, for each game."""
    root = mctx.RootFnOutput(prior_logits=logits_of(state), value=worth(state, key), embedding=state)
    found = mctx.gumbel_muzero_policy({}, key, root, imagine, SIMULATIONS, invalid_actions=~state.legal_action_mask)
    return found.action


@jax.jit
def play(key):
    """Play games, the search on one seat; return what it was paid, and which games ended."""
    first, *keys = jax.random.split(key, DECISIONS + 1)
    planner = jnp.arange(GAMES) % 2  # the seat that plans, in each game

    def turn(carry, key):
        state, paid = carry
        planned, drawn = jax.random.split(key)
        action = jnp.where(
            state.current_player == planner, plan(state, planned), jax.random.categorical(drawn, logits_of(state))
        )
        state = step(state, action)
        return (state, paid + state.rewards[jnp.arange(GAMES), planner]), None

    begun = jax.vmap(env.init)(jax.random.split(first, GAMES))
    (state, paid), _ = jax.lax.scan(turn, (begun, jnp.zeros(GAMES)), jnp.stack(keys))
    return paid, state.terminated | state.truncated


paid, over = play(jax.random.key(1))
print(f"wins of the search against random: {(paid > 0).sum()} of {over.sum()} games that ended, of {GAMES}")
