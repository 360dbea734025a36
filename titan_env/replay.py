"""A played game as a file: who decided what, what chance answered, and proof that it replays.

One line of JSON for the header, one for each decision, one for the result::

    {"format": 1, "game": "chess_v0", "options": {}, "agents": ["greedy"], "seed": 7, "chance": [], "hash": "..."}
    {"n": 1, "seat": 0, "action": "e4", "say": "pawn to e4", "chance": [], "hash": "..."}
    {"result": "terminated", "won": [0], "decisions": 1}

A game that began with a position instead of a setup has its text under ``"position"``. Chance is
written down as it answered, so that a record replays bit for bit without the seed; each line has a hash
of the position after it. Lines are written as they happen: a run that is killed loses at most the one
being written, and a record without a result is good up to its last whole line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.batch import configured, read_checked
from titan_env.contract import LOG, Game, Over
from titan_env.luck import LUCK, MOST_ANSWERS, preset

FORMAT = 1


class BadRecord(ValueError):
    """A record that cannot be replayed, with the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line


def hash_of(state: Any) -> str:
    """12 hex digits of a position."""
    return hashlib.sha256(state.tobytes()).hexdigest()[:12]


def _answers(luck: Any) -> list[int]:
    """What chance has answered during the latest step."""
    if luck.asked >= MOST_ANSWERS:
        raise ValueError(f"expected fewer than {MOST_ANSWERS} answers of chance in one step, to write them down")
    return [int(answer) for answer in luck.answers[: int(luck.asked)]]


class Recorder:
    """Writes one game down while it is played: into a file at once, where there is a `path`, and into `lines`.

    `state` and `luck` are those of the game, right after `game.setup`; then `decide` before each step and
    `happened` after it. `position`: the text of the position that the game began with instead of a setup.
    """

    def __init__(
        self,
        path: Path | None,
        game: Game,
        state: Any,
        luck: Any,
        *,
        options: Mapping[str, Any],
        agents: Sequence[str],
        seed: int | None = None,
        position: str | None = None,
    ) -> None:
        self._path, self._game = path, game
        self._decision: dict[str, Any] = {}
        self.lines: list[dict[str, Any]] = []
        if path is not None:
            path.write_text("")
        header = {"format": FORMAT, "game": game.id, "options": dict(options), "agents": list(agents), "seed": seed}
        begun = {} if position is None else {"position": position}
        self._write({**header, **begun, "chance": _answers(luck), "hash": hash_of(state)})

    @property
    def text(self) -> str:
        """The record so far."""
        return "".join(_as_text(line) for line in self.lines)

    def decide(self, state: Any, action: int, **more: Any) -> None:
        """A decision is about to be played; `more` is kept beside it (values, probabilities)."""
        said = {"action": self._game.actions.texts[action], "say": self._game.say(state, action)}
        self._decision = {"n": len(self.lines), "seat": int(state.seat), **said, **more}

    def happened(self, state: Any, luck: Any) -> None:
        """The decision has been played: the position and the luck after it. Also writes the result at the end."""
        decisions = len(self.lines)
        self._write({**self._decision, "chance": _answers(luck), "hash": hash_of(state)})
        if state.over != Over.RUNNING:
            won = [seat for seat in range(int(state.seats)) if state.won[seat]]
            self._write({"result": Over(int(state.over)).name.lower(), "won": won, "decisions": decisions})

    def take_back(self) -> None:
        """Strike the latest decision off, and the result with it. A file keeps what it has."""
        if "result" in self.lines[-1]:
            self.lines.pop()
        self.lines.pop()

    def _write(self, line: dict[str, Any]) -> None:
        """Write one line, at once."""
        self.lines.append(line)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(_as_text(line))


