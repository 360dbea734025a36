"""Frontier: the war game in small. One attacks, the others defend; who has no men left is out.

Rules. The land is a square of sixteen fields whose edges meet; on each lies a treasure, some are hills. The attacker
has four companies, each defender two; how many men are in each is dealt by lot, and hidden until it first fights.
On its turn a seat marches one company to an empty field beside it, and takes the treasure there, or strikes an enemy
there with more or less courage, or stays. Each man rolls a die and slays one with as many of its six faces as there
is courage, one face fewer if the other stands on a hill; the struck strike back at the same time. Each man slain
brings 10,000 ducats. Who has lost the last company is out, placed behind all who live. The attacker wins when no
defender is left, the defenders who live when the attacker is out or time has run out; the last two may fall together.

What it shows of the contract: seats that leave before the end with their `place` and `out`; sides that are not alike
(`side_of`); strikes of many dice as one question (`hits`); hidden stacks; 321 actions of which few are legal; more
answers of chance in one step than usual (`luck_dtype`), some with 300 sides; amounts far beyond an int16.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from titan_env.contract import (
    HEADER,
    ActionTable,
    Field,
    Fields,
    Game,
    Metadata,
    Rules,
    Status,
    Text,
    draw,
    draw_successes,
    log_event,
    luck_dtype,
    rule,
)

WIDE = 4
FIELD_COUNT = WIDE * WIDE
WAYS = ("north", "east", "south", "west")
COURAGE = ("careful", "steady", "bold", "furious")
STAY, STRIKE = 0, 1 + FIELD_COUNT * len(WAYS)  # marches lie between them
MOST_PLAYERS = 4
MOST_MEN = 30  # in all, and so in one company
COVERED = -1  # instead of the men of a company, for who may not see them
BOUNTY = 10_000
LUCK = luck_dtype(128)


class Ask(IntEnum):
    """What the seat to act is asked."""

    NOTHING = 0
    ORDER = 1


class Event(IntEnum):
    """What can happen: who, which field or whom, how much."""

    MARCHED = 0
    PLUNDERED = 1
    STRUCK = 2
    LOST = 3
    FELL = 4


STATE = np.dtype(
    [
        *HEADER,
        ("attacker", np.int8),
        ("sides", np.int8),
        ("turns", np.int16),  # of single seats, until the defenders have held out
        ("limit", np.int16),  # decisions until the game is truncated; 0: none
        ("owner", np.int8, (FIELD_COUNT,)),  # whose company stands there: seat + 1; 0: nobody's
        ("men", np.int8, (FIELD_COUNT,)),
        ("shown", np.int8, (FIELD_COUNT,)),  # 1: it has fought, so that everybody knows its men
        ("hill", np.int8, (FIELD_COUNT,)),
        ("treasure", np.int16, (FIELD_COUNT,)),  # thousands of ducats
    ]
)
_PLACES = ("mine", "friend", "enemy", "shown", "men", "hill", "treasure")
FIELDS = Fields(
    (
        Field("land", (FIELD_COUNT, len(_PLACES)), 0, 1, "each field; men / 30, if I know them; treasure / 300"),
        Field("hidden", (MOST_PLAYERS,), 0, 1, "men in companies that are not known, / 30, the own seat first"),
        Field("ducats", (MOST_PLAYERS,), 0, 4, "ducats of each seat, / 1,000,000"),
        Field("living", (MOST_PLAYERS,), 0, 1, "seats still in the game"),
        Field("attacker", (MOST_PLAYERS,), 0, 1, "seat that attacks"),
        Field("left", (), 0, 1, "turns to come, / 120"),
    )
)
_fields = [f"{'abcd'[place % WIDE]}{place // WIDE + 1}" for place in range(FIELD_COUNT)]
_marches = [f"{place}:{way}" for place in _fields for way in WAYS]
ACTIONS = ActionTable(
    ("stay", *(f"march:{march}" for march in _marches), *(f"{how}:{march}" for march in _marches for how in COURAGE))
)


def configure(players: int = 3, turns: int = 60, limit: int = 0) -> np.recarray[Any, Any]:
    """A game before any chance."""
    for name, number, low, high in (
        ("players", players, 2, MOST_PLAYERS),
        ("turns", turns, 1, 120),
        ("limit", limit, 0, 120),
    ):
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            raise ValueError(f"expected {name} from {low} to {high}, got {number!r}")
    fresh = np.zeros(1, STATE).view(np.recarray)
    fresh["seats"], fresh["sides"], fresh["turns"], fresh["limit"] = players, 2, turns, limit
    return fresh


@rule
def set_up(state: Any, luck: Any) -> None:
    """Lots are drawn for treasures, hills, companies, who attacks, and which men go where."""
    for place in range(FIELD_COUNT):
        state.treasure[place] = draw(luck, 300) + 1
        state.hill[place] = draw(luck, 3) == 0
    state.attacker = draw(luck, state.seats)
    for seat in range(state.seats):
        is_attacker = seat == state.attacker
        companies = 4 if is_attacker else 2
        for _ in range(companies):
            free = draw(luck, FIELD_COUNT - (state.owner != 0).sum())
            place = nth(state, 0, free)
            state.owner[place], state.men[place] = seat + 1, 1
        for _ in range(8 * (state.seats - 1) if is_attacker else 8):
            state.men[nth(state, seat + 1, draw(luck, companies))] += 1
    state.seat = state.attacker
    state.ask = Ask.ORDER


@rule
def nth(state: Any, owner: int, number: int) -> int:
    """The n-th of the fields of this owner."""
    for place in range(FIELD_COUNT):
        if state.owner[place] == owner:
            if number == 0:
                return place
            number -= 1
    return -1


@rule
def beside(place: int, way: int) -> int:
    """The field on that side; the land goes round."""
    x, y = place % WIDE, place // WIDE
    if way % 2 == 0:
        return (y + (1 if way == 0 else WIDE - 1)) % WIDE * WIDE + x
    return y * WIDE + (x + (1 if way == 1 else WIDE - 1)) % WIDE


@rule
def are_enemies(state: Any, seat: int, other: int) -> bool:
    """The attacker against everybody else."""
    return (seat == state.attacker) != (other == state.attacker)


@rule
def legal(state: Any, mask: Any) -> None:
    """Stay; march own companies to empty fields; strike enemies beside them."""
    mask[:] = 0
    if state.over != Status.RUNNING:
        return
    mask[STAY] = 1
    for place in range(FIELD_COUNT):
        if state.owner[place] != state.seat + 1:
            continue
        for way in range(len(WAYS)):
            there = state.owner[beside(place, way)]
            order = place * len(WAYS) + way
            if there == 0:
                mask[1 + order] = 1
            elif are_enemies(state, state.seat, there - 1):
                mask[STRIKE + order * len(COURAGE) : STRIKE + (order + 1) * len(COURAGE)] = 1


@rule
def play(state: Any, action: int, luck: Any, log: Any) -> None:
    """Carry out one order; then the next who lives is asked, if the war goes on."""
    if action >= STRIKE:
        order = (action - STRIKE) // len(COURAGE)
        strike(state, order // len(WAYS), order % len(WAYS), (action - STRIKE) % len(COURAGE) + 1, luck, log)
    elif action > STAY:
        march(state, (action - 1) // len(WAYS), (action - 1) % len(WAYS), log)
    if not is_decided(state):
        state.seat = (state.seat + 1) % state.seats
        while state.out[state.seat]:
            state.seat = (state.seat + 1) % state.seats
        if state.limit and state.decisions >= state.limit:
            state.over = Status.TRUNCATED
            state.ask = Ask.NOTHING


@rule
def march(state: Any, start: int, way: int, log: Any) -> None:
    """A company goes on and takes what it finds."""
    to = beside(start, way)
    log_event(log, Event.MARCHED, state.seat, to, 0)
    state.owner[to], state.men[to], state.shown[to] = state.owner[start], state.men[start], state.shown[start]
    state.owner[start] = state.men[start] = state.shown[start] = 0
    if state.treasure[to]:
        found = 1000 * int(state.treasure[to])
        state.scores[state.seat] += found
        log_event(log, Event.PLUNDERED, state.seat, to, found)
        state.treasure[to] = 0


@rule
def strike(state: Any, start: int, way: int, courage: int, luck: Any, log: Any) -> None:
    """Both companies strike at the same time, with as many dice as they have men."""
    to = beside(start, way)
    log_event(log, Event.STRUCK, state.seat, to, courage)
    slain = min(draw_successes(luck, state.men[start], faces(state, courage, to), 6), state.men[to])
    lost = min(draw_successes(luck, state.men[to], faces(state, courage, start), 6), state.men[start])
    other = state.owner[to] - 1
    lose(state, to, slain, state.seat, log)
    lose(state, start, lost, other, log)
    fall(state, log)


@rule
def faces(state: Any, courage: int, place: int) -> int:
    """Faces that slay who stands there: one fewer on a hill, but one at least."""
    return max(1, courage - state.hill[place])


@rule
def lose(state: Any, place: int, men: int, by: int, log: Any) -> None:
    """Men of a company are slain, for a bounty; what is left of it is known to everybody."""
    log_event(log, Event.LOST, state.owner[place] - 1, place, men)
    state.scores[by] += BOUNTY * int(men)
    state.men[place] -= men
    state.shown[place] = state.men[place] > 0
    if state.men[place] == 0:
        state.owner[place] = 0


@rule
def fall(state: Any, log: Any) -> None:
    """Whoever has no company left is out, behind all who live; two who fall together share a place."""
    for seat in range(state.seats):
        if not state.out[seat] and nth(state, seat + 1, 0) < 0:
            state.out[seat] = 1
            log_event(log, Event.FELL, seat, 0, 0)
    for seat in range(state.seats):
        if state.out[seat] and state.place[seat] == 0:
            state.place[seat] = living(state) + 1


@rule
def living(state: Any) -> int:
    """How many still play."""
    return state.seats - state.out[: state.seats].sum()


@rule
def is_decided(state: Any) -> bool:
    """Whether one side is gone, or time has run out; all who then live have won, or the last who fell together."""
    defenders = living(state) - (state.out[state.attacker] == 0)
    held_out = defenders > 0 and state.decisions >= state.turns
    if defenders > 0 and not state.out[state.attacker] and not held_out:
        return False
    if held_out and not state.out[state.attacker]:
        state.place[state.attacker] = defenders + 1
    for seat in range(state.seats):
        if state.place[seat] == 0:
            state.place[seat] = 1
        state.won[seat] = state.place[seat] == 1
    state.over = Status.TERMINATED
    state.ask = Ask.NOTHING
    return True


@rule
def is_known(state: Any, place: int, seat: int) -> bool:
    """Whether a seat knows how many men there are: its own, and those who have fought."""
    return state.owner[place] == seat + 1 or state.shown[place] != 0


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Everything but the men of others' companies that have not fought yet; of these only how many there are."""
    vector[:] = 0
    end = FIELD_COUNT * len(_PLACES)
    for place in range(FIELD_COUNT):
        at = place * len(_PLACES)
        owner = state.owner[place] - 1
        if owner >= 0:
            friend = owner == seat or not are_enemies(state, seat, owner)
            vector[at + (0 if owner == seat else 1 if friend else 2)] = 1
            vector[at + 3] = state.shown[place]
            if is_known(state, place, seat):
                vector[at + 4] = state.men[place] / MOST_MEN
            else:
                vector[end + (owner - seat) % state.seats] += state.men[place] / MOST_MEN
        vector[at + 5] = state.hill[place]
        vector[at + 6] = state.treasure[place] / 300
    for turn in range(state.seats):
        who = (seat + turn) % state.seats
        vector[end + MOST_PLAYERS + turn] = min(state.scores[who] / 1e6, 4.0)
        vector[end + 2 * MOST_PLAYERS + turn] = state.out[who] == 0
        vector[end + 3 * MOST_PLAYERS + turn] = who == state.attacker
    vector[end + 4 * MOST_PLAYERS] = max(0, state.turns - state.decisions) / 120


