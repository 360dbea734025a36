"""The chances of a battle: told from legions, land and entry alone, learned from finished battles."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from titan_env import registry
from titan_env.games.titan_battle import chances
from titan_env.games.titan_battle.agents.legion_features import AT_HOME, Battles, battles_of, features
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_battle.rules.setup import configure
from titan_env.games.titan_battle.rules.state import KINDS, LANDS, LEGION, Character, Land, Result, Side
from titan_env.games.titan_battle.value import fit, forecast, measures
from titan_env.games.titan_battle.value.battles import Fought, draw_battles, fight
from titan_env.games.titan_battle.value.calibrated import calibrated
from titan_env.games.titan_battle.value.chances import WEIGHTS, foretell, read

pytestmark = pytest.mark.thorough

GAME = registry.load("titan_battle")
DRAWN = 400
MUCH = 0.1  # less likely by so much is much less likely


@pytest.fixture(scope="module")
def drawn() -> Battles:
    """Battles of drawn legions, of equal ages and not."""
    return battles_of(draw_battles(GAME, DRAWN, 5)[0]["battle"])


def test_probabilities_lie_between_0_and_1_and_add_up_to_1_and_nobody_loses_more_than_all(drawn: Battles) -> None:
    predicted = foretell(drawn)
    assert ((predicted[:, :3] >= 0) & (predicted[:, :3] <= 1)).all()
    assert predicted[:, :3].sum(axis=1) == pytest.approx(np.ones(DRAWN))
    assert ((predicted[:, 3:] >= 0) & (predicted[:, 3:] <= drawn.values())).all()


@pytest.mark.parametrize("side", Side)
def test_a_legion_that_somebody_joins_is_never_much_less_likely_to_win(drawn: Battles, side: Side) -> None:
    small = drawn.take(drawn.counts[:, side].sum(axis=1) < LEGION)
    before = foretell(small)[:, side]
    for kind in range(Character.ANGEL, KINDS):
        more = small.counts.copy()
        more[:, side, kind] += 1
        gained = foretell(small._replace(counts=more))[:, side] - before
        assert gained.mean() > 0, CHARACTERS[kind]
        assert np.quantile(gained, 0.02) > -MUCH, CHARACTERS[kind]


def test_the_strong_beat_the_weak_on_every_land_from_every_side() -> None:
    strong, weak = ["titan", "colossus", "serpent", "hydra"], ["ogre", "centaur"]
    for land in LAND_NAMES:
        for entry in ENTRY_NAMES if land != "tower" else "B":
            assert chances(strong, weak, land, entry).attacker > 0.9, land
            assert chances(weak, strong, land, entry).defender > 0.9, land


def test_a_titan_is_the_stronger_the_higher_its_score() -> None:
    legions = (["titan", "ogre", "lion"], ["minotaur", "minotaur", "warbear"])
    assert chances(*legions, "plains", "B", scores=(600, 0)).attacker > chances(*legions, "plains", "B").attacker


def test_names_and_records_are_told_alike() -> None:
    legions = (["titan", "ogre", "ogre"], ["lion", "troll"])
    fresh = configure("marsh", "L", *legions, attacker_seat=0, summon="angel", reinforcement=False)
    predicted = chances(*legions, "marsh", "L", summon="angel", reinforcement=False)
    fitted = foretell(battles_of(fresh["battle"]))
    assert predicted[:3] == pytest.approx(calibrated(fitted[:, :3])[0])
    assert predicted[3:] == pytest.approx(fitted[0, 3:])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"attacker": ["ogre", "oger"]}, r"attacker: expected one of titan, .* got 'oger'.*ogre"),
        ({"defender": ["lion"] * 8}, "defender: expected 1 to 7 characters, got 8"),
        ({"defender": []}, "defender: expected 1 to 7 characters, got 0"),
        ({"attacker": ["titan", "titan"]}, "attacker: expected at most one titan, got 2"),
        ({"land": "sea"}, r"land: expected one of plains, .* got 'sea'"),
        ({"land": "random"}, "land: expected one of plains, .* got 'random', which leaves it to chance"),
        ({"side": "T"}, r"side: expected one of R, B, L, .*got 'T'"),
        ({"side": "random"}, "side: expected one of R, B, L, got 'random', which leaves it to chance"),
        ({"land": "tower", "side": "R"}, "side: expected B in a tower, got 'R'"),
        ({"attacker": "drawn"}, "attacker: expected a list of characters, got 'drawn'"),
    ],
)
def test_what_cannot_be_fought_is_refused_in_one_sentence(wrong: dict[str, object], message: str) -> None:
    right = {"attacker": ["ogre"], "defender": ["lion"], "land": "plains", "side": "B"}
    with pytest.raises(ValueError, match=message):
        chances(**{**right, **wrong})  # type: ignore[arg-type]


def test_a_file_without_weights_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "chances.npz"
    path.write_bytes(b"nonsense")
    with pytest.raises(ValueError, match="expected the weights of chances"):
        read(path)


def test_natives_are_at_home_where_their_ground_is() -> None:
    home = AT_HOME[:, Character.HYDRA]
    assert [LAND_NAMES[land] for land in range(LANDS) if home[land]] == ["marsh", "desert", "swamp"]
    assert not AT_HOME[Land.PLAINS].any()


def test_drawn_battles_are_of_all_lands_and_sides_and_of_legions_of_one_to_seven(drawn: Battles) -> None:
    assert set(drawn.lands) == set(range(LANDS))
    assert set(drawn.entries) == {0, 1, 2}
    sizes = drawn.counts.sum(axis=2)
    assert (sizes.min(), sizes.max()) == (1, LEGION)
    powers = drawn.titans[drawn.titans > 0]
    assert (powers.min(), powers.max()) == (POWER[Character.TITAN], POWER[Character.TITAN] + 8)
    assert np.isfinite(features(drawn)).all()


def test_who_is_beaten_has_lost_all_and_the_winner_never_more_than_he_had() -> None:
    fought, _ = fight(GAME, "random", 40, 3)
    values = fought.battles.values()
    beaten = fought.results == Result.DEFENDER_WINS
    assert beaten.any()
    assert (fought.losses[beaten, Side.ATTACKER] == values[beaten, Side.ATTACKER]).all()
    assert (fought.losses[beaten, Side.DEFENDER] <= values[beaten, Side.DEFENDER]).all()
    assert fought.losses[beaten, Side.DEFENDER].mean() < values[beaten, Side.DEFENDER].mean()


def test_the_file_is_what_the_command_makes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit, "PART", 60)
    typed = ["--battles", "120", "--agent", "random", "--epochs", "2", "--out"]
    fit.main([*typed, str(tmp_path / "one")])
    assert "nine plain terms" in capsys.readouterr().out
    (tmp_path / "one" / "chances.npz").unlink()
    fit.main([*typed, str(tmp_path / "one")])
    output = capsys.readouterr().out
    assert "fought" not in output, "battles that lie there are not fought again"
    assert "| round | positions |" in output
    assert "| foretold | positions |" in output
    fit.main([*typed, str(tmp_path / "two")])
    for path in (WEIGHTS, forecast.WEIGHTS):
        one, two, own = (read(folder / path.name) for folder in (tmp_path / "one", tmp_path / "two", path.parent))
        assert one.made == two.made
        assert one.made["script"] == own.made["script"]
        assert one.made["config"].keys() == own.made["config"].keys()
        for mine, other, shipped in zip(one.layers, two.layers, own.layers, strict=True):
            assert all((a == b).all() for a, b in zip(mine, other, strict=True))
            assert [part.shape for part in mine] == [part.shape for part in shipped]


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        (["--battles", "19"], "--battles: expected at least 20, got 19"),
        (["--seed", "-1"], "--seed: expected at least 0, got -1"),
        (["--epochs", "0"], "--epochs: expected at least 1, got 0"),
        (["--agent", "nobody"], "expected an agent among .*got 'nobody'"),
        (["--out", __file__], "expected a folder, but .* lies in a file"),
    ],
)
def test_what_cannot_be_fitted_is_refused_before_a_battle_is_fought(
    typed: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = [] if "--out" in typed else ["--out", str(tmp_path / "none")]
    with pytest.raises(SystemExit, match="2"):
        fit.main([*typed, *out])
    assert re.search(f"error: {complaint}", capsys.readouterr().err.splitlines()[-1])
    assert not (tmp_path / "none").exists() or not list((tmp_path / "none").iterdir())


def test_the_measures_are_those_of_the_textbook() -> None:
    won = np.array([True, False, True, False])
    assert measures.auc(np.array([3.0, 1.0, 2.0, 0.0]), won) == 1
    assert measures.auc(np.array([0.0, 0.0, 0.0, 0.0]), won) == 0.5
    assert np.isnan(measures.auc(np.zeros(2), np.array([True, True])))
    assert measures.right(np.array([1.0, -1.0, -1.0, -2.0]), won) == 0.75
    assert measures.log_loss(np.zeros(4), won) == pytest.approx(np.log(2))


def test_ends_and_rows_of_fought_battles_go_together() -> None:
    fought, _ = fight(GAME, "random", 20, 4)
    part = fit.rows_of(fought, fought.results == Result.TIME_LOSS)
    assert isinstance(part, Fought)
    assert (fit.ends_of(part.results) == 1).all(), "a time-loss is won by the defender"
