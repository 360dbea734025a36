"""Checks of whole games: chosen by Hypothesis decision by decision, then many at once to their end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from titan_env.contract import NO_ACTION, Game, Status, outcomes, scattered, seeded
from titan_env.engine.batch import Batch
from titan_env.engine.macro_view import MacroView
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.parts import Decision
from titan_env.extras import extra
from titan_env.testing.errors import BadGame, doing, require
from titan_env.testing.header_checks import check_payoffs, check_standing
from titan_env.testing.rule_checks import CheckedRules, CheckedStep
from titan_env.testing.text_checks import (
    OUTLETS,
    check_decision,
    check_events,
    check_parts,
    check_picture,
    check_position,
    check_private,
)

_MANY = 32  # games at once
_STRIDE = 100  # decisions between two checks
_MOST = 100_000  # decisions of a game
_TOLD = 12  # decisions that a sentence lists


def check_play(game: Game, options: Mapping[str, Any], games: int, decisions: int) -> None:
    """Check games decision by decision. Raises BadGame for the shortest one that shows a mistake.

    Raises MissingExtra without Hypothesis.
    """
    with extra("testing"):
        from hypothesis import HealthCheck, Phase, given, settings
        from hypothesis import strategies as st
    rules = CheckedRules(game)

    @settings(
        max_examples=games,
        deadline=None,
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(seed=st.integers(0, 2**63 - 1), choices=st.lists(st.integers(0, 99), max_size=decisions))
    def play(seed: int, choices: list[int]) -> None:
        _play(rules, options, seed, choices, decisions)

    play()


def _play(rules: CheckedRules, options: Mapping[str, Any], seed: int, choices: Sequence[int], decisions: int) -> None:
    """Play and check one game: with these choices among the legal actions, then random ones."""
    game, taken = rules.game, list[str]()
    chooser = np.random.default_rng(seed)
    try:
        played = rules.run("setup", game.rules.configure(**options), seeded([seed], game.rules.luck))
        before = None
        for number in range(decisions + 1):
            actions = _look(rules, played, number, before)
            if not len(actions) or number == decisions:
                break
            choice = choices[number] if number < len(choices) else int(chooser.integers(2**31))
            action = int(actions[choice % len(actions)])
            taken.append(game.rules.actions.texts[action])
            before = played.state
            played = rules.run("step", played.states, played.luck, action)
            decision = Decision(before, action, outcomes(played.luck[0])[:, 0].tolist())
            check_parts(game, decision, played.events)
        check_picture(game, played.state, int(played.state.seat), played.events, before)
    except BadGame as error:
        first = "" if len(taken) <= _TOLD else f"{len(taken) - _TOLD} decisions and "
        after = f"after {first}{', '.join(taken[-_TOLD:])}" if taken else "at the start"
        raise BadGame(f"{error} ({after}; options {dict(options)}, seed {seed})") from error.__cause__


def _look(rules: CheckedRules, played: CheckedStep, decisions: int, before: Any) -> Any:
    """Check a position with all its texts and views; return its legal actions."""
    game, state = rules.game, played.state
    check_standing(game, state, decisions, before)
    mask = rules.mask(state)
    if state.over:
        left = ", ".join(game.rules.actions.texts[action] for action in np.flatnonzero(mask))
        require(not left, "a mask of zeros at the end", left, "let legal allow nothing where state.over")
        check_payoffs(game, state)
    else:
        write = "end the game, or ask somebody else"
        require(mask.any(), "something to be legal while the game runs", "an empty mask", write)
    views = [rules.view(state, seat) for seat in range(state.seats)]
    kept = state.tobytes()
    check_decision(game, state, mask)
    check_events(game, state, played.events)
    check_position(game, state, decisions == 0)
    check_private(game, state, mask)
    require(state.tobytes() == kept, "words to leave the state as it is", "a state that they have changed")
    if game.rules.imagine is not None and not state.over:
        for seat in {int(state.seat), decisions % int(state.seats)}:
            _check_hidden(rules, played, seat, views[seat], mask)
    return np.flatnonzero(mask)


def _check_hidden(rules: CheckedRules, played: CheckedStep, seat: int, view: Any, mask: Any) -> None:
    """Check that a seat's view and legal actions are the same in a world that it imagines."""
    game, state = rules.game, played.state
    luck = scattered(np.random.default_rng(seat), 1, game.rules.luck)
    world = rules.run("imagine", played.states, luck, seat).state
    for name in ("decisions", "over", "seats", "seat", "ask", "out"):
        require(world[name].tobytes() == state[name].tobytes(), f"imagine to leave {name} as it is", world[name])
    for i in np.flatnonzero(rules.view(world, seat) != view)[:1]:
        text = "either observe tells what the seat cannot know, or imagine redraws what it knows"
        known = f"{rules.named[i]} to be the same to seat {seat} in every world that it imagines"
        require(False, known, "another one", text)
    if seat == state.seat:
        require((rules.mask(world) == mask).all(), "the same actions to be legal in every imagined world", "others")
    for name, outlet in OUTLETS.items():
        with doing(name):
            same = outlet(game, world, seat) == outlet(game, state, seat)
        require(same, f"{name} to show seat {seat} the same in every world that it imagines", "what it cannot know")


