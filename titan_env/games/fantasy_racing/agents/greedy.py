"""The greedy agent of Fantasy Racing: it looks at rows, things on the way, and racers at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import Game
from titan_env.games.fantasy_racing.rules.actions import ACTIONS, ACTIVE, OBJECTS, PLACES
from titan_env.games.fantasy_racing.rules.data_tables import BRUTE_POINTS, POISON_POINTS, SHORTCUT_ROWS
from titan_env.games.fantasy_racing.rules.movement import RUN_UP
from titan_env.games.fantasy_racing.rules.observation import COLUMNS_LEFT, ROWS_BEHIND
from titan_env.games.fantasy_racing.rules.state import COLUMNS, ROWS, Aim, Flight, Roll, Rule

Array = NDArray[np.float32]

WEIGHTS: Mapping[str, float] = {
    "row": 1.0,  # one row gained
    "line": 10.0,  # the line crossed
    "coin": 0.6,  # an object picked up
    "clover": 0.8,
    "shield": 0.8,
    "chest": 1.2,
    "hole": -3.0,  # what the end of a movement costs
    "trap": -3.0,
    "shortcut": float(SHORTCUT_ROWS.mean()),
    "win": 4.3,  # a fight won and lost
    "loss": -2.5,
    "flip": 1.0,  # what a flip must be worth
    "coin_spent": 1.2,  # what each coin must bring
    "potion": 0.5,  # what bottle and syringe must bring
    "lightning": 2.0,  # each opponent struck
    "shield_small": -1.0,  # using a shield against a shock
    "shield_big": 0.5,
}

FURTHEST = 15
"""Squares of the longest walk."""
_OBJECT_VALUES = dict(zip(OBJECTS, (2.5, 2.5, 1.2, 2.0, 1.8, 2.5, 4.0, 1.0, 1.0, 0.8), strict=True))
_USE_VALUES = dict(zip(ACTIVE, (2.5, 0.0, 1.2, 2.2, 2.0, 0.0, 0.0), strict=True))
"""The value of an object, and of using one beyond the squares that it walks or the racers that it strikes."""
_SPECIALS = {"bite": 1.2, "fire_wand": 1.2, "teleport_wand": 0.0, "theft": 1.0}
_NEVER = -100.0
_FLIGHTS = {Flight.F: (1, 0), Flight.B: (-1, 0), Flight.L: (0, -1), Flight.R: (0, 1)}


def make(game: Game, **weights: float) -> Scorer:
    """Return the greedy agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, score, WEIGHTS, weights)


