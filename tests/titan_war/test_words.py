"""Everything of a war has words: decisions, events, what is forbidden, what is on the table, for each audience."""

from __future__ import annotations

import numpy as np
import pytest

from tests.titan_war.random_play import moments, until
from titan_env.contract import COMPILED
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.actions import ACTIONS, PASS
from titan_env.games.titan_war.rules.definition import PRESETS
from titan_env.games.titan_war.rules.state import PRIVATE_ASKS, Ask, Event
from titan_env.games.titan_war.words.legions import ONLOOKER, content_of, seen_legions

MOST = 2000 if COMPILED else 60
TEXT = GAME.text


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS)
def test_everything_is_said_told_and_refused_in_words(preset: str) -> None:
    for moment in moments(len(preset), MOST, **PRESETS[preset]):
        state, mask = moment.state, moment.mask
        sentences = {TEXT.describe_action(state, action) for action in moment.legal}
        assert len(sentences) == mask.sum()
        assert all(sentence[0].isupper() for sentence in sentences)
        event_sentences = [TEXT.describe_event(state, event) for event in moment.events]
        assert all(sentence[0] not in " {" and "{" not in sentence for sentence in event_sentences)
        if int(state.decisions) % 7 == 0:
            for action in range(int(state.decisions) % 5, len(ACTIONS), 5):
                assert (TEXT.why_not(state, action) is None) == bool(mask[action])
            for seat in (None, *range(ONLOOKER, int(state.seats))):
                assert all(TEXT.describe_position(state, seat))


@pytest.mark.thorough
@pytest.mark.compiled
def test_every_question_and_event_is_met_and_has_words() -> None:
    asked, happened = set(), set()
    for seed in range(25):
        for moment in moments(seed, players=2 + seed % 5):
            asked.add(Ask(int(moment.state.ask)))
            happened |= {Event(int(event[0])) for event in moment.events}
            assert all(TEXT.describe_event(moment.state, event) for event in moment.events)
    assert set(Ask) - asked <= {Ask.SUMMON_KIND}
    assert set(Event) - happened <= {Event.RETURNED, Event.TIME_LOSS, Event.AGREED}


@pytest.mark.parametrize("event", Event)
def test_every_event_is_told_of_whatever_war(event: Event) -> None:
    state = until(Ask.MOVE).state
    words = TEXT.describe_event(state, np.array([event, 0, 1, 2], np.int32))
    assert words[0] not in " {"
    assert "{" not in words


def test_a_number_that_is_no_action_is_refused() -> None:
    state = next(moments()).state
    with pytest.raises(ValueError, match="expected an action from 0 to 364, got 365"):
        TEXT.why_not(state, 365)


# What others hear


def heard(moment: object, seat: int) -> set[str | None]:
    """What a seat hears of each legal decision."""
    assert TEXT.describe_action_for is not None
    return {TEXT.describe_action_for(moment.state, action, seat) for action in moment.legal}  # type: ignore[attr-defined]


def other_seat(moment: object) -> int:
    """A seat that is not asked."""
    return 1 - int(moment.state.seat)  # type: ignore[attr-defined]


def test_of_a_division_others_hear_when_it_is_done() -> None:
    begun, done = list(moments(most=2))
    assert heard(begun, other_seat(begun)) == {None}
    assert heard(done, other_seat(done)) <= {None, f"Player {int(done.state.seat) + 1} has divided the first legions"}


def test_of_a_split_others_hear_how_many_went_when_it_is_complete() -> None:
    moment = until(Ask.SPLIT)
    assert None in heard(moment, other_seat(moment))
    for moment in moments(3):
        if moment.state.ask == Ask.SPLIT and moment.state.split.sum() >= 2:
            name = f"Player {int(moment.state.seat) + 1} has split off "
            assert all(words is None or words.startswith(name) for words in heard(moment, other_seat(moment)))


def test_a_muster_that_is_declined_is_told_to_nobody() -> None:
    moment = until(Ask.MUSTER)
    assert TEXT.describe_action_for is not None
    assert TEXT.describe_action_for(moment.state, PASS, other_seat(moment)) is None
    assert TEXT.describe_action_for(moment.state, PASS, ONLOOKER) is None
    assert TEXT.describe_action_for(moment.state, PASS, int(moment.state.seat)) is not None


def test_whoever_is_not_asked_sees_no_question_in_secret() -> None:
    for moment in moments(1, players=3):
        if moment.state.ask in PRIVATE_ASKS:
            seen = GAME.rules.seen_by(moment.state, (int(moment.state.seat) + 1) % 3)
            assert seen.ask == Ask.NOTHING
            assert seen.seat == moment.state.mover
            assert not seen.split.any()
            assert GAME.rules.seen_by(moment.state, int(moment.state.seat)) is moment.state


def test_own_legions_are_told_whole_and_others_by_the_record() -> None:
    moment = until(Ask.MOVE)
    seat = int(moment.state.seat)
    for one in seen_legions(moment.state, seat):
        assert (one.unknown == 0) == (one.owner == seat)
        assert ("up to" in content_of(one)) == (one.owner != seat)


def test_in_an_open_war_everybody_is_told_everything() -> None:
    moment = until(Ask.MOVE, open=True)
    assert all(one.unknown == 0 for one in seen_legions(moment.state, ONLOOKER))


def test_the_position_as_text_keeps_what_others_hold() -> None:
    assert TEXT.position_text_for is not None
    for moment in moments(2, 60):
        if moment.state.over or moment.state.ask == Ask.START:
            continue
        text = TEXT.position_text_for(moment.state, 0)
        own, others = (
            [line for line in text.splitlines() if line.startswith("legion ") and (int(line.split()[1]) < 12) == mine]
            for mine in (True, False)
        )
        assert own
        assert others
        assert not any("hidden" in line for line in own)
        assert all(" hidden / age" in line for line in others)
        assert "decisions" not in text
