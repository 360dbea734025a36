"""Examine agents by positions whose best decision is known exactly: an exam that a language model can pay for::

    python -m titan_env.evaluation.exam constant random greedy expert best
    python -m titan_env.evaluation.exam chat:qwen3:8b --out runs/exam.jsonl

400 turn puzzles of all games and positions of solved duels; each asks for one decision, and what that is worth
less than the best one is lost. There is no opponent and no luck in it. `best` is each game's best published agent,
`constant` the first legal action. What a model's prompts hold is told before the first one is sent. `--out` keeps every
answer: after a stop the same command goes on, and other agents may be added.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.cli import tables
from titan_env.cli.console import interruptible, user_errors, way_on
from titan_env.cli.options import from_dataclasses
from titan_env.contract import Game
from titan_env.engine.validation import parse_checked_position
from titan_env.evaluation.benchmark.scores import estimate
from titan_env.evaluation.benchmark.tasks import named, read_benchmark
from titan_env.evaluation.matches.fingerprints import fingerprint
from titan_env.evaluation.puzzles.puzzle_files import Puzzle, count_of, read
from titan_env.extras import extra
from titan_env.play.agent_calls import ask_in_batch, needs_of
from titan_env.play.determinization import Determinizations, agent_rng, batch_of
from titan_env.play.observation_history import EventHistory
from titan_env.records.atomic_files import write_atomically
from titan_env.records.journal import Journal, resume

with extra("evaluation"):
    import typer
    from rich.console import Console
    from rich.progress import track

TURN_PUZZLES = 400
AT_ONCE = 8
"""The questions of a unit of work, asked together and kept together."""
TURNS, OTHERS = "puzzles.jsonl", "positions_of_*.jsonl"
"""The files of a game's turn puzzles, and of its other positions."""
CONSTANT = "constant"
_KIND = "the answers of an exam"
_PERCENT = 100


@dataclass(frozen=True)
class ExamPart:
    """A part of the exam: its name, its game and its questions."""

    name: str
    game: Game
    puzzles: Sequence[Puzzle]

    def units(self) -> Iterator[Sequence[Puzzle]]:
        """Yield the questions that are asked together."""
        for begin in range(0, len(self.puzzles), AT_ONCE):
            yield self.puzzles[begin : begin + AT_ONCE]


