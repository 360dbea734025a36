"""Languages: every catalogue has everything that is said, and whoever asks for one is answered in it."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import GAMES
from tests.web.serving import Visitor
from titan_env import registry
from titan_env.contract.translation import use_language
from titan_env.records.replay import parse, positions
from titan_env.records.replay import read as read_record
from titan_env.records.replay_html import render_html
from titan_env.web.requests.server import Server
from titan_env.web.views.guests import hash_of_secret
from tools.languages import PACKAGE, catalogues, forms, gaps, parts, read, texts, updated

PARTS = {str(part.relative_to(PACKAGE)): part for part in parts()}
RECORD = Path(__file__).parent / "golden" / "race_2.jsonl"


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_no_catalogue_lacks_a_text_of_the_sources_or_keeps_one_that_is_gone(part: Path) -> None:
    sources = texts(part)
    complaints = [f"{path.stem}: {gap}" for path in catalogues(part) for gap in gaps(path, sources)]
    assert complaints == [], "run python -m tools.languages, and translate what it lists"


def test_a_text_that_a_catalogue_lacks_and_one_that_is_gone_are_named(tmp_path: Path) -> None:
    (tmp_path / "words.py").write_text('_("Hello"), many("a die", "{n} dice", 2), mark("new")', "utf-8")
    old = 'msgid "Hello"\nmsgstr "Bonjour"\n\nmsgid "old"\nmsgstr "vieux"\n'
    path = tmp_path / "languages" / "fr.po"
    path.parent.mkdir()
    path.write_text(old, "utf-8")
    assert gaps(path, texts(tmp_path)) == [
        "to be translated: ('a die', '{n} dice')",
        "to be translated: new",
        "no longer in the sources: old",
    ]
    path.write_text(updated(tmp_path)[path], "utf-8")
    assert gaps(path, texts(tmp_path)) == ["to be translated: ('a die', '{n} dice')", "to be translated: new"]
    assert "Bonjour" in path.read_text("utf-8")
    assert "vieux" not in path.read_text("utf-8")
    assert not re.search("Date|Babel|PROJECT", path.read_text("utf-8")), "what changes by itself is not kept"


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_translation_has_the_placeholders_of_its_text(part: Path) -> None:
    for path in catalogues(part):
        for message in read(path):
            of_text, of_translation = (
                {frozenset(re.findall(r"\{\w+\}", form)) for form in forms(text)}
                for text in (forms(message.id)[-1], message.string)
            )
            assert of_text == of_translation, f"{path.stem}: {message.id}"


def test_every_part_has_a_french_catalogue() -> None:
    assert [name for name, part in PARTS.items() if not (part / "languages" / "fr.po").exists()] == []


def begun(visitor: Visitor, game: str, **options: str) -> dict[str, object]:
    seats = visitor.do("seats", game=game, options=options)["seats"]
    return visitor.do("begin", game=game, names=["random"] * seats, options=options, seed=3)


def test_a_browser_that_asks_for_french_is_answered_in_french_and_the_switch_wins() -> None:
    visitor = Visitor(Server())
    visitor.client.headers["accept-language"] = "fr-CH, fr;q=0.9, en;q=0.8"
    page = visitor.client.get("/").text
    assert '<html lang="fr"' in page
    assert "Nouvelle partie" in page
    assert "New game" not in page
    assert "Joueur {n}" in visitor.client.get("/words.js").text
    view = begun(visitor, "titan_race", titans="2")
    assert view["say"] == "Le début"
    view = visitor.do("act", id=view["id"], at=0) | {"id": view["id"]}
    assert "prend un dé" in view["say"]
    assert "Dés" in view["svg"]
    assert any("joueur 1" in line for line in view["described"])
    assert "vie" in visitor.do("glossary", game="titan_race")["terrain:lava"]["text"]
    visitor.client.cookies.set("language", "en")
    assert "takes a" in visitor.do("show", id=view["id"], at=1)["say"]


@pytest.mark.thorough
def test_a_film_is_told_in_the_language_of_whoever_saves_it_and_in_no_other() -> None:
    record = read_record(RECORD)
    with use_language("fr"):
        page = render_html(record)
    shown = json.loads(zlib.decompress(base64.b64decode(page.partition('id="pages">')[2].partition("<")[0])))
    sentences = [moment["say"] for moment in shown["pages"]]
    assert '<html lang="fr"' in page
    assert "Permis maintenant" in page
    assert sentences[0] == "Le début"
    assert all(re.match(r"Joueur \d : ", sentence) for sentence in sentences[1:])
    texts = [*sentences, *(text for moment in shown["pages"] for part in ("events", "legal") for text in moment[part])]
    texts += [name for moment in shown["pages"] for name in moment.get("chances", ())]
    english = re.compile(r"\b(takes|moves|plays|the|is on|ends|loses|sets|player|life|with)\b")
    assert [sentence for sentence in texts if english.search(sentence)] == []
    assert "{{" not in page
    assert "[[" not in page


def test_a_complaint_about_a_position_is_made_in_french() -> None:
    visitor = Visitor(Server())
    visitor.client.headers["accept-language"] = "fr"
    text = visitor.do("position", game="titan_race", text="")["text"]
    assert "ligne 2" in visitor.refused("position", game="titan_race", text=text.replace("12  ", "12  ?", 1))
    for what, where in (("trap:3", "space:4"), ("life:9", "life:9"), ("piece:0", "deck")):
        complaint = visitor.refused("position", game="titan_race", text=text, what=what, where=where)
        assert complaint.startswith("attendu : "), complaint


@pytest.mark.parametrize(
    ("name", "asked", "complaint"),
    [
        ("seats", {"options": {"titans": "9"}}, "titans : attendu : 2 à 6, reçu : 9"),
        ("seats", {"options": {"laps": "many"}}, "laps : attendu : un nombre entier, reçu : 'many'"),
        (
            "seats",
            {"options": {"titan": "3"}},
            "attendu : une option de Titan Race, reçu : 'titan' ; vouliez-vous dire titans",
        ),
        ("seats", {"options": {"circuit": "moon"}}, "circuit : attendu : l'un de kaldheira"),
        ("seats", {"options": {"circuit": "a moon\n12 . ."}}, "circuit 1, ligne 2 : attendu : trois signes"),
        ("seats", {"options": {"variant": "2v2", "titans": "3"}}, "pour la variante '2v2', reçu : 3"),
        ("begin", {"names": ["nobody"]}, "attendu : des joueurs parmi person"),
        ("begin", {"names": ["random"], "seed": -1}, "attendu : une graine de 0 à"),
        ("begin", {"names": ["random"], "seed": 1}, "attendu : 4 joueurs, reçu : 1"),
        ("show", {"id": "nowhere"}, "attendu : une de vos parties"),
        ("open", {"record": 3}, "attendu : le texte d'un enregistrement"),
    ],
)
def test_the_page_complains_in_french_and_python_in_english(name: str, asked: dict[str, Any], complaint: str) -> None:
    visitor = Visitor(Server())
    visitor.client.headers["accept-language"] = "fr"
    assert complaint in visitor.refused(name, game="titan_race", **asked)
    visitor.client.headers["accept-language"] = "en"
    assert "expected" in visitor.refused(name, game="titan_race", **asked)
    with pytest.raises(ValueError, match="laps: expected 1 to 100, got 0"):
        registry.load("titan_race").rules.configure(laps=0)


@pytest.mark.parametrize(
    ("damaged", "complaint", "in_english"),
    [
        (
            lambda text: text.replace('"seat":', '"saet":', 1),
            "ligne 2 : attendu : 'seat' de type int",
            "line 2: expected",
        ),
        (lambda text: text + "{}\n", "attendu : plus rien après le résultat", "expected nothing after the result"),
        (lambda text: "no record\n" + text, "ligne 1 : attendu : une ligne de JSON", "line 1: expected a line of JSON"),
        (
            lambda text: text.replace('"format":2', '"format":1', 1),
            "attendu : le format 2, reçu : 1",
            "expected format 2",
        ),
        (lambda text: text.replace('"chain":"', '"chain":"0', 1), "la ligne a été modifiée", "the line was changed"),
        (
            lambda text: "".join(line for n, line in enumerate(text.splitlines(keepends=True)) if n != 3),
            "des lignes manquent ou sont en désordre",
            "lines are gone or out of order",
        ),
    ],
)
def test_what_is_wrong_with_a_record_is_said_in_the_language_of_the_page(
    damaged: Callable[[str], str], complaint: str, in_english: str
) -> None:
    visitor = Visitor(Server())
    for spoken, expected in (("fr", complaint), ("en", in_english)):
        visitor.client.headers["accept-language"] = spoken
        assert expected in visitor.refused("open", record=damaged(RECORD.read_text("utf-8")))


def test_a_game_without_a_catalogue_speaks_english_within_a_french_page() -> None:
    visitor = Visitor(Server(first=["pig"]))
    visitor.client.headers["accept-language"] = "fr"
    view = begun(visitor, "pig")
    assert view["say"] == "Le début"
    visitor.client.headers["accept-language"] = "en"
    assert visitor.do("show", id=view["id"])["described"] == view["described"]


@pytest.mark.thorough
def test_the_page_knows_the_languages_of_each_game() -> None:
    spoken = {game["name"]: game["languages"] for game in Visitor(Server(first=["pig"])).do("catalogue")["games"]}
    ours = [name for name, entry in registry.GAMES.items() if str(entry.place).startswith("titan_env.games.")]
    assert all(spoken[name] == ["en"] for name in GAMES), "those of the tests"
    assert all({"es", "fr"} <= set(spoken[name]) for name in ours)


def test_a_third_language_is_a_catalogue_and_nothing_else() -> None:
    visitor = Visitor(Server())
    visitor.client.headers["accept-language"] = "es-MX, es;q=0.9"
    page = visitor.client.get("/").text
    assert '<html lang="es"' in page
    assert "Nueva partida" in page
    view = begun(visitor, "titan_battle")
    assert view["say"] == "El comienzo"
    assert "ronda 1 de 7" in view["svg"]
    assert "se esperaba" in visitor.refused("seats", game="titan_battle", options={"land": "moon"})


def test_an_unknown_language_is_one_line_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="expected a language among en, es, fr, got 'de'"), use_language("de"):
        pass


def test_a_record_is_written_in_english_whoever_plays() -> None:
    visitor = Visitor(Server())
    visitor.client.headers["accept-language"] = "fr"
    view = visitor.do("begin", game="titan_race", names=["person", "person"], options={"titans": "2"}, seed=3)
    identity = view["id"]
    view = visitor.do("show", id=identity, seat=view["asked"])
    with use_language("fr"):
        visitor.do("play", id=identity, seat=view["asked"], action=view["actions"][0]["number"], at=0)
    game_view = visitor.server.sessions.find(hash_of_secret(visitor.client.cookies["seat"]), identity)
    assert "takes a" in game_view.session.recorder.text
    assert "prend" not in game_view.session.recorder.text
    assert len(list(positions(parse(game_view.session.recorder.text)))) == 2
