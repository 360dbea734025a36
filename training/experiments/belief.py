"""Does a planner gain by a belief that listens: imagined worlds weighed by how likely a policy plays what was seen?

    python training/experiments/belief.py --blocks 128

One seat of Titan Race plans among three that play a policy. After each decision that it sees, worlds are imagined as
they could have been before it: a world counts as much as the policy is likely to play that action in it, and not at all
if the seat would then see something else; questions that nobody hears of are answered by the policy. What the worlds
in which a player holds a card count more than the others becomes a factor of that belief (naive Bayes). Reported are
the log loss of where hidden cards truly are, with and without the factors, and the wins of `rollout` with worlds drawn
by either. `docs/notes/learning.md` tells what came of it.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from titan_env import registry
from titan_env.agents import shipped
from titan_env.agents.planning import Budget
from titan_env.agents.policy import Policy
from titan_env.agents.rollout import RolloutPlanner
from titan_env.compiler.record_copies import copy_records, put_records, repeat_records, take_records
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.games.titan_race.rules.state import BONUS_CARDS, DECK, Ask, Card
from titan_env.play.determinization import Determinizations, agent_rng

POLICY, TITANS = "ppo@titan_race-v3", 4
WORLDS = 256  # imagined before each decision
DRAWN = 4  # worlds for each one that the planner gets
TREMBLE = 0.1  # share of the decisions in which a player does what the policy finds less likely
DOUBT = 3.0  # worlds in which a card's holder seems to act as all do
CLEAR = 2.0  # standard errors by which a card's holder must seem to act otherwise
LEAST_SEEN = 8  # worlds that must agree with what was seen before anything is learned of it
STEP, BOUND = 20.0, 100.0  # the largest factor of one decision, and of all
FLOOR = 0.01  # of a probability, before its logarithm
RULED_OUT = 0.2  # the belief is this much smaller than the share of deals


def silent(states: Any, seats: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the games (N,) in which another than the given seat is asked what only the asked one knows of."""
    return np.isin(states["ask"], (Ask.SHIELD, Ask.THORNS)) & (states["seat"] != seats) & (states["over"] == 0)


