"""Records: a played game as a file that replays bit for bit, with a check that it does.

One line of JSON for the header, one for each decision, one for the result::

    {"format": 2, "game": "chess_v0", "options": {}, "agents": ["greedy"], "seed": 7, "chance": [], "hash": "...", ...}
    {"n": 1, "seat": 0, "action": "e4", "say": "pawn to e4", "chance": [], "hash": "...", "chain": "..."}
    {"result": "terminated", "won": [0], "decisions": 1, "chain": "..."}

A game that began with a position instead of a setup has its text under ``"position"``. The chance answers are part of
the record, which therefore replays without the seed; with the seed, `verify_chance` checks that they were drawn and not
chosen. Each line has a hash of the position after it, and a link of a chain: a hash of the file up to there. That finds
accidental and partial changes. A forger can forge the chain too: the players and their thoughts are claims of the file,
or of the one who signed it (`titan_env.records.signing`).

The sentences (``say``) are for readers; a replay makes them anew. An agent's thoughts may be part of its decision, as
``"value": 0.12, "chances": {"pawn to e4": 0.9}``, or in words as ``"thought": "..."`` (`titan_env.records.thoughts`).
A decision that an agent took in the place of the seat's player names it: ``"by": "greedy"``.
"""

from __future__ import annotations

import functools
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import copy_records
from titan_env.contract import Game, events_of, outcomes, preset, seeded
from titan_env.contract.frozen_record import freeze
from titan_env.contract.translation import ENGLISH, language, mark, use_language
from titan_env.engine.chance_clock import ChanceClock
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.parts import Decision, Parts, parts
from titan_env.records.record_file import BadRecord, Record, is_written_as, parse, read
from titan_env.records.recorder import answers, hash_of, result_of
from titan_env.records.seeding import MixedLuck
from titan_env.records.translation import _

__all__ = [
    "BadRecord",
    "Record",
    "ReplayStep",
    "parse",
    "parts_of",
    "positions",
    "read",
    "translate_thoughts",
    "verify_chance",
]


@dataclass(frozen=True, eq=False)
class ReplayStep:
    """A position (1,) of a replayed game, the decision that led to it, and its events int32 (n, 4)."""

    states: Any
    decision: Mapping[str, Any] | None = None
    events: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 4), np.int32))
    joined: Sequence[ReplayStep] = ()
    """The moments that it stands for, where several are told as one."""

    @property
    def state(self) -> Any:
        """The position."""
        return self.states[0]

    @property
    def read(self) -> Any:
        """The position as a `FrozenRecord`, for many accesses."""
        return _read(self)


def parts_of(game: Game, before: Any, moment: ReplayStep) -> Parts:
    """Return the parts in which the step from a position to a moment is shown; empty where it is shown at once."""
    if moment.decision is None or not len(moment.events):
        return ()
    decisions = []
    for step in moment.joined or (moment,):
        assert step.decision is not None
        action = game.rules.actions.numbers[step.decision["action"]]
        decisions.append(Decision(before, action, step.decision["chance"]))
        before = step.state
    return parts(game, decisions, moment.events)


@functools.lru_cache(1024)
def _read(moment: ReplayStep) -> Any:
    """Return a step's `FrozenRecord`; cached, since viewers ask for a step and the one before it again and again."""
    return freeze(moment.state)


