"""The learned chances of one battle for compiled agents: the numbers of `chances`, with no array of features laid."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import inline_rule
from titan_env.games.titan_battle.agents.legion_features import AT_HOME
from titan_env.games.titan_battle.rules.characters import FLIES, POWER, SHOOTS, SKILL
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.state import KINDS, LANDS, LEGION, Character, Land, Side
from titan_env.games.titan_battle.value.chances import ENDS, OUTPUTS, read

Array = NDArray[np.float32]

_TITAN = Character.TITAN.value
_SIDES, _ENTRIES, _ENDS = len(Side), len(ENTRY_NAMES), len(ENDS)
_HUNDRED, _SIX = 100.0, 6.0  # points, and power of a titan, that stand for 1
_OF_SIDE = 3  # plain terms of each side: fliers, natives, its titan

# Where each feature of `legions.features` stands.
_RATIO, _WAITS, _TERMS, _LAND = 0, 1, 2, 2 + _SIDES * _OF_SIDE
_WHOLE = _LAND + LANDS
_SHOOTERS, _SIZE, _MORE = _WHOLE + 4 * _SIDES, _WHOLE + 5 * _SIDES, _WHOLE + 6 * _SIDES
_ENTRY = _WHOLE + 7 * _SIDES
_LATE = _ENTRY + _ENTRIES
_COUNTS = _LATE + 3
_WHERE = _COUNTS + _SIDES * KINDS
_HERE = _WHERE + LANDS * _ENTRIES


class Layers(NamedTuple):
    """The network, float32."""

    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    third: Array
    third_bias: Array


class Met(NamedTuple):
    """Two legions that meet: what a compiled agent lays before it asks for the chances."""

    holds: NDArray[np.float64]  # how many of each character both have, the attacker's first, (2, 24); shares count too
    titans: NDArray[np.float64]  # the power of both titans, counted whether they are there or not, (2,)
    forecast: NDArray[np.float64]  # the answer, in the order of `Chances`, (5,)
    values: NDArray[np.float64]  # what both are worth in points, (2,)
    features: NDArray[np.int64]  # the features that are not 0, as `legions.features` numbers them
    numbers: NDArray[np.float64]  # what they are
    noted: NDArray[np.int64]  # how many there are, (1,)
    hidden: Array  # the units of both hidden layers, (2, units)


@functools.cache
def layers() -> Layers:
    """Return the network that comes with the package."""
    return Layers(*(np.ascontiguousarray(part) for layer in read().layers for part in layer))


def meeting() -> Met:
    """Return room for two legions."""
    most = _HERE  # more than are ever noted
    return Met(
        holds=np.zeros((_SIDES, KINDS)),
        titans=np.zeros(_SIDES),
        forecast=np.zeros(OUTPUTS),
        values=np.zeros(_SIDES),
        features=np.zeros(most, np.int64),
        numbers=np.zeros(most),
        noted=np.zeros(1, np.int64),
        hidden=np.zeros((2, len(layers().first_bias)), np.float32),
    )


@inline_rule
def add_feature(met: Any, feature: int, number: float) -> None:
    """Note a feature that is not 0."""
    i = met.noted[0]
    met.features[i] = feature
    met.numbers[i] = number
    met.noted[0] = i + 1


@inline_rule
def foretell_one(met: Any, land: int, entry: int, angel: int, archangel: int, reinforced: int, network: Any) -> None:
    """Write the chances of the battle between two legions that have met, as `foretell` tells them."""
    met.noted[0] = 0
    add_feature(met, _WAITS, max(angel, archangel))
    add_feature(met, _LAND + land, 1.0)
    add_feature(met, _LATE, angel)
    add_feature(met, _LATE + 1, archangel)
    add_feature(met, _LATE + 2, reinforced)
    if land != Land.TOWER:
        add_feature(met, _ENTRY + entry, 1.0)
        add_feature(met, _WHERE + _ENTRIES * land + entry, 1.0)
    for side in range(_SIDES):
        met.values[side] = add_side(met, side, land)
    add_feature(met, _RATIO, math.log(met.values[0] / met.values[1]))
    apply_first_layer(met, network)
    apply_second_layer(met, network)
    write_chances(met, network)


@inline_rule
def add_side(met: Any, side: int, land: int) -> float:
    """Note the features of one legion; return its value in points."""
    values = powers = squares = fliers = natives = shooters = size = 0.0
    for kind in range(KINDS):
        count = met.holds[side, kind]
        if count > 0:
            power = met.titans[side] if kind == _TITAN else float(POWER[kind])
            values += count * power * SKILL[kind]
            powers += count * power
            squares += count * power * SKILL[kind] * SKILL[kind]
            fliers += count * FLIES[kind]
            natives += count * AT_HOME[land, kind]
            shooters += count * SHOOTS[kind]
            size += count
            add_feature(met, _COUNTS + KINDS * side + kind, count)
            add_feature(met, _HERE + KINDS * (_SIDES * land + side) + kind, count)
    titan = min(1.0, met.holds[side, _TITAN])
    values, powers, squares = max(1.0, values), max(1.0, powers), max(1.0, squares)
    add_feature(met, _TERMS + _OF_SIDE * side, fliers)
    add_feature(met, _TERMS + _OF_SIDE * side + 1, natives)
    add_feature(met, _TERMS + _OF_SIDE * side + 2, titan)
    add_feature(met, _WHOLE + side, values / _HUNDRED)
    add_feature(met, _WHOLE + _SIDES + side, math.log(values))
    add_feature(met, _WHOLE + 2 * _SIDES + side, math.log(powers))
    add_feature(met, _WHOLE + 3 * _SIDES + side, math.log(squares))
    add_feature(met, _SHOOTERS + side, shooters)
    add_feature(met, _SIZE + side, size / LEGION)
    add_feature(met, _MORE + side, titan * (met.titans[side] - POWER[_TITAN]) / _SIX)
    return values


@inline_rule
def apply_first_layer(met: Any, network: Any) -> None:
    """Apply the first hidden layer to the features that are noted."""
    hidden = met.hidden[0]
    hidden[:] = network.first_bias
    for i in range(met.noted[0]):
        row, number = network.first[met.features[i]], np.float32(met.numbers[i])
        for unit in range(len(hidden)):
            hidden[unit] += number * row[unit]


@inline_rule
def apply_second_layer(met: Any, network: Any) -> None:
    """Apply the second hidden layer to the first."""
    hidden, units = met.hidden[0], met.hidden[1]
    units[:] = network.second_bias
    for unit in range(len(hidden)):
        much = hidden[unit]
        if much > 0:
            row = network.second[unit]
            for other in range(len(units)):
                units[other] += much * row[other]


@inline_rule
def write_chances(met: Any, network: Any) -> None:
    """Write who wins, and what both legions are expected to lose."""
    units = met.hidden[1]
    for number in range(OUTPUTS):
        logit = float(network.third_bias[number])
        for unit in range(len(units)):
            if units[unit] > 0:
                logit += units[unit] * network.third[unit, number]
        met.forecast[number] = logit
    most = max(met.forecast[0], max(met.forecast[1], met.forecast[2]))
    total = 0.0
    for number in range(_ENDS):
        met.forecast[number] = math.exp(met.forecast[number] - most)
        total += met.forecast[number]
    for number in range(_ENDS):
        met.forecast[number] /= total
    for side in range(_SIDES):
        met.forecast[_ENDS + side] = met.values[side] / (1 + math.exp(-met.forecast[_ENDS + side]))
