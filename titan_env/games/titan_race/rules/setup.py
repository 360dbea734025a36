"""Setting up a race: the options, and what chance decides before the first turn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Real
from typing import Any, Literal

import numpy as np

from titan_env.contract import LOG, SILENT, draw, rule
from titan_env.contract.options import brief, generated, one_of, true_or_false, whole_number
from titan_env.contract.translation import mark
from titan_env.games.titan_race.rules.actions import CARDS
from titan_env.games.titan_race.rules.board import owner
from titan_env.games.titan_race.rules.circuits import TERRAINS, TITANS, parse_circuit
from titan_env.games.titan_race.rules.generated import generate_circuit
from titan_env.games.titan_race.rules.start import deal_hands, fill_gauge, lay_circuit
from titan_env.games.titan_race.rules.state import (
    ASIDE,
    CHOSEN,
    CHOSEN_CIRCUIT,
    CIRCUIT_NAMES,
    DECK,
    GENERATED_TERRAIN,
    MOST_CIRCUITS,
    MOST_TITANS,
    NO_CARD,
    NO_FACE,
    NOBODY,
    NOWHERE,
    OWN_TERRAIN,
    RANDOM,
    SPACES,
    STATE,
    TRAPS,
    Race,
    Titan,
)
from titan_env.games.titan_race.rules.translation import _
from titan_env.games.titan_race.rules.turn import begin_turn, go_on

BALANCED = {titan.name.lower(): TITANS[titan]["life_balanced"] for titan in Titan}
"""Top of each Titan's gauge where all six shall win about as often."""

TITAN_NAMES = tuple(titan.name.lower() for titan in Titan)

VARIANTS: Mapping[str, tuple[int | None, int | None, int | None]] = {
    "race": (None, None, None),
    "two_players": (4, 2, 2),
    "2v2": (4, 4, 2),
    "2v2v2": (6, 6, 3),
    "3v3": (6, 6, 2),
}
"""Titans in the race, seats and sides of each variant; None: as many as there are Titans."""

OPTIONS: Mapping[str, str] = {
    "titans": "Titans in seat order by name (2 to 6, each once), or how many are drawn, or `choose`: each player "
    "chooses in turn; two players: A1, B1, A2, B2",
    "circuit": "a circuit by name, `random`, `choose` (players choose it), `generated` (each game another of 32,000), "
    "`generated:0-199` or `generated:7`, or one that you drew; "
    "three of these make a Grand Slam",
    "variant": f"one of {', '.join(VARIANTS)}",
    "grand_slam": "True: three circuits laid end to end, one lap on each",
    "life": "top of the life gauge: `balanced`, one number for all, or a number by Titan; who starts full still does",
    "deck": f"the bonus cards in the race: `all`, None, or a list of {', '.join(CARDS)}",
    "laps": "laps to be completed, 1 to 100 (three in a Grand Slam)",
    "first_turn": "`own`: no card or ability in each player's own first turn; `all`: none before that of all is over",
    "players": "the number of players, 2 to 6; as many as there are Titans, with two Titans each 2",
    "turn_limit": "turns of all Titans together (2 to 4 each a lap is usual) that truncate the race; None: no limit",
}

SILENCE = np.zeros(1, LOG).view(np.recarray)
SILENCE.count = SILENT
"""Nobody listens while the table is laid; this log is never written."""

FEWEST_TITANS = 2
MOST_LAPS = 100
MOST_LIVES = 100
MOST_TURNS = 30_000


def configure(
    titans: int | Literal["choose"] | list[str] | tuple[str, ...] | None = None,
    circuit: str | Sequence[str] = "random",
    variant: Literal["race", "two_players", "2v2", "2v2v2", "3v3"] = "race",
    grand_slam: bool = False,
    life: int | Literal["balanced"] | Mapping[str, int] | None = None,
    deck: str | Collection[str] | None = "all",
    laps: int = 3,
    turn_limit: int | None = 600,
    first_turn: Literal["own", "all"] = "own",
    players: int | None = None,
) -> np.recarray[Any, Any]:
    """A race before any chance, as a record array of shape (1,). `OPTIONS` says what each keyword means.

    Raises ValueError or TypeError, naming the option, for anything that cannot be raced.
    """
    fresh = np.zeros(1, STATE).view(np.recarray)
    state = fresh[0]
    kinds = _read_titans(titans, variant, players)
    _seat(state, len(kinds), variant)
    if players is not None and whole_number("players", players, FEWEST_TITANS, MOST_TITANS) != state.seats:
        message = mark("players: expected {seats} with these options, got {got}")
        raise ValueError(_(message, seats=state.seats, got=players))
    state.titans["space"] = NOWHERE
    state.titans["face"] = NO_FACE
    state.titans["lap"] = 1
    state.titans["kind"][: len(kinds)] = kinds
    state.titans["chosen"] = 1
    if CHOSEN in kinds:
        state.before = 1
        state.titans["chosen"][: len(kinds)] = 0
        state.titans["kind"][: len(kinds)] = range(len(kinds))
        state.orders = state.seats if len(kinds) > state.seats else 0
    state.gauges[:] = _read_lives(life, kinds)
    state.together = one_of("first_turn", first_turn, ["own", "all"])
    _lay_circuits(state, circuit, true_or_false("grand_slam", grand_slam))
    state.laps = whole_number("laps", laps, 1, MOST_LAPS)
    if state.circuits == MOST_CIRCUITS != laps:
        message = mark("laps: expected {most} in a Grand Slam, one on each circuit, got {laps}")
        raise ValueError(_(message, most=MOST_CIRCUITS, laps=laps))
    state.turn_limit = 0 if turn_limit is None else whole_number("turn_limit", turn_limit, 1, MOST_TURNS)
    state.supply = TRAPS
    state.unrolled = 1
    state.cards[:] = _read_deck(deck)
    state.face = state.action = NO_FACE
    state.pentacle = NOWHERE
    state.card = NO_CARD
    state.target = state.mover = NOBODY
    return fresh


