"""Battles to learn from: legions of all ages that the game has drawn, some thinned out, fought to the end by agents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.games.titan_battle.agents.legion_features import Battles, battles_of
from titan_env.games.titan_battle.rules.characters import SKILL
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.setup import MOST_GROWTH, SEATS
from titan_env.games.titan_battle.rules.state import (
    EMPTY,
    LANDS,
    LEGION,
    OUTSIDE,
    SLOTS,
    Character,
    Draw,
    Entry,
    Land,
    Result,
    Side,
)
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import agent_rng

EQUAL = 0.5  # share of the battles between legions of one age, drawn from one box
THINNED = 0.5  # share of the legions that have lost somebody before
MOST_LOST = 6  # characters that they have lost
STRONGER = 0.5  # share of the titans that are stronger than at first
MOST_ADDED = 8  # power that these have more
WAITING = 0.5  # share of the battles in which somebody waits to be summoned
REINFORCED = 0.8  # share of the battles in which the defender may be reinforced
KEPT = 0.1  # share of the positions of a battle that are kept


class Fought(NamedTuple):
    """Battles that have been fought, (B,): `plain` says that both legions were of one age and whole."""

    battles: Battles
    results: NDArray[np.int64]  # Result
    losses: NDArray[np.float64]  # points of each legion that were lost, (B, 2), arrivals apart
    plain: NDArray[np.bool_]


class Positions(NamedTuple):
    """Positions of battles that have been fought, (P,)."""

    records: Any  # of the battle
    numbers: NDArray[np.int64]  # the row of the battle among those fought
    results: NDArray[np.int64]  # Result of the battle


def draw_battles(game: Game, count: int, seed: int) -> tuple[Any, NDArray[np.bool_]]:
    """Return so many battles before they begin, records (B,), and whether each is between whole legions of one age."""
    rng = np.random.default_rng(seed)
    templates = np.concatenate([GameSetup.of(game, {"growth": growth}).template for growth in range(MOST_GROWTH + 1)])
    templates = templates[rng.integers(len(templates), size=count)]
    drawn = Batch(game, count, templates=templates.view(np.recarray))
    drawn.seed(seed)
    drawn.start()
    states = np.repeat(GameSetup.of(game, {}).template, count)
    states["draws"], states["growth"] = Draw.LISTED, 0
    battles = states["battle"]
    fighters = drawn.states["battle"]["fighters"].reshape(count, 2, SLOTS).copy()
    equal = rng.random(count) < EQUAL
    strange = np.flatnonzero(~equal)
    fighters[strange, Side.DEFENDER] = fighters[rng.permutation(strange), Side.DEFENDER]
    whole = thin_out(fighters, rng)
    strengthen(fighters, rng)
    battles["fighters"] = fighters.reshape(count, 2 * SLOTS)
    battles["land"] = rng.integers(LANDS, size=count)
    battles["entry"] = rng.integers(len(ENTRY_NAMES), size=count)
    battles["entry"][battles["land"] == Land.TOWER] = Entry.BOTTOM
    waits = rng.random(count) < WAITING
    archangel = rng.random(count) < 1 / 2
    battles["angel_waits"], battles["archangel_waits"] = waits & ~archangel, waits & archangel
    battles["may_reinforce"] = rng.random(count) < REINFORCED
    states["attacker"] = rng.integers(SEATS, size=count)
    return states.view(np.recarray), equal & whole


def thin_out(fighters: Any, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Take some characters out of some legions (B, 2, 8), never the last one; whether both of a battle stayed whole."""
    there = fighters["hex"] == OUTSIDE
    lost = rng.integers(1, MOST_LOST + 1, there.shape[:2]) * (rng.random(there.shape[:2]) < THINNED)
    lost = np.minimum(lost, there.sum(axis=2) - 1)
    order = np.where(there, rng.random(there.shape), 2).argsort(axis=2).argsort(axis=2)
    gone = order < lost[..., None]
    fighters["hex"][gone] = EMPTY
    for name in ("kind", "power"):
        fighters[name][gone] = 0
    ranks = np.where(fighters["hex"] == EMPTY, SLOTS, np.arange(SLOTS)).argsort(axis=2, kind="stable")
    fighters[:] = np.take_along_axis(fighters, ranks, axis=2)
    return np.asarray((lost == 0).all(axis=1))


def strengthen(fighters: Any, rng: np.random.Generator) -> None:
    """Give some titans of legions (B, 2, 8) more power."""
    sides = fighters.shape[:2]
    added = rng.integers(1, MOST_ADDED + 1, sides) * (rng.random(sides) < STRONGER)
    titan = (fighters["kind"] == Character.TITAN) & (fighters["hex"] == OUTSIDE)
    fighters["power"] += (titan * added[..., None]).astype(np.int8)


def fight(game: Game, agent: str, count: int, seed: int) -> tuple[Fought, Positions]:
    """Let an agent fight both sides of so many drawn battles to their end; return them, and some of their positions."""
    states, plain = draw_battles(game, count, seed)
    begun, batch = battles_of(states["battle"]), Batch(game, count, templates=states)
    rng, records, numbers = np.random.default_rng(seed), [], []
    for rows in decisions(game, agent, batch, seed):
        kept = rows[rng.random(len(rows)) < KEPT]
        records.append(batch.states["battle"][kept].copy())
        numbers.append(kept)
    results = batch.states["battle"]["result"].astype(np.int64)
    whose = np.concatenate(numbers)
    positions = Positions(np.concatenate(records), whose, results[whose])
    return Fought(begun, results, lost_points(batch.states["battle"], results), plain), positions


def decisions(game: Game, agent: str, batch: Batch, seed: int) -> Iterator[NDArray[np.int64]]:
    """Let an agent fight all battles of a batch to their end; yield those under way before each decision."""
    player, rng = agents.load(agent, game), agent_rng(seed)
    batch.seed(seed + 1)
    batch.start()
    actions = np.zeros(batch.num_games, np.int64)
    while len(rows := np.flatnonzero(~batch.over)):
        yield rows
        actions[rows] = ask_in_batch(player, batch, rows, rng).actions
        batch.step(actions)


def lost_points(records: Any, results: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the points that each legion has lost in finished battles, (B, 2): all of the beaten."""
    fighters = records["fighters"].reshape(-1, 2, SLOTS)[:, :, :LEGION]
    values = np.where(fighters["hex"] != EMPTY, fighters["power"].astype(np.int64) * SKILL[fighters["kind"]], 0)
    fell = (fighters["hex"] > OUTSIDE) | (fighters["slain"] != 0)
    beaten = np.stack(
        [results != Result.ATTACKER_WINS, np.isin(results, (Result.ATTACKER_WINS, Result.MUTUAL))], axis=1
    )
    return np.asarray(np.where(fell | beaten[..., None], values, 0).sum(axis=2), np.float64)