def _as_text(line: Mapping[str, Any]) -> str:
    """A line as it stands in the file."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


@dataclass(frozen=True)
class Record:
    """A record as it was read: header, decisions, and the result if the game was played to its end."""

    game: Game
    header: Mapping[str, Any]
    decisions: Sequence[Mapping[str, Any]]
    result: Mapping[str, Any] | None


@dataclass(frozen=True)
class Moment:
    """A position of a replayed game (1,), the decision that led to it, and what happened (n, 4)."""

    states: Any
    decision: Mapping[str, Any] | None = None
    events: NDArray[np.int8] = field(default_factory=lambda: np.zeros((0, 4), np.int8))

    @property
    def state(self) -> Any:
        """The position."""
        return self.states[0]


def read(source: str | Path) -> Record:
    """The record in a file. Raises BadRecord, with line and reason, where it is damaged or made by something newer.

    A last line that was cut off is dropped: every whole decision is kept.
    """
    try:
        return parse(Path(source).read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise BadRecord(1, f"expected text, got something else ({error.reason} at byte {error.start})") from None


def parse(text: str) -> Record:
    """The record in a text; see `read`."""
    whole, _, cut = text.rpartition("\n")
    lines = whole.split("\n") if whole else [cut]
    header = _header(_line(1, lines[0]))
    game = _game(header)
    decisions: list[Mapping[str, Any]] = []
    result = None
    for number, line in enumerate(lines[1:], 2):
        data = _line(number, line)
        if result is not None:
            raise BadRecord(number, "expected nothing after the result")
        if "result" in data:
            result = data
            if data.get("decisions") != len(decisions):
                raise BadRecord(
                    number, f"expected {data.get('decisions')} decisions, got {len(decisions)}: lines are gone"
                )
        else:
            decisions.append(_decision(number, data, len(decisions) + 1))
    return Record(game, header, decisions, result)


def _line(number: int, line: str) -> dict[str, Any]:
    """One line as an object."""
    try:
        data = json.loads(line)
    except ValueError as error:
        raise BadRecord(number, f"expected a line of JSON, got {line[:40]!r}: {error}") from None
    if not isinstance(data, dict):
        raise BadRecord(number, f"expected an object, got {line[:40]!r}")
    return data


def _header(data: dict[str, Any]) -> dict[str, Any]:
    """The header, if it is one that can be read here."""
    if not isinstance(data.get("format"), int):
        raise BadRecord(1, "expected the header of a record, with its format")
    if data["format"] > FORMAT:
        raise BadRecord(1, f"expected format {FORMAT} or older, got {data['format']}: made by a newer version")
    kinds = {"game": str, "options": dict, "agents": list, "chance": list, "hash": str}
    _check(1, data, kinds)
    return data


def _game(header: Mapping[str, Any]) -> Game:
    """The game of a record, in the version that it was played in."""
    name = header["game"].rpartition("_v")[0]
    try:
        game = registry.load(name)
    except ValueError as error:
        raise BadRecord(1, str(error)) from None
    if game.id != header["game"]:
        raise BadRecord(1, f"expected a record of {game.id}, got one of {header['game']}: its rules are not those here")
    return game


def _decision(number: int, data: dict[str, Any], n: int) -> dict[str, Any]:
    """One decision, if it is whole and in order."""
    _check(number, data, {"n": int, "seat": int, "action": str, "say": str, "chance": list, "hash": str})
    if data["n"] != n:
        raise BadRecord(number, f"expected decision {n}, got {data['n']}: lines are gone or out of order")
    return data


def _check(number: int, data: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
    """Whether a line has what it must have."""
    for name, kind in kinds.items():
        if not isinstance(data.get(name), kind) or isinstance(data[name], bool):
            raise BadRecord(number, f"expected {name!r} as {kind.__name__}, got {data.get(name)!r}")
    if not all(isinstance(answer, int) and 0 <= answer < 128 for answer in data["chance"]):
        raise BadRecord(number, f"expected answers of chance from 0 to 127, got {data['chance']}")
    if len(data["chance"]) >= MOST_ANSWERS:
        raise BadRecord(number, f"expected fewer than {MOST_ANSWERS} answers of chance, got {len(data['chance'])}")


def positions(record: Record, proof: bool = True) -> Iterator[Moment]:
    """Play a record again: the position at the start, and after each decision.

    Raises BadRecord at the first decision that is illegal, asks chance otherwise, or (with `proof`)
    leads to another position than it did.
    """
    game, header = record.game, record.header
    luck = np.zeros(1, LUCK).view(np.recarray)
    log = np.zeros(1, LOG).view(np.recarray)
    mask = np.zeros(len(game.actions), np.int8)
    states = _beginning(game, header, luck)
    _prove(1, header, states[0], luck[0], proof)
    yield Moment(states.copy())
    for number, decision in enumerate(record.decisions, 2):
        game.legal(states[0], mask)
        action = game.actions.numbers.get(decision["action"], -1)
        if action < 0 or not mask[action] or decision["seat"] != states[0].seat:
            reason = "no such action" if action < 0 else game.why_not(states[0], action) or "another seat is asked"
            raise BadRecord(number, f"decision {decision['n']}, {decision['action']}: {reason}")
        preset(luck[0], decision["chance"])
        log[0].count = 0
        game.step(states[0], action, luck[0], log[0])
        _prove(number, decision, states[0], luck[0], proof)
        yield Moment(states.copy(), decision, log[0].events[: log[0].count].copy())
    _prove_result(len(record.decisions) + 2, record, states[0])


def _beginning(game: Game, header: Mapping[str, Any], luck: Any) -> Any:
    """The first position (1,): set up with the options of the header, or the one that it holds."""
    begun = "position" in header
    try:
        states = read_checked(game, header["position"]) if begun else configured(game, header["options"])
    except (TypeError, ValueError) as error:
        raise BadRecord(1, f"expected {'a position' if begun else 'options'} of {game.title}: {error}") from None
    if begun:
        return states
    preset(luck[0], header["chance"])
    game.setup(states[0], luck[0])
    return states


def _prove(number: int, line: Mapping[str, Any], state: Any, luck: Any, proof: bool) -> None:
    """Whether a step went as it did when it was written down."""
    what = f"decision {line['n']}, {line['action']}" if "n" in line else "the start"
    if int(luck.asked) != len(line["chance"]):
        raise BadRecord(
            number, f"{what}: chance was asked {int(luck.asked)} times, the record has {len(line['chance'])}"
        )
    for answer, sides in zip(line["chance"], luck.sides[: luck.asked].tolist(), strict=True):
        if answer >= sides:
            raise BadRecord(number, f"{what}: chance answered {answer}, expected 0 to {sides - 1}")
    if proof and hash_of(state) != line["hash"]:
        raise BadRecord(number, f"{what}: leads to {hash_of(state)}, to {line['hash']} when it was played")


def _prove_result(number: int, record: Record, state: Any) -> None:
    """Whether the result is that of the last position."""
    if record.result is not None:
        won = [seat for seat in range(int(state.seats)) if state.won[seat]]
        over = Over(int(state.over)).name.lower()
        if (record.result["result"], record.result.get("won")) != (over, won):
            raise BadRecord(number, f"expected the result {over}, won by {won}, got {dict(record.result)}")
