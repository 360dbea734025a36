"""Setting up a race: the options, and what chance decides before the first turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from titan_env.contract import LOG, SILENT, draw, rule
from titan_env.contract.options import generated, one_of, whole_number
from titan_env.games.fantasy_racing.rules.actions import CHARACTERS
from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES, PRINTED, START_SQUARES, parse_circuit
from titan_env.games.fantasy_racing.rules.data_tables import RULES_OF
from titan_env.games.fantasy_racing.rules.generated import generate_circuit
from titan_env.games.fantasy_racing.rules.state import (
    ALL_CHARACTERS,
    CHOSEN,
    DEALT,
    GENERATED_CIRCUIT,
    MOST_RACERS,
    OWN_CIRCUIT,
    RANDOM,
    SQUARES,
    STATE,
    Phase,
    Race,
)
from titan_env.games.fantasy_racing.rules.translation import _
from titan_env.games.fantasy_racing.rules.turn import go_on

OPTIONS: Mapping[str, str] = {
    "players": "racers, 2 to 6; 6, or as many as there are characters in a list",
    "rounds": "rounds of turns in the race, 5 to 15",
    "circuit": "a circuit by name, `random`, `generated` (each game another of 32,000), `generated:0-199` or "
    "`generated:7`, or one that you drew",
    "characters": "`deal`: all different, at random; `choose`: all different, each player chooses; or a list of names",
}

SILENCE = np.zeros(1, LOG).view(np.recarray)
SILENCE.count = SILENT
"""Nobody listens while the table is laid; this log is never written."""

FEWEST_ROUNDS, MOST_ROUNDS = 5, 15
FEWEST_RACERS = 2


def configure(
    players: int | None = None,
    rounds: int = 10,
    circuit: str = "random",
    characters: Literal["deal", "choose"] | list[str] | tuple[str, ...] = "deal",
) -> np.recarray[Any, Any]:
    """A race before any chance, as a record array of shape (1,). `OPTIONS` says what each keyword means.

    Raises ValueError or TypeError, naming the option, for anything that cannot be raced.
    """
    fresh = np.zeros(1, STATE).view(np.recarray)
    state = fresh[0]
    kinds = _read_characters(characters, players)
    state.seats = len(kinds)
    state.rounds = whole_number("rounds", rounds, FEWEST_ROUNDS, MOST_ROUNDS)
    state.racers["character"][: len(kinds)] = kinds
    state.racers["protected"][: len(kinds)] = 1
    state.phase = Phase.CHOICE
    _lay_circuit(state, circuit)
    return fresh


def _read_characters(characters: str | Sequence[str], players: int | None) -> list[int]:
    """The character of each seat; DEALT or CHOSEN where it is not known yet."""
    if isinstance(characters, str) or not isinstance(characters, Sequence | np.ndarray):
        kind = (DEALT, CHOSEN)[one_of("characters", characters, ["deal", "choose"])]
        seats = whole_number("players", MOST_RACERS if players is None else players, FEWEST_RACERS, MOST_RACERS)
        return [kind] * seats
    kinds = [one_of("characters", name, CHARACTERS) for name in characters]
    if not FEWEST_RACERS <= len(kinds) <= MOST_RACERS:
        raise ValueError(
            _(
                "characters: expected {low} to {high} names, got {got}",
                low=FEWEST_RACERS,
                high=MOST_RACERS,
                got=len(kinds),
            )
        )
    if players is not None and whole_number("players", players, FEWEST_RACERS, MOST_RACERS) != len(kinds):
        raise ValueError(
            _("characters: expected a name for each of {players} players, got {got}", players=players, got=len(kinds))
        )
    return kinds


def _lay_circuit(state: Any, circuit: str) -> None:
    """Lay out a circuit, unless it is drawn at random."""
    if isinstance(circuit, str) and "\n" in circuit:
        state.circuit = OWN_CIRCUIT
        drawn = parse_circuit(circuit)
        state.printed[:], state.starts[:] = drawn.printed, drawn.starts
        return
    levels = generated("circuit", circuit)
    if levels is not None:
        if len(levels) > 1:
            state.circuit = GENERATED_CIRCUIT
            state.levels[:] = levels.start, len(levels)
        else:
            state.circuit = OWN_CIRCUIT
            generate_circuit(state.printed, state.starts, levels.start)
        return
    number = one_of("circuit", circuit, [*CIRCUIT_NAMES, "random", "generated"])
    state.circuit = RANDOM if number == len(CIRCUIT_NAMES) else number
    if state.circuit != RANDOM:
        state.printed[:], state.starts[:] = PRINTED[number], START_SQUARES[number]


@rule
def draw_circuit(race: Race) -> None:
    """A circuit that nobody chose is drawn."""
    state = race.state
    if state.circuit == GENERATED_CIRCUIT:
        state.circuit = OWN_CIRCUIT
        generate_circuit(state.printed, state.starts, state.levels[0] + draw(race.luck, state.levels[1]))
        state.levels[:] = 0
    if state.circuit == RANDOM:
        number = draw(race.luck, len(PRINTED))
        state.circuit = number
        for square in range(SQUARES):
            state.printed[square] = PRINTED[number, square]
        for start in range(MOST_RACERS):
            state.starts[start] = START_SQUARES[number, start]


@rule
def draw_order(race: Race) -> None:
    """The order of the first round is random; the racer that plays k-th starts on square k."""
    state = race.state
    taken = 0
    for position in range(state.seats):
        who = _nth_free(taken, draw(race.luck, state.seats - position))
        taken |= 1 << who
        state.order[position] = who
        state.racers[who].square = state.starts[position]


@rule
def deal_characters(race: Race) -> None:
    """Characters that are dealt are drawn, each at most once."""
    state = race.state
    taken = 0
    for who in range(state.seats):
        racer = state.racers[who]
        if racer.character == DEALT:
            racer.character = _nth_free(taken, draw(race.luck, ALL_CHARACTERS - who))
            taken |= 1 << int(racer.character)
        if racer.character >= 0:
            racer.rules = RULES_OF[racer.character]


@rule
def _nth_free(taken: int, which: int) -> int:
    """One of the numbers whose bit is not taken, counted from the lowest."""
    number = 0
    while True:
        if taken >> number & 1 == 0:
            if which == 0:
                return number
            which -= 1
        number += 1


@rule
def set_up(state: Any, luck: Any) -> None:
    """Draw the circuit, the first order and the characters, and ask what is chosen before the race."""
    log = SILENCE[0]
    race = Race(state, luck, log)
    draw_circuit(race)
    draw_order(race)
    deal_characters(race)
    go_on(race)
