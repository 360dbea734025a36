"""Mistakes that people make in games of their own, planted in Pig one by one: each is found and told in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from tests.games import game_with, pig
from tests.games.pig import FIELDS, GAME, ROLL
from titan_env.contract import (
    Candidates,
    DerivedFields,
    Field,
    Fields,
    Game,
    MacroActions,
    Status,
    begin,
    draw,
    log_event,
    rule,
)
from titan_env.contract.presentation_values import GlossaryEntry, OptionPrompt, Preset, SetupFormData
from titan_env.contract.shapes import Circle, Label, Shape
from titan_env.engine.batch import Batch
from titan_env.testing import BadGame, check_game

Change = Callable[..., None]


def setting_up(function: Change) -> Game:
    """Pig with another `setup`."""
    return game_with(GAME, setup=function)


def stepping(function: Change) -> Game:
    """Pig with another `step`."""
    return game_with(GAME, step=function)


def allowing(function: Change) -> Game:
    """Pig with another `legal`."""
    return game_with(GAME, legal=function)


def seeing(function: Change, **changed: Any) -> Game:
    """Pig with another `observe`."""
    return game_with(GAME, observe=function, **changed)


# Steps

POINTS = np.array([1])


def breaks_the_silence(state: Any, action: int, luck: Any, log: Any) -> None:
    log.count = 0
    pig.play(state, action, luck, log)


def counts_nothing(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.decisions -= 1


def asks_nothing(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.ask = 0


def asks_seat_7(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.seat = 7


def writes_points_of_seat_7(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.points[state.seat + 7] = 1


def leaves_its_type(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.heap = state.seats * np.int8(100) > 0


def asks_too_much_of_chance(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    for _ in range(65):
        draw(luck, 2)


def asks_for_too_many_sides(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    draw(luck, 100_000)


def notes_too_much(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    for _ in range(100):
        log_event(log, 0, 0, 0, 0)


def notes_what_is_no_event(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    log_event(log, 9, 0, 0, 0)


def reads_a_table_that_was_changed(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.points[0] = POINTS[0]


def lets_a_guest_win(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.won[5] = 1


def lets_somebody_win_at_once(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.won[0] = 1


def places_nobody_second(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    if state.over:
        for seat in range(state.seats):
            state.place[seat] = 1 if state.won[seat] else 3


def places_winners_last(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    if state.over:
        for seat in range(state.seats):
            state.place[seat] = state.seats if state.won[seat] else 1


def scores_for_a_guest(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.scores[5] = 3


def asks_a_seat_that_is_out(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.out[state.seat] = 1


def lets_who_is_out_come_back(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    for seat in range(state.seats):
        state.out[seat] = seat != state.seat


def ends_with_nobody_left_and_no_winner(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.over = Status.TERMINATED
    state.ask = 0
    for seat in range(state.seats):
        state.won[seat] = 0
        state.out[seat] = 1


def never_ends(state: Any, action: int, luck: Any, log: Any) -> None:
    pig.play(state, action, luck, log)
    state.points[:] = 0
    state.heap = min(3, state.heap)


STEPS = [
    (breaks_the_silence, "a log alone to which nobody listens.*leave log.count to note"),
    (counts_nothing, "expected decisions=1, got 0; leave it alone: what plays a step counts it"),
    (asks_nothing, r"expected ask to say what is asked, one of \[1\], got 0"),
    (asks_seat_7, "expected seat to be one of 0 to"),
    (writes_points_of_seat_7, r"step to stay within its arrays.*index 7 is out of bounds.*state\.points"),
    (leaves_its_type, "within its types.*overflow.*widen with int"),
    (asks_too_much_of_chance, "at most 64 answers of chance in one step, of at most 32,767 sides"),
    (asks_for_too_many_sides, "one of 1 to 32,767 answers|fit where they go"),
    (notes_too_much, "at most 96 events in one step; declare log=log_dtype"),
    (notes_what_is_no_event, r"with a kind of events \(\[0, 1, 2\]\), got 9"),
    (lets_a_guest_win, "won of the seats at the table only"),
    (lets_somebody_win_at_once, "won where the game has terminated or the seat is out"),
    (places_nobody_second, "places of all, equals sharing the better one|places from 1 to"),
    (places_winners_last, "winners to be placed before all others"),
    (scores_for_a_guest, "scores of the seats at the table only"),
    (asks_a_seat_that_is_out, "a seat that is in to be asked"),
    (lets_who_is_out_come_back, "which is out, to be final"),
    (ends_with_nobody_left_and_no_winner, "payoffs by win that sum to 0.*somebody must win"),
    (never_ends, "every game to end within .* truncated"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(("step", "message"), STEPS, ids=[step.__name__ for step, _ in STEPS])
def test_mistakes_of_steps_are_told(step: Change, message: str) -> None:
    with pytest.raises(BadGame, match=f"^Pig: .*{message}"):
        check_game(stepping(step), {"goal": 8} if step is not lets_somebody_win_at_once else {})


@pytest.mark.thorough
def test_a_table_that_is_changed_after_rules_were_compiled_is_told() -> None:
    POINTS[0] = 1
    batch = Batch(stepping(reads_a_table_that_was_changed), 1, goal=8)
    batch.start()
    batch.step(batch.sample())
    POINTS[0] = 2
    message = "^Pig: .*compiled step to do what it does as plain Python, got .* in points"
    with pytest.raises(BadGame, match=message):
        check_game(batch.game, {"goal": 8})


# Other rules


def asks_nothing_at_first(state: Any, luck: Any) -> None:
    pig.set_up(state, luck)
    state.ask = 0


def counts_the_setup(state: Any, luck: Any) -> None:
    pig.set_up(state, luck)
    state.decisions = 1


def allows_too_many(state: Any, mask: Any) -> None:
    pig.legal(state, mask)
    mask[len(mask)] = 1


def allows_far_too_many(state: Any, mask: Any) -> None:
    pig.legal(state, mask)
    mask[100_000_000] = 1


def says_2(state: Any, mask: Any) -> None:
    pig.legal(state, mask)
    mask[ROLL] *= 2


def forgets_hold(state: Any, mask: Any) -> None:
    mask[ROLL] = state.over == 0


def allows_nothing_on_a_heap(state: Any, mask: Any) -> None:
    pig.legal(state, mask)
    if state.heap > 3:
        mask[:] = 0


def allows_the_dead(state: Any, mask: Any) -> None:
    pig.legal(state, mask)
    mask[ROLL] = 1


def changes_the_state(state: Any, mask: Any) -> None:
    pig.legal(state, mask)
    state.heap = 0
    state.goal += 1


def sees_past_its_end(state: Any, seat: int, vector: Any) -> None:
    pig.observe(state, seat, vector)
    vector[len(vector)] = 1


def forgets_a_number(state: Any, seat: int, vector: Any) -> None:
    kept = vector[1]
    pig.observe(state, seat, vector)
    vector[1] = kept


def sees_too_much(state: Any, seat: int, vector: Any) -> None:
    pig.observe(state, seat, vector)
    vector[0] = state.heap


RULES = [
    (setting_up, asks_nothing_at_first, "ask to say what is asked"),
    (setting_up, counts_the_setup, "expected decisions=0, got 1; leave it alone"),
    (allowing, allows_too_many, "legal to stay within its arrays.*as many as `actions` has texts"),
    (allowing, allows_far_too_many, "legal to stay within its arrays"),
    (allowing, says_2, r"legal to write 0 and 1, got \[0, 2\]"),
    (allowing, forgets_hold, r"legal to write every number, got hold left as it was"),
    (allowing, allows_nothing_on_a_heap, "something to be legal while the game runs"),
    (allowing, allows_the_dead, "a mask of zeros at the end, got roll"),
    (allowing, changes_the_state, "legal to leave the state as it is"),
    (seeing, sees_past_its_end, "observe to stay within its arrays.*write 14 numbers, or declare a field"),
    (seeing, forgets_a_number, "observe to write every number, got goal left as it was"),
    (seeing, sees_too_much, "heap from 0 to 1, got .*; declare other bounds of Field"),
]


@pytest.mark.parametrize(("planted", "function", "message"), RULES, ids=[function.__name__ for _, function, _ in RULES])
def test_mistakes_of_other_rules_are_told(planted: Callable[..., Game], function: Change, message: str) -> None:
    with pytest.raises(BadGame, match=f"^Pig: .*{message}"):
        check_game(planted(function), {"goal": 8})


WHOLE = Fields(tuple(replace(part, low=0, high=100, scale=1) for part in FIELDS.parts), whole=True)


def sees_fractions(state: Any, seat: int, vector: Any) -> None:
    vector[:] = 0
    vector[0] = state.heap / 4


def sees_300(state: Any, seat: int, vector: Any) -> None:
    vector[:] = 0
    vector[0] = 300


@pytest.mark.parametrize(
    ("function", "message"), [(sees_fractions, "in whole numbers"), (sees_300, "from 0 to 100, got 300")]
)
def test_whole_numbers_are_whole_and_fit(function: Change, message: str) -> None:
    with pytest.raises(BadGame, match=f"heap {message}"):
        check_game(seeing(function, fields=WHOLE))


# Further fields and macro-actions for learners

BONUS = (Field("bonus", (), 0, 1, "a number beside the observation"),)


def deriving(value: float) -> Game:
    """Pig with a derived field of this value."""
    return game_with(
        GAME, derived={"more": DerivedFields(BONUS, lambda seen: np.full((len(seen["heap"]), 1), value), "")}
    )


def proposing(sequence: list[int], value: float, candidates: int = 1) -> Game:
    """Pig with one macro-action, and the field beside it."""

    def propose(seen: Any) -> Candidates:
        rows = len(seen["heap"])
        return Candidates(np.tile(np.array(sequence, np.int16), (rows, candidates, 1)), np.full((rows, 1), value))

    return game_with(GAME, macros={"turns": MacroActions(size=1, parts=BONUS, propose=propose, meaning="a turn")})


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("planted", "message"),
    [
        (deriving(2), "bonus within bounds"),
        (proposing([ROLL], 2), "what is told of turns within bounds"),
        (proposing([ROLL, 9], 0), "sequences of action numbers and NO_ACTION in turns"),
        (proposing([ROLL], 0, candidates=2), r"sequences of shape \(\d+, 1\) and one length, got an array of shape"),
    ],
    ids=["derived", "told", "actions", "size"],
)
def test_mistakes_of_what_learners_are_offered_are_told(planted: Game, message: str) -> None:
    check_game(deriving(1))
    check_game(proposing([ROLL, ROLL], 1))
    with pytest.raises(BadGame, match=message):
        check_game(planted)


# Hidden things


@rule
def other_points(state: Any, seat: int, luck: Any) -> None:
    """What the others have is not known, in a game whose `observe` tells it."""
    begin(luck)
    for other in range(state.seats):
        if other != seat:
            state.points[other] = draw(luck, state.goal)


def sees_the_own(state: Any, seat: int, vector: Any) -> None:
    pig.observe(state, seat, vector)
    for place in range(1, 6):
        vector[2 + place] = 0


def show_own(state: Any, seat: int) -> str:
    return f"points: {state.points[seat]}"


def describe_next(state: Any, seat: int | None = None) -> list[str]:
    return [show_next(state, seat or 0)]


def draw_next(state: Any, seat: int | None = None) -> list[Shape]:
    return [Label(0, 0, show_next(state, seat or 0), "ink", 10)]


def show_next(state: Any, seat: int) -> str:
    return f"points: {state.points[(seat + 1) % state.seats]}"


PLAIN: dict[str, Any] = {"describe_position": None, "picture": None}
"""Words and picture as a game has them that leaves them out."""


@pytest.mark.thorough
def test_hidden_things_stay_hidden() -> None:
    imagine = other_points
    with pytest.raises(BadGame, match=r"points to be the same to seat . in every world that it imagines"):
        check_game(game_with(GAME, imagine=imagine), {})
    hidden = game_with(seeing(sees_the_own, imagine=imagine), position_text_for=show_own, **PLAIN)
    check_game(hidden, {}, games=2)
    others: dict[str, Any] = {"position_text_for": show_next, "describe_position": describe_next, "picture": draw_next}
    for name, part in others.items():
        with pytest.raises(BadGame, match=rf"{name} to show seat . the same"):
            check_game(game_with(hidden, **{name: part}), {})


def private(**parts: Any) -> Game:
    """A game whose second seat is asked in private whether it rolls on, once the heap is above 3."""
    return game_with(GAME, describe_action_for=says_no_hold, public_view=as_of_the_first, **PLAIN, **parts)


def says_no_hold(state: Any, action: int, seat: int) -> str | None:
    silent = seat != state.seat and is_private(state) and GAME.rules.actions.texts[action] == "hold"
    return None if silent else GAME.text.describe_action(state, action)


def is_private(state: Any) -> bool:
    return bool(state.seat == 1 and state.heap > 3)


def as_of_the_first(state: Any) -> Any:
    if not is_private(state) or not state.ask:
        return None
    seen = np.array([state], GAME.rules.state).view(np.recarray)[0]
    seen.seat = seen.ask = seen.heap = 0
    return seen


def as_it_is(state: Any) -> Any:
    return state if is_private(state) else None


def with_its_question(state: Any) -> Any:
    seen = as_of_the_first(state)
    if seen is not None:
        seen.ask = state.ask
    return seen


def says_all(state: Any, action: int, seat: int) -> str:
    return GAME.text.describe_action(state, action)


def tells_nothing(state: Any, event: Any, seat: int) -> str | None:
    return None


def test_what_is_asked_in_private_is_shown_to_nobody_else() -> None:
    check_game(private(position_text_for=lambda state, seat: GAME.text.position_text(state)), {}, games=2)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"public_view": as_it_is}, "public_view to return a copy of the position"),
        ({"public_view": with_its_question}, "public_view to set ask to 0"),
        (
            {"describe_action_for": says_all, "describe_event_for": tells_nothing},
            "describe_action_for to say nothing of one answer to a private question",
        ),
    ]
    for parts, message in wrong:
        with pytest.raises(BadGame, match=message):
            check_game(game_with(private(), **parts), {})


# Words and names


class Beginning(IntEnum):
    WON = -1


def no_reason(state: Any, action: int) -> str | None:
    return None


def reads_no_heap(text: str) -> Any:
    back = pig.parse_position(text)
    back["heap"] = 0
    return back


def reads_anything(text: str) -> Any:
    return pig.parse_position(text) if text != "nonsense" else pig.configure()


def cannot_say(state: Any, action: int) -> str:
    return str(state["bord"])


def changes_what_it_shows(state: Any) -> str:
    text = pig.position_text(state)
    state.heap += 1
    return text


NOTED = Circle(0, 0, 1, "ink", notes=("x",))

NAMED: dict[str, tuple[dict[str, Any], str]] = {
    "a forbidden action without a reason": ({"why_not": no_reason}, "name the rule that forbids 'hold'"),
    "a reason against what is allowed": ({"why_not": lambda s, a: "Not today."}, "None for 'roll', which the mask"),
    "the same words twice": ({"describe_action": lambda s, a: "go on"}, "put each legal action into other words"),
    "no words": ({"describe_action": lambda s, a: ""}, "put every legal action into words"),
    "words that fail": (
        {"describe_action": cannot_say},
        "describe_action to raise nothing, got ValueError: no field of name bord",
    ),
    "an event that is not told": ({"describe_event": lambda s, e: None}, "describe_event to put .* into words"),
    "a position that does not read back": ({"parse_position": reads_no_heap}, "parse_position to give heap back"),
    "any text as a position": (
        {"parse_position": reads_anything},
        "raise ValueError for a damaged text, got a position",
    ),
    "a text that changes the state": (
        {"position_text": changes_what_it_shows},
        "parse_position to give heap back|leave the state",
    ),
    "a picture that fails": ({"picture": lambda state: state.bord}, "picture to raise nothing, got AttributeError"),
    "parts beyond the step": ({"part_events": lambda events: [len(events)]}, "part_events to name some of . events"),
    "a note that explains nothing": (
        {"picture": lambda state: [NOTED]},
        "notes of shapes to be in the glossary, got x",
    ),
    "a note without a sentence": (
        {"glossary": lambda: {"x": GlossaryEntry("x", "")}},
        "the note x to have a name and a sent",
    ),
    "a position without words": (
        {"describe_position": lambda state, seat: []},
        r"describe_position to tell the position in sentences",
    ),
    "a form that cannot be": (
        {"setup_form": lambda: SetupFormData((Preset("large", "", {"players": 9}),), ())},
        "configure to take what setup_form offers as 'large'",
    ),
    "a question that is none": (
        {"setup_form": lambda: SetupFormData((), (OptionPrompt("size", "Size"),))},
        "setup_form to ask for options of the game, got size",
    ),
    "a colour that is no colour": (
        {"color": ("green", "#7fd9a0")},
        "color to be # and six hex digits in the light theme, got 'green'",
    ),
    "a colour that cannot be read": (
        {"color": ("#17693a", "#17693a")},
        "a colour in the dark theme with a contrast of 4.5 to #15181c and #10202e, got #17693a",
    ),
    "too few names of seats": ({"seat_names": lambda state: ["left"]}, r"seat_names to return \d names"),
    "a panel that is not drawn": (
        {"own_panel": lambda state, seat: f"mine:{seat}"},
        "own_panel to return the key of a shape of the picture, got 'mine:",
    ),
    "a clock that is not there": ({"chance_clock": "bord"}, "chance_clock to name a field of the state .*, got 'bord'"),
    "a later field that is not there": ({"later": ("bord",)}, "later to name fields of the state .*, got 'bord'"),
    "sides that are many": ({"sides": "points"}, r"sides to name one number, got points of shape \(6,\)"),
    "a rule of no event": ({"rule_of": {7: "play"}}, "rule_of to name rules of events of the game, got 7"),
    "a rule of no question": (
        {"rule_of_question": {7: "play"}},
        "rule_of_question to name rules of questions of the game, got 7",
    ),
    "no nothing": ({"asks": Beginning}, r"asks from 0 \(nothing\)"),
    "seats for eight": ({"seats": (2, 8)}, "from 2 to 6"),
    "a preset that cannot be": ({"presets": {"large": {"players": 9}}}, "configure to take preset large"),
    "an option of a preset": ({"presets": {"large": {"size": 9}}}, "preset large to name options .*, got size"),
    "an option that is not explained": ({"options": {}}, "options to explain what configure takes"),
    "a state without header": ({"state": np.dtype([("heap", np.int8)])}, "a state that begins with decisions, scores"),
    "a rule that is not compiled": ({"setup": print}, "setup to be compiled|setup"),
    "a folder without rules": ({"folder": "/nowhere"}, "RULES.md in /nowhere"),
    "bad bounds": ({"fields": Fields((Field("heap", (), 1, 0, "x"),))}, "heap to go from low to high"),
    "a log of another kind": ({"log": np.dtype([("count", np.int16)])}, "the log of the game as log_dtype"),
}


@pytest.mark.parametrize("name", NAMED)
def test_mistakes_of_words_and_names_are_told(name: str) -> None:
    changed, message = NAMED[name]
    with pytest.raises(BadGame, match=message):
        check_game(game_with(GAME, **changed), None if "presets" in changed else {})


def test_a_mistake_is_told_with_the_shortest_game_that_shows_it() -> None:
    with pytest.raises(BadGame) as caught:
        check_game(allowing(forgets_hold), {})
    assert "(at the start; options {}, seed 0)" in str(caught.value)


def test_a_rule_that_names_a_field_which_is_not_there_says_so_when_it_is_compiled() -> None:
    def reads_bord(state: Any, mask: Any) -> None:
        mask[0] = state.bord

    with pytest.raises(TypeError, match=r"expected reads_bord \(test_check_game.py, line .*\).*fields.*got 'bord'"):
        Batch(allowing(reads_bord), 1).start()


@pytest.mark.thorough
def test_games_that_share_some_of_their_rules_do_not_share_what_is_compiled_of_both() -> None:
    other = stepping(counts_nothing)
    for game, counted in ((GAME, 5), (other, 0)):
        batch = Batch(game, 1, goal=100)
        batch.seed(0)
        batch.start()
        batch.rollout(5)
        assert batch.states["decisions"].tolist() == [counted]
