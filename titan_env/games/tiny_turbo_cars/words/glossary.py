"""What the things of the table are, and the position in sentences, for those who have not read or do not see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.people import Note
from titan_env.games.tiny_turbo_cars.rules.boards import BOARDS, CARS, cell_name
from titan_env.games.tiny_turbo_cars.rules.controller import is_dealt
from titan_env.games.tiny_turbo_cars.rules.state import NO_CAR, SIDE, UNPLACED, Ask, Car, Terrain, Tile
from titan_env.games.tiny_turbo_cars.words.words import TILE_NAMES, driver_name, token_name

TERRAIN_NOTES: Mapping[Terrain, tuple[str, str, str]] = {
    Terrain.CARPET: ("carpet or grass", "A movement that begins here has the value 1.", "commands.base"),
    Terrain.BOOST: ("boost", "A command that begins here counts one more.", "commands.boost"),
    Terrain.OBSTACLE: ("obstacle", "A movement ends here, with damage.", "movement.enter"),
    Terrain.PUDDLE: ("puddle", "Whoever enters it takes the slip token.", "movement.take_slip_token"),
    Terrain.IMPASSABLE: ("impassable", "A movement ends before it, with damage.", "movement.step_on"),
    Terrain.START: ("starting place", "No damage here, and no way back.", "track.starting_place"),
}
"""Each kind of cell: name, sentence, rule."""
_TILES = {
    Tile.FORWARD_1: ("Drives 1 cell forward.", "commands.movement"),
    Tile.FORWARD_2: ("Drives 2 cells forward.", "commands.movement"),
    Tile.BACK_1: ("Drives 1 cell back.", "commands.movement"),
    Tile.LEFT_1: ("Drives 1 cell forward to the left.", "commands.movement"),
    Tile.RIGHT_1: ("Drives 1 cell forward to the right.", "commands.movement"),
    Tile.LEFT_2: ("Drives 2 cells forward to the left.", "commands.movement"),
    Tile.RIGHT_2: ("Drives 2 cells forward to the right.", "commands.movement"),
    Tile.JUMP: ("Jumps: what lies between is passed over.", "movement.leap"),
    Tile.MISSILE: ("Fires a missile straight ahead.", "abilities.fire"),
    Tile.TURBO: ("Drives as far as the car has batteries up.", "commands.movement"),
    Tile.BATTERY: ("Charges a battery.", "commands.battery"),
    Tile.PLUS: ("The next command has 1 more.", "commands.increase"),
    Tile.MINUS: ("The next command has 1 less.", "commands.increase"),
    Tile.BLANK: ("Does nothing.", "controller.command"),
    Tile.HOLE: ("Does nothing; a tile beside it can be pushed into it.", "controller.may_push"),
}


def glossary() -> Mapping[str, Note]:
    """What each car, tile and kind of cell is, the cars from the data."""
    notes = {
        "battery": Note("battery", "Damage turns one down; a car without any lies down.", "damage.pay"),
        "shield": Note("shield", "Takes damage instead of a battery, or is given for 2 cells.", "turn.gain_shields"),
    }
    for terrain, parts in TERRAIN_NOTES.items():
        notes[f"terrain:{terrain.name.lower()}"] = Note(*parts)
    for tile, (text, rule) in _TILES.items():
        notes[f"tile:{tile.name.lower()}"] = Note(TILE_NAMES[tile], text, rule)
    for car in Car:
        ability = str(CARS[car]["ability"])
        notes[f"car:{car.name.lower()}"] = Note(str(CARS[car]["name"]), f"{ability[0].upper()}{ability[1:]}.")
    return notes


def describe_position(state: Any, seat: int | None = None) -> list[str]:
    """The race in sentences; of the controllers `seat` hears its own alone, while it programs."""
    titles = [BOARDS[board].title if board >= 0 else "own board" for board in state.board[: int(state.boards)].tolist()]
    lines = [f"Track: {', '.join(titles)}. Round {int(state.rounds)}; the line lies behind row {int(state.line)}."]
    lines += [_driver(state, who) for who in range(int(state.seats))]
    if state.ask != Ask.PROGRAM or seat is None or not 0 <= seat < int(state.seats):
        return lines
    return [*lines, *_controller(state.drivers[seat])]


def _controller(driver: Any) -> list[str]:
    """The tiles of a controller, row by row; nothing before they are dealt."""
    if not is_dealt(driver):
        return []
    tiles = [TILE_NAMES[Tile(tile)] for tile in driver.controller.tolist()]
    rows = [f"row {row + 1}: {', '.join(tiles[row * SIDE : (row + 1) * SIDE])}" for row in range(SIDE)]
    return [f"Your controller: {'; '.join(rows)}. Rows 2 and 3 are the program."]


def _driver(state: Any, who: int) -> str:
    """Where a car stands, and how it is."""
    driver = state.drivers[who]
    if driver.car == NO_CAR:
        return f"{driver_name(state, who)} has no car yet."
    name = f"{driver_name(state, who)}, player {who + 1},"
    if driver.row == UNPLACED:
        return f"{name} is not on the track yet."
    parts = [f"is on {cell_name(int(driver.row), int(driver.lane))}: {int(driver.batteries)} batteries up"]
    parts += [f"{int(driver.shields)} shields"] * bool(driver.shields)
    parts += ["lying"] * bool(driver.lying) + ["slipping"] * bool(driver.slipping)
    parts += [f"token {token_name(state, int(driver.token))}"] * bool(driver.token)
    return f"{name} {', '.join(parts)}."
