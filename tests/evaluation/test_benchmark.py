"""A card is played task by task, goes on after a stop, and two cards are compared on the same seeds."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluation.cards import REFERENCES, TASKS, run, small_benchmark
from titan_env.contract import Game
from titan_env.evaluation.benchmark import benchmark, compare_cards, generalisation
from titan_env.evaluation.benchmark.references import references_of
from titan_env.evaluation.benchmark.result_cards import FORMAT, read_card
from titan_env.evaluation.benchmark.tasks import read_benchmark
from titan_env.records.sealed import read_json, write_json

pytestmark = pytest.mark.thorough


def test_a_card_prints_a_score_for_each_task_and_their_means(pig: Game, tmp_path: Path) -> None:
    out = tmp_path / "card.json"
    code, text = run(benchmark.main, "constant:hold", "--label", "holds", "--out", str(out))
    assert code == 0
    card = read_card(out)
    assert list(card.outcomes) == [("pig_v0", "two"), ("pig_v0", "three")]
    assert all(len(outcome.shares) == 24 for outcome in card.outcomes.values())
    mean = np.mean([scores.mean() for scores in benchmark.scores_of(card).values()])
    assert f"mean over tasks: {mean:.1f} (" in text
    assert "tracks: knowledge none, training open, answers at once" in text


def test_a_card_that_was_stopped_goes_on_with_the_tasks_that_it_lacks(
    pig: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, whole = tmp_path / "card.json", tmp_path / "whole.json"
    assert run(benchmark.main, "random", "--out", str(whole))[0] == 0
    entries = read_json(whole, FORMAT, "tasks")
    write_json(out, {**entries, "tasks": entries["tasks"][:1]}, FORMAT, "tasks")
    played: list[int] = []
    play = benchmark.play_task
    monkeypatch.setattr(benchmark, "play_task", lambda *given: played.append(given[-1][0]) or play(*given))
    assert run(benchmark.main, "random", "--out", str(out))[0] == 0
    assert played == [200]
    shares = [[task["blocks"] for task in json.loads(path.read_text("utf-8"))["tasks"]] for path in (out, whole)]
    assert shares[0] == shares[1]


def test_the_card_of_another_agent_is_not_gone_on_with(pig: Game, tmp_path: Path) -> None:
    out = tmp_path / "card.json"
    assert run(benchmark.main, "random", "--out", str(out))[0] == 0
    code, text = run(benchmark.main, "constant:roll", "--out", str(out))
    assert code == 2
    assert "the card of the same agents to go on with" in text.replace("\n", " ")


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (["chess=random"], "expected one agent for all games, or GAME=AGENT once for each of pig; got chess=random"),
        (["pig=random", "pig=random"], "expected one agent for all games"),
        (["randon"], "randon"),
        (["random", "--knowledge", "some"], "expected --knowledge none or expert and --budget"),
        (["random", "--blocks", "8", "--out", "card.json"], "expected a file .json for a whole card, without --blocks"),
        (["random", "--out", "card.csv"], "expected a file .json"),
    ],
)
def test_a_card_that_cannot_be_played_is_refused_in_one_line(pig: Game, given: list[str], reason: str) -> None:
    code, text = run(benchmark.main, *given)
    assert code == 2
    assert reason in text


def test_references_are_measured_with_the_tasks_own_blocks(pig: Game, tmp_path: Path) -> None:
    file = tmp_path / "benchmark_references.toml"
    file.write_text("", "utf-8")
    assert run(benchmark.main, "best", "--references")[0] == 0
    assert tomllib.loads(file.read_text("utf-8")) == tomllib.loads(REFERENCES)


def test_references_of_more_blocks_than_the_tasks_own_begin_with_these_and_are_surer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = TASKS.replace("seed = 100\n", "seed = 100\nreference_blocks = 96\n")
    game = small_benchmark(tmp_path, monkeypatch, more)
    assert run(benchmark.main, "best", "--references")[0] == 0
    found = tomllib.loads((tmp_path / "benchmark_references.toml").read_text("utf-8"))
    before = tomllib.loads(REFERENCES)
    assert found["two"]["kept"] == before["two"]["kept"]
    assert found["three"] == before["three"]
    task = read_benchmark(game).tasks[0]
    errors = [
        references_of(game, read_benchmark(game), replace(task, references=of["two"])).points_error()
        for of in (found, before)
    ]
    assert errors[0] < 0.7 * errors[1]
    assert len(task.seeds) == 24


def test_cards_are_compared_on_the_same_blocks_and_runs_of_one_label_together(pig: Game, tmp_path: Path) -> None:
    files = []
    for number, agent in enumerate(["random", "constant:roll", "constant:hold"]):
        files.append(str(tmp_path / f"{number}.json"))
        assert run(benchmark.main, agent, "--label", "first" if number == 0 else "mine", "--out", files[-1])[0] == 0
    code, text = run(compare_cards.main, *files)
    assert code == 0
    assert "| mine | 2 |" in text
    cards = [read_card(Path(file)) for file in files]
    scores = [benchmark.scores_of(card) for card in cards]
    ahead = compare_cards.lead(scores[1:], scores[:1])
    means = [np.mean([of_task.mean() for of_task in of_card.values()]) for of_card in scores]
    assert ahead.value == pytest.approx((means[1] + means[2]) / 2 - means[0])
    for agent, mean in zip(["constant:roll", "constant:hold"], means[1:], strict=True):
        assert f"| mine | {agent} | {mean:.1f} (" in text, "each run has a row"
    assert run(compare_cards.main, files[0], files[0])[1].count("expected each run once") == 1
    assert "| agent | run |" not in run(compare_cards.main, *files[:2])[1]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda entries: entries.pop("label"), "label"),
        (
            lambda entries: entries["tasks"][0].update(blocks=[[1, [1.5], ""]]),
            "the wins of two are no numbers from 0 to 1",
        ),
        (
            lambda entries: entries["tasks"][0]["blocks"].append(entries["tasks"][0]["blocks"][0]),
            "a block of two is there twice",
        ),
        (lambda entries: entries["tasks"][0]["blocks"][0].pop(), "zip"),
        (lambda entries: entries["tasks"].append(entries["tasks"][0]), "it has a task twice"),
        (lambda entries: entries["tasks"][0].update(milliseconds=-5), "the milliseconds of two are -5.0 and "),
        (lambda entries: entries.update(knowledge="all"), "its tracks are 'all'"),
        (lambda entries: entries["tasks"][0].pop("milliseconds"), "it has no 'milliseconds'"),
    ],
)
def test_a_damaged_card_is_refused_with_what_is_wrong(pig: Game, tmp_path: Path, change: Any, reason: str) -> None:
    file = tmp_path / "card.json"
    assert run(benchmark.main, "random", "--out", str(file))[0] == 0
    entries = read_json(file, FORMAT, "tasks")
    change(entries)
    write_json(file, entries, FORMAT, "tasks")
    with pytest.raises(
        ValueError, match=rf"expected a card in .*card.json, which is damaged or another file: .*{reason}"
    ):
        read_card(file)


def test_a_card_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"expected a card, found no .*none.json"):
        read_card(tmp_path / "none.json")


def test_both_sides_of_a_split_are_played_and_the_gap_is_their_difference(pig: Game) -> None:
    split = generalisation.read_benchmark(pig).splits[0]
    result = generalisation.play_split(pig, "constant:hold", "flat:4", split)
    assert [len(shares) for shares in result.shares["train"]] == [12, 12]
    assert [len(shares) for shares in result.shares["test"]] == [24]
    train, test = (result.of_side(side).value for side in ("train", "test"))
    assert result.gap().value == pytest.approx(train - test)
    code, text = run(generalisation.main, "best", "--game", "pig", "--split", "goals")
    assert code == 0
    assert f"| goals | {result.of_side('train')} | {result.of_side('test')} | {result.gap()} |" in text
    assert "expected splits of goals, got 'seats'" in run(generalisation.main, "best", "--split", "seats")[1]
