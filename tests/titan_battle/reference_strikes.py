"""Strikes, what they may carry to, and rangestrikes with their lines of sight."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise

from tests.titan_battle.reference_board import NAMES, Board, cube, distance
from tests.titan_battle.reference_data import KINDS

Pair = tuple[int, int]
"""Dice and strike number."""


def _number(skill: int, target_skill: int, more: int) -> int:
    return min(6, max(1, 4 - skill + target_skill + more))


def strike(board: Board, who: str, power: int, here: str, whom: str, there: str) -> Pair | None:
    """Dice and strike number of a strike at a character beside; None across a cliff."""
    kind, dice, skill = KINDS[who], power, KINDS[who].skill
    border, owner = board.border(here, there)
    if border == "cliff":
        return None
    if who == "dragon" and board.hazard[here] == "volcano":
        dice += 2
    if board.hazard[here] == "bramble" and not kind.at_home("bramble"):
        skill -= 1
    down = owner == here
    if border == "slope":
        if down and kind.at_home("slope"):
            dice += 1
        if not down and not kind.at_home("slope"):
            skill -= 1
    if border == "dune":
        if down and kind.at_home("dune"):
            dice += 2
        if not down and not kind.at_home("dune"):
            dice -= 1
    if border == "wall":
        skill += 1 if down else -1
    return dice, _number(skill, KINDS[whom].skill, _in_its_bramble(board, who, whom, there))


def _in_its_bramble(board: Board, who: str, whom: str, there: str) -> int:
    """1 for a target at home in the bramble on which it stands, if the striker is not."""
    at_home = board.hazard[there] == "bramble" and KINDS[whom].at_home("bramble")
    return int(at_home and not KINDS[who].at_home("bramble"))


def up_a_dune(board: Board, here: str, there: str) -> bool:
    return board.border(here, there) == ("dune", there)


def may_carry(announced: Pair, rolled_up_a_dune: bool, other: Pair, other_up_a_dune: bool) -> bool:
    """Whether a strike rolled with the announced pair may give hits to somebody against whom the pair is `other`."""
    return other[1] <= announced[1] and other[0] >= announced[0] and (rolled_up_a_dune or not other_up_a_dune)


# Rangestrikes


def ways_between(here: str, there: str) -> list[list[str | None]]:
    """Hexes strictly between two hexes at range 3 or 4: one way, or two along a border; None off the map."""
    a, b = cube(here), cube(there)
    steps = distance(here, there) - 1
    if steps == 2 and 0 not in [p - q for p, q in zip(a, b, strict=True)]:
        both = _cubes_beside(a) & _cubes_beside(b)
        return [[_named(spot)] for spot in sorted(both)]
    points = [[(p * (steps - i) + q * i) / steps for p, q in zip(a, b, strict=True)] for i in range(1, steps)]
    return [[_named(_nearest(point)) for point in points]]


def _cubes_beside(a: tuple[int, ...]) -> set[tuple[int, ...]]:
    turns = [(1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1)]
    return {tuple(p + q for p, q in zip(a, turn, strict=True)) for turn in turns}


def _nearest(point: list[float]) -> tuple[int, ...]:
    whole = [round(value) for value in point]
    if sum(whole):
        worst = max(range(3), key=lambda i: abs(whole[i] - point[i]))
        whole[worst] -= sum(whole)
    return tuple(whole)


def _named(spot: tuple[int, ...]) -> str | None:
    x, r = spot[0], spot[1]
    return NAMES.get((x, r + (x - x % 2) // 2))


def free(board: Board, way: list[str], standing: Collection[str]) -> bool:
    """Whether a way from the striker's hex to the target's, both included, is free."""
    between = way[1:-1]
    first, last = way[0], way[-1]
    if any(board.hazard[name] == "tree" for name in between):
        return False
    crossings = [(*board.border(a, b), a, b) for a, b in pairwise(way)]
    low = min(board.level[first], board.level[last])
    for i, name in enumerate(between):
        below = (i == 0 and crossings[0][:2] == ("cliff", first)) or (
            i == len(between) - 1 and crossings[-1][:2] == ("cliff", last)
        )
        if name in standing and board.level[name] >= low and not below:
            return False
    crossed = [(border, owner) for border, owner, _, _ in crossings if border]
    own = [(border, owner) for border, owner in crossed if owner in (first, last)]
    if any(border in ("cliff", "dune") and owner not in (first, last) for border, owner in crossed):
        return False
    if crossings[0][:2] == ("wall", way[1]) or crossings[-1][:2] == ("wall", way[-2]):
        return False
    if crossed and not own:
        return False
    both_own = {owner for _, owner in own} == {first, last}
    cliff = any(border == "cliff" for border, _ in own)
    return not (len(crossed) == 3 and not both_own and not cliff)


def bramble_between(board: Board, here: str, there: str, standing: Collection[str]) -> int | None:
    """Count bramble strictly between, on the free way that has least of it; None if no way is free."""
    counts = []
    for between in ways_between(here, there):
        inside = [name for name in between if name]
        if len(inside) == len(between) and free(board, [here, *inside, there], standing):
            counts.append(sum(board.hazard[name] == "bramble" for name in inside))
    return min(counts, default=None)


def rangestrike(
    board: Board, who: str, power: int, here: str, whom: str, there: str, standing: Iterable[str]
) -> Pair | None:
    """Dice and strike number of a rangestrike; None where it is not allowed."""
    kind, target, far = KINDS[who], KINDS[whom], distance(here, there)
    if kind.ranged == "none" or far > kind.skill:
        return None
    if kind.ranged == "magic":
        across = far == 2 and not board.in_contact(here, there)
        return (power // 2, _number(kind.skill, target.skill, 0)) if far > 2 or across else None
    if far < 3 or target.lord:
        return None
    bramble = bramble_between(board, here, there, set(standing) - {here, there})
    if bramble is None:
        return None
    skill = kind.skill - (far == 4)
    if not kind.at_home("bramble"):
        skill -= bramble
    if board.walled(there):
        skill -= max(0, board.level[there] - board.level[here])
    more = _in_its_bramble(board, who, whom, there) + (board.hazard[there] == "volcano")
    dice = power // 2 + (2 if who == "dragon" and board.hazard[here] == "volcano" else 0)
    return dice, _number(skill, target.skill, more)
