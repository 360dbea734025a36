"""Weights that are tuned by matches: they go where matches are won, and a run that was stopped goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import typer

from titan_env import agents, registry
from titan_env.agents.tuned import ENTRIES, FORMAT, read_tuned
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.records.sealed import read_json
from titan_env.training import tune_weights
from titan_env.training.tune_weights import (
    Config,
    Progress,
    Weights,
    base_of,
    iterate,
    main,
    matches,
    read_progress,
    tuned_from,
    weights_of,
)

pytestmark = pytest.mark.thorough

RACE = registry.load("titan_race")
BEST = {"brave": 3.0, "swift": -1.0, "idle": 0.0}
BEGUN = {"brave": 1.0, "swift": -2.0, "idle": 0.0}
CONFIG = Config("greedy", "titan_race", {}, tuple(BEGUN), 400, 8, 0.2, 4.0, 0)


def distance(weights: Weights) -> float:
    return sum((weights[name] - BEST[name]) ** 2 for name in BEST)


def noisy(one: Weights, other: Weights, k: int) -> float:
    """Whoever is nearer to the best weights leads, by so much, in a match of a few games."""
    chance = 1 / (1 + np.exp(distance(one) - distance(other)))
    return float(2 * np.random.default_rng(k).binomial(64, chance) / 64 - 1)


def test_weights_go_where_matches_are_won_one_that_was_0_too() -> None:
    progress = Progress.begin(BEGUN)
    for _ in iterate(CONFIG, BEGUN, progress, noisy):
        continue
    assert distance(progress.averaged(CONFIG)) < distance(BEGUN) / 20


def test_what_is_returned_is_the_mean_of_the_last_half() -> None:
    progress, seen = Progress.begin(BEGUN), []
    assert progress.averaged(CONFIG) == BEGUN
    for done in iterate(replace(CONFIG, iterations=10), BEGUN, progress, noisy):
        seen.append(dict(done.weights))
    wanted = np.mean([weights["brave"] for weights in seen[5:]])
    assert progress.averaged(replace(CONFIG, iterations=10))["brave"] == pytest.approx(wanted)


def test_a_match_against_other_agents_counts_how_much_more_one_side_leads_them() -> None:
    config = replace(CONFIG, blocks=3, against=("random", "expert"))
    known = agents.load("greedy", RACE).weights  # type: ignore[attr-defined]
    sides = [{name: way * weight for name, weight in known.items()} for way in (1.0, -1.0)]
    players = [agents.load(tuned_from(base_of(RACE, "greedy"), side).name, RACE) for side in sides]
    others = [agents.load(name, RACE) for name in config.against]
    seeds = range(2 * config.blocks, 3 * config.blocks)

    def lead(one: agents.Agent, other: agents.Agent) -> float:
        shares = play_blocks(RACE, [one, other], seeds, titans=3)
        return float((shares[..., 0] - shares[..., 1]).mean())

    wanted = [lead(*players), *(lead(players[0], other) - lead(players[1], other) for other in others)]
    match = matches(RACE, config, [GameSetup.of(RACE, {"titans": titans}) for titans in (2, 4, 3)])
    assert match(*sides, 2) == pytest.approx(sum(wanted) / 3)


def facts(file: Path) -> dict[str, Any]:
    """What the file of a run says, without how long it took."""
    entries: dict[str, Any] = read_json(file, FORMAT, ENTRIES)
    assert entries["made"].pop("seconds") == round(entries["progress"].pop("seconds"))
    return entries


def test_a_run_that_was_stopped_comes_out_as_one_that_was_not(tmp_path: Path) -> None:
    known = agents.load("greedy", RACE).weights  # type: ignore[attr-defined]
    options = {"agent": "greedy", "option": ["titans=2"], "tuned": list(known)[:2], "blocks": 2, "iterations": 4}
    main(out=tmp_path / "whole.json", **options)
    main(out=tmp_path / "parts.json", minutes=1e-9, **options)
    assert len(json.loads((tmp_path / "parts.json").read_text())["progress"]["leads"]) == 1
    main(out=tmp_path / "parts.json", **options)
    assert facts(tmp_path / "parts.json") == facts(tmp_path / "whole.json")
    with pytest.raises(typer.Exit):
        main(out=tmp_path / "whole.json", **{**options, "seed": 5})


def test_tables_take_turns_and_no_game_is_played_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[list[int], int]] = []

    def play(setup: GameSetup, players: object, lineups: object, seeds: list[int], games: int) -> SimpleNamespace:
        asked.append((seeds, setup.sides))
        return SimpleNamespace(shares=np.array([[[0.75, 0.25]] * games] * len(seeds)))

    monkeypatch.setattr(tune_weights, "play", play)
    setups = [GameSetup.of(RACE, {"titans": titans}) for titans in (2, 4)]
    match = matches(RACE, replace(CONFIG, blocks=2, seed=7), setups)
    assert [match({}, {}, k) for k in range(3)] == [0.5] * 3
    assert asked == [([7, 8], 2), ([9, 10], 4), ([11, 12], 2)]


def test_weights_that_were_changed_before_stay_so() -> None:
    first, second = list(agents.load("greedy", RACE).weights)[:2]  # type: ignore[attr-defined]
    tuned = tuned_from(base_of(RACE, f"greedy:{first}=2"), {second: 0.1234567})
    assert tuned.name == f"greedy:{first}=2,{second}=0.123457"


def test_a_run_goes_on_from_the_file_of_another_with_other_weights(tmp_path: Path) -> None:
    options = {"option": ["titans=2"], "blocks": 2, "iterations": 2}
    first, second = list(agents.load("greedy", RACE).weights)[:2]  # type: ignore[attr-defined]
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    main(agent="greedy", out=one, tuned=[first], **options)
    main(agent=f"tuned:{one}", out=two, tuned=[second], **options)
    begun, done = read_tuned(one, RACE), read_tuned(two, RACE)
    assert done.agent == "greedy"
    assert set(done.weights) == {first, second}
    assert done.weights[first] == begun.weights[first]
    assert done.made["before"] == begun.made


@pytest.mark.parametrize(
    ("agent", "weights", "reason"),
    [
        ("random", [], "expected an agent that scores actions by weights, such as greedy or expert, got random"),
        ("greedy", ["luck"], "expected weights among .*, got luck"),
    ],
)
def test_what_has_no_such_weights_is_refused(agent: str, weights: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        weights_of(RACE, agent, weights)


def test_a_file_that_is_none_of_a_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.json"
    file.write_text("{}")
    with pytest.raises(ValueError, match=r"expected the file of a run in .*, which is damaged"):
        read_progress(file, CONFIG, BEGUN)
    assert file.read_text() == "{}"
