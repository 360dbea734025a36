"""The expert: what it does where the rules leave no doubt, and how it fares against the greedy agent."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_dice import turn
from titan_env import agents
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.match import win_rates
from titan_env.games.titan_race.rules.actions import ACTIONS
from titan_env.play.determinization import batch_of
from titan_env.registry import load

pytestmark = pytest.mark.thorough

RACE = load("titan_race")
EXPERT, GREEDY = agents.load("expert", RACE), agents.load("greedy", RACE)


def choice(table: Table, agent: agents.Agent = EXPERT) -> str:
    """The text of what the expert does at this table, however ties fall."""
    batch = batch_of(RACE, table.states, np.random.default_rng(0))
    chosen = {
        ACTIONS.texts[int(agent(batch.observations, batch.masks, np.random.default_rng(seed))[0])] for seed in range(5)
    }
    assert len(chosen) == 1, chosen
    return chosen.pop()


def alone(drawing: str, **lines: str) -> str:
    """Rassik with Grinder far away: what he does is nobody else's business."""
    return drawing + "rassik:" + lines.get("rassik", "") + "\ngrinder:\n"


# Moves


def test_it_crosses_the_line_when_that_wins_whatever_lies_on_the_way() -> None:
    board = plain(C11="Ra", B12="~", D12="~", A1="~", C1="~", E3="Gr")
    assert choice(Table(alone(board, rassik=" lap=3 life=1") + turn("red"))) == "move:S"
    # Green would end on the lava before the line, out of lives.
    assert choice(Table(alone(board, rassik=" lap=3 life=1"), dice="red green green")) == "draft:red"


def test_it_slides_over_ice_where_that_carries_further_and_knows_that_the_slide_ends_its_movement() -> None:
    assert choice(Table(alone(plain(C1="Ra", B4="#", E11="Gr")) + turn("blue"))) == "move:LS"
    assert choice(Table(alone(plain(C1="Ra", B2="#", D2="#", D4="*", E11="Gr")) + turn("blue"))) == "move:SR"


def test_it_starts_over_a_super_ramp_to_its_side() -> None:
    assert choice(Table(alone(plain(C1=">Ra", E11="Gr")) + turn("brown"))) == "move:RRR"
    assert choice(Table(alone(plain(C1="<Ra", E11="Gr")) + turn("brown"))) == "move:LLL"


def test_what_lies_under_a_jump_does_not_frighten_it() -> None:
    board = plain(C1=">Ra", D2="~", E3="~", B2="x", E11="Gr")
    assert choice(Table(alone(board, rassik=" life=1") + turn("brown"))) == "move:RRR"


def test_it_goes_round_lava_that_would_knock_it_out() -> None:
    board = plain(C1="Ra", D2="~", E11="Gr")
    assert choice(Table(alone(board, rassik=" life=1") + turn("green"))) == "move:LL"


@pytest.mark.parametrize(("dice", "die"), [("red red purple", "purple"), ("red yellow purple", "yellow")])
def test_it_pays_for_purple_only_where_no_die_gives_the_same_for_nothing(dice: str, die: str) -> None:
    assert choice(Table(alone(plain(C1="Ra", E11="Gr")), dice=dice)) == f"draft:{die}"


# Others


def test_it_strikes_the_first_rather_than_the_last() -> None:
    board = plain(C3="Sl", C5="Ra", B4="Gr")
    for first, way in (("rassik", "F"), ("grinder", "FL")):
        lines = f"slaugg:\nrassik: lap={3 if first == 'rassik' else 1}\ngrinder: lap={3 if first == 'grinder' else 1}\n"
        assert choice(Table(board + lines + "ability_used: 1\n" + turn("green"))) == f"strike:{way}"


def test_it_changes_places_with_a_titan_ahead_never_with_one_behind() -> None:
    lines = "craken:\ngrinder:\nrassik:\n" + turn("red").replace("extra_due: 1\n", "")
    ahead = Table(plain(C5="Cr", C7="Gr", C3="Ra") + lines)
    assert choice(ahead) == "ability:F"
    behind = Table(plain(C5="Cr", E11="Gr", C3="Ra") + lines)
    assert not choice(behind).startswith("ability")


def test_it_shoves_an_opponent_back_and_itself_never() -> None:
    lines = "ragnarok:\ngrinder:\nask: shove\ntarget: 1\nface: red\naction: red\nability_used: 1\n"
    assert choice(Table(plain(C5="Rg", E5="Gr") + lines)) == "shove:B"


# Cards


def test_it_plays_with_gauges_above_six_lives() -> None:
    race = {"titans": ["chtooloo", "rassik"], "life": {"chtooloo": 9, "rassik": 12}}
    batch = Batch(RACE, 64, **race)
    batch.seed(3)
    batch.start()
    rng = np.random.default_rng(0)
    for _ in range(200):
        batch.step(EXPERT(batch.observations, batch.masks, rng))
        batch.start(batch.over)


@pytest.mark.parametrize(("lives", "answer"), [(1, "play:shield"), (4, "pass")])
def test_it_keeps_the_shield_for_a_life_that_is_dear(lives: int, answer: str) -> None:
    board = plain(C1="Ra", D2="~", B2="~", E11="Gr")
    table = Table(alone(board, rassik=f" life={lives}") + "hand 0: shield\n" + turn("green"))
    table.play("move:LL")
    assert table.asked == ("shield", "rassik")
    assert choice(table) == answer


