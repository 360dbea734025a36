"""The expert agent of Titan Race: it follows each move to its end, and weighs each card and ability as it serves now.

It follows every move step by step over ramps, ice and other Titans, values the space it ends on by what
the next turn promises from there, holds lives the dearer the fewer are left, and aims at who is ahead.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import Any

import numpy as np

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import COMPILED, Game, inline_rule, specialize
from titan_env.games.titan_race.agents.action_values import AIMED, CARD_OF, DEEDS, NEVER, PLAYED, weigh
from titan_env.games.titan_race.agents.features import BOARD, CALLED, COPIED, HERE, SEEN, see, worth_of_lives
from titan_env.games.titan_race.agents.greedy import CHOICES, STRENGTH, Array
from titan_env.games.titan_race.agents.lookahead import TURN, WORK, look_ahead
from titan_env.games.titan_race.rules.actions import ACTIONS, CARDS, DIRECTIONS, ENTRIES, FACES, MOVES
from titan_env.games.titan_race.rules.dice import allows
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
    "save": 0.3,  # the same of the speed potion and wings while the end is far
    "sprint": 8.0,  # own rows to the end from which on it is not
    "wait": 0.0,  # what Grinder's trap must add to be set before the move
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
"""The usual value of a card, in rows."""
_FACE_ROWS = np.array([4, 3, 3, 2, 2, 3.4], np.float32)
"""The rows that each face usually brings."""
_NEW_POOL_ROWS = np.float32(3.6)
_AT_ONCE = 0.01  # of equal things that first which may be impossible later
_LATER = 0.02

_WORTH = np.array([_CARD_WORTH[name] for name in CARDS])
_SAVED = ("speed_potion", "wings")
_UNROUNDED = np.array([name in _SAVED for name in PLAYED])  # played for their exact value, not rounded to float32
_AIMS = len(AIMED)
_FACES, _MOVES = len(FACES), len(MOVES)
_PURPLE, _CHTOOLOO, _GRINDER = int(Face.PURPLE), int(Titan.CHTOOLOO), int(Titan.GRINDER)
_PIRATES, _SHIELD, _THORNS = (int(ask) - 1 for ask in (Ask.PIRATES, Ask.SHIELD, Ask.THORNS))
_PLAY_SHIELD, _PLAY_THORNS = CARDS.index("shield"), CARDS.index("thorns")
_SCRATCH = np.dtype([("board", BOARD), ("turn", TURN), ("deeds", DEEDS), ("work", WORK)], align=True)


def _numbers(verb: str, objects: list[str]) -> Any:
    """Return the numbers of a group of actions."""
    return np.array([ACTIONS.numbers[f"{verb}:{thing}"] for thing in objects])


_MOVE, _STRIKE, _TRAP = _numbers("move", MOVES), _numbers("strike", DIRECTIONS[:3]), _numbers("trap", DIRECTIONS[3:])
_ABILITY, _SHOVE, _AIM = (_numbers(verb, DIRECTIONS) for verb in ("ability", "shove", "aim"))
_ENTER, _COPY, _DRAFT = _numbers("enter", ENTRIES), _numbers("copy", FACES[:-1]), _numbers("draft", FACES)
_PLAY, _DISCARD = _numbers("play", CARDS), _numbers("discard", CARDS)
_ABLE, _PAY, _REROLL, _END, _PASS, _SUFFER = (
    ACTIONS.numbers[text] for text in ("ability", "pay", "reroll", "end", "pass", "suffer")
)
_Weights = namedtuple("_Weights", WEIGHTS)  # type: ignore[misc]
_EXACT = ("room", "urgent")  # weights of what is or is not, which are reckoned with doubly fine


def make(game: Game, **weights: float) -> Scorer:
    """Return the expert agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, score, WEIGHTS, weights)


def score(fields: Mapping[str, Array], weights: Mapping[str, float]) -> Array:
    """Return the score of each of the 94 actions, float32 (B, 94), from the named fields of B observations.

    In a turn each is worth what the whole rest of the turn is worth when it comes next.
    """
    seen: Any = np.zeros(len(fields["ask"]), SEEN)
    for name, values in fields.items():
        seen[CALLED[name]] = values
    counted = _Weights(**{name: float(w) if name in _EXACT else np.float32(w) for name, w in weights.items()})
    buffers: Any = np.zeros(1, _SCRATCH)
    buffers["board"]["life"] = worth_of_lives(weights)
    if not COMPILED:
        seen, buffers = seen.view(np.recarray), buffers.view(np.recarray)
    scores = np.zeros((len(seen), len(ACTIONS)), np.float32)
    specialize(_score_rows, {"allows": allows}, counts=False)(seen, buffers, counted, _holds(weights), scores)
    scores[:, CHOICES] = STRENGTH
    return scores


def _holds(weights: Mapping[str, float]) -> Array:
    """Return the gain from which on each card is played, (2, 13): near the end of the race, and far from it."""
    near = weights["hold"] * _WORTH
    return np.array([near, np.where([name in _SAVED for name in CARDS], weights["save"] * _WORTH, near)])


