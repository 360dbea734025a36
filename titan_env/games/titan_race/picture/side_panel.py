"""The panel beside the board, as shapes: the question, the dice, each Titan with its player's hand, the legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from titan_env.contract.shapes import Box, Label, Polygon, Shape, Sheet, cached_drawing, star
from titan_env.contract.translation import mark
from titan_env.games.titan_race.picture.pieces import die, icon, titan
from titan_env.games.titan_race.rules.state import DECK, DISCARD, SPACES, Ask, Card, Condition, Face, Terrain
from titan_env.games.titan_race.words.glossary import held_by, pile
from titan_env.games.titan_race.words.sentences import describe_action, titan_name
from titan_env.games.titan_race.words.translation import _, card_name, terrain_name
from titan_env.pictures import icons

Offers = Mapping[str, tuple[int, ...]]
"""The legal actions that a click on each thing offers, by its key."""

_QUESTIONS = {
    Ask.NOTHING: mark("{who} is to move"),
    Ask.DRAFT: mark("{who} takes a die"),
    Ask.ENTER: mark("{who} chooses an entry space"),
    Ask.TURN: mark("{who} chooses: die, ability or card"),
    Ask.DIE: mark("{who} goes on with the die"),
    Ask.AIM: mark("{who} aims the card"),
    Ask.ABILITY: mark("{who} chooses a target"),
    Ask.SHOVE: mark("{who} chooses where to shove {whom}"),
    Ask.PIRATES: mark("{who} gives the pirates a card or a life"),
    Ask.SHIELD: mark("{who} may play the shield"),
    Ask.THORNS: mark("{who} may play the thorns"),
    Ask.TITAN: mark("{who} chooses a Titan"),
    Ask.ORDER: mark("{who} sets the order of the own Titans"),
    Ask.CIRCUIT: mark("{who} chooses a circuit"),
}
Place = tuple[float, float, float]
"""The left end of a Titan's line, x and y, and the line's width."""

_FACES, _TERRAINS = tuple(Face), tuple(Terrain)
_SMALL = 12
"""The size of most texts."""
_LONGEST_NAME = 14
"""Letters of a player's name for which there is room."""
TEAMS = ("yellow", "blue", "purple")
"""The colour of each team's sign."""
_MOST_HEARTS = 10
"""Of more lives the hearts would be too small to count."""
LINE, _GAP = 0.92, 0.15
"""The height of a Titan's line, and the gap between two of them."""


def put_table(
    shapes: Sheet,
    state: Any,
    seat: int | None,
    offers: Offers,
    names: Sequence[str],
    left: float,
    top: float,
    wide: float,
    across: int = 1,
) -> None:
    """Put the question, the dice and the Titans there, `across` of them in a line `wide`, hands as `seat` sees them."""
    pitch = (wide + _GAP) / across
    shapes += [Label(left, top, question(state), "ink", 14 if across == 1 else 20, "left", True)]
    _put_dice(shapes, state, offers, left, top - 0.6)
    right = left + pitch - _GAP
    shapes += _sentence(right, top - 0.48, _("turn {n}", n=int(state.turns)), "right")
    shapes += _sentence(right, top - 0.72, _("traps left {n}", n=int(state.supply)), "right", "supply", ("trap",))
    piles = _("deck {deck} · discarded {gone}", deck=pile(state, DECK), gone=pile(state, DISCARD))
    shapes += _sentence(right, top - 0.24, piles, "right", "deck", ("deck",))
    shown: set[int] = set()
    for who in range(int(state.titans_in_race)):
        x, y = left + who % across * pitch, top - 1.4 - who // across * LINE
        _put_titan(shapes, state, who, (x, y, pitch - _GAP), offers, names)
        owner = int(state.titans[who].seat)
        if owner not in shown:
            shown.add(owner)
            _put_hand(shapes, state, owner, seat in (None, owner), offers, x + pitch - _GAP - 0.1, y - 0.12)


@cached_drawing
def _sentence(x: float, y: float, text: str, align: str, key: str = "", notes: tuple[str, ...] = ()) -> list[Shape]:
    """Draw a small text."""
    return [Label(x, y, text, "faint", _SMALL, align, key=key, notes=notes)]


