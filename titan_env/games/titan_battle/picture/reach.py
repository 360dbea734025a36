"""The reach of a character, shown to a viewer who points at it: the hexes in reach, and possible targets."""

from __future__ import annotations

from typing import Any, NamedTuple

from titan_env.contract.translation import mark
from titan_env.games.titan_battle.picture.odds import pair
from titan_env.games.titan_battle.rules.characters import SHOOTS
from titan_env.games.titan_battle.rules.fighters import fighter_at
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, has_hex
from titan_env.games.titan_battle.rules.maneuver import destinations
from titan_env.games.titan_battle.rules.rangestrikes import targets
from titan_env.games.titan_battle.rules.state import HEXES, OUTSIDE, Result
from titan_env.games.titan_battle.rules.strikes import living_enemies
from titan_env.games.titan_battle.words.sentences import fighter_name
from titan_env.games.titan_battle.words.translation import _


class Within(NamedTuple):
    """A character's reach: the keys of the hexes, and lines of text about it."""

    hexes: tuple[str, ...]
    sentences: tuple[str, ...]


NOTHING = Within((), ())


def within_reach(battle: Any, who: int) -> Within:
    """Return what a character could do from where it is: strike those in contact; else go, and rangestrike."""
    fighter = battle.fighters[who]
    if battle.result != Result.RUNNING or fighter.slain or fighter.hex > OUTSIDE:
        return NOTHING
    if fighter.hex == OUTSIDE:
        return _goes(battle, who, mark("can come on at: {hexes}"), mark("can come on nowhere"))
    near = _numbers(int(living_enemies(battle, who)))
    if near:
        return Within(_keys(near), _struck(battle, who, near, mark("in contact with {whom}: {strike}")))
    goes = _goes(battle, who, mark("can go to: {hexes}"), mark("can go nowhere"))
    seen = _numbers(int(targets(battle, who))) if SHOOTS[fighter.kind] else []
    shots = _struck(battle, who, seen, mark("can rangestrike {whom}: {strike}"))
    return Within((*goes.hexes, *_keys(seen)), (*goes.sentences, *shots))


def _goes(battle: Any, who: int, somewhere: str, nowhere: str) -> Within:
    """Return where a character could go."""
    numbers = _numbers(int(destinations(battle, who)))
    if not numbers:
        return Within((), (_(nowhere),))
    return Within(_keys(numbers), (_(somewhere, hexes=" ".join(HEX_NAMES[number] for number in numbers)),))


def _struck(battle: Any, who: int, numbers: list[int], title: str) -> tuple[str, ...]:
    """Return whom a character could strike on these hexes, each with dice and strike number."""
    return tuple(
        _(title, whom=fighter_name(battle, int(fighter_at(battle, number))), strike=pair(battle, who, number))
        for number in numbers
    )


def _numbers(hexes: int) -> list[int]:
    """Return the hexes of a set."""
    return [number for number in range(HEXES) if has_hex(hexes, number)]


def _keys(numbers: list[int]) -> tuple[str, ...]:
    """Return the keys of hexes in the picture."""
    return tuple(f"hex:{number}" for number in numbers)