def _read_titans(titans: int | str | Sequence[str] | None, variant: str, players: Any) -> list[int]:
    """The kinds of Titan in turn order; RANDOM where they are drawn, CHOSEN where players choose."""
    one_of("variant", variant, list(VARIANTS))
    wanted = VARIANTS[variant][0]
    usual = wanted or (4 if players is None else whole_number("players", players, FEWEST_TITANS, MOST_TITANS))
    if titans is None:
        titans = usual
    if titans == "choose":
        kinds = [CHOSEN] * usual
    elif isinstance(titans, Real):
        kinds = [RANDOM] * whole_number("titans", titans, FEWEST_TITANS, MOST_TITANS)
    elif isinstance(titans, Sequence) and not isinstance(titans, str):
        kinds = [one_of("titans", name, TITAN_NAMES) for name in titans]
    else:
        raise TypeError(_("titans: expected a list of names, a number or `choose`, got {got}", got=brief(titans)))
    if len(kinds) not in range(FEWEST_TITANS, MOST_TITANS + 1):
        raise ValueError(_("titans: expected 2 to {most} Titans, got {n}", most=MOST_TITANS, n=len(kinds)))
    if wanted and len(kinds) != wanted:
        message = mark("titans: expected {wanted} Titans for the variant {variant}, got {n}")
        raise ValueError(_(message, wanted=wanted, variant=repr(variant), n=len(kinds)))
    if min(kinds) >= 0 and len(set(kinds)) != len(kinds):
        raise ValueError(_("titans: expected each Titan once, got {got}", got=brief(titans)))
    return kinds


def _read_deck(deck: str | Collection[str] | None) -> list[int]:
    """Where each card is before the race: in the deck, or ASIDE."""
    if deck is None:
        deck = []
    if isinstance(deck, str):
        deck = CARDS if deck == "all" else [name.strip() for name in deck.split(",")]
    if not isinstance(deck, Collection):
        raise TypeError(_("deck: expected `all`, None or a list of names, got {got}", got=brief(deck)))
    cards = [one_of("deck", name, CARDS) for name in deck]
    if len(set(cards)) != len(cards):
        raise ValueError(_("deck: expected each card once, got {got}", got=brief(deck)))
    return [DECK if card in cards else ASIDE for card in range(len(CARDS))]


def _seat(state: Any, titans: int, variant: str) -> None:
    """Seat the players: alone, two with two Titans each (A1, B1, A2, B2), or in teams that alternate."""
    seats, sides = VARIANTS[variant][1:]
    state.titans_in_race = titans
    state.seats = seats or titans
    state.sides = sides or titans
    for who in range(titans):
        state.titans["seat"][who] = who % state.seats
        state.titans["side"][who] = who % state.sides


def _read_lives(life: int | str | Mapping[str, int] | None, kinds: Sequence[int]) -> list[int]:
    """The top of the gauge of each of the six Titans; 0 where its own board says it."""
    if life is None:
        return [0] * MOST_TITANS
    if isinstance(life, str):
        one_of("life", life, ["balanced"])
        return list(BALANCED.values())
    if not isinstance(life, Mapping):
        return [whole_number("life", life, 1, MOST_LIVES)] * MOST_TITANS
    by_kind = {one_of("life", name, TITAN_NAMES): value for name, value in life.items()}
    absent = [TITAN_NAMES[kind] for kind in by_kind if kind not in kinds and min(kinds) >= 0]
    if absent:
        message = mark("life: expected Titans that are named in `titans`, got {got}")
        raise ValueError(_(message, got=", ".join(absent)))
    return [whole_number("life", by_kind.get(kind, 0), int(kind in by_kind), MOST_LIVES) for kind in Titan]


