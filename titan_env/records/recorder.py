"""Write the record of a game during play, or of a game that was played.

The lines of a record are those of `titan_env.records.replay`. They are written at once: a run that is killed loses at
most the line being written, and a record without a result is valid up to its last complete line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from titan_env.contract import Game, Status, outcomes
from titan_env.contract.translation import ENGLISH, use_language
from titan_env.engine.batch import null_log
from titan_env.engine.game_setup import GameSetup
from titan_env.records.atomic_files import ensure_absent
from titan_env.records.hash_chain import as_text, link
from titan_env.records.record_file import FORMAT
from titan_env.records.seeding import MixedLuck


def hash_of(game: Game, state: Any) -> str:
    """Return the hash of a position: 12 hex digits, the same as before the game had the fields of `rules.later`."""
    unused = [name for name in game.rules.later if not np.any(state[name])]
    used = [name for name in state.dtype.names if name not in unused]
    data = b"".join(np.asarray(state[name]).tobytes() for name in used) if unused else state.tobytes()
    return hashlib.sha256(data).hexdigest()[:12]


def answers(luck: Any) -> list[int]:
    """Return the chance answers of the latest step."""
    found: list[int] = outcomes(luck)[:, 0].tolist()
    return found


class Recorder:
    """Writes the record of a game during play: into `lines`, and at once into the file at `path`, if given.

    `state` and `luck` are those of the game, right after `game.rules.setup`; call `decide` before each step and
    `happened` after it. `position` is the text of the position that the game began with instead of a setup, `by_clock`
    says that chance is drawn by the game's clock, and `mixed` that all of it is. Raises ValueError if the file exists.
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
        by_clock: bool = False,
        mixed: MixedLuck | None = None,
    ) -> None:
        self._path, self._game = path, game
        self._decision: dict[str, Any] = {}
        self.lines: list[dict[str, Any]] = []
        if path is not None:
            ensure_absent(path)
            path.touch(exist_ok=False)
        header = {"format": FORMAT, "game": game.id, "options": dict(options), "agents": list(agents), "seed": seed}
        begun: dict[str, Any] = {} if position is None else {"position": position}
        begun |= {"by_clock": True} if by_clock else {}
        begun |= {"mixed": mixed.commitment} if mixed else {}
        self._write({**header, **begun, "chance": answers(luck), "hash": hash_of(game, state)})

    @property
    def text(self) -> str:
        """The record so far."""
        return "".join(as_text(line) for line in self.lines)

    def decide(self, state: Any, action: int, **more: Any) -> None:
        """Note the decision that is about to be played; `more` is stored with it (values, probabilities)."""
        with use_language(ENGLISH):  # records are in English, whatever language the player uses
            entry = {
                "action": self._game.rules.actions.texts[action],
                "say": self._game.text.describe_action(state, action),
            }
        self._decision = {"n": len(self.lines), "seat": int(state.seat), **entry, **more}

    def happened(self, state: Any, luck: Any, **at_the_end: Any) -> None:
        """Write the noted decision, with the position and the luck after it, and the result at the game's end.

        `at_the_end` is stored with the result.
        """
        decisions = len(self.lines)
        self._write({**self._decision, "chance": answers(luck), "hash": hash_of(self._game, state)})
        if state.over != Status.RUNNING:
            self._write({**result_of(self._game, state), "decisions": decisions, **at_the_end})

    def take_back(self) -> None:
        """Remove the latest decision from `lines`, and the result with it. A file keeps its lines."""
        if "result" in self.lines[-1]:
            self.lines.pop()
        self.lines.pop()

    def _write(self, line: dict[str, Any]) -> None:
        """Append one line, to the file at once."""
        line = {**line, "chain": link(self.lines[-1]["chain"] if self.lines else "", line)}
        self.lines.append(line)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(as_text(line))


def build_record(
    game: Game,
    options: Mapping[str, Any],
    agents: Sequence[str],
    stream: int,
    actions: Iterable[int],
    seed: int | None = None,
) -> str:
    """Return the text of the record of a game with these options, random stream and actions.

    The seed is that of the stream, if it has one.
    """
    luck, log = np.zeros(1, game.rules.luck).view(np.recarray), null_log(game)
    luck["stream"] = stream
    states = GameSetup.of_keywords(game, options).first_states(luck)
    recorder = Recorder(None, game, states[0], luck[0], options=options, agents=agents, seed=seed)
    for action in actions:
        recorder.decide(states[0], action)
        game.rules.step(states[0], action, luck[0], log[0])
        recorder.happened(states[0], luck[0])
    return recorder.text


def result_of(game: Game, state: Any) -> dict[str, Any]:
    """Return the result's line: status, winners, and in games that have them the places and points of all seats."""
    seats = int(state.seats)
    result: dict[str, Any] = {"result": Status(int(state.over)).name.lower()}
    result["won"] = [seat for seat in range(seats) if state.won[seat]]
    if state.place[:seats].any():
        result["places"] = state.place[:seats].tolist()
    if game.rules.score_scale is not None:
        result["scores"] = state.scores[:seats].tolist()
    return result