def _score_rows(observations: Any, buffers: Any, weights: Any, holds: Any, scores: Any) -> None:
    """Score every observation, one after the other; `buffers` has one record to work in."""
    scratch = buffers[0]
    board, turn, deeds, work = scratch.board, scratch.turn, scratch.deeds, scratch.work
    for move in range(_MOVES):
        for face in range(COPIED):
            if allows(face, move):
                work.face_of[move] = face
    for i in range(len(scores)):
        seen = observations[i]
        see(seen, weights, board)
        look_ahead(board, weights, work, turn)
        weigh(seen, weights, board, turn, deeds)
        _score_turn(seen, weights, board, turn, deeds, scores[i])
        _score_faces(seen, weights, board, turn, deeds, scores[i])
        _score_cards(seen, weights, holds[int(board.rows_left > weights.sprint)], turn, deeds, scores[i])
        _score_reactions(seen, weights, board, scores[i])


@inline_rule
def _score_turn(seen: Any, weights: Any, board: Any, turn: Any, deeds: Any, scores: Any) -> None:
    """Score the abilities and other actions of one's own turn that are not cards."""
    rest = turn.rest[HERE]
    waits = seen.titan_kind[0, _GRINDER] > 0 and not board.moved
    ahead = _AT_ONCE - (float(weights.wait) if waits else 0.0)
    for move in range(len(_MOVE)):
        scores[_MOVE[move]] = turn.move[move]
    for direction in range(3):
        scores[_STRIKE[direction]] = rest + deeds.hit[direction]
        scores[_TRAP[direction]] = rest + deeds.trap[3 + direction] - _LATER
    for direction in range(len(_ABILITY)):
        scores[_ABILITY[direction]] = rest + deeds.ability[direction] + ahead
        scores[_SHOVE[direction]] = deeds.shove[direction]
    scores[_ABLE] = rest + deeds.ability[0] + _AT_ONCE
    scores[_PAY] = NEVER
    scores[_REROLL] = turn.new_die + rest - board.next_life - _LATER
    scores[_END] = scores[_PASS] = rest


@inline_rule
def _score_faces(seen: Any, weights: Any, board: Any, turn: Any, deeds: Any, scores: Any) -> None:
    """Drafting and copying a face, and where to enter the race: the best move that the face allows from there."""
    for entry in range(len(_ENTER)):
        scores[_ENTER[entry]] = turn.rest[HERE + entry]
    lost_turn = seen.titan_fit[0] + seen.titan_recovering[0] == 0
    best = -np.inf
    for face in range(COPIED):
        worth = _face_from_where_one_is(seen, turn, face)
        best = max(best, worth)
        scores[_COPY[face]] = worth
        worth += seen.titan_kind[0, face] * deeds.healed
        left = weights.leave * _left_for_next(seen.pool, face)
        scores[_DRAFT[face]] = (0 if lost_turn else worth) - left
    best -= board.next_life * (1 - seen.titan_kind[0, _CHTOOLOO])
    scores[_DRAFT[_PURPLE]] = (0 if lost_turn else best) - weights.leave * _left_for_next(seen.pool, _PURPLE)


@inline_rule
def _face_from_where_one_is(seen: Any, turn: Any, face: int) -> Any:
    """Return the value of a face: before the race, from the best of the free spaces of entry."""
    if seen.titan_on_board[0] > 0:
        return turn.face[0, face]
    best: Any = -np.inf
    for entry in range(len(_ENTER)):
        space = HERE + entry
        best = max(best, turn.face[entry, face] if seen.board_titan[space // 3, space % 3] == 0 else NEVER)
    return best


@inline_rule
def _left_for_next(pool: Any, taken: int) -> Any:
    """Return the rows of the best die that the next player finds after a face is taken."""
    best, dice = np.float32(0), 0
    for face in range(len(pool)):
        count = int(np.rint(pool[face] * np.float32(_FACES)))
        dice += count
        if count > (face == taken):
            best = max(best, _FACE_ROWS[face])
    return _NEW_POOL_ROWS if dice <= 2 else best


@inline_rule
def _score_cards(seen: Any, weights: Any, hold: Any, turn: Any, deeds: Any, scores: Any) -> None:
    """Playing each card, aiming it, and throwing it away: to make room, or to please pirates."""
    rest = turn.rest[HERE]
    thrown = 0.0 if seen.ask[_PIRATES] > 0 else rest + weights.room * (seen.titan_hand[0] >= 1)
    for card in range(len(_PLAY)):
        scores[_PLAY[card]] = rest + NEVER
        scores[_DISCARD[card]] = thrown - _WORTH[card]
    for played in range(len(CARD_OF)):
        card = CARD_OF[played]
        cost, bring = hold[card], deeds.play[played]
        kept = bring - cost if _UNROUNDED[played] else np.float32(bring) - np.float32(cost)
        scores[_PLAY[card]] = rest + kept
        if played < _AIMS and seen.card[card] > 0:
            for direction in range(len(_AIM)):
                scores[_AIM[direction]] = deeds.aim[played, direction]


@inline_rule
def _score_reactions(seen: Any, weights: Any, board: Any, scores: Any) -> None:
    """Score the shield where the life is dear enough, thorns where they hit an opponent, and pirates."""
    shield, thorns = seen.ask[_SHIELD] > 0, seen.ask[_THORNS] > 0
    if shield:
        scores[_PLAY[_PLAY_SHIELD]] = board.next_life - weights.shield
    if thorns:
        harm = np.float32(0)
        for k in range(len(board.titan_harm)):
            harm += seen.titan_mover[k + 1] * board.titan_harm[k]
        scores[_PLAY[_PLAY_THORNS]] = harm
    if shield or thorns:
        scores[_PASS] = 0
    scores[_SUFFER] = -board.next_life
