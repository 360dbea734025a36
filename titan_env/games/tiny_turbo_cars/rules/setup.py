"""Setting up a race: the options, and what chance decides before the first decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import LOG, SILENT, draw, rule
from titan_env.contract.options import brief, generated, one_of, true_or_false, whole_number
from titan_env.games.tiny_turbo_cars.rules.actions import CARS
from titan_env.games.tiny_turbo_cars.rules.boards import (
    BOARD_LINE,
    BOARD_NAMES,
    BOARD_TERRAIN,
    BOARDS,
    FINISHES,
    FIRST_FINISH,
    FIRST_MIDDLE,
    SHEETS,
    STARTS,
    Board,
    check_joins,
    kind_of,
    parse_board,
)
from titan_env.games.tiny_turbo_cars.rules.generated import generate_track
from titan_env.games.tiny_turbo_cars.rules.state import (
    ALL_CARS,
    BATTERIES,
    BOARD_ROWS,
    GENERATED_BOARD,
    LANES,
    MOST_CARS,
    MOST_MIDDLES,
    NO_BOARD,
    NO_CAR,
    OWN_DRAWING,
    RANDOM,
    STATE,
    UNDEALT,
    USUAL_COUNTDOWN,
    USUAL_ROUNDS,
    USUAL_SLIDES,
    Race,
    Terrain,
)
from titan_env.games.tiny_turbo_cars.rules.track import cell
from titan_env.games.tiny_turbo_cars.rules.translation import _
from titan_env.games.tiny_turbo_cars.rules.turn import may_choose, prepare

OPTIONS: Mapping[str, str] = {
    "players": "2 to 4",
    "cars": f"`draft`, `random`, or names in seat order, one for each player: {', '.join(CARS)}",
    "boards": "`random`, `generated` (each game others of 32,000), `generated:0-199` or `generated:7`, or the boards "
    "in order by name or drawing: "
    f"{', '.join(BOARD_NAMES)}",
    "length": "middle boards: 3, or 4 for the long race; 1 and 2 for practice",
    "slides": "most slides of a seat in one round, 1 to 100",
    "countdown": "slides left to the last programmer, 1 to 100",
    "line_pushes": "True: one slide may push two or three tiles of a line at once",
    "podium": "True: when a car is past the line, the others race on until all places are known",
    "round_limit": "rounds that truncate the race, 1 to 100; None: no limit",
}

USUAL_LENGTH = 3
MOST_SLIDES = MOST_COUNTDOWN = MOST_ROUNDS = 100

SILENCE = np.zeros(1, LOG).view(np.recarray)
SILENCE.count = SILENT
"""Nobody listens while the table is laid; this log is never written."""


def configure(
    players: int | None = None,
    cars: Literal["draft", "random"] | list[str] | tuple[str, ...] = "draft",
    boards: str | Sequence[str] = "random",
    length: int | None = None,
    slides: int = USUAL_SLIDES,
    countdown: int = USUAL_COUNTDOWN,
    line_pushes: bool = False,
    podium: bool = False,
    round_limit: int | None = USUAL_ROUNDS,
) -> np.recarray[Any, Any]:
    """A race before any chance, as a record array of shape (1,). `OPTIONS` says what each keyword means.

    Raises ValueError or TypeError, naming the option, for anything that cannot be raced.
    """
    fresh = np.zeros(1, STATE).view(np.recarray)
    state = fresh[0]
    state.draft, named = _read_cars(cars)
    state.seats = _read_players(players, named)
    state.drivers["car"] = NO_CAR
    state.drivers["controller"] = UNDEALT
    state.drivers["car"][: len(named)] = named
    state.drivers["batteries"][: state.seats] = BATTERIES
    _lay_track(state, boards, length)
    state.slides = whole_number("slides", slides, 1, MOST_SLIDES)
    state.countdown = whole_number("countdown", countdown, 1, MOST_COUNTDOWN)
    state.line_pushes = true_or_false("line_pushes", line_pushes)
    state.podium = true_or_false("podium", podium)
    state.round_limit = 0 if round_limit is None else whole_number("round_limit", round_limit, 1, MOST_ROUNDS)
    return fresh


def _read_cars(cars: Any) -> tuple[bool, list[int]]:
    """Whether there is a draft, and the cars that are named."""
    if isinstance(cars, str) or not isinstance(cars, Sequence):
        return one_of("cars", cars, ["draft", "random"]) == 0, []
    named = [one_of("cars", name, CARS) for name in cars]
    if len(set(named)) != len(named):
        raise ValueError(_("cars: expected each car once, got {got}", got=", ".join(cars)))
    return False, named


def _read_players(players: Any, named: list[int]) -> int:
    """How many sit at the table: as many as there are named cars."""
    if not named:
        return MOST_CARS if players is None else whole_number("players", players, 2, MOST_CARS)
    wanted = len(named) if players is None else whole_number("players", players, 2, MOST_CARS)
    if len(named) != wanted or not 2 <= len(named) <= MOST_CARS:
        raise ValueError(
            _(
                "cars: expected one for each of {wanted} players, 2 to {most}, got {got}",
                wanted=wanted,
                most=MOST_CARS,
                got=len(named),
            )
        )
    return wanted


# The track


def _lay_track(state: Any, boards: Any, length: Any) -> None:
    """Lay out the boards that are named or drawn, or leave room for those that chance will draw."""
    state.board[:] = NO_BOARD
    state.terrain[: cell(1, 0)] = Terrain.IMPASSABLE
    middles = USUAL_LENGTH if length is None else whole_number("length", length, 1, MOST_MIDDLES)
    if isinstance(boards, str) or not isinstance(boards, Sequence):
        levels = generated("boards", boards)
        if levels is None:
            one_of("boards", boards, ["random", "generated"])
        state.boards = middles + 2
        state.board[: state.boards] = RANDOM if levels is None else GENERATED_BOARD
        if levels is not None and len(levels) > 1:
            state.levels[:] = levels.start, len(levels)
        elif levels is not None:
            lay_generated(state, levels.start)
        return
    if not 3 <= len(boards) <= MOST_MIDDLES + 2:
        raise ValueError(
            _(
                "boards: expected a start, 1 to {most} middle boards and a finish, got {got}",
                most=MOST_MIDDLES,
                got=len(boards),
            )
        )
    if length is not None and middles != len(boards) - 2:
        raise ValueError(
            _("length: expected {n} as there are that many middle boards, got {got}", n=len(boards) - 2, got=length)
        )
    state.boards = len(boards)
    sheets: list[int] = []
    for index, given in enumerate(boards):
        number, board = _read_board(given, index, len(boards))
        state.board[index] = number
        paint_board(state, index, board.terrain, board.line)
        sheets += [] if board.sheet is None else [board.sheet]
    if len(set(sheets)) != len(sheets):
        raise ValueError(_("boards: expected at most one side of each sheet"))
    check_joins(track_of(state), "boards: ")


def track_of(state: Any) -> NDArray[np.int8]:
    """Return the terrain of the boards that are laid, row 1 first, as a view (rows, 6)."""
    rows: NDArray[np.int8] = state.terrain[cell(1, 0) : cell(state.boards * BOARD_ROWS + 1, 0)]
    return rows.reshape(-1, LANES)


def _read_board(board: Any, index: int, boards: int) -> tuple[int, Board]:
    """The board that lies in one place: one of the twelve, or anybody's drawing."""
    kind = kind_of(index, boards)
    if isinstance(board, str) and "\n" in board:
        return OWN_DRAWING, parse_board(board, kind, _("boards: board {n}", n=index + 1))
    number = one_of("boards", board, BOARD_NAMES)
    if BOARDS[number].kind != kind:
        raise ValueError(
            _(
                "boards: expected a board of kind {kind} as board {n}, got {got}",
                kind=kind,
                n=index + 1,
                got=brief(board),
            )
        )
    return number, BOARDS[number]