def even_shares(sizes: Sequence[int], total: int) -> list[int]:
    """Return how many to take of each, as evenly as their sizes allow, `total` of all if there are as many."""
    shares = [0] * len(sizes)
    for i in sorted(range(len(sizes)), key=lambda i: sizes[i]):
        left = sum(share == 0 for share in shares)
        shares[i] = min(sizes[i], -(-(total - sum(shares)) // left))
    return shares


def read_sections(total: int = TURN_PUZZLES) -> list[ExamPart]:
    """Return the exam: the first `total` turn puzzles of all games, shared evenly, and all other positions.

    Raises ValueError for fewer than two of each game, of which no interval can be told.
    """
    folders = {name: Path(registry.load(name).metadata.folder) for name in registry.GAMES}
    turns = {name: folder / TURNS for name, folder in folders.items() if (folder / TURNS).is_file()}
    if total < (least := 2 * len(turns)):
        raise ValueError(f"expected --first with {least} puzzles or more, two of each game, got {total}")
    shares = even_shares([count_of(path) for path in turns.values()], total)
    parts: list[tuple[str, Path, int | None]] = [("", *one) for one in zip(turns.values(), shares, strict=True)]
    for folder in folders.values():
        parts += [(f", {path.stem.rpartition('_')[2]}", path, None) for path in sorted(folder.glob(OTHERS))]
    read_parts = [(kind, *read(path, share)) for kind, path, share in parts]
    return [ExamPart(f"{game.metadata.title}{kind}", game, puzzles) for kind, game, puzzles in read_parts]


def digest_of(exam: Sequence[ExamPart]) -> str:
    """Return a hash of the questions, which names the exam: 12 hex digits."""
    ids = "\n".join(puzzle.id for section in exam for puzzle in section.puzzles)
    return hashlib.sha256(ids.encode()).hexdigest()[:12]


def first_legal(observations: NDArray[np.float32], masks: NDArray[np.int8], rng: Any) -> NDArray[np.int64]:
    """Return the first legal action in each row."""
    return masks.argmax(axis=1)


def player_of(name: str, game: Game) -> tuple[Any, str]:
    """Return the agent of this name in a game, and its fingerprint. Raises ValueError for an unknown one."""
    if name == CONSTANT:
        return first_legal, ""
    known = named(read_benchmark(game), name)
    return agents.load(known, game), fingerprint(known, game)


def states_of(game: Game, puzzles: Sequence[Puzzle]) -> Any:
    """Return the positions of puzzles, a recarray (N,)."""
    parsed = [parse_checked_position(game, puzzle.position)[0] for puzzle in puzzles]
    return np.array(parsed, game.rules.state).view(np.recarray)


def answer(game: Game, player: Any, puzzles: Sequence[Puzzle]) -> tuple[list[str], list[str]]:
    """Return the texts of an agent's actions in these positions, and its thoughts, "" for none."""
    rng = agent_rng(int(puzzles[0].id, 16))
    batch = batch_of(game, states_of(game, puzzles), rng)
    heard = [EventHistory(game) for _ in puzzles] if needs_of(player).listens else None
    decided = ask_in_batch(player, batch, np.arange(len(puzzles)), rng, heard)
    return [game.rules.actions.texts[action] for action in decided.actions.tolist()], decided.thoughts


def cost_of(name: str, exam: Sequence[ExamPart]) -> str:
    """Return the estimated tokens of a model's exam as a sentence; "" for an agent that asks none.

    Raises ValueError where one question has more tokens than all may have.
    """
    prompts, most = 0, 0
    limits: Any = None
    for section in exam:
        player, _ = player_of(name, section.game)
        if not hasattr(player, "prompt_tokens"):
            return ""
        states = states_of(section.game, section.puzzles)
        batch = batch_of(section.game, states, agent_rng(0))
        each = player.prompt_tokens(Determinizations(section.game, states, agent_rng(0)), batch.masks)
        prompts, most, limits = prompts + sum(each), max(most, *each), player.limits
    if most + limits.answer > limits.tokens:
        raise ValueError(
            f"expected tokens={most + limits.answer} or more for the longest question, got {limits.tokens}"
        )
    questions = sum(len(section.puzzles) for section in exam)
    return f"{name}: {questions} questions, {limits.cost(questions, prompts)}"


class Answers:
    """The answers so far by agent and question, kept in a journal if there is one, under `agents.kept_name`.

    Raises ValueError for the journal of another exam, or of an agent that has changed since.
    """

    def __init__(self, exam: Sequence[ExamPart], journal: Journal | None) -> None:
        self.exam, self._journal = exam, journal
        self.actions: dict[tuple[str, str], str] = {}
        self.counted: dict[str, Counter[str]] = {}
        self._made: dict[tuple[str, str], str] = {}
        for line in journal.lines if journal else ():
            self._keep(line)

    def _keep(self, line: Mapping[str, Any]) -> None:
        """Keep a unit's answers."""
        self.actions.update({(line["agent"], puzzle): action for puzzle, action in line["actions"].items()})
        self._made[line["agent"], line["section"]] = line["made"]
        self.counted.setdefault(line["agent"], Counter()).update(line["counted"])

    def check(self, name: str) -> None:
        """Raise ValueError for an agent that does not exist, or that has changed since it answered."""
        for section in self.exam:
            made = player_of(name, section.game)[1]
            if (kept := self._made.get((agents.kept_name(name), section.name), made)) != made:
                where = self._journal.path if self._journal else ""
                raise ValueError(
                    f"expected the {name} that has answered in {where} ({kept}), "
                    f"but it has changed since; choose another --out (now {made})"
                )

    def ask(self, name: str) -> None:
        """Ask an agent what it has not answered yet, unit by unit."""
        units = [(section, unit) for section in self.exam for unit in section.units()]
        kept = agents.kept_name(name)
        missing = [(section, unit) for section, unit in units if (kept, unit[0].id) not in self.actions]
        players = {section.game.name: player_of(name, section.game) for section, _ in missing}
        for section, unit in track(missing, name, console=Console(stderr=True, emoji=False), transient=True):
            player, made = players[section.game.name]
            before = Counter(getattr(player, "counts", {}))
            actions, thoughts = answer(section.game, player, unit)
            line = {
                "agent": kept,
                "section": section.name,
                "made": made,
                "actions": {puzzle.id: action for puzzle, action in zip(unit, actions, strict=True)},
                "thoughts": {puzzle.id: thought for puzzle, thought in zip(unit, thoughts, strict=True) if thought},
                "counted": dict(Counter(getattr(player, "counts", {})) - before),
            }
            self._keep(line)
            if self._journal is not None:
                self._journal.add(line)

    def left(self, name: str) -> int:
        """Return how many questions an agent has not answered."""
        kept = agents.kept_name(name)
        return sum((kept, puzzle.id) not in self.actions for section in self.exam for puzzle in section.puzzles)

    def losses(self, name: str) -> list[NDArray[np.float64]]:
        """Return what an agent lost by each question of each section, in percent of a win."""
        kept = agents.kept_name(name)
        return [
            np.array(
                [_PERCENT * (puzzle.best - puzzle.worths[self.actions[kept, puzzle.id]]) for puzzle in section.puzzles]
            )
            for section in self.exam
        ]

    def table(self, names: Sequence[str]) -> tuple[list[str], list[list[str]]]:
        """Return the headings and lines of the card of these agents, the best first."""
        losses = {name: self.losses(name) for name in names}
        ranked = sorted(names, key=lambda name: np.mean([part.mean() for part in losses[name]]))
        headings = ["agent", "loses", "more than the first", *(section.name for section in self.exam)]
        lines = []
        for name in ranked:
            more = [own - first for own, first in zip(losses[name], losses[ranked[0]], strict=True)]
            each = [f"{part.mean():.1f}" for part in losses[name]]
            lines.append([name, str(estimate(losses[name])), str(estimate(more)) if name != ranked[0] else "", *each])
        return headings, lines


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    names: Annotated[tuple[str, ...], typer.Argument()]
    """Agents of all games: `best`, `constant`, or a chat:MODEL."""
    out: Path | None = None
    """Keep the answers: a .jsonl file, from which a run continues."""
    table: Path | None = None
    """Also write the table: a .md file."""
    first: int = TURN_PUZZLES
    """Turn puzzles of all games together."""


@from_dataclasses
def main(args: Arguments) -> None:
    """Examine agents, and print what they lose."""
    names, out, page = tuple(dict.fromkeys(args.names)), args.out, args.table
    console = tables.console()
    with user_errors():
        for path, suffix in ((out, ".jsonl"), (page, ".md")):
            if path is not None and path.suffix != suffix:
                raise ValueError(f"expected a file {suffix}, got {path}")
        exam = read_sections(args.first)
        journal = None if out is None else resume(out, _KIND, {"exam": digest_of(exam)})
        answers = Answers(exam, journal)
        for name in names:
            answers.check(name)
            if answers.left(name) and (cost := cost_of(name, exam)):
                console.print(cost, highlight=False, soft_wrap=True)
    try:
        with interruptible(out is not None, journal), user_errors((agents.AgentFailed,), way_on(out is not None)):
            for name in names:
                answers.ask(name)
    finally:
        show(answers, names, page)


def show(answers: Answers, names: Sequence[str], out: Path | None) -> None:
    """Print the card of the agents that have answered everything, and how far the others are; write it to a file."""
    console, whole = tables.console(), [name for name in names if not answers.left(name)]
    count = sum(len(section.puzzles) for section in answers.exam)
    if whole:
        title = f"Exam {digest_of(answers.exam)}: {count} decisions; percent of a win lost by each, mean of the "
        title += f"{len(answers.exam)} parts (95 % intervals)"
        headings, lines = answers.table(whole)
        console.print(tables.grid(title, headings, lines))
        if out is not None:
            out.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(out, f"{title}:\n\n{tables.markdown(headings, lines)}")
    for name in names:
        if left := answers.left(name):
            console.print(f"{name}: {count - left} of {count} questions answered", highlight=False)
        if counted := answers.counted.get(agents.kept_name(name)):
            console.print(f"{name}: {agents.usage_summary(name, answers.exam[0].game, counted)}", highlight=False)


if __name__ == "__main__":
    typer.run(main)
