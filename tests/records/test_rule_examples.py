"""The pages of rules: every example shows its rule at work, and every language tells the same rules."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.games import game_with
from tests.web.serving import Visitor
from titan_env.contract import Game
from titan_env.contract.translation import use_language
from titan_env.records.rule_examples import example, kept
from titan_env.web.requests.server import Server
from titan_env.web.views.rules import anchors, rules_page
from tools.find_examples import as_text, found
from tools.rules_pages import PLACE, filled, pages_of

ENGLISH = re.compile(r"\b(the|of|with|which|and|is|are|it|has|may)\b")
NAMED = re.compile(r"`[^`]*`|\*[^*]*\*")
"""What is code, or a word that is named, such as an English term."""
MARKS = {
    "en": ("law", "inferred", "reconstruction"),
    "fr": ("loi", "déduit", "reconstruction"),
    "es": ("ley", "deducido", "reconstrucción"),
}
"""What says of a sentence how much of it is printed, in each language of a rules page."""
HEADING = re.compile(r"^(#+) .*?(?:`([\w.]+)`)?$", re.MULTILINE)


def with_rules(game: Game) -> Path:
    """The folder of a game that comes with its rules."""
    if not game.metadata.folder:
        pytest.skip("it has no page of rules")
    return Path(game.metadata.folder)


def test_every_example_is_a_legal_decision_in_which_its_rule_does_something(game: Game) -> None:
    with_rules(game)
    rules = set(game.text.rule_of.values())
    examples = [rule for rule in kept(game) if not rule.startswith("first_turn.")]
    assert set(examples) <= rules
    assert len(examples) > 0.9 * len(rules), "python -m tools.find_examples writes them"
    for rule in kept(game):
        shown, mask = example(game, rule), np.zeros(len(game.rules.actions), np.int8)
        game.rules.legal(shown.before, mask)
        assert mask[shown.action], rule
        assert rule not in examples or rule in {
            game.text.rule_of[game.rules.events(int(event[0]))] for event in shown.events
        }
        assert shown.sentence.startswith(game.text.describe_action(shown.before, shown.action).rstrip("."))


def test_an_example_that_is_found_is_read_back_as_it_was(game: Game, tmp_path: Path) -> None:
    if not game.text.rule_of:
        pytest.skip("it does not say which rules are behind its events")
    best = found(game, 1)
    (tmp_path / "examples.toml").write_text(as_text(game, best), "utf-8")
    elsewhere = game_with(game, folder=str(tmp_path))
    assert set(kept(elsewhere)) == set(best)
    for rule, moment in best.items():
        shown = example(elsewhere, rule)
        assert shown.before == moment.before
        assert shown.after == moment.after
        np.testing.assert_array_equal(shown.events, moment.events)


def test_the_page_draws_every_example_and_refuses_others(game: Game) -> None:
    with_rules(game)
    visitor = Visitor(Server())
    page = visitor.do("rules", game=game.name)["html"]
    assert not re.search(r"\[(made|end): ", page), "the lines around what is made are for tools only"
    assert re.findall(r'data-rule="([\w.]+)"', page) == [
        rule for rule in anchors(game.metadata.folder) if rule in kept(game)
    ]
    for rule in kept(game):
        shown = visitor.do("example", game=game.name, rule=rule, theme="dark", narrow=True)
        assert shown["svg"].startswith("<svg")
        assert shown["said"]
    assert "expected a rule" in visitor.refused("example", game=game.name, rule="../RULES.md")


def test_the_rules_have_the_same_headings_and_anchors_in_every_language(game: Game) -> None:
    folder = with_rules(game)
    english = folder / "RULES.md"
    with use_language("en"):
        ids = re.findall(r'<h\d id="([^"]+)"', rules_page(game))
    assert set(anchors(game.metadata.folder).values()) <= set(ids)
    for path in folder.glob("RULES.*.md"):
        translated, original = path.read_text("utf-8"), english.read_text("utf-8")
        assert HEADING.findall(translated) == HEADING.findall(original), path.name
        language = path.suffixes[0][1:]
        with use_language(language):
            page = rules_page(game)
        assert re.findall(r'<h\d id="([^"]+)"', page) == ids
        for heading, body, other in zip(HEADING.findall(original), parts(original), parts(translated), strict=True):
            assert bool(body) == bool(other), heading
            assert 0.5 * len(body) <= len(other) <= 2 * len(body) + 40, heading
            assert body.count("|") == other.count("|"), heading
            assert body.count(MARKS["en"][-1]) == other.count(MARKS[language][-1]), heading
            assert numbers_in_tables(body) == numbers_in_tables(other), heading
            assert ENGLISH.search(NAMED.sub("", other)) is None, heading


def test_what_a_page_tells_from_the_data_is_what_the_data_say(game: Game) -> None:
    with_rules(game)
    for path, language in pages_of(game).items():
        text = path.read_text("utf-8")
        assert text.count("\n[made: ") == len(PLACE.findall(text)), path.name
        assert filled(game, text, language) == text, "python -m tools.rules_pages writes it"


def test_the_first_turn_of_the_page_has_a_picture_of_each_step(game: Game) -> None:
    folder = with_rules(game)
    steps = re.findall(r"^### .*`(first_turn\.\d+)`$", (folder / "RULES.md").read_text("utf-8"), re.MULTILINE)
    assert set(steps) == {rule for rule in kept(game) if rule.startswith("first_turn.")}, "python -m tools.rules_pages"
    assert steps


def test_each_section_says_whether_it_is_law_inferred_or_reconstruction(game: Game) -> None:
    with_rules(game)
    info = {language: marks(path.read_text("utf-8"), language) for path, language in pages_of(game).items()}
    assert {heading for heading, named in info["en"].items() if not named} == set()
    for language, sections in info.items():
        assert list(sections.values()) == list(info["en"].values()), language


def marks(text: str, language: str) -> dict[str, list[int]]:
    """The marks of each section that tells a rule, by their number in `MARKS`, in order."""
    called = MARKS[language]
    sections = [part.partition("\n") for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]]
    bodies = {heading: re.split(r"^# ", body, flags=re.MULTILINE)[0] for heading, _sep, body in sections}
    return {
        heading: [called.index(mark) for mark in re.findall(rf"\*\((?:[^)*]*:\s)?({'|'.join(called)})\b", body)]
        for heading, body in bodies.items()
    }


def numbers_in_tables(text: str) -> list[str]:
    """The numbers of all tables of a text, in order."""
    return re.findall(r"\d+", "".join(line for line in text.splitlines() if line.startswith("|")))


def parts(text: str) -> list[str]:
    """What stands under each heading."""
    return [part.partition("\n")[2].strip() for part in re.split(r"^#+ ", text, flags=re.MULTILINE)[1:]]
