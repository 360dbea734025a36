"""Whatever was done to a file, it is refused in one short sentence, or reads as it was written."""

from __future__ import annotations

import dataclasses
import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pytest

from titan_env import registry
from titan_env.agents import afterstate, policy, tuned
from titan_env.contract.translation import load_catalogue
from titan_env.engine.batch import Batch
from titan_env.engine.validation import parse_checked_position
from titan_env.evaluation.benchmark import result_cards
from titan_env.evaluation.matches import round_file
from titan_env.evaluation.matches.mixed_tables import Block
from titan_env.evaluation.puzzles import puzzle_files
from titan_env.evaluation.ratings import ladder_file
from titan_env.evaluation.ratings.results import PROTOCOL, Results
from titan_env.games.titan_battle.value import chances
from titan_env.records import record_file
from titan_env.records.journal import Journal
from titan_env.records.recorder import hash_of
from titan_env.records.sealed import expect_unpackable, seal, write_json

MOST_LETTERS = 300
"""The bound on a message, beside the path in it."""
GOLDEN = Path(__file__).parents[1] / "golden"
HEADER = {"protocol": PROTOCOL, "game": "pig_v0", "options": {}, "agents": {"a": "1" * 12, "b": "2" * 12}}
BLOCKS = {Block(seed, ("a", "b"), "0 1"): 0.25 for seed in range(6)}


class Reader(NamedTuple):
    """A kind of file: how one is written into a folder, and what is read from it."""

    write: Callable[[Path], Path]
    read: Callable[[Path], Any]
    by_hand: bool = False
    """True if people write it, so that another text may be as good."""
    appended: bool = False
    """True if lines are appended while work goes on, so that the first lines alone are good too."""


def write_card(folder: Path) -> Path:
    head = result_cards.Head(
        "mine", {"pig": "random"}, {"pig": "1" * 12}, {"pig": "2" * 12}, "none", ["random"], "open"
    )
    wins = np.array([[0.0, 0.5], [1.0, 0.25]])
    outcome = result_cards.TaskResult((7, 8), wins, ("1" * 12, "2" * 12), 0.125, 0.25, "titan_env 1")
    path = folder / "card.json"
    result_cards.write_card(path, result_cards.ResultCard(head, {("pig_v0", "two"): outcome, ("pig_v0", "3"): outcome}))
    return path


def read_card(path: Path) -> Any:
    card = result_cards.read_card(path)
    return card.head, {
        task: (one.seeds, one.wins.tolist(), one.digests, one.milliseconds, one.waited, one.made_by)
        for task, one in card.outcomes.items()
    }


def write_round(folder: Path) -> Path:
    round_ = round_file.Round(round_file.promise_of("ab" * 16), {"mine": "1" * 64, "other": "2" * 64}, "ab" * 16)
    round_file.write_round(folder / "round.json", round_)
    return folder / "round.json"


def write_results(folder: Path) -> Path:
    units = [{"seconds": 0.5, "blocks": [[block.seed, list(block.agents), block.winners]]} for block in BLOCKS]
    Journal(folder / "results.jsonl", "results").begin(HEADER, units)
    return folder / "results.jsonl"


def write_ladder(folder: Path) -> Path:
    agents = [
        {"name": name, "hash": "1" * 12, "rating": 7, "low": 5, "high": 9, "wins": 0.5, "games": 12} for name in "ab"
    ]
    head = {"protocol": PROTOCOL, "game": "pig_v0", "core_hours": 0.5, "options": {}, "anchor": "a", "checks": ["none"]}
    texts = ladder_file.texts_of(folder / "LADDER.toml", {**head, "agent": agents}, BLOCKS)
    for path, text in texts.items():
        path.write_text(text, "utf-8")
    return folder / "LADDER.toml"