def check_candidates(game: Game, view: MacroView, batch: Batch) -> None:
    """Propose macro-actions for each row. Raises BadGame for what is no sequence of actions, or beyond its bounds."""
    with doing(f"macro-actions {view.name}"):
        candidates = view.propose(batch.observations)
        seen = view.observe(batch.observations, candidates)
    sequences, expected = candidates.sequences, (batch.num_games, view.macro.size)
    write = f"sequences of shape {expected} and one length"
    require(sequences.ndim == 3 and sequences.shape[:2] == expected, write, f"an array of shape {sequences.shape}")
    known = (sequences >= NO_ACTION) & (sequences < len(game.rules.actions))
    require(known.all(), f"sequences of action numbers and NO_ACTION in {view.name}", "other numbers")
    low, high = view.layout.bounds()
    require(((low <= seen) & (seen <= high)).all(), f"what is told of {view.name} within bounds", "numbers beyond them")


def check_ends(game: Game, options: Mapping[str, Any], seed: int) -> None:
    """Play many games to their end. Raises BadGame for one without an end, or with an invalid one."""
    batch = Batch(game, _MANY, events=True, **options)
    batch.seed(seed)
    batch.start()
    with doing("derived"):
        view = ObservationView(game, derived=[*game.rules.derived])
    low, high = view.layout.bounds()
    macros = [MacroView(game, name, ObservationView(game)) for name in game.rules.macros]
    for _ in range(_MOST // _STRIDE):
        batch.rollout(_STRIDE)
        for macro in macros:
            check_candidates(game, macro, batch)
        won_early = ~batch.over & (batch.states["won"] > batch.states["out"]).any(axis=1)
        for state in batch.states[won_early]:  # such a game may never end
            check_standing(game, state, int(state.decisions))
        with doing("derived"):
            numbers = view(batch.observations)
        seen = view.layout.split(~((low - 1e-6 <= numbers) & (numbers <= high + 1e-6)))
        outside = ", ".join(name for name, beyond in seen.items() if beyond.any())
        require(not outside, f"{outside} within bounds (options {dict(options)})", "numbers beyond them")
        if batch.over.all():
            break
    write = "let a game that goes on for ever be truncated: state.over = Status.TRUNCATED"
    ends = f"every game to end within {_MOST:,} random decisions"
    require(batch.over.all(), ends, f"one that runs on (options {dict(options)})", write)
    for row, state in enumerate(batch.states):
        try:
            check_standing(game, state, int(state.decisions))
            check_payoffs(game, state)
            require(not batch.masks[row].any(), "a mask of zeros at the end", batch.masks[row].tolist())
            outcomes(batch.luck[row])
            batch.last_events(row)
        except (BadGame, OverflowError) as error:
            ended = Status(int(state.over)).name.lower()
            raise BadGame(f"{error} ({ended}; options {dict(options)}, seed {seed + row})") from None
