"""Checks of a game's rules, each played as plain Python and then compiled, with watched memory around its arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import SILENT, Game, events_of, interpreted, outcomes, preset
from titan_env.engine.parts import Decision, snapshots
from titan_env.testing.compile_errors import compiling
from titan_env.testing.errors import BadGame, doing, require

_ROOM = 64  # numbers on either side of a vector
_WATCHED = 85  # the value of watched memory, as number and as byte
_CHANCE = "draw chance with draw(luck, sides), not with random or np.random"
_CHANGES = f"{_CHANCE}, and keep what changes in the state"
_STALE = 2  # answers and events left by a step before


@dataclass(frozen=True)
class CheckedStep:
    """A position (1,), with the luck and the log (1,) of the step that led there."""

    states: Any
    luck: Any
    log: Any

    @property
    def state(self) -> Any:
        """The position."""
        return self.states[0]

    @property
    def events(self) -> NDArray[np.int32]:
        """The events, int32 (n, 4)."""
        return events_of(self.log[0])


class CheckedRules:
    """The rules of one game; each call raises `BadGame` for a violation of the contract."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._compiled: dict[str, Any] = {**game.rules.functions, "imagine": game.rules.imagine}
        self._plain = {name: interpreted(rule) for name, rule in self._compiled.items() if rule is not None}
        self._low, self._high = game.rules.fields.bounds(whole=game.rules.fields.whole)
        self.named = [
            name for name, columns in game.rules.fields.slices.items() for _ in range(columns.start, columns.stop)
        ]

    def run(self, name: str, states: Any, luck: Any, *number: int) -> CheckedStep:
        """Play `setup`, a `step` with its action, or `imagine` for a seat, on copies; check and return the result."""
        game, beyond = self.game, "look at the index, or give the array more room"
        fresh = _cleared(luck)
        with doing(name, beyond):
            played = self._play(self._plain[name], states, fresh, 0, number)
            stale = self._play(self._plain[name], states, _used(luck), _STALE, number)
        _check_chance(name, played)
        begun = all(played.luck[0][part] == stale.luck[0][part] for part in ("asked", "odds"))
        listed, write = "answers that were still listed", "leave luck.asked and luck.odds alone"
        require(begun, f"{name} to forget what chance answered before", listed, write)
        if name == "step":
            emptied = played.log[0].count == stale.log[0].count
            write = "leave log.count to note"
            require(emptied, "step to empty the log", "events of the step before", write)
        _same(f"{name} to do the same where luck is the same", played, stale, _CHANCE)
        with compiling(name):
            compiled = self._play(self._compiled[name], states, fresh, 0, number)
        _same(f"compiled {name} to do what it does as plain Python", played, compiled, _CHANGES)
        if name == "step":
            silent = self._play(self._compiled[name], states, fresh, SILENT, number)
            count, write = int(silent.log[0].count), "leave log.count to note"
            require(count == SILENT, "step to leave a log alone to which nobody listens", f"count {count}", write)
            _same("step to play the same whether anybody listens", compiled, silent, _CHANCE)
        answered = _cleared(luck)
        answered["stream"] += np.uint64(1)
        preset(answered[0], outcomes(played.luck[0])[:, 0].tolist())
        again = self._play(self._compiled[name], states, answered, 0, number)
        text = f"{name} to do the same where chance answers the same: all chance comes from luck"
        _same(text, compiled, again, _CHANCE)
        if name == "step":
            self._check_snapshots(states, number[0], compiled)
        return CheckedStep(compiled.states.astype(game.rules.state).view(np.recarray), compiled.luck, compiled.log)

    def _check_snapshots(self, states: Any, action: int, played: CheckedStep) -> None:
        """A step of which copies are kept at its events leads where it led, and each event has its copy."""
        with doing("step with a log that keeps copies of the state"):
            after, kept = snapshots(self.game, Decision(states[0], action, outcomes(played.luck[0])[:, 0].tolist()))
        text = "step to play the same whether copies of the state are kept or not"
        _same(text, played, CheckedStep(after, played.luck, played.log), _CHANGES)
        got = f"{len(kept)} for {len(played.events)}"
        require(
            len(kept) == len(played.events), "a copy of the state for each event", got, "leave log.count to log_event"
        )

    def _play(self, rule: Any, states: Any, luck: Any, count: int, number: tuple[int, ...]) -> CheckedStep:
        """Play a rule on copies of its records, each between two watched ones."""
        log = np.zeros(1, self.game.rules.log)
        log["count"] = count
        copies = [_amid(records) for records in (states, luck, log)]
        state, chance, listener = (copy[1] for copy in copies)
        rule(state, *number, chance, listener) if self._is_step(rule) else rule(state, *number, chance)
        for copy in copies:
            kept = all(set(copy[end].tobytes()) <= {_WATCHED} for end in (0, 2))
            require(kept, "rules to stay within their records", "a write beyond one of them", "look at the indices")
        return CheckedStep(*(copy[1:2] for copy in copies))

    def _is_step(self, rule: Any) -> bool:
        return rule in (self._compiled["step"], self._plain["step"])

    def mask(self, state: Any) -> NDArray[np.int8]:
        """Return the mask of `legal`, int8 (A,), after checks."""
        texts = self.game.rules.actions.texts
        mask = self._write("legal", state, (), len(texts), np.dtype(np.int8), texts, "as many as `actions` has texts")
        require(set(mask.tolist()) <= {0, 1}, "legal to write 0 and 1", sorted(set(mask.tolist())))
        return mask

    def view(self, state: Any, seat: int) -> NDArray[Any]:
        """Return the observation of a seat, (F,), after checks of its bounds."""
        fields, named = self.game.rules.fields, self.named
        write = f"{fields.size} numbers, or declare a field for more"
        seen = self._write("observe", state, (seat,), fields.size, np.dtype(np.float32), named, write)
        for i in np.flatnonzero(~((self._low - 1e-6 <= seen) & (seen <= self._high + 1e-6)))[:1]:
            bounds = f"{named[i]} from {self._low[i]:g} to {self._high[i]:g}"
            require(False, bounds, f"{seen[i]:g}", f"declare other bounds of Field({named[i]!r}), or clip it")
        if fields.whole:
            for i in np.flatnonzero(seen % 1)[:1]:
                write = "write the number and declare Field(..., scale=...)"
                require(False, f"{named[i]} in whole numbers", f"{seen[i]:g}", write)
            numbers = self._write("observe", state, (seat,), fields.size, fields.dtype, named, write)
            equal = f"observe to write the same as {fields.dtype} and as float32"
            require((numbers == seen).all(), equal, numbers.tolist())
        return seen

    def _write(self, name: str, state: Any, seat: tuple[int, ...], size: int, kind: Any, named: Any, write: str) -> Any:
        """Return the vector that a rule writes, after checks that it writes all of it and nothing else."""
        before, vectors = state.tobytes(), []
        for rule, fill, door in (
            (self._plain[name], 0, doing(name, f"write {write}")),
            (self._compiled[name], 0, compiling(name)),
            (self._compiled[name], 1, compiling(name)),
        ):
            buffer = np.full(size + 2 * _ROOM, _WATCHED, kind)
            vector = buffer[_ROOM : _ROOM + size]
            vector[:] = fill
            with door:
                rule(state, *seat, vector)
            buffer[_ROOM : _ROOM + size], vector = _WATCHED, vector.copy()
            require((buffer == _WATCHED).all(), f"{name} to write {write}", "a write beyond its end")
            vectors.append(vector)
        plain, compiled, other = vectors
        require(state.tobytes() == before, f"{name} to leave the state as it is", "a state that it has changed")
        for i in np.flatnonzero(compiled != other)[:1]:
            write = "begin with vector[:] = 0 or mask[:] = 0"
            require(False, f"{name} to write every number", f"{named[i]} left as it was", write)
        for i in np.flatnonzero(~np.isclose(plain, compiled, rtol=1e-5, atol=1e-6))[:1]:
            got = f"{compiled[i]}, not {plain[i]}, in {named[i]}"
            require(False, f"compiled {name} to write what it does as plain Python", got)
        return compiled


