"""What a seat may know, in whole numbers: listed fields, its own things first, the others in turn order.

The battle comes first, as in a battle that stands alone (bystanders see the attacker's side first), then the
masterboard. Own legions are seen as they are, others by the public record.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from titan_env.contract import MOST_SEATS, Field, Fields, rule
from titan_env.games.titan_battle.rules.observation import FIELDS as BATTLE_FIELDS
from titan_env.games.titan_battle.rules.observation import see_battle
from titan_env.games.titan_battle.rules.state import KINDS, LEGION, Character, Side
from titan_env.games.titan_war.rules.actions import STACK_PLACES
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS
from titan_env.games.titan_war.rules.legions import (
    count_free_markers,
    is_engaged,
    legion_at,
    titan_power,
    value_of_all,
)
from titan_env.games.titan_war.rules.movement import can_move
from titan_env.games.titan_war.rules.state import FACES, LANDS, LEGIONS, MARKERS, NOBODY, Ask, Phase, Stage

HEIGHT = 2 * LEGION  # characters on a land: two legions may share it
SCORE_STEP, SCORE_SCALE, POWER_SCALE = 20, 50, 20
WORTH_STEP, TURN_SCALE = 10, 50
MOST_TIMES, MOST_POWER_TIMES, MOST_MARKER_TIMES = 5, 4, LEGIONS // MARKERS
"""How many times as much as a usual number is seen before it is cut off."""
STATUS = ("own legion has moved", "own legion can move", "engagement", "asked about")
TURN = ("I am the mover", "teleported", "summoned", "engagements")
SIDES = ("mine", "theirs")
MOST_SUPPLY = 28


def _named(names: Iterable[IntEnum]) -> tuple[str, ...]:
    """Return the members of an enum as words."""
    return tuple(member.name.lower().replace("_", " ") for member in names)


_KINDS = _named(Character)
_LANDS = tuple(map(str, LAND_NUMBERS))
_SEATS = ("I", *(f"seat +{index}" for index in range(1, MOST_SEATS)))
_ROLLS = ("none", *map(str, range(1, FACES + 1)))
_STACK = tuple(f"legion {index}" for index in range(1, STACK_PLACES + 1))

FIELDS = Fields(
    (
        Field("ask", (len(Ask) - 1,), 0, 1, "pending question, one-hot", (_named(list(Ask)[1:]),)),
        *BATTLE_FIELDS.parts[1:],
        Field("land_owner", (LANDS, MOST_SEATS), 0, 1, "owner of the legions on each land", (_LANDS, _SEATS)),
        Field("land_height", (LANDS,), 0, 1, "characters there, fourteenths", (_LANDS,), HEIGHT),
        Field(
            "land_at_least",
            (LANDS, KINDS),
            0,
            1,
            "lower bound on the number of each character there",
            (_LANDS, _KINDS),
            HEIGHT,
        ),
        Field(
            "land_at_most",
            (LANDS, KINDS),
            0,
            1,
            "upper bound on the number of each character there",
            (_LANDS, _KINDS),
            HEIGHT,
        ),
        Field("land_status", (LANDS, len(STATUS)), 0, 1, "marks of a land", (_LANDS, STATUS)),
        Field("stack", (STACK_PLACES, KINDS), 0, 1, "own legions on the picked land", (_STACK, _KINDS), LEGION),
        Field("talk", (2, KINDS), 0, 2, "both legions of the engagement", (SIDES, _KINDS), LEGION),
        Field("split", (KINDS,), 0, 1, "picked so far for a legion, sevenths", (_KINDS,), LEGION),
        Field("supply", (KINDS,), 0, 1, "characters left in the supply", (_KINDS,), MOST_SUPPLY),
        Field("living", (MOST_SEATS,), 0, 1, "seats still in the game", (_SEATS,)),
        Field("had_turn", (MOST_SEATS,), 0, 1, "seats that have completed their first turn", (_SEATS,)),
        Field("score", (MOST_SEATS,), 0, MOST_TIMES, "points, thousands, in full twenties", (_SEATS,), SCORE_SCALE),
        Field("power", (MOST_SEATS,), 0, MOST_POWER_TIMES, "power of the titans, twentieths", (_SEATS,), POWER_SCALE),
        Field("markers", (MOST_SEATS,), 0, MOST_MARKER_TIMES, "free markers, twelfths", (_SEATS,), MARKERS),
        Field(
            "worth", (MOST_SEATS,), 0, MOST_TIMES, "value of legions, five hundreds, in tens", (_SEATS,), SCORE_SCALE
        ),
        Field("roll", (FACES + 1,), 0, 1, "the movement die", (_ROLLS,)),
        Field("turn", (len(TURN),), 0, 1, "the turn", (TURN,)),
        Field("mover", (MOST_SEATS,), 0, 1, "seat to move, one-hot", (_SEATS,)),
        Field("goal", (), 0, MOST_TIMES, "points that end it, thousands; 0: none", (), SCORE_SCALE),
        Field("turns_left", (), 0, MOST_TIMES, "turns of all to the end, fiftieths; 0: no last one", (), TURN_SCALE),
        Field("lean", (), 0, 1, "the lean game"),
    ),
    whole=True,
)
"""The observation of a war, in order."""

_AT = {name: span.start for name, span in FIELDS.slices.items()}
BATTLE_AT = _AT["role"]
ANGELS_WAIT = FIELDS.slices["late"].stop - 2
OWNER, HEIGHTS, AT_LEAST, AT_MOST = _AT["land_owner"], _AT["land_height"], _AT["land_at_least"], _AT["land_at_most"]
STATUS_AT, STACK_AT, TALK_AT, SPLIT_AT = _AT["land_status"], _AT["stack"], _AT["talk"], _AT["split"]
SUPPLY_AT, LIVING, HAD_TURN, SCORE, POWER_AT = (
    _AT[name] for name in ("supply", "living", "had_turn", "score", "power")
)
MARKERS_AT, WORTH, ROLL, TURN_AT, MOVER = (_AT[name] for name in ("markers", "worth", "roll", "turn", "mover"))
GOAL, TURNS_LEFT, LEAN = _AT["goal"], _AT["turns_left"], _AT["lean"]


@rule
def is_private(state: Any) -> bool:
    """Whether only the seat that is asked may know of the question: it is asked where hidden contents allow it."""
    asked = state.ask
    if asked == Ask.START or asked == Ask.SPLIT or asked == Ask.SHOW or asked == Ask.MUSTER:
        return True
    return asked == Ask.SUMMON or asked == Ask.SUMMON_KIND


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Write what a seat may know in whole numbers; `FIELDS` says what stands where, and its scale."""
    vector[:] = 0
    seat = int(seat)  # in plain Python a number of eight bits cannot be added to a place
    knows = seat == state.seat or not is_private(state)
    if state.ask != Ask.NOTHING and knows:
        vector[state.ask - 1] = 1
    if state.stage == Stage.BATTLE:
        see_fight(state, seat, vector)
    for marker in range(LEGIONS):
        if state.legions[marker].height > 0:
            see_legion(state, marker, seat, vector)
    see_lands(state, seat, knows, vector)
    if state.stage != Stage.NONE:
        see_talk(state, seat, vector)
    if seat == state.seat and not state.over:
        see_question(state, vector)
    for kind in range(KINDS):
        vector[SUPPLY_AT + kind] = state.supply[kind]
    for other in range(state.seats):
        see_player(state, other, (other - seat) % int(state.seats), vector)
    vector[ROLL + int(state.roll)] = 1
    vector[TURN_AT] = seat == state.mover
    vector[TURN_AT + 1] = state.teleported
    vector[TURN_AT + 2] = state.summoned
    vector[TURN_AT + 3] = state.phase == Phase.ENGAGEMENT
    vector[MOVER + (int(state.mover) - seat) % int(state.seats)] = 1
    see_end(state, vector)
    vector[LEAN] = state.lean


