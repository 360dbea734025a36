"""Reinforcement: what a legion qualifies for, by the printed examples."""

from __future__ import annotations

import pytest

from tests.titan_battle.table import Table
from titan_env.games.titan_battle.rules.musters import ENTRIES, _read_ladder

EXAMPLES = [
    ("an ogre", "marsh", "ogre", "ogre"),
    ("a troll", "marsh", "troll", "ogre troll"),
    ("two ogres", "marsh", "ogre ogre", "ogre troll"),
    ("two lions", "mountains", "lion lion", "lion minotaur"),
    ("a colossus", "mountains", "colossus", "lion minotaur dragon colossus"),
    ("two ogres and a troll", "marsh", "ogre ogre troll", "ogre troll"),
    ("two centaurs and two lions", "mountains", "centaur centaur lion lion", "lion minotaur"),
    ("the same elsewhere", "desert", "centaur centaur lion lion", "lion"),
    ("three trolls", "tower", "troll troll troll", "guardian centaur gargoyle ogre"),
    ("tower", "tower", "lion", "centaur gargoyle ogre"),
    ("titan", "tower", "titan", "warlock centaur gargoyle ogre"),
    ("no lords", "tower", "warlock angel angel angel", "warlock centaur gargoyle ogre"),
    ("a guardian", "tower", "guardian", "guardian centaur gargoyle ogre"),
    ("three", "woods", "centaur centaur centaur", "centaur warbear"),
]
PLACES = "D6 E5 F4 F3"


@pytest.mark.parametrize(("name", "land", "legion", "kinds"), EXAMPLES)
def test_what_a_legion_may_muster(name: str, land: str, legion: str, kinds: str) -> None:
    places = {"mountains": "D6 E5 F4 F3", "desert": "C5 B4 A3 A2"}.get(land, PLACES).split()
    members = ", ".join(f"{kind} {place}" for kind, place in zip(legion.split(), places, strict=False))
    table = Table(land, "ogre C1", members, half="defender", phase="arrival", begun=4, may_reinforce=1)
    assert table.may("muster") == kinds.split(), name


def test_a_ladder_that_cannot_be_climbed_is_refused() -> None:
    for wrong in ({"ladder": ["ogre", "goblin"]}, {"needs": [1, 2, 2]}, {"needs": [0, 2]}):
        with pytest.raises(ValueError, match=r"musters.toml, marsh: expected"):
            _read_ladder(4, {**ENTRIES["marsh"], **wrong})