def write_puzzles(folder: Path) -> Path:
    game = registry.load("orchard")
    batch = Batch(game, 1)
    batch.seed(0)
    batch.start()
    state = batch.states[0]
    puzzle = puzzle_files.Puzzle(hash_of(game, state), 0.5, {"a": 0.5, "b": 0.25}, game.text.position_text(state))
    puzzle_files.write(folder / "puzzles.jsonl", game, [puzzle, dataclasses.replace(puzzle, best=0.75)], {"seed": 1})
    return folder / "puzzles.jsonl"


def write_tuned(folder: Path) -> Path:
    weights = {"agent": "greedy", "weights": {"push": -3.5, "life": 2.0}, "made": {"seconds": 7}}
    write_json(folder / "tuned.json", {"game": registry.load("titan_race").id, **weights}, tuned.FORMAT, tuned.ENTRIES)
    return folder / "tuned.json"


def read_judge(path: Path) -> Any:
    judge, made = afterstate.read(path, registry.load("titan_battle"))
    return [getattr(judge, part.name).tolist() for part in dataclasses.fields(judge)], made


def read_chances(path: Path) -> Any:
    network = chances.read.__wrapped__(path)
    return [part.tolist() for layer in network.layers for part in layer], network.made


def read_record(path: Path) -> Any:
    record = record_file.read(path)
    return [record.header, *record.decisions, *filter(None, [record.result])]


def write_position(folder: Path) -> Path:
    _, puzzles = puzzle_files.read(Path(registry.load("tiny_turbo_cars").metadata.folder, "puzzles.jsonl"))
    (folder / "position.txt").write_text(puzzles[0].position, "utf-8")
    return folder / "position.txt"


def read_position(path: Path) -> Any:
    game = registry.load("tiny_turbo_cars")
    return game.text.position_text(parse_checked_position(game, path.read_bytes().decode("utf-8", "replace"))[0])


def copy_of(path: Path) -> Callable[[Path], Path]:
    return lambda folder: Path(shutil.copy(path, folder))


RACE, BATTLE = (Path(registry.load(name).metadata.folder) for name in ("titan_race", "titan_battle"))
READERS = {
    "card": Reader(write_card, read_card),
    "round": Reader(write_round, round_file.read_round),
    "results": Reader(write_results, lambda path: [*Results(path, HEADER).blocks], appended=True),
    "ladder": Reader(write_ladder, ladder_file.read),
    "blocks": Reader(
        lambda folder: ladder_file.blocks_path(write_ladder(folder)),
        lambda path: ladder_file.read(path.with_name("LADDER.toml")),
    ),
    "puzzles": Reader(write_puzzles, lambda path: puzzle_files.read(path)[1]),
    "tuned weights": Reader(write_tuned, lambda path: tuned.read_tuned(path, registry.load("titan_race"))),
    "judge": Reader(copy_of(BATTLE / "agents" / "afterstate.npz"), read_judge),
    "chances": Reader(copy_of(chances.WEIGHTS), read_chances),
    "policy": Reader(
        copy_of(RACE / "agents" / "ppo.onnx"), lambda path: policy.Policy(registry.load("titan_race"), path).made
    ),
    "record": Reader(copy_of(GOLDEN / "battle.jsonl"), read_record, appended=True),
    "catalogue": Reader(
        copy_of(Path(record_file.__file__).parent / "languages" / "fr.po"),
        lambda path: load_catalogue.__wrapped__(path.parent, path.stem).texts,  # type: ignore[attr-defined]
        by_hand=True,
    ),
    "position": Reader(write_position, read_position, by_hand=True),
}


