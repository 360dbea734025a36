"""The greedy agent of Titan Race: it looks at the spaces on the way, rows, lives, and neighbours."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import Game
from titan_env.games.titan_race.rules.actions import ACTIONS, CARDS, DIRECTIONS, FACES, MOVES
from titan_env.games.titan_race.rules.board import COLUMN_STEP, COLUMNS, OPPOSITE, ROW_STEP, ROWS
from titan_env.games.titan_race.rules.circuits import TITANS
from titan_env.games.titan_race.rules.dice import FACE_MOVES
from titan_env.games.titan_race.rules.fields import ROWS_BEHIND
from titan_env.games.titan_race.rules.state import Direction, Face, Titan

Array = NDArray[np.float32]

WEIGHTS: Mapping[str, float] = {
    "row": 1.0,  # one row gained
    "life": 0.4,  # one own life
    "weak": 1.5,  # how much more it counts when few are left
    "bonus": 0.3,  # a card drawn
    "ice": 0.9,  # a space of ice on the way: it carries further
    "ramp": 0.8,  # a ramp to end the move on
    "push": -1.0,  # another Titan on the way: it loses a life, but gains rows
    "harm": 0.2,  # one life of another Titan
}

_STEPS = {"S": Direction.F, "L": Direction.FL, "R": Direction.FR}
_NOT_WORTH_IT = -5.0
_CARD_VALUES = {"wings": 6.0, "speed_potion": 5.0, "shield": 4.0, "thorns": 3.0, "lightning": 3.0, "fireball": 2.5}
"""The cards that are worth more than others, kept or played."""


def _space_at(rows: int, columns: int) -> int:
    """Return the index in the window of the board of the space so many rows and columns away."""
    return (rows + ROWS_BEHIND) * 3 + (columns - rows % 2) % 6 // 2


BESIDE = np.array([_space_at(int(ROW_STEP[d]), int(COLUMN_STEP[d])) for d in Direction])
"""The six adjacent spaces in the window."""


def _paths() -> tuple[Array, Array, Array]:
    """Return each move pattern's entered spaces and last space, both (36, 10), and the rows it gains (10,)."""
    entered, last = np.zeros((2, 36, len(MOVES)), np.float32)
    rows_gained = np.zeros(len(MOVES), np.float32)
    for number, pattern in enumerate(MOVES):
        rows = columns = space = 0
        for letter in pattern:
            rows += int(ROW_STEP[_STEPS[letter]])
            columns += int(COLUMN_STEP[_STEPS[letter]])
            space = _space_at(rows, columns)
            entered[space, number] = 1
        last[space, number] = 1
        rows_gained[number] = rows
    return entered, last, rows_gained


ENTERED, LAST, ROWS_GAINED = _paths()


CHOICES = slice(ACTIONS.numbers["choose:rassik"], ACTIONS.numbers["choose:chtooloo"] + 1)
STRENGTH = np.array([titan["life_max"] - titan["life_balanced"] for titan in TITANS], np.float32)
"""The actions that choose a Titan, and how strong each is: the lives that it would have to lose to win as often."""