@rule
def see_end(state: Any, vector: Any) -> None:
    """What ends the war besides the last titan: a goal, in steps of 20 points rounded up, and the turns that are left.

    Both are cut off at the most that is seen.
    """
    vector[GOAL] = min(SCORE_SCALE * MOST_TIMES, (state.goal + SCORE_STEP - 1) // SCORE_STEP)
    if state.turn_limit:
        vector[TURNS_LEFT] = min(TURN_SCALE * MOST_TIMES, max(0, state.turn_limit - state.turns))


@rule
def see_fight(state: Any, seat: int, vector: Any) -> None:
    """The battle: the own side first; bystanders see the attacker's first, and not what may be summoned."""
    fights = seat == state.legions[state.defender].owner
    side = Side.DEFENDER.value if fights else Side.ATTACKER.value
    see_battle(state.battle, side, vector[BATTLE_AT:])
    if seat != state.legions[state.attacker].owner:
        vector[ANGELS_WAIT] = vector[ANGELS_WAIT + 1] = 0
        if not fights:
            vector[BATTLE_AT] = 0


@rule
def see_legion(state: Any, marker: int, seat: int, vector: Any) -> None:
    """A legion on its land: the own as it is, another by the public record."""
    legion = state.legions[marker]
    land = int(legion.land)
    own = legion.owner == seat
    vector[OWNER + MOST_SEATS * land + (int(legion.owner) - seat) % int(state.seats)] = 1
    vector[HEIGHTS + land] = min(HEIGHT, vector[HEIGHTS + land] + legion.height)
    first = KINDS * land
    for kind in range(KINDS):
        least = legion.holds[kind] if own else legion.at_least[kind]
        most = legion.holds[kind] if own else legion.at_most[kind]
        if most > 0:
            vector[AT_LEAST + first + kind] = min(HEIGHT, vector[AT_LEAST + first + kind] + least)
            vector[AT_MOST + first + kind] = min(HEIGHT, vector[AT_MOST + first + kind] + most)
    if own:
        status = STATUS_AT + len(STATUS) * land
        if legion.moved:
            vector[status] = 1
        if state.ask == Ask.MOVE and seat == state.seat and can_move(state, marker):
            vector[status + 1] = 1


@rule
def see_lands(state: Any, seat: int, knows: bool, vector: Any) -> None:
    """Engagements of the mover, and the land that is asked about."""
    for land in range(LANDS):
        if state.seats_at[land] != 0 and is_engaged(state, state.mover, land):
            vector[STATUS_AT + len(STATUS) * land + 2] = 1
    if knows and has_asked_land(state):
        vector[STATUS_AT + len(STATUS) * int(state.land) + 3] = 1


@rule
def has_asked_land(state: Any) -> bool:
    """Whether the question is about a legion on a land: who splits, who moves where, who musters."""
    asked = state.ask
    if asked == Ask.SPLIT or asked == Ask.MUSTER or asked == Ask.SHOW:
        return True
    return asked == Ask.STACK or asked == Ask.GO_LAND or asked == Ask.SIDE


@rule
def see_talk(state: Any, seat: int, vector: Any) -> None:
    """Both legions of the engagement at hand, which are public: the own one first, or else the attacker's."""
    for is_defender in range(2):
        marker = state.attacker if is_defender == 0 else state.defender
        if marker != NOBODY:
            mine = is_defender
            if state.defender != NOBODY and state.legions[state.defender].owner == seat:
                mine = 1 - is_defender
            legion = state.legions[marker]
            for kind in range(KINDS):
                vector[TALK_AT + KINDS * mine + kind] = legion.holds[kind]


@rule
def see_question(state: Any, vector: Any) -> None:
    """What was picked so far; the own legions on the picked land, and later the one that moves."""
    for kind in range(KINDS):
        vector[SPLIT_AT + kind] = state.split[kind]
    if state.ask == Ask.STACK:
        for index in range(STACK_PLACES):
            marker = legion_at(state, state.seat, state.land, index)
            if marker != NOBODY:
                see_stack(state.legions[marker], index, vector)
    elif has_asked_land(state):
        see_stack(state.legions[state.picked], 0, vector)


@rule
def see_stack(legion: Any, index: int, vector: Any) -> None:
    """One of the own legions on the picked land."""
    for kind in range(KINDS):
        vector[STACK_AT + KINDS * index + kind] = legion.holds[kind]


@rule
def see_player(state: Any, seat: int, offset: int, vector: Any) -> None:
    """What everybody knows of a player."""
    vector[HAD_TURN + offset] = state.had_turn[seat]
    vector[SCORE + offset] = min(SCORE_SCALE * MOST_TIMES, state.scores[seat] // SCORE_STEP)
    vector[MARKERS_AT + offset] = min(MARKERS * MOST_MARKER_TIMES, count_free_markers(state, seat))
    if not state.out[seat]:
        vector[LIVING + offset] = 1
        vector[POWER_AT + offset] = min(POWER_SCALE * MOST_POWER_TIMES, titan_power(state, seat))
        vector[WORTH + offset] = min(SCORE_SCALE * MOST_TIMES, value_of_all(state, seat) // WORTH_STEP)