def question(state: Any) -> str:
    """Return the pending decision with the Titan it concerns, or the winners, as text."""
    if state.over:
        names = [titan_name(state, w) for w in range(int(state.titans_in_race)) if state.won[state.titans[w].seat]]
        return _("{who} won the race", who=_(" and ").join(names)) if names else _("The race was stopped")
    whom = titan_name(state, int(state.target)) if state.ask == Ask.SHOVE and state.target >= 0 else ""
    return _(_QUESTIONS[Ask(int(state.ask))], who=titan_name(state, int(state.asked)), whom=whom).strip()


def _put_dice(shapes: Sheet, state: Any, offers: Offers, left: float, y: float) -> None:
    """Put the dice in the pool there."""
    dice = [face for face, count in zip(_FACES, state.pool.tolist(), strict=True) for _ in range(count)]
    text = _("Dice to be rolled") if state.unrolled else _("Dice") if dice else _("Dice: none")
    shapes += _sentence(left, y, text, "left")
    for i, face in enumerate(dice):
        shapes += die(face, left + 0.8 + i * 0.58, y, f"die:{i}", offers.get(f"die:{face.name.lower()}", ()))


def _put_titan(shapes: Sheet, state: Any, who: int, box: Place, offers: Offers, names: Sequence[str]) -> None:
    """Put one Titan's board there: name, lap, lives, progress, die."""
    x, y, _wide = box
    mine = dict(zip(state.titans.dtype.names, state.titans[who].item(), strict=True))
    offered = offers.get(f"titan:{who}", ())
    sentences = "\n".join(describe_action(state, action) for action in offered)
    laps, seat = int(state.laps), mine["seat"]
    lap = _("lap {lap}/{laps}", lap=mine["lap"], laps=laps) if mine["lap"] <= laps else _("home")
    whose = " · ".join([_("player {n}", n=seat + 1), *_agent(names, seat), lap])
    is_turn = bool(who == state.titan and not state.over)
    shapes += _framed(box, who, is_turn, sentences, offered)
    if mine["chosen"]:
        shapes += titan(state, who, x + 0.38, y, "token")
    shapes += _named(box, titan_name(state, who), whose, mine["condition"] != Condition.FIT)
    if state.sides < state.titans_in_race:
        shapes += _team(mine["side"], x, y)
    shapes += _lives(mine["life"], mine["life_max"], who, x + 0.88, y - 0.02)
    shapes += _progress(mine["progress"], laps * 12, x + 0.78, y - 0.32)
    if mine["face"] >= 0:
        shapes += die(Face(mine["face"]), x + 2.95, y - 0.12, f"taken:{who}")


@cached_drawing
def _framed(box: Place, who: int, is_turn: bool, title: str, offered: tuple[int, ...]) -> list[Shape]:
    """Draw the panel of a Titan's line; `title` is what a click offers."""
    x, y, wide = box
    edge = ("accent", 0.04) if is_turn else ("edge", 0.01)
    frame = Box(x, y - 0.42, wide, 0.84, "panel", *edge, 0.1, key=f"titan:{who}", title=title, action=offered or None)
    return [frame]


@cached_drawing
def _named(box: Place, name: str, whose: str, is_out: bool) -> list[Shape]:
    """Draw a Titan's name, its owner, and whether it is K.O."""
    x, y, wide = box
    shapes: list[Shape] = [
        Label(x + 0.78, y + 0.27, name, "ink", 13, "left", True),
        Label(x + 1.95, y + 0.27, whose, "ink", _SMALL, "left"),
    ]
    if is_out:
        shapes.append(Label(x + wide - 0.12, y + 0.05, _("K.O."), "alarm", _SMALL, "right", True))
    return shapes


@cached_drawing
def _progress(done: int, rows: int, x: float, y: float) -> list[Shape]:
    """Draw a Titan's progress as a bar."""
    text = _("{n} of {rows} rows", n=done, rows=rows)
    shapes: list[Shape] = [Box(x, y, 1.7, 0.08, "paper", "edge", 0.01, 0.04, title=text)]
    share = min(1.0, max(0.0, done / rows))
    return [*shapes, Box(x, y, 1.7 * share, 0.08, "ink", "", 0.0, 0.04)] if share else shapes


