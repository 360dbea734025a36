"""A round has seeds that nobody knows before all entries are in, the same for all of them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.evaluation.cards import run
from titan_env import agents, registry
from titan_env.agents import Agent
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark import benchmark, compare_cards, rounds
from titan_env.evaluation.benchmark.panel import entrants_wins
from titan_env.evaluation.benchmark.result_cards import read_card
from titan_env.evaluation.benchmark.rounds import salt_file
from titan_env.evaluation.benchmark.tasks import read_benchmark
from titan_env.evaluation.matches.blocks import Instances
from titan_env.evaluation.matches.blocks import play as play_blocks
from titan_env.evaluation.matches.round_file import read_round, write_round


@pytest.fixture
def file(pig: Game, tmp_path: Path) -> Path:
    """An open round."""
    path = tmp_path / "round.json"
    assert run(rounds.main, "open", str(path))[0] == 0
    return path


def enter(file: Path, *agents: str) -> None:
    """Enter agents, each under its own name, and close the round."""
    for agent in agents:
        assert run(rounds.main, "enter", str(file), agent, "--label", agent)[0] == 0
    assert run(rounds.main, "close", str(file))[0] == 0


def play(file: Path, agent: str, out: Path) -> tuple[int, str]:
    return run(benchmark.main, agent, "--label", agent, "--round", str(file), "--out", str(out))


def test_an_open_round_promises_a_salt_that_it_does_not_tell(file: Path) -> None:
    salt = salt_file(file).read_text("utf-8")
    assert salt not in file.read_text("utf-8")
    with pytest.raises(ValueError, match="expected a round that is closed"):
        read_round(file).first_seed("pig_v0", "two")
    enter(file, "random")
    assert read_round(file).salt == salt


def test_all_entries_play_the_same_seeds_which_are_not_the_public_ones(file: Path, tmp_path: Path) -> None:
    enter(file, "random", "constant:hold")
    cards = [tmp_path / "random.json", tmp_path / "hold.json"]
    for card, agent in zip(cards, ("random", "constant:hold"), strict=True):
        assert play(file, agent, card)[0] == 0
    played = [{task: outcome.seeds for task, outcome in read_card(card).outcomes.items()} for card in cards]
    assert played[0] == played[1]
    assert len({seed for seeds in played[0].values() for seed in seeds} - set(range(100, 224))) == 48
    assert run(compare_cards.main, *map(str, cards))[0] == 0
    assert run(benchmark.main, str(cards[0]), "--check", "--round", str(file))[0] == 0


def test_one_more_entry_changes_all_seeds(pig: Game, tmp_path: Path) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        assert run(rounds.main, "open", str(file))[0] == 0
    for path in files[1], salt_file(files[1]):
        path.write_bytes((files[0] if path == files[1] else salt_file(files[0])).read_bytes())
    enter(files[0], "random")
    enter(files[1], "random", "constant:hold")
    first, second = map(read_round, files)
    assert first.salt == second.salt
    assert first.first_seed("pig_v0", "two") != second.first_seed("pig_v0", "two")
    assert first.id != second.id


def test_cards_of_different_rounds_are_not_compared(file: Path, tmp_path: Path) -> None:
    enter(file, "random")
    cards = [tmp_path / "rated.json", tmp_path / "public.json"]
    assert play(file, "random", cards[0])[0] == 0
    assert run(benchmark.main, "random", "--out", str(cards[1]))[0] == 0
    code, text = run(compare_cards.main, *map(str, cards))
    assert code == 2
    assert re.search(r"expected cards of one round, got the rounds \w{12} and none", " ".join(text.split()))
    for card, given in ((cards[0], []), (cards[1], ["--round", str(file)])):
        code, text = run(benchmark.main, str(card), "--check", *given)
        assert code == 2
        assert "expected --round FILE of the round" in text


def test_who_was_not_entered_or_has_changed_since_does_not_play(file: Path, tmp_path: Path) -> None:
    enter(file, "random")
    code, text = play(file, "constant:hold", tmp_path / "card.json")
    assert code == 2
    assert "expected an entry of this round as it was entered (random), got constant:hold" in " ".join(text.split())
    assert not (tmp_path / "card.json").exists()
    code, text = run(rounds.main, "enter", str(file), "constant:hold", "--label", "late")
    assert code == 2
    assert "expected an open round" in text


def test_a_round_with_another_salt_than_it_promised_is_refused_in_one_line(file: Path, tmp_path: Path) -> None:
    enter(file, "random")
    write_round(file, replace(read_round(file), salt="00"))
    code, text = play(file, "random", tmp_path / "card.json")
    assert code == 2
    assert "its salt is not the one that it promised" in " ".join(text.split())


NOISE = 0.1


class Noisy:
    """An agent that sometimes does something else than a better one, and writes down what it saw and did."""

    def __init__(self, expert: Agent, attempt: int) -> None:
        self.expert, self.rng = expert, np.random.default_rng(attempt)
        self.lines: dict[bytes, int] = {}

    def __call__(self, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        actions = self.expert(observations, masks, rng)
        for row in np.flatnonzero(self.rng.random(len(actions)) < NOISE):
            actions[row] = self.rng.choice(np.flatnonzero(masks[row]))
        self.lines |= {seen.tobytes(): int(action) for seen, action in zip(observations, actions, strict=True)}
        return actions


class ByHeart:
    """An agent that knows lines by heart, and elsewhere plays as a better one does."""

    def __init__(self, expert: Agent, lines: dict[bytes, int]) -> None:
        self.expert, self.lines = expert, lines

    def __call__(self, observations: Any, masks: Any, rng: np.random.Generator) -> Any:
        actions = self.expert(observations, masks, rng)
        known = np.array([self.lines.get(seen.tobytes(), -1) for seen in observations])
        legal = (known >= 0) & (np.take_along_axis(masks, np.maximum(known, 0)[:, None], 1)[:, 0] != 0)
        return np.where(legal, known, actions)


@pytest.mark.thorough
def test_who_has_learnt_the_public_blocks_by_heart_scores_at_most_fair_in_a_round(tmp_path: Path) -> None:
    game = registry.load("titan_race")
    one = read_benchmark(game)
    task = next(task for task in one.tasks if task.options == {"titans": 4})
    setup, members = GameSetup.of(game, task.options), [agents.load(name, game) for name in one.panel.members]
    expert, lines = agents.load("expert", game), dict[tuple[int, int], dict[bytes, int]]()

    def wins(seated: Any, seeds: range, blocks: slice) -> NDArray[np.float64]:
        lineups = one.panel.lineups(setup.sides, seeds)[blocks]
        return entrants_wins(play_blocks(setup, seated, lineups, seeds[blocks], setup.sides).shares, lineups)

    for number in range(4):
        for attempt in range(24):
            seated = Instances([partial(Noisy, expert, attempt)] * (1 + len(members)), dict(enumerate(members, 1)))
            won = wins(seated, task.seeds, slice(number, number + 1))[0]
            for place in np.flatnonzero(won == 1).tolist():
                lines.setdefault((number, place), seated.of(0, place).lines)  # type: ignore[attr-defined]
    file = tmp_path / "round.json"
    assert run(rounds.main, "open", str(file))[0] == 0
    enter(file, "expert")
    first = read_round(file).first_seed(game.id, task.name)
    learnt = ByHeart(expert, {seen: action for line in lines.values() for seen, action in line.items()})
    rated, blocks = range(first, first + task.blocks), slice(24)
    ahead = {
        name: wins([learnt, *members], seeds, part).mean() - wins([expert, *members], seeds, part).mean()
        for name, seeds, part in (("public", task.seeds, slice(4)), ("round", rated, blocks))
    }
    assert ahead["public"] > 0.25, "what it has learnt"
    assert ahead["round"] < 3 * (0.25 * 0.75 / 96) ** 0.5, "by chance"


def test_a_file_that_is_changed_after_it_was_entered_is_another_entry(file: Path, tmp_path: Path) -> None:
    agent = tmp_path / "mine.py"
    text = (
        "import numpy as np\n\ndef make(game):\n"
        "    return lambda seen, masks, rng: np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])\n"
    )
    agent.write_text(text, "utf-8")
    assert run(rounds.main, "enter", str(file), f"python:{agent}", "--label", "mine")[0] == 0
    assert run(rounds.main, "close", str(file))[0] == 0
    agent.write_text(text + "# changed\n", "utf-8")
    given = (f"python:{agent}", "--label", "mine", "--round", str(file), "--out", str(tmp_path / "card.json"))
    code, output = run(benchmark.main, *given)
    assert code == 2
    assert "as it was entered (mine), got mine" in " ".join(output.split())


FORFEITING = """
def make(game):
    return lambda seen, masks, rng: masks.argmax(axis=1) if seen.sum() % 2 else masks.argmax(axis=1) * 0 - 1
