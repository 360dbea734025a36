"""The loss of agents against best play in duels, computed exactly: every outcome is weighed by its probability.

An agent fights on one side against an enemy that knows best play, and takes any of several ways that are as good. What
a decision loses is what the best answer is worth less what the agent's is; over a battle this adds up to what best play
would win less what the agent does. Of answers that a scorer finds equally good each is as likely, as at random; other
agents are asked once in each position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import Agent
from titan_env.agents.action_chances import action_chances
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_battle.rules.state import OUTSIDE, ROUNDS, Ask, Phase, Side
from titan_env.games.titan_battle.solver.best_play import DRAWN, FIGHTERS, LOST, Array, BestPlay, settle

Nodes = NDArray[np.int64]
"""Positions (N, 4): hex of the attacker, of the defender, and the hits that each has taken."""

ALIKE = 1e-9
"""Answers whose worths differ by less are equally good."""
_AT_ONCE = 2_048
"""Positions about which an agent is asked together."""


class Loss(NamedTuple):
    """The expected loss of an agent in a battle, as a share of it, and its expected decisions with a choice."""

    battle: float
    decisions: float


def loss(game: Game, agent: Agent, best: BestPlay, side: Side, seed: int = 0) -> Loss:
    """Return what an agent loses on one side of a duel; `seed` is for agents that draw."""
    return Course(game, agent, best, side, np.random.default_rng(seed)).run()


class Course:
    """A duel of an agent on one side against best play on the other, with everything that may happen."""

    def __init__(self, game: Game, agent: Agent, best: BestPlay, side: Side, rng: np.random.Generator) -> None:
        self.game, self.agent, self.side, self.rng = game, agent, side, rng
        self.best, self.duel = best, best.duel
        self.sign = 1.0 if side == Side.ATTACKER else -1.0
        self.weights = np.zeros(self.duel.shape)
        self.weights[OUTSIDE, OUTSIDE, 0, 0] = 1
        self.lost = self.decisions = self.won = 0.0
        """Lost against best play, decisions so far, and the share that the attacker has won."""
        names = [CHARACTERS[kind] for kind in self.duel.kinds]
        land, entry = LAND_NAMES[self.duel.battle.land], ENTRY_NAMES[self.duel.battle.entry]
        batch = Batch(
            game,
            1,
            attacker=names[:1],
            defender=names[1:],
            land=land,
            side=entry,
            attacker_seat=0,
            reinforcement=False,
        )
        batch.start()
        self.template = batch.states

    def run(self) -> Loss:
        """Fight all rounds."""
        for begun in range(1, ROUNDS + 1):
            for half in (Side.DEFENDER, Side.ATTACKER):
                moved = self._maneuver(begun, half)
                self.weights = self._lose_outsiders(moved, half)
                self._strike(begun, half)
                self._take_slain_off()
        self.won += LOST * self.weights.sum()  # time-loss
        return Loss(self.lost, self.decisions)

    def nodes(self) -> Nodes:
        """Return the positions in which the battle may stand."""
        return np.argwhere(self.weights > 0)

    # Maneuvers

    def _maneuver(self, begun: int, half: Side) -> Array:
        """Return the weights after the maneuver of a half."""
        moved = np.zeros_like(self.weights)
        nodes, asked = self.nodes(), []
        for pair in np.unique(nodes[:, :2], axis=0):
            where = int(pair[0]), int(pair[1])
            goals = self.duel.goals(where, half, begun)
            if not goals:
                moved[where] += self.weights[where]
            elif half == self.side:
                asked += [(node, goals) for node in nodes[(nodes[:, :2] == pair).all(axis=1)]]
            else:
                self._go_best(moved, where, goals, begun, half)
        if asked:
            self._go(moved, np.array([node for node, _ in asked]), [goals for _, goals in asked], begun, half)
        return moved

    def _go_best(self, moved: Array, where: tuple[int, int], goals: list[int], begun: int, half: Side) -> None:
        """Let the enemy go to the best of its places, to each of several as often."""
        ways = [*goals, where[half]]
        index: Any = (ways, where[1]) if half == Side.ATTACKER else (where[0], ways)
        worth = -self.sign * self.best.fought[begun, half][index]
        is_best = worth >= worth.max(axis=0) - ALIKE
        moved[index] += self.weights[where] * is_best / is_best.sum(axis=0)

    def _go(self, moved: Array, nodes: Nodes, goals: list[list[int]], begun: int, half: Side) -> None:
        """Let the agent pick its character or end its maneuvers, and say where to go."""
        weights = self.weights[tuple(nodes.T)]
        fought = self.sign * self.best.fought[begun, half]
        stays = fought[tuple(nodes.T)]
        ways = [self._at(nodes[row], half, there) for row, there in enumerate(goals)]
        goes = np.array([fought[tuple(there.T)].max() for there in ways])
        chances = self._chances(nodes, begun, half, Ask.MANEUVER)
        left = chances[:, actions.END]
        self._count(weights, np.maximum(stays, goes), left * stays + (1 - left) * goes)
        np.add.at(moved, tuple(nodes.T), weights * left)
        weights = weights * (1 - left)
        single = np.array([len(there) == 1 for there in ways])
        for row in np.flatnonzero(single):
            moved[tuple(ways[row][0])] += weights[row]
        many = np.flatnonzero(~single & (weights > 0))
        if many.size:
            self._go_to(moved, nodes[many], [ways[row] for row in many], weights[many], (begun, half))

    def _go_to(self, moved: Array, nodes: Nodes, ways: list[Nodes], weights: Array, moment: tuple[int, Side]) -> None:
        """Let the agent choose one of several places for the character that it has picked."""
        fought = self.sign * self.best.fought[moment]
        chances = self._chances(nodes, *moment, Ask.GO)
        for there, weight, chance in zip(ways, weights, chances, strict=True):
            worth = fought[tuple(there.T)]
            likely = chance[actions.TO + there[:, moment[1]]]
            self._count(np.array([weight]), worth.max(), np.array([likely @ worth]))
            moved[tuple(there.T)] += weight * likely

    def _at(self, node: NDArray[np.int64], half: Side, goals: Sequence[int]) -> Nodes:
        """Return the positions to which a maneuver to these places leads."""
        there = np.repeat(node[None], len(goals), axis=0)
        there[:, half] = goals
        return there

    def _lose_outsiders(self, weights: Array, half: Side) -> Array:
        """Count the fighter that has stayed outside as lost."""
        outside = weights[OUTSIDE] if half == Side.ATTACKER else weights[:, OUTSIDE]
        self.won += float(outside.sum()) * (half == Side.DEFENDER)
        outside[:] = 0
        return weights

    # Strikes

    def _strike(self, begun: int, half: Side) -> None:
        """Let drift hurt, then those in contact strike, or the one whose half it is rangestrike."""
        after = self._after(begun, half)
        shooting: list[tuple[tuple[int, int], Array]] = []
        for pair in np.unique(self.nodes()[:, :2], axis=0):
            where = int(pair[0]), int(pair[1])
            taken, given = self.duel.frost(where)
            weights = taken.T @ self.weights[where] @ given
            self.duel.set(where, half, 2, Phase.STRIKE)
            if self.duel.is_contact(where):
                taken, given = self.duel.blows()
                weights = taken.T @ weights @ given
            elif (odds := self.duel.shot(half)) is not None:
                shooting.append((where, odds))
            self.weights[where] = weights
        if half == self.side:
            self._shoot(shooting, after, begun)
        else:
            for where, odds in shooting:
                is_better = -self.sign * (self._shot(after[where], odds, half) - after[where]) > -ALIKE
                self._hit(where, odds, half, is_better.astype(float))

    def _after(self, begun: int, half: Side) -> Array:
        """Return what it is worth that a half is over."""
        if half == Side.DEFENDER:
            return self.best.begun[begun, Side.ATTACKER]
        if begun < ROUNDS:
            return self.best.begun[begun + 1, Side.DEFENDER]
        after = np.full(self.duel.shape, LOST)
        settle(after)
        return after

    @staticmethod
    def _shot(after: Array, odds: Array, half: Side) -> Array:
        """Return what it is worth that a rangestrike is made, by hits taken before it."""
        return np.asarray(after @ odds.T if half == Side.ATTACKER else odds @ after)

    def _hit(self, where: tuple[int, int], odds: Array, half: Side, shares: Array) -> None:
        """Let a rangestrike be made in such a share of the cases, by hits taken."""
        shot = self.weights[where] * shares
        hit = shot @ odds if half == Side.ATTACKER else odds.T @ shot
        self.weights[where] += hit - shot

    def _shoot(self, shooting: Sequence[tuple[tuple[int, int], Array]], after: Array, begun: int) -> None:
        """Let the agent choose whether it rangestrikes, at enemies that live."""
        half, power = self.side, self.duel.powers[1 - self.side]
        for where, odds in shooting:
            hits = np.argwhere(self.weights[where] > 0)
            hits = hits[hits[:, 1 - half] < power]
            nodes = np.column_stack([np.repeat([where], len(hits), axis=0), hits])
            chances = self._chances(nodes, begun, half, Ask.STRIKE)
            at = tuple(hits.T)
            shoots = 1 - chances[:, actions.END]
            still, shot = (self.sign * worth[at] for worth in (after[where], self._shot(after[where], odds, half)))
            self._count(self.weights[where][at], np.maximum(still, shot), shoots * shot + (1 - shoots) * still)
            shares = np.zeros_like(self.weights[where])
            shares[at] = shoots
            self._hit(where, odds, half, shares)

    def _take_slain_off(self) -> None:
        """Count battles with a slain fighter as lost by it; with both slain as drawn."""
        weights = self.weights
        self.won += float(weights[..., :-1, -1].sum() + DRAWN * weights[..., -1, -1].sum())
        weights[..., -1, :] = weights[..., :, -1] = 0

    # Asking

    def _count(self, weights: Array, best: Any, chosen: Array) -> None:
        """Add decisions of these weights, and what they lose."""
        self.decisions += float(weights.sum())
        self.lost += float(weights @ np.maximum(0.0, best - chosen))

    def _chances(self, nodes: Nodes, begun: int, half: Side, asked: Ask) -> Array:
        """Return how likely the agent takes each action in these positions, (N, A)."""
        parts = [nodes[first : first + _AT_ONCE] for first in range(0, len(nodes), _AT_ONCE)]
        found = [
            action_chances(self.game, self.agent, self._states(part, begun, half, asked), self.rng) for part in parts
        ]
        return np.concatenate(found) if found else np.zeros((0, len(self.game.rules.actions)))

    def _states(self, nodes: Nodes, begun: int, half: Side, asked: Ask) -> Any:
        """Records (N,) of positions in which the agent is asked."""
        states = np.repeat(self.template, len(nodes)).view(np.recarray)
        battle = states["battle"]
        battle["half"] = battle["asked"] = half
        battle["rounds_begun"] = begun
        battle["phase"] = Phase.STRIKE if asked == Ask.STRIKE else Phase.MANEUVER
        battle["ask"] = states["ask"] = asked
        if asked == Ask.GO:
            battle["picked"] = FIGHTERS[half]
        for side, who in enumerate(FIGHTERS):
            fighters = battle["fighters"][:, who]
            fighters["hex"], fighters["hits"] = nodes[:, side], nodes[:, 2 + side]
            fighters["slain"] = nodes[:, 2 + side] == self.duel.powers[side]
        states["seat"] = half  # the attacker sits in seat 0
        states["clock"] = 2 * begun - (half == Side.DEFENDER)
        return states


def losses(game: Game, agent: Agent, solved: Sequence[BestPlay], seed: int = 0) -> list[Loss]:
    """Return what an agent loses over these duels: as the attacker, as the defender, on both sides; all on average."""
    found = [
        np.mean([loss(game, agent, best, side, seed) for best in solved], axis=0)
        for side in (Side.ATTACKER, Side.DEFENDER)
    ]
    return [Loss(*map(float, one)) for one in (*found, np.mean(found, axis=0))]