@pytest.mark.parametrize(("lives", "heals"), [(1, True), (4, False)])
def test_it_drinks_the_healing_potion_only_where_lives_are_missing(lives: int, heals: bool) -> None:
    drawing = alone(plain(C1="Ra", E11="Gr"), rassik=f" life={lives}")
    table = Table(drawing + "hand 0: healing_potion\n" + turn("yellow"))
    assert (choice(table) == "play:healing_potion") == heals


def test_it_does_not_retreat() -> None:
    drawing = alone(plain(C5="Ra", E11="Gr")) + "hand 0: retreat\nask: turn\nface: red\naction: red\n"
    assert choice(Table(drawing + "moved: 1\ndie_done: 1\n")) == "end"


def test_it_makes_room_in_a_full_hand_by_throwing_the_worst_card_away() -> None:
    drawing = alone(plain(C5="Ra", E11="Gr")) + "hand 0: retreat shield\nask: turn\nface: red\naction: red\n"
    assert choice(Table(drawing + "moved: 1\ndie_done: 1\n")) == "discard:retreat"


# With other weights


@pytest.mark.parametrize("card", ["wings", "speed_potion"])
@pytest.mark.parametrize(("lap", "plays"), [(1, False), (3, True)])
def test_told_to_save_cards_that_move_it_plays_them_on_the_last_rows_only(card: str, lap: int, plays: bool) -> None:
    drawing = alone(plain(C7="Ra", E11="Gr"), rassik=f" lap={lap}") + f"hand 0: {card}\nask: turn\nface: red\n"
    table = Table(drawing + "action: red\nmoved: 1\ndie_done: 1\n")
    assert choice(table) == f"play:{card}"
    assert choice(table, agents.load("expert:save=2,sprint=8", RACE)) == (f"play:{card}" if plays else "end")


def test_told_to_wait_grinder_moves_before_he_sets_his_trap() -> None:
    drawing = plain(C5="Gr", B4="Ra") + "grinder:\nrassik:\n" + turn("yellow")
    patient = agents.load("expert:wait=1", RACE)
    assert choice(Table(drawing)).startswith("ability:")
    assert choice(Table(drawing), patient) == "move:SS"
    assert choice(Table(drawing.replace("C5", "C7") + "moved: 1\ndie_done: 1\n"), patient).startswith("ability:")


# As an agent


@pytest.mark.parametrize("name", RACE.rules.presets)
def test_it_is_legal_and_finite_in_every_variant(name: str) -> None:
    from titan_env.games.titan_race.agents.expert import WEIGHTS, score

    batch, rng = Batch(RACE, 32, **RACE.rules.presets[name]), np.random.default_rng(0)
    batch.seed(1)
    batch.start()
    for _ in range(60):
        scores = score(RACE.rules.fields.split(batch.observations), WEIGHTS)
        assert np.isfinite(scores).all()
        chosen = EXPERT(batch.observations, batch.masks, rng)
        assert batch.masks[np.arange(32), chosen].all()
        batch.step(chosen)
        batch.start(batch.states["over"] != 0)


def test_it_decides_each_row_by_itself() -> None:
    from titan_env.games.titan_race.agents.expert import WEIGHTS, score

    batch = Batch(RACE, 100, titans=6)
    batch.seed(5)
    batch.start()
    batch.rollout(40, restart=True)
    order = np.random.default_rng(0).permutation(100)
    scores = score(RACE.rules.fields.split(batch.observations), WEIGHTS)
    assert np.allclose(score(RACE.rules.fields.split(batch.observations[order]), WEIGHTS), scores[order], atol=1e-5)


PLAIN = """
import sys
import numpy as np
from titan_env import agents, registry
race = registry.load("titan_race")
np.save(sys.argv[2], agents.load("expert", race).scores(np.load(sys.argv[1])))
"""


def test_it_thinks_the_same_compiled_and_as_plain_python(tmp_path: Path) -> None:
    batch = Batch(RACE, 30, titans=6)
    batch.seed(9)
    batch.start()
    batch.rollout(60, restart=True)
    np.save(tmp_path / "seen.npy", batch.observations)
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "."}
    files = [str(tmp_path / name) for name in ("seen.npy", "thought.npy")]
    subprocess.run([sys.executable, "-c", PLAIN, *files], env=environment, check=True)
    assert np.array_equal(np.load(files[1]), EXPERT.scores(batch.observations))  # type: ignore[attr-defined]


def test_it_beats_greedy_over_600_races() -> None:
    shares = win_rates(RACE, {"expert": EXPERT, "greedy": GREEDY}, 600, seed=0, titans=4)
    assert shares["expert"].interval[0] > 0.5


def test_it_says_which_games_it_does_not_know() -> None:
    with pytest.raises(ValueError, match=r"expected an agent among .*, got 'expert' for Pig"):
        agents.load("expert", load("pig"))


def test_it_says_which_weights_it_does_not_have() -> None:
    with pytest.raises(ValueError, match=r"expected weights among row, .*got speed"):
        agents.load("expert:speed=1", RACE)