"""


@pytest.mark.thorough
def test_a_card_says_how_its_agents_are_played_and_what_they_forfeited(file: Path, tmp_path: Path) -> None:
    agent = tmp_path / "mine.py"
    agent.write_text(FORFEITING, "utf-8")
    name, cards = f"python:{agent}", [tmp_path / "rated.json", tmp_path / "random.json"]
    assert run(rounds.main, "enter", str(file), "random", "--label", "random")[0] == 0
    enter(file, name)
    code, text = play(file, name, cards[0])
    assert code == 0, text
    card = read_card(cards[0])
    assert card.head.agents == {"pig": f"process:{agent}"}
    for outcome in card.outcomes.values():
        assert 0 < outcome.counted["drawn"] == outcome.counted["illegal"] < outcome.counted["decisions"]
    message = " ".join(text.split())
    assert re.search(r"in processes of its own, [\d,]+ of [\d,]+ decisions forfeited", message)
    assert play(file, "random", cards[1])[0] == 0
    assert "decisions forfeited |" in run(compare_cards.main, *map(str, cards))[1]
    assert run(benchmark.main, str(cards[0]), "--check", "--round", str(file))[0] == 0
    code, text = run(benchmark.main, name, "--label", name, "--round", str(file), "--trusted")
    assert (code, "expected an entry of this round as it was entered" in " ".join(text.split())) == (2, True)
    agent.write_text(
        "import numpy as np\n\ndef make(game):\n    return lambda seen, masks, rng: masks.argmax(axis=1)\n"
    )
    assert "trusted, in the referee's process" in run(benchmark.main, name, "--trusted", "--blocks", "2")[1]
