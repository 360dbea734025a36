"""What the expert looks at in Titan Race: where each move really ends, and what each card and ability does now.

It follows every move step by step over ramps, ice and other Titans, values the space it ends on by what
the next turn promises from there, holds lives the dearer the fewer are left, and aims at who is ahead.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from titan_env.agents.expert.titan_race.deeds import NEVER, Deeds
from titan_env.agents.expert.titan_race.moves import Turn, look_ahead
from titan_env.agents.expert.titan_race.planes import Board, see
from titan_env.agents.expert.titan_race.ways import HERE
from titan_env.agents.greedy.titan_race import Array, flat, put
from titan_env.games.titan_race.rules.actions import ACTIONS, CARDS, DIRECTIONS, ENTRIES, FACES, MOVES
from titan_env.games.titan_race.rules.state import Ask, Face, Titan

WEIGHTS: Mapping[str, float] = {
    "row": 1.0,  # one own row gained
    "life_1": 1.5,  # the last life: without it a turn is lost
    "life_2": 1.6,  # the last but one
    "life_3": 0.6,
    "life_4": 0.4,  # and each above
    "bonus": 0.8,  # a card drawn, while the hand has room
    "toll": 0.8,  # a card given to pirates on the way
    "best": 0.25,  # the prospect of a space: its best face
    "second": 0.3,  # its second best
    "mean": 0.2,  # all its faces
    "dread": 1.0,  # at most so much for a life that the next turn may cost
    "pentacle": 0.8,  # how much of the new die counts when a move ends on a pentacle
    "chased": -0.1,  # each Titan close behind the space where the move ends
    "anybody": 0.15,  # a row of any opponent
    "leader": 0.35,  # and so much more of the first
    "urgent": 1.0,  # how much more when it may win in its next turn
    "ally": 0.5,  # a row of an ally
    "harm": 0.7,  # an opponent's life, as a share of what it would be worth to oneself
    "trap": 0.3,  # a trap before a pursuer, as a share of one that hits
    "hold": 0.3,  # what a card must bring to be played, as a share of its usual worth
    "room": 0.3,  # a free place in the hand
    "shield": 0.6,  # what a life must be worth to spend the shield on it
    "leave": 0.1,  # a row of the best die left for the next player
}

_CARD_WORTH = {
    "wings": 3.5,
    "speed_potion": 2.0,
    "shield": 1.2,
    "healing_potion": 1.0,
    "lightning": 0.8,
    "mimic": 0.8,
    "thorns": 0.6,
    "gust": 0.6,
    "fireball": 0.5,
    "explosion": 0.5,
    "surprise_trap": 0.4,
    "hourglass": 0.4,
    "retreat": 0.05,
}
"""What a card is usually worth, in rows."""
_FACE_ROWS = np.array([4, 3, 3, 2, 2, 3.4], np.float32)
"""The rows that each face usually brings."""
_NEW_POOL_ROWS = 3.6
_AT_ONCE = 0.01  # of equal things that first which may be impossible later
_LATER = 0.02


def score(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """How good each of the 80 actions looks, float32 (B, 80), from the named fields of B observations.

    In a turn each is worth what the whole rest of the turn is worth when it comes next.
    """
    board = see(fields, weights)
    turn = look_ahead(fields, weights, board)
    deeds = Deeds(fields, weights, board, turn)
    rest = turn.rest[:, HERE, None]
    scores = np.zeros((len(rest), len(ACTIONS)), np.float32)
    put(scores, "move", MOVES, turn.move)
    put(scores, "strike", DIRECTIONS[:3], rest + deeds.hit[:, :3])
    put(scores, "trap", DIRECTIONS[3:], rest + deeds.trap[:, 3:] - _LATER)
    put(scores, "ability", DIRECTIONS, rest + deeds.ability + _AT_ONCE)
    put(scores, "shove", DIRECTIONS, deeds.shove)
    scores[:, ACTIONS.numbers["ability"]] = (rest + deeds.ability)[:, 0] + _AT_ONCE
    scores[:, ACTIONS.numbers["pay"]] = NEVER
    scores[:, ACTIONS.numbers["reroll"]] = (turn.new_die[:, None] + rest - board.next_life - _LATER)[:, 0]
    scores[:, [ACTIONS.numbers["end"], ACTIONS.numbers["pass"]]] = rest
    _score_faces(scores, fields, weights, board, turn, deeds)
    _score_cards(scores, fields, weights, rest, deeds)
    _score_reactions(scores, fields, weights, board)
    return scores


def _score_faces(
    scores: Array, fields: Mapping[str, Array], weights: Mapping[str, float], board: Board, turn: Turn, deeds: Deeds
) -> None:
    """Drafting and copying a face, and where to enter the race: the best move that the face allows from there."""
    entries = np.arange(HERE, HERE + len(ENTRIES))
    put(scores, "enter", ENTRIES, turn.rest[:, entries])
    free = flat(fields, "titan")[:, entries, None] == 0
    entering = np.where(free, turn.face, NEVER).max(axis=1)
    five = np.where(fields["titan_on_board"][:, :1] > 0, turn.face[:, 0], entering)
    put(scores, "copy", FACES[:5], five)
    own = fields["titan_kind"][:, 0]
    six = np.concatenate([five, five.max(axis=1, keepdims=True)], axis=1)
    six[:, :5] += own[:, :5] * deeds.healed(1)[:, None]
    six[:, Face.PURPLE] -= board.next_life[:, 0] * (1 - own[:, Titan.CHTOOLOO])
    lost_turn = (fields["titan_fit"] + fields["titan_recovering"])[:, :1] == 0
    put(scores, "draft", FACES, np.where(lost_turn, 0, six) - weights["leave"] * _left_for_next(fields))


def _left_for_next(fields: Mapping[str, Array]) -> Array:
    """The rows of the best die that the next player finds after each face is taken, (B, 6)."""
    pool = np.rint(fields["pool"] * len(FACES))
    after = pool[:, None] - np.eye(len(FACES), dtype=np.float32)
    best = np.where(after > 0, _FACE_ROWS, 0).max(axis=2)
    return np.where(pool.sum(axis=1, keepdims=True) <= 2, _NEW_POOL_ROWS, best)


def _score_cards(
    scores: Array, fields: Mapping[str, Array], weights: Mapping[str, float], rest: Array, deeds: Deeds
) -> None:
    """Playing each card, aiming it, and throwing it away: to make room, or to please pirates."""
    pirates = fields["ask"][:, Ask.PIRATES - 1] > 0
    full = weights["room"] * (fields["titan_hand"][:, 0] >= 1)
    plays = deeds.plays()
    for name in CARDS:
        worth = _CARD_WORTH[name]
        bring = plays[name] - weights["hold"] * worth if name in plays else NEVER
        scores[:, ACTIONS.numbers[f"play:{name}"]] = rest[:, 0] + bring
        thrown = np.where(pirates, 0, rest[:, 0] + full) - worth
        scores[:, ACTIONS.numbers[f"discard:{name}"]] = thrown
    in_hand = fields["card"]
    aimed = sum(in_hand[:, [CARDS.index(name)]] * values for name, values in deeds.aims.items())
    put(scores, "aim", DIRECTIONS, np.asarray(aimed))


def _score_reactions(scores: Array, fields: Mapping[str, Array], weights: Mapping[str, float], board: Board) -> None:
    """The shield where the life is dear enough, thorns where they hit an opponent, pirates."""
    shield, thorns = (fields["ask"][:, ask - 1] > 0 for ask in (Ask.SHIELD, Ask.THORNS))
    harm = (fields["titan_mover"][:, 1:] * board.titan_harm).sum(axis=1)
    for asked, card, worth in (
        (shield, "play:shield", board.next_life[:, 0] - weights["shield"]),
        (thorns, "play:thorns", harm),
    ):
        number = ACTIONS.numbers[card]
        scores[:, number] = np.where(asked, worth, scores[:, number])
    numbers = ACTIONS.numbers
    scores[:, numbers["pass"]] = np.where(shield | thorns, 0, scores[:, numbers["pass"]])
    scores[:, numbers["suffer"]] = -board.next_life[:, 0]
