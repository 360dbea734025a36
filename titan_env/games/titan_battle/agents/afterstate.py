"""Afterstates of a battle: where a plan for all characters would leave both sides, judged by a small trained network.

It begins with the expert's plan and lets everybody look again at its place, some times over, for what the network
likes better. Strikes, handicaps, surpluses and arrivals are chosen as the expert does.
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from titan_env import registry
from titan_env.agents.afterstate import Afterstate, ScoredActions, ValueNetwork, read
from titan_env.contract import COMPILED, Game, inline_rule, specialize, specialize_part
from titan_env.games.titan_battle.agents import expert
from titan_env.games.titan_battle.agents.afterstate_features import AFTERSTATE, About, DecisionNetwork, judged
from titan_env.games.titan_battle.agents.features import SITUATION, situations
from titan_env.games.titan_battle.agents.greedy import NEVER
from titan_env.games.titan_battle.agents.state_from_observation import Array, positions
from titan_env.games.titan_battle.agents.strike_scores import SCRATCH, appraise
from titan_env.games.titan_battle.rules.actions import ACTIONS
from titan_env.games.titan_battle.rules.characters import SKILL
from titan_env.games.titan_battle.rules.hexes import has_hex
from titan_env.games.titan_battle.rules.maneuver import destinations
from titan_env.games.titan_battle.rules.state import EMPTY, FIGHTERS, HEXES, LEGION, OUTSIDE, SLOTS, Ask

__all__ = ["AFTERSTATE", "BY_HAND", "LEARNING", "SITUATION", "SPREAD", "clearness", "decide", "make"]

NETWORK = Path(__file__).with_name("afterstate.npz")
"""The file of the trained network that comes with the game."""
AT_TABLE = LEARNING = (2,)
"""The number of times that each character's place is looked at again."""
BY_HAND: Mapping[str, float] = {"opinion": 1.0}
"""The direct weights before learning, in log odds: the expert's opinion."""
SPREAD: Mapping[str, float] = {
    "opinion": 0.2,
    "given": 0.4,
    "taken": 0.4,
    "counter": 0.3,
    "threat": 0.3,
    "kills": 0.1,
    "falls": 0.1,
    "later_falls": 0.1,
    "in_contact": 0.15,
    "enemies_in_contact": 0.15,
    "shooters": 0.1,
    "approach": 0.3,
    "ground": 1.0,
    "high": 0.3,
    "summit": 0.3,
    "rough": 0.3,
    "forward": 0.3,
    "held": 0.3,
    "friends": 0.3,
    "still": 0.2,
}
"""The standard deviation of each direct weight's changes while it learns, so that other plans are tried."""
WAIT = 0.002  # what a move must bring, in log odds


def make(game: Game, path: str = "") -> Afterstate:
    """Return the agent with the network of a file. Raises ValueError where there is none, or not for this game."""
    return Afterstate(game, path)


@functools.cache
def trained_network() -> ValueNetwork:
    """Return the network that comes with the game."""
    return read(NETWORK, registry.load("titan_battle"))[0]


def decide(
    fields: Mapping[str, Array], judge: ValueNetwork, changes: Array | None = None, reach: tuple[int, ...] = AT_TABLE
) -> ScoredActions:
    """Score the 159 actions from the named fields of B observations.

    `changes` (B, L) are added to the direct weights of each decision; `reach` says how often everybody looks again.
    """
    battles, sides = positions(fields)
    situation = situations(battles, sides)
    direct = np.repeat(judge.direct[None], len(battles), axis=0)
    if changes is not None:
        direct += changes
    situation_units = (situation @ judge.situation + judge.bias).astype(np.float32)
    buffers: Any = np.zeros(1, SCRATCH)
    if not COMPILED:
        battles, buffers = battles.view(np.recarray), buffers.view(np.recarray)
    scores = np.full((len(battles), len(ACTIONS)), NEVER)
    chosen = np.zeros((len(battles), len(AFTERSTATE)), np.float32)
    moves = np.full(len(battles), FIGHTERS)
    weights = _Weights(**expert.WEIGHTS)
    network = DecisionNetwork(situation_units, judge.afterstate, judge.hidden, direct)
    specialize(look, {"score": score})(battles, sides, buffers, weights, network, reach[0], scores, chosen, moves)
    plans = (battles["ask"] == Ask.MANEUVER) | (battles["ask"] == Ask.GO)
    alone = moves <= (battles["ask"] == Ask.GO)
    return ScoredActions(scores.astype(np.float32), plans, situation, chosen, plans & alone)