@rule
def imagine(state: Any, seat: int, luck: Any) -> None:
    """The men of companies that have not fought are dealt anew, as they were at the start."""
    for owner in range(1, state.seats + 1):
        companies, men = 0, 0
        for place in range(FIELD_COUNT):
            if state.owner[place] == owner and not is_known(state, place, seat):
                companies += 1
                men += state.men[place] - 1
                state.men[place] = 1
        for _ in range(men):
            number = draw(luck, companies)
            for place in range(FIELD_COUNT):
                if state.owner[place] == owner and not is_known(state, place, seat):
                    if number == 0:
                        state.men[place] += 1
                    number -= 1


def side_of(state: Any, seat: int) -> int:
    """The attacker is one side, all others together are the other one."""
    return int(seat != state.attacker)


def describe_event(state: Any, event: Any) -> str:
    """An event in words."""
    kind, who, where, amount = (int(part) for part in event)
    sentences = {
        Event.MARCHED: "marches to {where}",
        Event.PLUNDERED: "finds {amount:,} ducats",
        Event.STRUCK: "strikes at {where}, with courage {amount}",
        Event.LOST: "loses {amount} men at {where}",
        Event.FELL: "has fallen",
    }
    return f"player_{who} {sentences[Event(kind)].format(where=_fields[where], amount=amount)}"