def lines_changed(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    return lambda data: b"".join(change(data.splitlines(keepends=True)))


def flipped(data: bytes, place: float) -> bytes:
    changed = bytearray(data)
    changed[int(place * len(data))] ^= 4
    return bytes(changed)


def numbers_as(other: bytes) -> Callable[[bytes], bytes]:
    return lambda data: re.sub(rb"(?<![\w.\"])\d+(\.\d+)?(?![\w.\"])", other, data) or other


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) * 2 // 3],
    **{f"a bit at {place}": lambda data, place=place: flipped(data, place) for place in (0.01, 0.2, 0.5, 0.8, 0.99)},
    "random bytes": lambda data: np.random.default_rng(0).bytes(len(data)),
    "nested": lambda data: b"[" * 100_000,
    "a huge field": lambda data: data.replace(b"1", b"1" * 150_000, 1) if b"1" in data else data + b"1" * 150_000,
    "a huge text": lambda data: data[:10] + b"x" * 150_000 + data[10:],
    "texts for numbers": numbers_as(b'"x"'),
    "NaN": numbers_as(b"NaN"),
    "infinite": numbers_as(b"Infinity"),
    "inf": numbers_as(b"inf"),
    "negative": numbers_as(b"-1"),
    "a line twice": lines_changed(lambda lines: [*lines[:2], *lines[1:]]),
    "a line gone": lines_changed(lambda lines: [*lines[:1], *lines[2:]] if len(lines) > 2 else lines[:-1]),
    "UTF-16": lambda data: data.decode("latin-1").encode("utf-16"),
    "Latin-1": lambda data: data.replace(b"a", b"\xe4", 1) + b"\xe4",
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "another version": lambda data: re.sub(rb"(_v|titan_env \w+ |\"format\":)\d", rb"\g<1>9", data),
}


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The contents of a file of each kind."""
    folders = {name: tmp_path_factory.mktemp("one") for name in READERS}
    return {name: reader.write(folders[name]).read_bytes() for name, reader in READERS.items()}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", READERS)
def test_a_damaged_file_is_refused_in_one_short_line_or_reads_as_it_was(
    kind: str, tmp_path: Path, others: dict[str, bytes]
) -> None:
    reader = READERS[kind]
    path = reader.write(tmp_path)
    whole, good = path.read_bytes(), reader.read(path)
    wrong = []
    damaged = {name: damage(whole) for name, damage in DAMAGE.items()}
    for name, data in {**damaged, **others, kind: whole}.items():
        path.write_bytes(data)
        try:
            found = reader.read(path)
        except ValueError as error:
            message = str(error).replace(str(path), "").replace(str(path.parent), "")
            if len(message) > MOST_LETTERS or not message.isprintable():
                wrong.append(f"{name}: {len(message)} letters: {message[:400]!r}")
        except Exception as error:  # any other error would be a traceback
            wrong.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
        else:
            same = found == good or (reader.appended and found == good[: len(found)])
            if not same and not reader.by_hand:
                wrong.append(f"{name}: read as {str(found)[:200]}")
    assert not wrong, "\n".join(wrong)


def zipped(name: str, content: bytes) -> bytes:
    """A zip file of one member."""
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return data.getvalue()


def array_of(shape: tuple[int, ...], content: bytes = b"") -> bytes:
    """An array of zeros as in an ``.npz`` file, by a header that promises this shape."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f4", "fortran_order": False, "shape": shape})
    return head.getvalue() + content


BOMBS = {
    "a member of zeros": lambda: zipped("weight0.npy", array_of((2**25,), bytes(2**27))),
    "a header's promise": lambda: zipped("weight0.npy", array_of((2**20, 2**10), bytes(2**10))),
    "no array": lambda: zipped("archive/data/0", bytes(2**27)),
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_a_zip_file_that_unpacks_to_much_more_than_its_size_is_refused_by_its_headers(
    bomb: str, tmp_path: Path
) -> None:
    data = BOMBS[bomb]()
    with pytest.raises(ValueError, match=r"it would unpack to [0-9,]+ bytes, more than 67,108,864"):
        expect_unpackable(data)
    (tmp_path / "bomb.npz").write_bytes(seal(data))
    for read in (read_judge, read_chances):
        with pytest.raises(ValueError, match="which is damaged or another file: it would unpack to"):
            read(tmp_path / "bomb.npz")
