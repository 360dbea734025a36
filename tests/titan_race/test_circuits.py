"""Circuits: the six of the box."""

from __future__ import annotations

import numpy as np
import pytest

from tests.titan_race.table import circuit
from tests.titan_race.test_dice import turn
from titan_env import agents
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.actions import ACTIONS, CARDS, MOVES
from titan_env.games.titan_race.rules.circuits import SYMBOLS, TERRAINS, space_name, space_number
from titan_env.games.titan_race.rules.dice import FACE_MOVES
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, Terrain
from titan_env.play.event_statistics import play_and_count

KINDS = {
    "kaldheira": {Terrain.LAVA},
    "dead_mans_lagoon": {Terrain.PIRATES},
    "moltenchest": {Terrain.SUPER_RAMP_LEFT, Terrain.SUPER_RAMP_RIGHT, Terrain.MULTI_RAMP},
    "ban_kog": {Terrain.STATUE},
    "anglieh": {Terrain.PENTACLE},
    "estenguard": {Terrain.ICE},
}
KNOWN = {
    "kaldheira": {"E5": "~", "F6": "~", "D4": "."},
    "dead_mans_lagoon": {"B8": "!", "C9": "!", "D10": "."},
    "moltenchest": {"A3": ">"},
    "ban_kog": {"D6": "S", "C5": "."},
    "anglieh": {"D6": "@", "D10": "@"},
    "estenguard": {"D4": "#", "D6": "#", "D8": "."},
}


def terrain_of(circuit: str) -> np.ndarray:
    return TERRAINS[CIRCUIT_NAMES.index(circuit)]


@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_each_circuit_has_one_kind_of_terrain_beside_its_bonus_spaces(circuit: str) -> None:
    assert {Terrain(kind) for kind in terrain_of(circuit)} - {Terrain.PLAIN, Terrain.BONUS} == KINDS[circuit]


@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_each_circuit_has_6_to_12_spaces_of_terrain_and_4_to_6_bonus_spaces(circuit: str) -> None:
    terrain = terrain_of(circuit)
    assert 6 <= (terrain > Terrain.BONUS).sum() <= 12
    assert 4 <= (terrain == Terrain.BONUS).sum() <= 6


@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_the_entry_spaces_are_plain(circuit: str) -> None:
    assert terrain_of(circuit)[:3].tolist() == [Terrain.PLAIN] * 3


@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_spaces_known_from_the_printed_examples_are_as_printed(circuit: str) -> None:
    drawn = {name: SYMBOLS[terrain_of(circuit)[space_number(name)]] for name in KNOWN[circuit]}
    assert drawn == KNOWN[circuit]


def test_the_landing_space_of_moltenchests_printed_jump_is_no_multi_ramp() -> None:
    assert terrain_of("moltenchest")[space_number("D6")] != Terrain.MULTI_RAMP


@pytest.mark.thorough
@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_four_experts_take_8_to_11_rounds(circuit: str) -> None:
    races = play_and_count(GAME, agents.load("expert", GAME), 512, 7, titans=4, circuit=circuit)
    rounds = np.array([trait["rounds"] for trait in races.statistics()])
    error = 2 * rounds.std() / np.sqrt(len(rounds))
    assert 8 - error < rounds.mean() < 11 + error


# A second, plain account of where a lone Titan's move ends


COLUMNS, STEPS = "ABCDEF", {"S": (0, 2), "L": (-1, 1), "R": (1, 1)}
FACE_OF = {move: face.name.lower() for face, moves in FACE_MOVES.items() for move in moves}


def walk(circuit: dict[str, str], start: str, pattern: str) -> tuple[str, int]:
    """The space on which a move ends and the laps gained, on a circuit of symbols by the names of spaces."""
    column, row, laps = COLUMNS.index(start[0]), int(start[1:]), 0
    for letter in pattern:
        across, up = STEPS[letter]
        symbol = circuit[f"{COLUMNS[column]}{row}"]
        over = 2 if symbol + letter in ("<L", ">R") else 1 if symbol == "^" else 0
        spaces, slid = 1 + over, False
        while spaces:
            column, row, spaces = (column + across) % 6, row + up, spaces - 1
            laps, row = laps + (row > 12), (row - 1) % 12 + 1
            if spaces == 0 and circuit[f"{COLUMNS[column]}{row}"] == "#":
                spaces, slid = 1, True
        if slid:
            break
    return f"{COLUMNS[column]}{row}", laps


@pytest.mark.parametrize("name", CIRCUIT_NAMES)
def test_every_move_of_a_lone_titan_ends_where_a_plain_account_says(name: str) -> None:
    spaces = [space_name(space) for space in range(36)]
    symbols = {space: SYMBOLS[kind] for space, kind in zip(spaces, terrain_of(name), strict=True)}
    ways = [(start, move) for start in spaces for move in MOVES]
    tables = []
    for start, move in ways:
        lines = f"rassik:\ngrinder: space=none\naside: {' '.join(CARDS)}\n" + turn(FACE_OF[move])
        tables.append(GAME.text.parse_position(circuit(name, **{start: "Ra"}) + lines))
    templates = np.concatenate(tables).view(np.recarray)
    batch = Batch(GAME, len(ways), templates=templates)
    batch.states[:] = templates
    batch.refresh()
    batch.step([ACTIONS.read(f"move:{move}") for _, move in ways])
    titans = batch.states.titans[:, 0]
    ended = [(space_name(space), int(lap) - 1) for space, lap in zip(titans["space"], titans["lap"], strict=True)]
    assert ended == [walk(symbols, start, move) for start, move in ways]