def position_text_for(state: Any, seat: int) -> str:
    """The position without the men that a seat does not know."""
    seen = np.array([state], STATE).view(np.recarray)[0]
    seen.men[(seen.owner != 0) & (seen.owner != seat + 1) & (seen.shown == 0)] = COVERED
    return GAME.text.position_text(seen)


def validate_position(state: Any) -> None:
    """Whether it could be played on from here."""
    seats = int(state.seats)
    if state.over or state.ask != Ask.ORDER or not 2 <= seats <= MOST_PLAYERS or state.sides != 2:
        raise ValueError(f"expected a running war of 2 to {MOST_PLAYERS}, got {state}")
    if not 0 <= state.attacker < seats or not 0 <= state.seat < seats or state.out[state.seat] or state.won.any():
        raise ValueError(f"expected an attacker, and a seat that is asked, got {state}")
    if not 0 <= state.decisions < state.turns <= 120 or not 0 <= state.limit <= 120:
        raise ValueError(f"expected time that has not run out, got {state}")
    if state.limit and state.decisions >= state.limit:
        raise ValueError(f"expected decisions below the limit, got {state}")
    living = np.isin(np.arange(len(state.out)) + 1, state.owner)
    beyond = np.arange(len(state.out)) >= seats
    if living[beyond].any() or ((state.out != 0) != ~(living | beyond)).any() or set(state.out) - {0, 1}:
        raise ValueError(f"expected exactly those to be out who have no company, got {state}")
    if ((state.place != 0) != (state.out != 0)).any() or (state.out[:seats].sum() > seats - 2):
        raise ValueError(f"expected places of those who are out, got {state}")
    if state.out[state.attacker] or set(state.place[state.out != 0]) - set(
        range(int((state.out == 0).sum()), seats + 1)
    ):
        raise ValueError(f"expected an attacker who lives, and places behind those who do, got {state}")
    if state.owner.min() < 0 or (state.men < 0).any() or ((state.men > 0) != (state.owner > 0)).any():
        raise ValueError(f"expected men in every company, and nowhere else, got {state}")
    mine = [int(state.men[state.owner == seat + 1].astype(int).sum()) for seat in range(seats)]
    if max(mine) > MOST_MEN or set(state.shown) | set(state.hill) > {0, 1} or (state.shown[state.owner == 0]).any():
        raise ValueError(f"expected at most {MOST_MEN} men of one seat, got {state}")
    if (
        not ((state.treasure >= 0) & (state.treasure <= 300)).all()
        or not 0 <= state.scores.min() <= state.scores.max() <= 10**7
    ):
        raise ValueError(f"expected treasures up to 300, and ducats, got {state}")