def held(cards: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return whether each seat holds each card, (..., TITANS, cards), of places (..., cards)."""
    return cards[..., None, :] == np.arange(TITANS)[:, None]


@dataclass
class Score:
    """Sums over hidden cards: of log losses, and of ruled-out shields."""

    dealt: float = 0.0
    listened: float = 0.0
    cards: int = 0
    shields: int = 0
    shields_dealt: float = 0.0
    shields_believed: float = 0.0
    shields_held: int = 0


@dataclass
class Belief:
    """Factors (N, TITANS, cards) of "this seat holds this card" for one seat of each game that listens."""

    game: Game
    policy: Policy
    seats: NDArray[np.int64]
    rng: np.random.Generator
    score: Score
    factors: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        """Begin with nothing heard."""
        self.factors = np.ones((len(self.seats), TITANS, BONUS_CARDS))

    def weights(self, cards: NDArray[np.int8], rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return how likely worlds are beside others of the same game, (B, K), by their cards (B, K, cards)."""
        factors = np.where(held(cards), self.factors[rows, None], 1.0)
        weights: NDArray[np.float64] = factors.prod(axis=(2, 3))
        return weights

    def imagine(self, batch: Batch, k: int) -> Batch:
        """Return `k` worlds of each game as its listening seat may imagine them, with the chance of the true game."""
        states = copy_records(batch.states)
        states["seat"] = self.seats  # the seat that imagines
        worlds = Determinizations(self.game, states, self.rng).imagine(k, self.rng)
        worlds.states["seat"] = np.repeat(batch.states["seat"], k)
        put_records(worlds.luck, slice(None), repeat_records(batch.luck, k))
        worlds.refresh()
        return worlds

    def hear(self, before: Batch, actions: NDArray[np.int64], after: Batch) -> None:
        """Learn from one decision of each game, and what its listening seat saw before and after it."""
        k, games = WORLDS, before.num_games
        worlds = self.imagine(before, k)
        cards = np.array(worlds.states["cards"]).reshape(games, k, BONUS_CARDS)
        weights = self.weights(cards, np.arange(games))
        self._count(cards, weights, before.states["cards"])
        likely = self._likelihood(worlds, np.repeat(actions, k), np.repeat(before.states["seat"] != self.seats, k))
        self._answer_in_silence(worlds, likely > 0)
        own = self.seats.astype(np.int8)
        seats = np.repeat(own, k)
        seen = np.repeat(after.observe(own), k, axis=0)
        agrees = ((worlds.observe(seats) == seen).all(axis=1) & (likely > 0)).reshape(games, k)
        was, now = before.states["cards"], after.states["cards"]
        grown = held(now).sum(2) - held(was).sum(2)
        drawn = ((was == DECK).sum(1) - (now == DECK).sum(1)) != 0
        useful = ~drawn & (agrees.sum(1) >= LEAST_SEEN)
        fits = likely.reshape(games, k) * agrees
        mean = (weights * fits).sum(1) / weights.sum(1)
        holding = held(cards) * weights[:, :, None, None]
        doubt = DOUBT * weights.mean(1)[:, None, None]
        found = np.einsum("nk,nkjc->njc", fits, holding) + doubt * mean[:, None, None]
        ratio = found / (holding.sum(1) + doubt) / np.maximum(mean, 1e-30)[:, None, None]
        spread = np.sqrt((weights * (fits - mean[:, None]) ** 2).sum(1) / weights.sum(1))
        count = holding.sum(1) ** 2 / np.maximum((holding**2).sum(1), 1e-30)  # worlds of equal weight
        sure = np.abs(ratio - 1) * mean[:, None, None] * np.sqrt(count) > CLEAR * spread[:, None, None]
        self.factors[useful] *= np.where(sure, np.clip(ratio, 1 / STEP, STEP), 1.0)[useful]
        self._forget(grown, drawn, held(was).sum(2), held(now).sum(2), now)
        np.clip(self.factors, 1 / BOUND, BOUND, out=self.factors)

    def _likelihood(self, worlds: Batch, actions: NDArray[np.int64], by_policy: NDArray[np.bool_]) -> Any:
        """Play actions in the worlds where they are legal; how likely the policy does so, 1 where it is not asked."""
        every = np.arange(worlds.num_games)
        legal = worlds.masks[every, actions] != 0
        chances, _ = self.policy.policy(worlds.observations, worlds.masks)
        played = (1 - TREMBLE) * (chances.argmax(1) == actions) + TREMBLE * chances[every, actions]
        worlds.step(actions, legal)
        return np.where(legal, np.where(by_policy, np.maximum(played, FLOOR), 1.0), 0.0)

    def _answer_in_silence(self, worlds: Batch, rows: NDArray[np.bool_]) -> None:
        """Let the policy answer the questions that the listening seats do not hear of."""
        seats = np.repeat(self.seats, WORLDS)
        while (asked := silent(worlds.states, seats) & rows).any():
            worlds.step(self.policy(worlds.observations, worlds.masks, self.rng), asked)

    def _forget(self, grown: Any, drawn: Any, before: Any, after: Any, now: NDArray[np.int8]) -> None:
        """Dilute what was believed of a hand that has drawn, and forget what is no longer hidden or has changed hands.

        A card that a hand of n has drawn is one of n + 1: that it is not a certain card was believed of n alone.
        """
        share = np.where(grown > 0, before / np.maximum(after, 1), 1.0)[:, :, None]
        self.factors = self.factors * share + (1 - share)
        self.factors[(grown > 0).any(axis=1) & ~drawn] = 1
        public = (now < DECK) | (now == self.seats[:, None])
        self.factors[np.broadcast_to(public[:, None], self.factors.shape)] = 1

    def _count(self, cards: NDArray[np.int8], weights: NDArray[np.float64], truth: NDArray[np.int8]) -> None:
        """Add the log losses of where the hidden cards truly are, by equal deals and by this belief."""
        hidden = (cards != cards[:, :1]).any(axis=1)
        right = cards == truth[:, None]
        dealt, listened = right.mean(1), (right * weights[:, :, None]).sum(1) / weights.sum(1)[:, None]
        score = self.score
        score.dealt -= float(np.log(np.maximum(dealt[hidden], FLOOR)).sum())
        score.listened -= float(np.log(np.maximum(listened[hidden], FLOOR)).sum())
        score.cards += int(hidden.sum())
        shield = held(cards)[:, :, :, Card.SHIELD]
        share, believed = shield.mean(1), (shield * weights[:, :, None]).sum(1) / weights.sum(1)[:, None]
        out = (believed < RULED_OUT * share) & hidden[:, Card.SHIELD, None]
        score.shields += int(out.sum())
        score.shields_dealt += float(share[out].sum())
        score.shields_believed += float(believed[out].sum())
        score.shields_held += int(held(truth)[:, :, Card.SHIELD][out].sum())


class WeighedWorlds(Determinizations):
    """Imagined worlds that come as often as a belief finds them likely."""

    def __init__(self, belief: Belief, states: Any, rows: NDArray[np.int64], rng: np.random.Generator) -> None:
        super().__init__(belief.game, states, rng)
        self._belief, self._rows = belief, rows

    def imagine(self, k: int, rng: np.random.Generator, row: int | None = None) -> Batch:
        """Return `k` worlds of each decision, drawn from `DRAWN` times as many by their weights."""
        many = super().imagine(DRAWN * k, rng, row)
        rows = self._rows if row is None else self._rows[[row]]
        cards = np.array(many.states["cards"]).reshape(len(rows), DRAWN * k, BONUS_CARDS)
        ends = np.cumsum(self._belief.weights(cards, rows), axis=1)
        at = (np.arange(k) + rng.random((len(rows), 1))) / k * ends[:, -1:]
        chosen = np.array([np.searchsorted(end, x) for end, x in zip(ends, at, strict=True)])
        worlds = many.select((np.arange(len(rows))[:, None] * DRAWN * k + chosen).ravel())
        worlds.reseed_from(rng, k)
        return worlds


def play(game: Game, planner: Any, policy: Policy, seeds: range, listens: bool, score: Score) -> NDArray[np.float64]:
    """Play each seed once from each seat; return the planner's shares of wins (seeds, TITANS), and add to the score."""
    games = len(seeds) * TITANS
    batch = Batch(game, games, titans=TITANS)
    batch.seed(np.repeat(seeds, TITANS).tolist())
    batch.start()
    rng = agent_rng(seeds[0])
    belief = Belief(game, policy, np.tile(np.arange(TITANS), len(seeds)), rng, score)
    while not batch.over.all():
        before = batch.select(np.arange(games))
        going = ~batch.over
        actions = np.where(going, policy(batch.observations, batch.masks, rng), 0)
        plans = np.flatnonzero(going & (batch.states["seat"] == belief.seats))
        if len(plans):
            states = take_records(batch.states, plans)
            worlds = WeighedWorlds(belief, states, plans, rng) if listens else Determinizations(game, states, rng)
            actions[plans] = planner(batch.observations[plans], batch.masks[plans], rng, worlds)
        batch.step(actions, going)
        while (asked := silent(batch.states, belief.seats)).any():
            batch.step(policy(batch.observations, batch.masks, rng), asked)
        rows = np.flatnonzero(~batch.over)
        if listens and len(rows):
            part = Belief(game, policy, belief.seats[rows], rng, score)
            part.factors = belief.factors[rows]
            part.hear(before.select(rows), actions[rows], batch.select(rows))
            belief.factors[rows] = part.factors
    seat = belief.seats[:, None]
    won = np.take_along_axis(batch.payoffs() > 0, seat, 1)[:, 0] / np.maximum((batch.payoffs() > 0).sum(1), 1)
    return won.reshape(len(seeds), TITANS)


def main() -> None:
    """Play the same games with and without a belief that listens, and print what it knows and what it gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=128, help="Blocks of four games, one from each seat.")
    parser.add_argument("--worlds", type=int, default=16, help="Determinizations for each decision of the planner.")
    parser.add_argument("--at-once", type=int, default=16, help="Blocks played side by side.")
    parser.add_argument("--seed", type=int, default=30_000_000)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    game = registry.load("titan_race")
    policy = Policy(game, shipped(game)[POLICY])
    planner = RolloutPlanner(Budget(asked.worlds, None), policy)
    shares: dict[bool, list[Any]] = {True: [], False: []}
    total = Score()
    for first in range(asked.seed, asked.seed + asked.blocks, asked.at_once):
        seeds = range(first, min(first + asked.at_once, asked.seed + asked.blocks))
        for listens in shares:
            shares[listens].append(play(game, planner, policy, seeds, listens, total))
        print(f"{seeds.stop - asked.seed} blocks", flush=True)
    with_, without = (np.concatenate(shares[listens]) for listens in shares)
    print(f"log loss of {total.cards:,} hidden cards: {total.dealt / total.cards:.4f} by equal deals,", end=" ")
    print(f"{total.listened / total.cards:.4f} by what was heard")
    if count := total.shields:
        print(f"{count:,} shields ruled out: held in {total.shields_dealt / count:.1%} of equal deals,", end=" ")
        print(
            f"in {total.shields_believed / count:.1%} by what was heard, in truth in {total.shields_held / count:.1%}"
        )
    half = 1.96 * (with_ - without).mean(1).std(ddof=1) / len(with_) ** 0.5
    print(f"wins alone among three of {POLICY}: {with_.mean():.1%} with, {without.mean():.1%} without,", end=" ")
    print(f"difference {100 * (with_ - without).mean():+.1f} +- {100 * half:.1f} points")


if __name__ == "__main__":
    main()
