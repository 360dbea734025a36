"""A played game as a file: who decided what, what chance answered, and proof that it replays.

One line of JSON for the header, one for each decision, one for the result::

    {"format": 1, "game": "chess_v0", "options": {}, "agents": ["greedy"], "seed": 7, "chance": [], "hash": "..."}
    {"n": 1, "seat": 0, "action": "e4", "say": "pawn to e4", "chance": [], "hash": "..."}
    {"result": "terminated", "won": [0], "decisions": 1}

A game that began with a position instead of a setup has its text under ``"position"``. Chance is
written down as it answered, so that a record replays bit for bit without the seed; each line has a hash
of the position after it. What is said is for those who read the file: a replay says it anew, in the game's
words. An agent's thoughts may stand beside its decision, ``"value": 0.12, "chances": {"pawn to e4": 0.9}``.
Lines are written as they happen: a run that is killed loses at most the one being written, and a record
without a result is good up to its last whole line.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
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
_MOST_TOLD = 400
"""Letters of a reason: what it quotes from a damaged file may be of any length."""


class BadRecord(ValueError):
    """A record that cannot be replayed, with the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason[:_MOST_TOLD]}")
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

    A last line that is half written is dropped: every whole decision is kept.
    """
    return _record(Path(source).read_bytes())


def parse(text: str) -> Record:
    """The record in a text; see `read`."""
    return _record(text.encode("utf-8", "surrogatepass"))


def _record(data: bytes) -> Record:
    """The record in the bytes of a file."""
    *whole, last = data.split(b"\n")
    lines = [_line(number, line) for number, line in enumerate(whole or [last], 1)]
    if whole:
        with suppress(BadRecord):  # a run that was killed has left half a line
            lines.append(_line(len(lines) + 1, last))
    header = _header(lines[0])
    game = _game(header)
    decisions: list[Mapping[str, Any]] = []
    result = None
    for number, line in enumerate(lines[1:], 2):
        if result is not None:
            raise BadRecord(number, "expected nothing after the result")
        if "result" in line:
            result = line
            if line.get("decisions") != len(decisions):
                raise BadRecord(
                    number, f"expected {line.get('decisions')} decisions, got {len(decisions)}: lines are gone"
                )
        else:
            decisions.append(_decision(number, line, len(decisions) + 1))
            _check_thoughts(number, line, len(game.actions))
    return Record(game, header, decisions, result)


def _line(number: int, line: bytes) -> dict[str, Any]:
    """One line as an object, which could be written again."""
    try:
        text = line.decode("utf-8")
        data = json.loads(text)
        _as_text(data).encode("utf-8")
    except UnicodeDecodeError as error:
        raise BadRecord(number, f"expected text, got {line[:40]!r} ({error.reason} at byte {error.start})") from None
    except (ValueError, RecursionError) as error:
        raise BadRecord(number, f"expected a line of JSON, got {text[:40]!r}: {error}") from None
    if not isinstance(data, dict):
        raise BadRecord(number, f"expected an object, got {text[:40]!r}")
    return data


def _header(data: dict[str, Any]) -> dict[str, Any]:
    """The header, if it is one that can be read here."""
    made = data.get("format")
    if not isinstance(made, int) or isinstance(made, bool) or made < 1:
        raise BadRecord(1, f"expected the header of a record, with its format from 1 to {FORMAT}, got {made!r}")
    if made > FORMAT:
        raise BadRecord(1, f"expected format {FORMAT} or older, got {made}: made by a newer version")
    _check(1, data, {"game": str, "options": dict, "agents": list, "chance": list, "hash": str})
    if not all(isinstance(agent, str) for agent in data["agents"]):
        raise BadRecord(1, f"expected the names of agents, got {data['agents']}")
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


def _check_thoughts(number: int, data: Mapping[str, Any], most: int) -> None:
    """Whether an agent's thoughts, where there are some, can be drawn: its value, and the chances of its actions."""
    value, chances = data.get("value", 0.0), data.get("chances", {})
    if not _is_finite(value):
        raise BadRecord(number, f"expected 'value' as a finite number, got {value!r}")
    if not isinstance(chances, dict) or len(chances) > most:
        raise BadRecord(number, f"expected 'chances' of up to {most} actions, got {chances!r}")
    if not all(_is_finite(chance) and 0 <= chance <= 1 for chance in chances.values()):
        raise BadRecord(number, f"expected 'chances' from 0 to 1, got {chances}")


def _is_finite(number: Any) -> bool:
    """Whether it is a number, and one that fits a float."""
    return isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= sys.float_info.max


def positions(record: Record, proof: bool = True) -> Iterator[Moment]:
    """Play a record again: the position at the start, and after each decision.

    Raises BadRecord at the first decision that is illegal, asks chance otherwise, or (with `proof`)
    leads to another position than it did. What is said of a decision is what the game says of it.
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
        told = {**decision, "say": game.say(states[0], action)}
        preset(luck[0], decision["chance"])
        log[0].count = 0
        game.step(states[0], action, luck[0], log[0])
        _prove(number, decision, states[0], luck[0], proof)
        yield Moment(states.copy(), told, log[0].events[: log[0].count].copy())
    _prove_result(len(record.decisions) + 2, record, states[0])


def _beginning(game: Game, header: Mapping[str, Any], luck: Any) -> Any:
    """The first position (1,): set up with the options of the header, or the one that it holds."""
    begun = "position" in header
    try:
        states = read_checked(game, header["position"]) if begun else configured(game, header["options"])
    except (TypeError, ValueError) as error:
        raise BadRecord(1, f"expected {'a position' if begun else 'options'} of {game.title}: {error}") from None
    if len(header["agents"]) > states[0].seats:
        raise BadRecord(1, f"expected up to {states[0].seats} agents, got {len(header['agents'])}")
    if not begun:
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