def _lay_circuits(state: Any, circuit: str | Sequence[str], grand_slam: bool) -> None:
    """Lay out one circuit, or three end to end."""
    if isinstance(circuit, str):
        chosen = [circuit] * (MOST_CIRCUITS if grand_slam else 1)
        if grand_slam and circuit not in ("random", "choose") and generated("circuit", circuit) is None:
            message = mark("circuit: expected `random`, `choose`, `generated` or three for a Grand Slam, got {got}")
            raise ValueError(_(message, got=brief(circuit)))
        if circuit == "choose":
            state.before, state.circuits = 1, len(chosen)
            state.circuit[:] = [CHOSEN_CIRCUIT] * len(chosen) + [RANDOM] * (MOST_CIRCUITS - len(chosen))
            return
    elif isinstance(circuit, Sequence) and len(circuit) == MOST_CIRCUITS:
        chosen = list(circuit)
    else:
        message = mark("circuit: expected one name, or {most} for a Grand Slam, got {got}")
        raise ValueError(_(message, most=MOST_CIRCUITS, got=brief(circuit)))
    state.circuits = len(chosen)
    state.circuit[:] = RANDOM
    for board, name in enumerate(chosen):
        cells = slice(board * SPACES, (board + 1) * SPACES)
        if isinstance(name, str) and "\n" in name:
            state.circuit[board] = OWN_TERRAIN
            state.terrain[cells] = parse_circuit(name, _("circuit {n}", n=board + 1))
        elif (levels := generated("circuit", name)) is not None:
            if len(levels) > 1:
                state.circuit[board] = GENERATED_TERRAIN
                state.levels[board] = levels.start, len(levels)
            else:
                state.circuit[board] = OWN_TERRAIN
                generate_circuit(state.terrain[cells], levels.start)
        elif name != "random":
            known = [*CIRCUIT_NAMES, "random", "generated", *["choose"] * isinstance(circuit, str)]
            lay_circuit(state, board, one_of("circuit", name, known))


@rule
def draw_titans(race: Race) -> None:
    """Titans that nobody chose are drawn, each kind at most once."""
    state = race.state
    for who in range(state.titans_in_race):
        titan = state.titans[who]
        if titan.kind == RANDOM:
            titan.kind = _nth_free_kind(state, who, draw(race.luck, MOST_TITANS - who))


@rule
def _nth_free_kind(state: Any, who: int, which: int) -> int:
    """One of the kinds that no Titan before `who` is."""
    for kind in range(MOST_TITANS):
        taken = False
        for other in range(who):
            taken |= state.titans[other].kind == kind
        if not taken:
            if which == 0:
                return kind
            which -= 1
    return RANDOM


@rule
def draw_circuits(race: Race) -> None:
    """Circuits that nobody chose are drawn, each at most once."""
    state = race.state
    for board in range(state.circuits):
        if state.circuit[board] == GENERATED_TERRAIN:
            state.circuit[board] = OWN_TERRAIN
            begin = board * SPACES
            level = state.levels[board, 0] + draw(race.luck, state.levels[board, 1])
            generate_circuit(state.terrain[begin : begin + SPACES], level)
            state.levels[board, 0] = state.levels[board, 1] = 0
        if state.circuit[board] != RANDOM:
            continue
        which = draw(race.luck, len(TERRAINS) - _named_circuits(state))
        for number in range(len(TERRAINS)):
            if number in (state.circuit[0], state.circuit[1], state.circuit[2]):
                continue
            if which == 0:
                lay_circuit(state, board, number)
                break
            which -= 1


@rule
def _named_circuits(state: Any) -> int:
    """How many of the six circuits are laid out already."""
    named = 0
    for number in range(len(TERRAINS)):
        named += number in (state.circuit[0], state.circuit[1], state.circuit[2])
    return named


@rule
def set_up(state: Any, luck: Any) -> None:
    """Draw what nobody chooses, deal one card to each player, and let a die's colour name the first Titan.

    Rerolling until the die shows a colour in the race makes each Titan in it equally likely. Where something is chosen,
    the die names the first player, and the cards are dealt when all is chosen.
    """
    log = SILENCE[0]
    race = Race(state, luck, log)
    draw_titans(race)
    draw_circuits(race)
    for who in range(state.titans_in_race):
        fill_gauge(state, state.titans[who])
    if state.before:
        state.titan = owner(state, draw(luck, state.titans_in_race))
    else:
        deal_hands(race)
        begin_turn(race, draw(luck, state.titans_in_race))
    go_on(race)