def _cleared(luck: Any) -> Any:
    """Return a copy of a luck at the same place of its stream, without answers."""
    cleared = luck.copy()
    cleared["asked"] = cleared["given"] = 0
    cleared["odds"] = 1.0
    return cleared


def _used(luck: Any) -> Any:
    """Return a copy of a luck as a step before may leave it."""
    used = luck.copy()
    used["asked"], used["given"], used["odds"] = min(_STALE, len(luck[0].answers)), 0, 0.5
    return used


def _amid(records: Any) -> Any:
    """Return a copy of a record (1,) between two watched ones: (3,)."""
    whole = np.full(3 * records.dtype.itemsize, _WATCHED, np.uint8).view(records.dtype).view(np.recarray)
    whole[1] = records[0]
    return whole


def _check_chance(name: str, played: CheckedStep) -> None:
    """Check that the answers and events fit in their records, and the answers in their range."""
    try:
        answers, _ = outcomes(played.luck[0]), played.events
    except OverflowError as error:
        raise BadGame(f"{name}: {error}") from None
    for answer, sides in answers.tolist():
        require(
            0 <= answer < abs(sides), f"{name} to ask chance for one of 1 to 32,767 answers", f"{answer} of {sides}"
        )


def _same(expected: str, one: CheckedStep, other: CheckedStep, write: str = "") -> None:
    """Check that two plays have equal positions and numbers of answers; `write` is the remedy."""
    for name in one.states.dtype.names:
        mine, its = one.states[name], other.states[name]
        same = np.allclose(mine, its, equal_nan=True) if mine.dtype.kind == "f" else mine.tobytes() == its.tobytes()
        require(same, expected, f"{its[0]}, not {mine[0]}, in {name}" if not same else "", write)
    asked, again = int(one.luck[0].asked), int(other.luck[0].asked)
    require(asked == again, expected, f"{again} questions to chance, not {asked}")