def exchange(state: Any, rng: np.random.Generator) -> None:
    """For the tests of what is hidden: a man changes between two companies of one seat that nobody else knows."""
    hidden = np.flatnonzero((state.owner != 0) & (state.shown == 0))
    start = rng.choice(hidden) if len(hidden) else -1
    others = hidden[(state.owner[hidden] == state.owner[start]) & (hidden != start)]
    if len(others) and state.men[start] > 1:
        state.men[start] -= 1
        state.men[rng.choice(others)] += 1


GAME = Game(
    name="frontier",
    rules=Rules(
        state=STATE,
        seats=(2, MOST_PLAYERS),
        actions=ACTIONS,
        asks=Ask,
        events=Event,
        fields=FIELDS,
        luck=LUCK,
        score_scale=1e6,
        sides="sides",
        side_of=side_of,
        setup=set_up,
        legal=legal,
        step=play,
        observe=observe,
        imagine=imagine,
        configure=configure,
        options={
            "players": "how many play",
            "turns": "until the defenders have held out",
            "limit": "truncates; 0: none",
        },
        presets={"three": {}, "duel": {"players": 2}, "cut": {"players": 4, "limit": 40}},
    ),
    text=Text(
        describe_event=describe_event,
        position_text_for=position_text_for,
        validate_position=validate_position,
    ),
    metadata=Metadata(
        title="Frontier",
        version=0,
    ),
)