def score(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """Return the score of each of the 162 actions, float32 (B, 162), from the named fields of B observations."""
    look = Look(fields, weights)
    scores = np.zeros((look.rows, len(ACTIONS)), np.float32)
    walks = look.here(look.walks)
    speed = np.rint(fields["racer_speed"][:, 0] * 3).astype(int)
    advance = np.maximum(look.of_length(speed), 0)
    score_movement(scores, look, walks, look.skids(advance))
    score_turn(scores, look, walks)
    score_rest(scores, look, walks)
    step_aside(scores, look, advance)
    return scores


def score_rest(scores: Array, look: Look, walks: Array) -> None:
    """Everything but walks: flips, answers, the fire ball, targets."""
    _score_rolls(scores, look)
    _score_answers(scores, look, walks)
    _score_fire(scores, look)
    _score_aims(scores, look)


def put(scores: Array, text: str, values: Array | float) -> None:
    """Write the scores of one action."""
    scores[:, ACTIONS.numbers[text]] = values


class Look:
    """The board around the own racer: what walks from each of its squares are worth, and ending on them.

    Planes are (B, 18, 7), as observed; the own racer stands on HERE.
    """

    def __init__(self, fields: Mapping[str, Array], weights: Mapping[str, float]) -> None:
        self.fields, self.weights = fields, weights
        self.rows = len(fields["to_line"])
        pick = ("coin", "clover", "shield", "chest")
        loot = sum((weights[name] * fields[f"board_{name}"] for name in pick), np.zeros_like(fields["board_coin"]))
        self.loot: Array = loot
        self.rivals = (fields["board_opponent"] > 0) & (fields["board_protected"] == 0)
        brawl = np.where(self.rivals, self._brawl()[:, None, None], 0)
        defuses = fields["racer_rules"][:, 0, Rule.DEFUSING, None, None] > 0
        self.traps = (fields["board_trap"] + fields["board_own_trap"] > 0) & ~defuses
        self.walls = fields["board_barrier"] + fields["board_rock"] > 0
        terrain = weights["hole"] * fields["board_hole"] + weights["shortcut"] * fields["board_shortcut"]
        self.ends: Array = terrain + brawl + weights["trap"] * self.traps
        """The value of ending a movement on a square."""
        earns = fields["racer_owes"][:, 0] == 0
        self.line = np.zeros_like(self.loot)
        """The value of stepping on to a square because the line lies before it."""
        first_row = (ROWS_BEHIND + np.rint(fields["to_line"] * ROWS).astype(int)) % ROWS
        self.line[np.arange(self.rows), first_row] = weights["line"] * earns[:, None]
        self.walks, self.reach = self._walk()

    def _brawl(self) -> Array:
        """Return the value of attacking a racer, (B,)."""
        fight, rules = self.fields["racer_fight"][:, 0], self.fields["racer_rules"][:, 0]
        extra = BRUTE_POINTS * rules[:, Rule.BRUTE] + POISON_POINTS * rules[:, Rule.POISON]
        worth: Array = fight * (self.weights["win"] + extra) + (1 - fight) * self.weights["loss"]
        return worth

    def _walk(self) -> tuple[Array, NDArray[np.int64]]:
        """Return the values of walks of 0, 1, 2 ... squares from every square, and their rows, (n, B, 18, 7) each."""
        values = np.zeros((FURTHEST + 1, *self.loot.shape), np.float32)
        reach = np.zeros(values.shape, np.int64)
        passed, last = np.zeros((2, *self.loot.shape), np.float32)
        going = np.ones(self.loot.shape, bool)
        holes = self.fields["board_hole"] > 0
        gains = self.weights["row"] + (self.loot + self.line)
        laps = [np.concatenate([plane, plane], axis=1) for plane in (self.walls, gains, self.ends, self.traps, holes)]
        for step in range(1, FURTHEST + 1):
            wall, gain, end, trap, _ = (plane[:, step : step + ROWS] for plane in laps)  # so many rows ahead
            moves = going & ~wall
            passed += np.where(moves, gain, 0)
            last = np.where(moves, end, last)
            values[step] = passed + last
            reach[step] = reach[step - 1] + moves
            stopped = trap
            if 1 < step <= RUN_UP + 1:
                stopped = stopped | laps[-1][:, step - 1 : step - 1 + ROWS]
            going = moves & ~stopped
        return values, reach

    def here(self, plane: NDArray[Any], rows: int = 0, columns: int = 0) -> Array:
        """Return one square of a plane (..., 18, 7), so many rows ahead and columns to the right."""
        square: Array = plane[..., (ROWS_BEHIND + rows) % ROWS, (COLUMNS_LEFT + columns) % COLUMNS]
        return square

    def of_length(self, squares: NDArray[np.int64]) -> Array:
        """Walks of these lengths (B,) from every square, (B, 18, 7)."""
        walks: Array = self.walks[squares.clip(0, len(self.walks) - 1), np.arange(self.rows)]
        return walks

    def skids(self, after: Array) -> dict[str, Array]:
        """Return each skid from every square, (B, 18, 7): rows lost, what lies on the way, and the value `after` it."""
        values = {"stay": after}
        for name, side in (("L", -1), ("R", 1)):
            for squares in (1, 2):
                value = ahead(after + self.ends, -squares, side * squares) - self.weights["row"] * squares
                for step in range(1, squares + 1):
                    value = value + ahead(self.loot, -step, side * step) - 0.5 * ahead(self.line, 1 - step)
                    value = np.where(ahead(self.walls, -step, side * step), _NEVER, value)
                values[f"{name}{squares}"] = value.astype(np.float32)
        return values


def ahead(plane: NDArray[Any], rows: int, columns: int = 0) -> NDArray[Any]:
    """Return the values so many rows ahead and columns to the right of each square of a plane (..., 18, 7)."""
    return np.roll(plane, (-rows, -columns), (-2, -1))


def score_movement(scores: Array, look: Look, dice: Array, skids: Mapping[str, Array]) -> None:
    """Score the dice of the movement roll, where a walk of n squares is worth `dice` (n, B), and the skids."""
    each = np.arange(look.rows)
    for die in range(3):
        for verb, field in (("die", "dice"), ("flip", "opposite")):
            squares = np.rint(look.fields[field][:, die] * 6).astype(int)
            put(scores, f"{verb}:{die + 1}", dice[squares, each] - flip_price(look) * (verb == "flip"))
    for name, values in skids.items():
        put(scores, f"skid:{name}", look.here(values))


def flip_price(look: Look) -> Array:
    """Return the least gain of a flip, (B,): little if it is free."""
    free = (look.fields["flags"][:, 4] > 0) & (look.fields["flags"][:, 0] > 0)
    return np.where(free, 0.1, look.weights["flip"])


def score_turn(scores: Array, look: Look, walks: Array) -> None:
    """Score the action phase, where a walk of n squares is worth `walks` (n, B): the best comes first."""
    speed = np.rint(look.fields["racer_speed"][:, 0] * 3).astype(int)
    put(scores, "advance", walks[speed, np.arange(look.rows)])
    put(scores, "rest", 0.05)
    put(scores, "end", 0.05)
    for coins in range(1, 6):
        put(scores, f"coins:{coins}", walks[coins * (coins + 1) // 2] - look.weights["coin_spent"] * coins)
    others = (look.fields["racer_in_race"] - look.fields["racer_protected"])[:, 1:] > 0
    struck = ((look.fields["racer_points"][:, 1:] >= 0) & others).sum(axis=1)
    for name, value in {**_USE_VALUES, **_SPECIALS}.items():
        put(scores, f"use:{name}" if name in ACTIVE else name, value)
    put(scores, "use:lightning_ring", look.weights["lightning"] * struck)
    put(scores, "use:bottle", walks[1:5].max(axis=0) - look.weights["potion"])
    put(scores, "use:syringe", walks[1:7].max(axis=0) - look.weights["potion"])
    for squares in range(1, 9):
        put(scores, f"go:{squares}", walks[squares])


def _score_rolls(scores: Array, look: Look) -> None:
    """Flips of all other rolls: worth it where they change enough; free ones for anything."""
    fields = look.fields
    price = flip_price(look)
    outcome = fields["outcome"] @ np.array([look.weights["loss"], look.weights["win"], look.weights["win"] + 2.0])
    rows = fields["landing"][:, :, 0] * 5
    thing = fields["object"] @ np.array(list(_OBJECT_VALUES.values()))
    instead = fields["instead"] @ np.array(list(_OBJECT_VALUES.values()))
    theft = fields["roll"][:, Roll.THEFT - 1] * (fields["d100"][:, 1] > fields["d100"][:, 0]) * 1.6
    gained = (outcome[:, 1] - outcome[:, 0]) + (rows[:, 1] - rows[:, 0]) + (instead - thing) + theft
    two = fields["roll"][:, Roll.TWO_D3 - 1] + fields["roll"][:, Roll.TWO_D10 - 1]
    sums = 3 * (fields["opposite"][:, :2] - fields["dice"][:, :2]) * two[:, None]
    put(scores, "keep", price)
    rolling = fields["ask"][:, 3] > 0
    for die in range(2):
        values = sums[:, die] + (gained if die == 0 else 0)
        column = ACTIONS.numbers[f"flip:{die + 1}"]
        scores[:, column] = np.where(rolling, values, scores[:, column])
    put(scores, "flip:both", sums.sum(axis=1) - price)


def _score_answers(scores: Array, look: Look, walks: Array) -> None:
    """Shields, shifts, shortcuts, and what is chosen before the race."""
    big = look.fields["flags"][:, 5] > 0
    put(scores, "shield", np.where(big, look.weights["shield_big"], look.weights["shield_small"]))
    put(scores, "shift:stay", 0.05)
    left = np.rint(look.fields["range_left"] * FURTHEST).astype(int).clip(0, FURTHEST)
    put(scores, "stop", look.weights["shortcut"])
    put(scores, "pass", walks[left, np.arange(look.rows)])
    for i, name in enumerate(("elf", "human", "thief", "dwarf", "goblin")):
        put(scores, f"choose:{name}", 1 - 0.1 * i)
    put(scores, "rule:defusing", 1.0)


def _score_fire(scores: Array, look: Look) -> None:
    """Score the fire ball: it flies to the nearest opponent not yet passed, and is released on the last."""
    fields = look.fields
    ball = fields["board_ball"].reshape(look.rows, -1).argmax(axis=1)
    row, column = ball // COLUMNS - ROWS_BEHIND, ball % COLUMNS - COLUMNS_LEFT
    rows = np.rint(fields["racer_rows"][:, 1:] * ROWS)
    columns = fields["racer_columns"][:, 1:].argmax(axis=2)
    open_to_it = fields["racer_in_race"][:, 1:] * (1 - fields["racer_protected"][:, 1:])
    wanted = (open_to_it > 0) & (fields["racer_marked"][:, 1:] == 0)
    for step, (forward, aside) in _FLIGHTS.items():
        far = np.abs((rows - (row + forward)[:, None] + 9) % ROWS - 9)
        wide = np.abs((columns - (column + aside)[:, None] + 3) % COLUMNS - 3)
        put(scores, f"fire:{step.name}", (wanted / (1 + far + wide)).max(axis=1))
    on_somebody = (fields["board_opponent"] * fields["board_ball"]).sum(axis=(1, 2)) > 0
    put(scores, "release", np.where(on_somebody, 0.3, 0.01))


def _score_aims(scores: Array, look: Look) -> None:
    """Opponents first, then what stands in the own way."""
    for rows, columns in PLACES:
        value = 2.0 * look.here(look.rivals, rows, columns)
        if columns == 0 and rows > 0:
            value = value + 0.5 * look.here(look.walls | look.traps, rows, columns) - 0.01 * rows
        put(scores, f"at:{rows:+d},{columns:+d}", value)


def step_aside(scores: Array, look: Look, action: Array) -> None:
    """Shifts and teleports lead to the column from which most can be done next."""
    gains = action + look.loot + look.ends - look.here(action)[:, None, None]
    for name, side in (("L", -1), ("R", 1)):
        put(scores, f"shift:{name}", look.here(gains, 0, side))
    free = ~look.walls & (look.fields["board_opponent"] == 0)
    leaps = [np.where(look.here(free, 0, side), look.here(gains, 0, side), -1) for side in (-2, -1, 1, 2)]
    put(scores, "teleport_wand", np.max(leaps, axis=0) - 0.2)
    aiming = look.fields["aim"][:, Aim.TELEPORT_WAND] > 0
    for side in (-2, -1, 1, 2):
        column = ACTIONS.numbers[f"at:+0,{side:+d}"]
        scores[:, column] = np.where(aiming, look.here(gains, 0, side), scores[:, column])