@cached_drawing
def _lives(life: int, most: int, who: int, x: float, y: float) -> list[Shape]:
    """Draw a heart for each life; of very many, one heart with their number."""
    if most > _MOST_HEARTS:
        last, fill = max(0, life - 1), "alarm" if life else "panel"
        heart = Polygon(icons.heart(x, y, 0.1), fill, "alarm", key=f"life:{who}:{last}")
        return [heart, Label(x + 0.18, y, f"{life}/{most}", "ink", _SMALL, "left")]
    apart = min(0.24, 1.7 / most)
    hearts = [icons.heart(x + i * apart, y, apart * 0.42) for i in range(most)]
    return [
        Polygon(heart, "alarm" if i < life else "panel", "alarm", key=f"life:{who}:{i}")
        for i, heart in enumerate(hearts)
    ]


def _put_hand(shapes: Sheet, state: Any, seat: int, is_open: bool, offers: Offers, right: float, y: float) -> None:
    """Put a player's cards there, face down for others; the last card's right edge is at `right`."""
    for i, card in enumerate(held_by(state, seat)):
        x = right - 0.96 - i * 1.03
        if is_open:
            offered = offers.get(f"card:{Card(card).name.lower()}", ())
            shapes += _card(card, x, y, offered, "".join(f"\n{describe_action(state, action)}" for action in offered))
        else:
            shapes += _hidden_card(f"hand:{seat}:{i}", x, y)


@cached_drawing
def _card(card: int, x: float, y: float, offered: tuple[int, ...], offer: str) -> list[Shape]:
    """Draw a card that one may see; `offer` says what a click offers."""
    name, plain = card_name(card), Card(card).name.lower()
    edge = ("accent", 0.045) if offered else ("edge", 0.015)
    marks: dict[str, Any] = {"key": f"card:{card}", "notes": (f"card:{plain}",), "action": offered or None}
    shapes: list[Shape] = [Box(x, y - 0.25, 0.96, 0.5, "paper", *edge, title=name + offer, **marks)]
    words = name.split()
    for j, word in enumerate(words):
        shapes.append(Label(x + 0.48, y + (len(words) - 1) * 0.1 - j * 0.2, word, "ink", _SMALL))
    return shapes


@cached_drawing
def _hidden_card(key: str, x: float, y: float) -> list[Shape]:
    """Draw the back of a card."""
    back = Box(x, y - 0.25, 0.96, 0.5, "accent", "ink", 0.015, title=_("a card"), key=key, notes=("hidden",))
    return [back, Polygon(star(x + 0.48, y, 0.17), "paper")]


def _agent(names: Sequence[str], seat: int) -> list[str]:
    """Return the name of a player, if it is known and short enough for the line."""
    return [f"{names[seat][:_LONGEST_NAME]}"] if seat < len(names) else []


def _team(side: int, x: float, y: float) -> list[Shape]:
    """Draw the sign of a team at the left end of a line: a letter on a colour of its own."""
    text = _("team {letter}", letter="ABC"[side])
    tab = Box(x - 0.11, y - 0.2, 0.22, 0.4, TEAMS[side], "black", 0.015, 0.05, title=text)
    return [tab, Label(x, y, "ABC"[side], "black", _SMALL, bold=True)]


def legend(state: Any, left: float, y: float, right: float, gap: float) -> Sequence[Shape]:
    """Draw the legend of the icons on this board, and of a trap, `gap` apart, in as many lines as it takes."""
    here = set(state.terrain[: int(state.circuits) * SPACES].tolist())
    return _legend(tuple(terrain for terrain in _TERRAINS if terrain in here), left, y, right, gap)


@cached_drawing
def _legend(terrains: tuple[Terrain, ...], left: float, y: float, right: float, gap: float) -> list[Shape]:
    """Draw the legend of these terrains and of a trap."""
    shown = {terrain_name(terrain): terrain for terrain in terrains if terrain != Terrain.PLAIN}
    drawings: dict[str, tuple[Callable[..., Sequence[Shape]], str]] = {
        name: (partial(icon, terrain), f"terrain:{terrain.name.lower()}") for name, terrain in shown.items()
    }
    shapes: list[Shape] = []
    x = left
    for name, (draw, note) in (drawings | {_("trap"): (icons.jaws, "trap")}).items():
        label = Label(0.4, 0, name, "faint", _SMALL, "left", key=f"legend:{note}", notes=(note,))
        if x + label.x + label.wide > right:
            x, y = left, y - 0.42
        shapes += [*draw(x + 0.18, y, 0.13), replace(label, x=x + label.x, y=y)]
        x += label.x + label.wide + gap
    return shapes