def make(game: Game, **weights: float) -> Scorer:
    """Return the greedy agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, score, WEIGHTS, weights)


def score(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """Return the score of each of the 94 actions, float32 (B, 94), from the named fields of B observations."""
    worth = worth_of_life(fields, weights)
    return score_actions(fields, weights, worth, _score_moves(fields, weights, worth))


def worth_of_life(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """Return the value of one own life, (B, 1): more if few are left."""
    return weights["life"] * (1 + weights["weak"] * (1 - fullness(fields)))


def fullness(fields: Mapping[str, Array]) -> Array:
    """Return the share of the own gauge that is full, (B, 1)."""
    return fields["titan_life"][:, :1] / fields["titan_gauge"][:, :1]


def score_actions(fields: Mapping[str, Array], weights: Mapping[str, float], worth: Array, moves: Array) -> Array:
    """Return every action, (B, 94), where the move patterns are worth `moves` (B, 10)."""
    rivals = flat(fields, "titan")[:, BESIDE]
    scores = np.zeros((len(rivals), len(ACTIONS)), np.float32)
    put(scores, "move", MOVES, moves)
    put(scores, "draft", FACES, _score_faces(fields, weights, moves, rivals, worth))
    put(scores, "copy", FACES[:5], _score_faces(fields, weights, moves, rivals, worth)[:, :5])
    put(scores, "trap", DIRECTIONS[3:], 1 + rivals[:, 3:])
    put(scores, "strike", DIRECTIONS[:3], 1 + 10 * rivals[:, :3])
    put(scores, "ability", DIRECTIONS, _score_ability(fields, rivals, worth))
    put(scores, "shove", DIRECTIONS, _score_shove(fields, worth))
    put(scores, "aim", DIRECTIONS, _score_aim(fields, rivals, moves))
    _score_cards(scores, fields, rivals)
    scores[:, CHOICES] = STRENGTH
    scores[:, ACTIONS.numbers["ability"]] = 8
    scores[:, ACTIONS.numbers["pay"]] = _NOT_WORTH_IT
    scores[:, ACTIONS.numbers["suffer"]] = (2 - 3 * worth)[:, 0]
    scores[:, ACTIONS.numbers["reroll"]] = (4 - 2 * worth)[:, 0]
    return scores


def put(scores: Array, verb: str, objects: list[str], values: Array) -> None:
    """Write the scores of one group of actions."""
    scores[:, [ACTIONS.numbers[f"{verb}:{thing}"] for thing in objects]] = values


def flat(fields: Mapping[str, Array], plane: str) -> Array:
    """Return one plane of the window, (B, 36)."""
    return fields[f"board_{plane}"].reshape(-1, 36)


def _score_moves(fields: Mapping[str, Array], weights: Mapping[str, float], worth: Array) -> Array:
    """Return each move pattern, (B, 10): rows gained, and what lies on its way."""
    harm = flat(fields, "lava") + flat(fields, "trap") + 0.7 * flat(fields, "pirates")
    kind = weights["bonus"] * flat(fields, "bonus") + weights["ice"] * flat(fields, "ice")
    on_the_way = kind - worth * harm + weights["push"] * flat(fields, "titan")
    ramps = flat(fields, "multi_ramp") + flat(fields, "super_ramp_left") + flat(fields, "super_ramp_right")
    return on_the_way @ ENTERED + weights["ramp"] * (ramps @ LAST) + weights["row"] * ROWS_GAINED


def _score_faces(
    fields: Mapping[str, Array], weights: Mapping[str, float], moves: Array, rivals: Array, worth: Array
) -> Array:
    """Return each face of a die, (B, 6): its best move, what else it does, its colour."""
    faces = np.zeros((len(moves), len(FACES)), np.float32)
    for face, patterns in FACE_MOVES.items():
        faces[:, face] = moves[:, [MOVES.index(pattern) for pattern in patterns]].max(axis=1)
    faces[:, Face.RED] += 0.5 * weights["harm"]
    faces[:, Face.GREEN] += weights["harm"] * rivals[:, :3].max(axis=1)
    own = fields["titan_kind"][:, 0]
    free = own[:, Titan.CHTOOLOO]
    faces[:, Face.PURPLE] = faces[:, :5].max(axis=1) - worth[:, 0] * (1 - free)
    missing = fullness(fields) < 1
    faces[:, :5] += own[:, :5] * missing * worth
    return faces


def _score_shove(fields: Mapping[str, Array], worth: Array) -> Array:
    """Score the directions of a shove, (B, 6): far back is best; into oneself only if that carries far forward."""
    target = fields["titan_target"][..., None]
    column = (fields["titan_column"] * target).sum(axis=1).argmax(axis=1)
    row = np.rint(ROWS * ((fields["titan_row"] * target[..., 0]).sum(axis=1) - fields["titan_row"][:, 0]))
    there = (column[:, None] == COLUMN_STEP % COLUMNS) & ((row[:, None] - ROW_STEP) % ROWS == 0)
    into_oneself = there[:, OPPOSITE]
    forward = np.asarray(ROW_STEP, np.float32)
    return np.where(into_oneself, 2 * forward - worth, -forward).astype(np.float32)


def _score_ability(fields: Mapping[str, Array], rivals: Array, worth: Array) -> Array:
    """Return the own (or borrowed) ability in each direction, (B, 6)."""
    kinds = np.where(fields["borrowed"].any(axis=1, keepdims=True), fields["borrowed"], fields["titan_kind"][:, 0])
    forward = np.asarray(ROW_STEP, np.float32)
    # A kick to each side, and a swap, gain rows; a trap and a drain want somebody to harm.
    kick = 6 + 2 * forward
    swap = np.where(forward > 0, 6 + forward, _NOT_WORTH_IT)
    grab = np.where(forward < 0, -2 * forward - worth, 4 + forward / 2)
    trap = np.where(rivals > 0, 6, np.where(forward < 0, 1, -1))
    by_kind = {Titan.RASSIK: kick, Titan.CRAKEN: swap, Titan.RAGNAROK: grab, Titan.GRINDER: trap}
    scores = np.zeros_like(rivals) + 6
    for kind, values in by_kind.items():
        scores = np.where(kinds[:, kind, None] > 0, values, scores)
    return scores


def _score_aim(fields: Mapping[str, Array], rivals: Array, moves: Array) -> Array:
    """Return the card just played in each direction, (B, 6): at somebody before, or along the best step."""
    forward = np.asarray(ROW_STEP, np.float32)
    scores = 3 * rivals + 0.1 * forward
    gust = fields["card"][:, CARDS.index("gust"), None] > 0
    return np.where(gust, -forward, scores).astype(np.float32)


def _score_cards(scores: Array, fields: Mapping[str, Array], rivals: Array) -> None:
    """Playing or throwing away each card."""
    for name in CARDS:
        scores[:, ACTIONS.numbers[f"play:{name}"]] = _CARD_VALUES.get(name, 2.0)
        scores[:, ACTIONS.numbers[f"discard:{name}"]] = -1 - 0.1 * _CARD_VALUES.get(name, 2.0)
    values = {
        "explosion": 2 * rivals.sum(axis=1),
        "fireball": 4 * rivals[:, :3].max(axis=1) - 1,
        "surprise_trap": 3 * rivals.max(axis=1) - 1,
        "gust": 4 * rivals[:, 3:].max(axis=1) - 2,
        "healing_potion": np.where(fullness(fields)[:, 0] <= 0.5, 5, -1),
        "retreat": _NOT_WORTH_IT,
    }
    for name, value in values.items():
        scores[:, ACTIONS.numbers[f"play:{name}"]] = value