def positions(record: Record, proof: bool = True) -> Iterator[ReplayStep]:
    """Replay a record: yield the position at the start, and after each decision.

    Raises BadRecord at the first decision that is illegal, asks for other chance answers, or (with `proof`) leads to
    another position than recorded. The sentence of a decision is made by the game anew.
    """
    game, header = record.game, record.header
    luck = np.zeros(1, game.rules.luck).view(np.recarray)
    log = np.zeros(1, game.rules.log).view(np.recarray)
    mask = np.zeros(len(game.rules.actions), np.int8)
    states = _beginning(game, header, luck)
    _prove(game, 1, header, states[0], luck[0], proof)
    yield ReplayStep(copy_records(states))
    for number, decision in enumerate(record.decisions, 2):
        game.rules.legal(states[0], mask)
        action = game.rules.actions.numbers.get(decision["action"], -1)
        if action < 0 or not mask[action] or decision["seat"] != states[0].seat:
            unknown, other = mark("no such action"), mark("another seat is asked")
            reason = _(unknown) if action < 0 else game.text.why_not(states[0], action) or _(other)
            raise BadRecord(number, mark("{what}: {reason}"), what=_step(decision), reason=reason)
        entry = {**decision, "say": game.text.describe_action(states[0], action)}
        _set_chance(number, luck[0], decision)
        log[0].count = 0
        game.rules.step(states[0], action, luck[0], log[0])
        _prove(game, number, decision, states[0], luck[0], proof)
        yield ReplayStep(copy_records(states), entry, events_of(log[0]))
    _prove_result(len(record.decisions) + 2, record, states[0])


def translate_thoughts(game: Game, before: Any, chances: dict[str, float]) -> dict[str, float]:
    """Translate the actions in an agent's probabilities from the record's English into the current language."""
    if language() == ENGLISH:
        return chances
    legal = np.flatnonzero(game.rules.mask(before)).tolist()
    with use_language(ENGLISH):
        numbers = {game.text.describe_action(before, number): number for number in legal}
    return {
        game.text.describe_action(before, numbers[name]) if name in numbers else name: share
        for name, share in chances.items()
    }


def verify_chance(record: Record) -> None:
    """Replay a record with chance drawn from its seed. Raises BadRecord at the first answer that differs.

    Where games have the same dice, as in tournaments, chance begins anew at each value of the game's clock: the header
    says so, in tournaments since 0.3. Where the seed is mixed with a server's bits, the result has to tell them. The
    record must have a seed, and its positions must have been checked before.
    """
    by_clock = record.header.get("by_clock") is True
    try:
        _draw_again(record, by_clock)
    except BadRecord as error:
        if by_clock:
            raise
        try:
            _draw_again(record, by_clock=True)
        except BadRecord:
            raise error from None


def _draw_again(record: Record, by_clock: bool) -> None:
    """Replay a record with chance drawn from its seed, in one stream or in one for each value of the clock."""
    game, header = record.game, record.header
    luck = seeded([header["seed"]], game.rules.luck)
    log = np.zeros(1, game.rules.log).view(np.recarray)
    streams = _mixed_streams(record)
    luck["stream"] = streams.get(0, luck["stream"])
    states = _setup_of(game, header).first_states(luck)
    if "position" not in header:
        _compare_chance(1, header, luck[0], header["seed"])
    clock = ChanceClock(game, luck)
    for number, decision in enumerate(record.decisions, 2):
        if by_clock:
            clock.start(states, luck)
        luck["stream"] = streams.get(number - 1, luck["stream"])
        log[0].count = 0
        game.rules.step(states[0], game.rules.actions.numbers[decision["action"]], luck[0], log[0])
        _compare_chance(number, decision, luck[0], header["seed"])


def _mixed_streams(record: Record) -> dict[int, np.uint64]:
    """Return the stream of chance of each decision (0: the set-up) that is drawn from the seed mixed with other bits.

    Raises BadRecord for bits that are not told, or are not those of which the record has the hash.
    """
    marks = ((n, line["mixed"]) for n, line in enumerate([record.header, *record.decisions]) if "mixed" in line)
    since, commitment = next(marks, (None, ""))
    if since is None:
        return {}
    last = len(record.decisions) + 2
    if record.result is None:
        message = mark("chance is mixed with bits of the server's, which the record tells when the game is over")
        raise BadRecord(last, message)
    secret = record.result.get("secret")
    try:
        mixed = MixedLuck(record.header["seed"], secret if isinstance(secret, str) and secret else "none")
    except ValueError:
        mixed = None
    if mixed is None or mixed.commitment != commitment:
        message = mark("expected the bits that chance is mixed with, whose hash is {hash}, got {got}")
        raise BadRecord(last, message, hash=reprlib.repr(commitment), got=reprlib.repr(secret))
    return {n: mixed.stream(n) for n in range(since, len(record.decisions) + 1)}


