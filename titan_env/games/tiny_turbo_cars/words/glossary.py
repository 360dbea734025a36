"""The glossary: a sentence for each thing on the table, and the position in sentences for those who do not see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.presentation_values import GlossaryEntry
from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.rules.boards import CARS, cell_name
from titan_env.games.tiny_turbo_cars.rules.controller import is_dealt
from titan_env.games.tiny_turbo_cars.rules.state import NO_CAR, SIDE, UNPLACED, Ask, Car, Terrain, Tile
from titan_env.games.tiny_turbo_cars.words.sentences import driver_name, token_name
from titan_env.games.tiny_turbo_cars.words.translation import _, board_name, player_name, tile_name

TERRAIN_NOTES: Mapping[Terrain, tuple[str, str, str]] = {
    Terrain.CARPET: (mark("carpet or grass"), mark("A movement that begins here has the value 1."), "commands.base"),
    Terrain.BOOST: (mark("boost"), mark("A command that begins here counts one more."), "commands.boost"),
    Terrain.OBSTACLE: (mark("obstacle"), mark("A movement ends here, with damage."), "movement.enter"),
    Terrain.PUDDLE: (mark("puddle"), mark("Whoever enters it takes the slip token."), "movement.take_slip_token"),
    Terrain.IMPASSABLE: (mark("impassable"), mark("A movement ends before it, with damage."), "movement.step_on"),
    Terrain.START: (mark("starting place"), mark("No damage here, and no way back."), "track.starting_place"),
}
"""Each kind of cell: name, sentence, rule."""
_TILES = {
    Tile.FORWARD_1: (mark("Drives 1 cell forward."), "commands.movement"),
    Tile.FORWARD_2: (mark("Drives 2 cells forward."), "commands.movement"),
    Tile.BACK_1: (mark("Drives 1 cell back."), "commands.movement"),
    Tile.LEFT_1: (mark("Drives 1 cell forward to the left."), "commands.movement"),
    Tile.RIGHT_1: (mark("Drives 1 cell forward to the right."), "commands.movement"),
    Tile.LEFT_2: (mark("Drives 2 cells forward to the left."), "commands.movement"),
    Tile.RIGHT_2: (mark("Drives 2 cells forward to the right."), "commands.movement"),
    Tile.JUMP: (mark("Jumps: what lies between is passed over."), "movement.leap"),
    Tile.MISSILE: (mark("Fires a missile straight ahead."), "abilities.fire"),
    Tile.TURBO: (mark("Drives as far as the car has batteries up."), "commands.movement"),
    Tile.BATTERY: (mark("Charges a battery."), "commands.battery"),
    Tile.PLUS: (mark("The next command has 1 more."), "commands.increase"),
    Tile.MINUS: (mark("The next command has 1 less."), "commands.increase"),
    Tile.BLANK: (mark("Does nothing."), "controller.command"),
    Tile.HOLE: (mark("Does nothing; a tile beside it can be pushed into it."), "controller.may_push"),
}


def glossary() -> Mapping[str, GlossaryEntry]:
    """Return an entry for each car, tile and kind of cell, the cars from the data."""
    notes = {
        "battery": GlossaryEntry(_("battery"), _("Damage turns one down; a car without any lies down."), "damage.pay"),
        "shield": GlossaryEntry(
            _("shield"), _("Takes damage instead of a battery, or is given for 2 cells."), "turn.gain_shields"
        ),
    }
    for terrain, (name, text, rule) in TERRAIN_NOTES.items():
        notes[f"terrain:{terrain.name.lower()}"] = GlossaryEntry(_(name), _(text), rule)
    for tile, (text, rule) in _TILES.items():
        notes[f"tile:{tile.name.lower()}"] = GlossaryEntry(tile_name(tile), _(text), rule)
    for car in Car:
        ability = _(str(CARS[car]["ability"]))
        notes[f"car:{car.name.lower()}"] = GlossaryEntry(str(CARS[car]["name"]), f"{ability[0].upper()}{ability[1:]}.")
    return notes


def describe_position(state: Any, seat: int | None = None) -> list[str]:
    """The race in sentences; of the controllers `seat` hears its own alone, while it programs."""
    titles = list(dict.fromkeys(board_name(board) for board in state.board[: int(state.boards)].tolist()))
    message = mark("Track: {boards}. Round {n}; the line lies behind row {row}.")
    lines = [_(message, boards=", ".join(titles), n=int(state.rounds), row=int(state.line))]
    lines += [_driver(state, who) for who in range(int(state.seats))]
    if state.ask != Ask.PROGRAM or seat is None or not 0 <= seat < int(state.seats):
        return lines
    return [*lines, *_controller(state.drivers[seat])]


def _controller(driver: Any) -> list[str]:
    """Return the tiles of a controller, row by row; nothing before they are dealt."""
    if not is_dealt(driver):
        return []
    tiles = [tile_name(tile) for tile in driver.controller.tolist()]
    rows = [_("row {n}: {tiles}", n=row + 1, tiles=", ".join(tiles[row * SIDE :][:SIDE])) for row in range(SIDE)]
    return [_("Your controller: {rows}. Rows 2 and 3 are the program.", rows=_("; ").join(rows))]


def _driver(state: Any, who: int) -> str:
    """Return the sentence on a car's place and condition."""
    driver = state.drivers[who]
    if driver.car == NO_CAR:
        return _("{who} has no car yet.", who=driver_name(state, who))
    names: dict[str, Any] = {"car": driver_name(state, who), "player": player_name(who)}
    if state.out[who]:
        return _("{car}, {player}, has left the track with place {n}.", **names, n=int(state.place[who]))
    if driver.row == UNPLACED:
        return _("{car}, {player}, is not on the track yet.", **names)
    parts = [_.many("1 battery up", "{n} batteries up", int(driver.batteries))]
    parts += [_.many("1 shield", "{n} shields", int(driver.shields))] * bool(driver.shields)
    parts += [_("lying")] * bool(driver.lying) + [_("slipping")] * bool(driver.slipping)
    parts += [_("token {token}", token=token_name(state, int(driver.token)))] * bool(driver.token)
    where = cell_name(int(driver.row), int(driver.lane))
    return _("{car}, {player}, is on {cell}: {how}.", **names, cell=where, how=", ".join(parts))