def clearness(states: Any) -> Array:
    """Return each seat's lead in finished battles, as a share of both legions' worth, (N, 2)."""
    fighters = states["battle"]["fighters"].reshape(-1, 2, SLOTS)[:, :, :LEGION]
    worth = np.where(fighters["hex"] != EMPTY, fighters["power"] * SKILL[fighters["kind"]], 0).astype(np.float32)
    lives = (fighters["hex"] <= OUTSIDE) & (fighters["slain"] == 0)
    left = (worth * lives).sum(axis=2) / np.maximum(1, worth.sum(axis=2))
    lead = left[:, 0] - left[:, 1]
    first = np.where(states["attacker"] == 0, lead, -lead)
    return np.stack([first, -first], axis=1).astype(np.float32)


_Weights = namedtuple("_Weights", expert.WEIGHTS)  # type: ignore[misc]


@inline_rule
def find_place(battle: Any, side: int, scratch: Any, about: Any, who: int) -> None:
    """Plan the place of one fighter, all others standing as planned; it may also stay where it stands."""
    begin = scratch.begin[who]
    free = begin < HEXES
    for other in range(FIGHTERS):
        battle.fighters[other].hex = scratch.at[other]
        free = free and (other == who or scratch.at[other] != begin)
    battle.fighters[who].hex = begin
    hexes = destinations(battle, who) | (1 << begin if free else 0)
    best, kept = scratch.at[who], scratch.value
    most = kept - about.wait * (best != begin) + 1e-6
    for number in range(HEXES):
        if has_hex(hexes, number) and number != best:
            scratch.at[who] = number
            here = judged(battle, side, scratch, about)
            value = here - about.wait * (number != begin)
            if value > most:
                most, best, kept = value, number, here
    scratch.at[who], scratch.value = best, kept


_place_all = specialize_part(expert.place_all, {"find_place": find_place})
_improve = specialize_part(expert.improve, {"outlook": judged, "place_all": _place_all})
_score_ways = specialize_part(expert.score_ways, {"outlook": judged})


def look(
    battles: Any,
    sides: Any,
    buffers: Any,
    weights: Any,
    network: Any,
    passes: int,
    scores: Any,
    chosen: Any,
    moves: Any,
) -> None:
    """Score the actions of each decision; `score` is bound to it."""
    units = np.zeros(len(network.hidden), np.float32)
    for i in range(len(battles)):
        own = DecisionNetwork(network.situation_units[i], network.afterstate, network.hidden, network.direct[i])
        about = About(weights, own, chosen[i], units, WAIT)
        moves[i] = score(battles[i], sides[i], buffers[0], about, passes, scores[i])


@inline_rule
def score(battle: Any, side: int, scratch: Any, about: Any, passes: int, scores: Any) -> int:
    """Write the scores of one position; how many characters its plan still moves."""
    if battle.ask != Ask.MANEUVER and battle.ask != Ask.GO:
        expert.judge(battle, side, scratch, about.weights, scores)
        return FIGHTERS
    appraise(battle, side, scratch, about.weights)
    expert.plan(battle, side, scratch, about.weights)
    _improve(battle, side, scratch, about, passes)
    for who in range(FIGHTERS):
        battle.fighters[who].hex = scratch.begin[who]
    if battle.ask == Ask.MANEUVER:
        expert.score_picks(battle, side, scratch, about.weights, scores)
    else:
        _score_ways(battle, side, scratch, about, scores)
    judged(battle, side, scratch, about)
    count = 0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        count += scratch.at[who] != scratch.begin[who]
    return count