def _compare_chance(number: int, line: Mapping[str, Any], luck: Any, seed: int) -> None:
    """Raise BadRecord unless the chance answers of a line are those drawn."""
    if (drawn := answers(luck)) != line["chance"]:
        got, expected = reprlib.repr(line["chance"]), reprlib.repr(drawn)
        message = mark("chance answered {got}, and answers {expected} with the seed {seed}")
        raise BadRecord(number, message, got=got, expected=expected, seed=seed)


def _beginning(game: Game, header: Mapping[str, Any], luck: Any) -> Any:
    """Return the first position (1,): set up with the recorded chance answers, or the one in the header."""
    setup = _setup_of(game, header)
    if setup.position is None:
        _set_chance(1, luck[0], header)
    return setup.first_states(luck)


def _setup_of(game: Game, header: Mapping[str, Any]) -> GameSetup:
    """Return the game with the header's options, or in its position. Raises BadRecord if that is invalid."""
    begun, options = "position" in header, header["options"]
    try:
        setup = GameSetup.at(game, header["position"], options) if begun else GameSetup.of_keywords(game, options)
    except (TypeError, ValueError) as error:
        bad_position, bad_options = (
            mark("expected a position of {title}: {error}"),
            mark("expected options of {title}: {error}"),
        )
        raise BadRecord(1, bad_position if begun else bad_options, title=game.metadata.title, error=error) from None
    if len(header["agents"]) > setup.seats:
        message = mark("expected up to {most} agents, got {got}")
        raise BadRecord(1, message, most=setup.seats, got=len(header["agents"]))
    return setup


def _set_chance(number: int, luck: Any, line: Mapping[str, Any]) -> None:
    """Preset the chance answers of a line. Raises BadRecord for too many."""
    try:
        preset(luck, line["chance"])
    except ValueError as error:
        raise BadRecord(number, str(error)) from None


def _prove(game: Game, number: int, line: Mapping[str, Any], state: Any, luck: Any, proof: bool) -> None:
    """Raise BadRecord unless a step asked for the recorded chance answers and (with `proof`) led to that position."""
    what = _step(line)
    if int(luck.asked) != len(line["chance"]):
        message = mark("{what}: chance was asked {asked} times, the record has {got}")
        raise BadRecord(number, message, what=what, asked=int(luck.asked), got=len(line["chance"]))
    for answer, sides in zip(line["chance"], outcomes(luck)[:, 1].tolist(), strict=True):
        if answer >= abs(sides):
            message = mark("{what}: chance answered {got}, expected 0 to {most}")
            raise BadRecord(number, message, what=what, got=answer, most=abs(sides) - 1)
    if proof and hash_of(game, state) != line["hash"]:
        message = mark("{what}: leads to {got}, to {expected} when it was played")
        raise BadRecord(number, message, what=what, got=hash_of(game, state), expected=line["hash"])


def _step(line: Mapping[str, Any]) -> str:
    """Return the name of a line in errors."""
    return _("decision {n}, {action}", n=line["n"], action=line["action"]) if "n" in line else _("the start")


def _prove_result(number: int, record: Record, state: Any) -> None:
    """Raise BadRecord unless the result is that of the last position."""
    if record.result is not None:
        result = result_of(record.game, state)
        if not all(is_written_as(record.result.get(name), value) for name, value in result.items()):
            message = mark("expected the result {expected}, got {got}")
            raise BadRecord(number, message, expected=result, got=dict(record.result))