@rule
def paint_board(state: Any, index: int, terrain: Any, line: int) -> None:
    """Join a board to the track, in driving direction."""
    for row in range(BOARD_ROWS):
        for lane in range(LANES):
            state.terrain[cell(index * BOARD_ROWS + row + 1, lane)] = terrain[row, lane]
    if line >= 0:
        state.line = index * BOARD_ROWS + line


@rule
def lay_board(state: Any, index: int, number: int) -> None:
    """Lay one of the twelve boards."""
    state.board[index] = number
    paint_board(state, index, BOARD_TERRAIN[number], BOARD_LINE[number])


@rule
def lay_generated(state: Any, level: int) -> None:
    """Lay the boards of a generated track."""
    generate_track(state, level)
    for index in range(state.boards):
        state.board[index] = OWN_DRAWING


@rule
def draw_boards(race: Race) -> None:
    """The side of the start, for each middle board a sheet that is left and its side, the side of the finish."""
    state = race.state
    if state.board[0] == GENERATED_BOARD:
        lay_generated(state, state.levels[0] + draw(race.luck, state.levels[1]))
        state.levels[:] = 0
    if state.board[0] != RANDOM:
        return
    lay_board(state, 0, draw(race.luck, len(STARTS)))
    for index in range(1, state.boards - 1):
        sheet = nth_free_sheet(state, draw(race.luck, SHEETS + 1 - index))
        lay_board(state, index, FIRST_MIDDLE + 2 * sheet + draw(race.luck, 2))
    lay_board(state, state.boards - 1, FIRST_FINISH + draw(race.luck, len(FINISHES)))


@rule
def nth_free_sheet(state: Any, which: int) -> int:
    """One of the sheets of which neither side is on the track."""
    for sheet in range(SHEETS):
        used = False
        for index in range(1, state.boards - 1):
            used |= state.board[index] >= FIRST_MIDDLE and (state.board[index] - FIRST_MIDDLE) // 2 == sheet
        if not used:
            if which == 0:
                return sheet
            which -= 1
    return NO_BOARD


# The cars


@rule
def draw_cars(race: Race) -> None:
    """Without a draft, cars that nobody named are drawn: for each seat one of those left."""
    state = race.state
    for who in range(state.seats):
        if not state.draft and state.drivers[who].car == NO_CAR:
            state.drivers[who].car = nth_free_car(state, draw(race.luck, ALL_CARS - who))


@rule
def nth_free_car(state: Any, which: int) -> int:
    """One of the cars that nobody drives."""
    for car in range(ALL_CARS):
        if may_choose(state, car):
            if which == 0:
                return car
            which -= 1
    return NO_CAR


@rule
def set_up(state: Any, luck: Any) -> None:
    """The first player is drawn, then boards and cars that nobody named; then the draft begins, or the placing."""
    race = Race(state, luck, SILENCE[0])
    state.first = draw(luck, state.seats)
    draw_boards(race)
    draw_cars(race)
    prepare(race)
