"""The panel beside the board: the question with its answers, and the players with their scores.

All is drawn from (0, 0) down and to the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from titan_env.contract import Status
from titan_env.contract.shapes import Box, Label, Shape, button
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.picture.click_targets import Offers
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.state import KINDS
from titan_env.games.titan_battle.words.translation import character_name, sentence
from titan_env.games.titan_war.picture.click_targets import button_text, engaged_legions
from titan_env.games.titan_war.picture.legions import LINE, ROW_WIDE, legion_row, swatch
from titan_env.games.titan_war.picture.pieces import COUNTER_WIDE, counter
from titan_env.games.titan_war.rules.legions import count_free_markers, titan_power
from titan_env.games.titan_war.rules.start import OF_EACH, STARTERS
from titan_env.games.titan_war.rules.state import Ask, Phase, Stage
from titan_env.games.titan_war.words.legions import power_of, seen_legion
from titan_env.games.titan_war.words.reach import told_qualifying
from titan_env.games.titan_war.words.sentences import describe_action, land_asked_about
from titan_env.games.titan_war.words.stakes import told_price, told_stakes
from titan_env.games.titan_war.words.translation import _, number_of, player_name

WIDE = ROW_WIDE + 0.06
HEADING, PLAYER = 2.5, 0.33
"""The heights of the question with its answers, and of the line of each player."""
_SMALL, _SMALLER = 11, 8.5
_TITLE = 0.64
"""The room for who stays and who goes, before the characters."""
_LONGEST_NAME = 16
"""Letters of a player's name for which there is room."""
_QUESTIONS = {
    Ask.NOTHING: mark("{who} is on turn"),
    Ask.START: mark("{who} divides the first legions"),
    Ask.SPLIT: mark("{who} may split the legion on {land}"),
    Ask.MULLIGAN: mark("{who} keeps the {roll}, or not"),
    Ask.MOVE: mark("{who} picks which legion moves"),
    Ask.STACK: mark("{who} picks one of the legions on {land}"),
    Ask.GO_LAND: mark("{who} chooses where to go"),
    Ask.SIDE: mark("{who} chooses a side to enter"),
    Ask.SHOW: mark("{who} chooses what to show"),
    Ask.ENGAGE: mark("{who} picks an engagement"),
    Ask.DEFEND: mark("{who} answers the attack on {land}"),
    Ask.ATTACK: mark("{who} answers the defender on {land}"),
    Ask.ANSWER: mark("{who} answers the offer on {land}"),
    Ask.MUSTER: mark("{who} may muster on {land}"),
    Ask.REINFORCE: mark("{who} may muster a reinforcement"),
    Ask.ANGEL: mark("{who} may take an angel"),
    Ask.SUMMON: mark("{who} may summon an angel"),
    Ask.SUMMON_KIND: mark("{who} picks whom to summon"),
}
_PHASES = {
    Phase.START: mark("division"),
    Phase.COMMENCEMENT: mark("commencement"),
    Phase.THROW: mark("roll"),
    Phase.MOVEMENT: mark("movement"),
    Phase.ENGAGEMENT: mark("engagements"),
    Phase.ENLISTMENT: mark("enlistment"),
}


def heading(state: Any, seat: int | None, offers: Offers) -> list[Shape]:
    """Draw the question, how far the turn has come, and the answers that are no things of the board."""
    shapes: list[Shape] = [
        Label(0, -0.12, question(state), "ink", 14, "left", True),
        Label(0, -0.4, course(state), "faint", _SMALL, "left", notes=("roll",)),
    ]
    stakes = told_stakes(state)
    if stakes:
        shapes.append(Label(0, -0.64, stakes, "ink", _SMALL, "left", notes=("score",)))
    y = -0.98 if stakes else -0.8
    for row in _choices(state, seat, offers):
        shapes += row(y)
        y -= LINE
    x = 0.0
    for key, offered in offers.items():
        if key.startswith("button:"):
            text = button_text(state, key)
            broad = 0.26 + 0.108 * len(text)
            if x + broad > WIDE:
                x, y = 0.0, y - 0.4
            title = ". ".join([describe_action(state, offered[0]), *told_price(state, key.partition(":")[2])])
            shapes += button(x, y, broad, 0.33, text, key, title, offered)
            x += broad + 0.08
    return shapes


def question(state: Any) -> str:
    """Return the question that is being decided, or how the war has ended."""
    if state.over:
        winners = [player_name(seat) for seat in range(int(state.seats)) if state.won[seat]]
        if state.over == Status.TRUNCATED or not winners:
            return _("The war was stopped")
        shares = mark("{who} wins the war") if len(winners) == 1 else mark("{who} share the victory")
        return sentence(_(shares, who=", ".join(winners)))
    ask = Ask(int(state.ask))
    asks = _QUESTIONS.get(ask, mark("{who} decides in the battle on {land}"))
    who = state.mover if ask == Ask.NOTHING else state.seat
    land = number_of(land_asked_about(state))
    return sentence(_(asks, who=player_name(who), land=land, roll=int(state.roll)))


def course(state: Any) -> str:
    """Return whose turn it is, the roll, and how far the turn has come."""
    values = {"n": int(state.turns) + 1, "who": player_name(state.mover), "phase": _(_PHASES[Phase(int(state.phase))])}
    if state.phase < Phase.MOVEMENT and not state.roll:
        return _("turn {n} · {who} · {phase}", **values)
    return _("turn {n} · {who} · {phase} · roll {roll}", **values, roll=int(state.roll))


def _choices(state: Any, seat: int | None, offers: Offers) -> list[Any]:
    """Return how to draw each line of what can be chosen from, by the height at which it lies."""
    is_asked = seat in (None, int(state.seat))
    rows: list[Any] = []
    if state.ask == Ask.START and is_asked:
        left = [0] * KINDS
        for kind in STARTERS[int(state.lean)].tolist():
            left[kind] = OF_EACH - int(state.split[kind])
        rows.append(lambda y: _kinds(state, mark("angel"), left, offers, y))
        rows.append(lambda y: _kinds(state, mark("titan"), state.split.tolist(), {}, y))
    elif state.ask == Ask.SPLIT and is_asked:
        holds = (state.legions[state.picked].holds - state.split).tolist()
        rows.append(lambda y: _kinds(state, mark("stay"), holds, offers, y))
        rows.append(lambda y: _kinds(state, mark("go"), state.split.tolist(), {}, y))
    elif any(key.startswith("supply:") for key in offers):
        rows.append(lambda y: _offered(state, "supply", offers, y))
    elif any(key.startswith("choice:") for key in offers):
        rows.append(lambda y: _offered(state, "choice", offers, y))
    if state.stage in (Stage.TALK, Stage.ANGELS, Stage.HELP):
        for marker in engaged_legions(state):
            if state.legions[marker].height:
                rows.append(
                    lambda y, marker=marker: legion_row(state, seen_legion(state, marker, seat), {}, 0.0, y, "talk")
                )
    return rows


def _kinds(state: Any, title: str, counts: Sequence[int], offers: Offers, y: float) -> list[Shape]:
    """Draw characters in a line, each as often as it is there; the first of a kind can be clicked."""
    shapes: list[Shape] = [Label(0, y, _(title), "faint", _SMALLER, "left", notes=("split",))]
    column = 0
    for kind, count in enumerate(counts):
        for number in range(count):
            x = _TITLE + (column + 0.5) * (COUNTER_WIDE + 0.015)
            key = f"choice:{CHARACTERS[kind]}" if offers and number == 0 else ""
            shapes += _counter(state, kind, x, y, key, offers.get(key, ()) if key else ())
            column += 1
    return shapes


def _offered(state: Any, group: str, offers: Offers, y: float) -> list[Shape]:
    """Draw the characters that can be mustered, or of which one can be shown or summoned."""
    shapes: list[Shape] = []
    found = [key for key in offers if key.startswith(f"{group}:")]
    x = 0.0
    for key in found:
        kind = CHARACTERS.index(key.partition(":")[2])
        needed = _needed(state, kind)
        shapes += _counter(state, kind, x + COUNTER_WIDE / 2, y, key, offers[key], needed)
        x += COUNTER_WIDE + 0.06
        if needed:
            shapes.append(Label(x, y, needed, "faint", 9, "left"))
            x += 0.075 * len(needed) + 0.14
    return shapes


def _needed(state: Any, kind: int) -> str:
    """Return what qualifies the legion that is asked about for a character that it may muster."""
    if state.ask not in (Ask.MUSTER, Ask.REINFORCE):
        return ""
    return told_qualifying(state, int(state.picked if state.ask == Ask.MUSTER else state.winner), kind)


def _counter(
    state: Any, kind: int, x: float, y: float, key: str, offered: tuple[int, ...], needed: str = ""
) -> list[Shape]:
    """Draw a character that may be chosen; `needed` is what qualifies for it."""
    lines = [character_name(kind), *(describe_action(state, action) for action in offered)]
    title = "\n".join([*lines, *([_("It qualifies by: {kinds}", kinds=needed)] if needed else [])])
    return list(counter(kind, power_of(state, int(state.seat), kind), x, y, 1.0, key, offered, title))


def players(state: Any, names: Sequence[str]) -> list[Shape]:
    """Draw a line for each player: colour, name, score, titan's power, legions and free markers."""
    columns = (2.55, 3.15, 3.75, WIDE - 0.05)
    titles = (_("points"), _("titan"), _("legions"), _("free"))
    notes = ("score", "titan_power", "legion", "markers")
    shapes: list[Shape] = [
        Label(x, -0.1, title, "faint", 9, "right", notes=(note,))
        for x, title, note in zip(columns, titles, notes, strict=True)
    ]
    for seat in range(int(state.seats)):
        y = -0.1 - (seat + 0.85) * PLAYER
        is_turn = seat == state.mover and not state.over
        edge = ("accent", 0.03) if is_turn else ("edge", 0.01)
        shapes.append(Box(0, y - PLAYER / 2 + 0.02, WIDE, PLAYER - 0.04, "panel", *edge, 0.05, key=f"player:{seat}"))
        shapes += swatch(seat, 0.07, y)
        shapes.append(Label(0.33, y, who(state, seat, names), "ink", _SMALL, "left", seat == state.seat))
        texts = _numbers(state, seat)
        shapes += [Label(x, y, text, "ink", _SMALL, "right") for x, text in zip(columns, texts, strict=True)]
    return shapes


def who(state: Any, seat: int, names: Sequence[str]) -> str:
    """Return a player with the tower that he began in, and the name if it is known."""
    name = names[seat][:_LONGEST_NAME] if seat < len(names) else ""
    tower = _("tower {n}", n=100 * int(state.towers[seat]))
    return " · ".join([str(seat + 1), name or tower])


def _numbers(state: Any, seat: int) -> tuple[str, str, str, str]:
    """Return score, titan's power, legions and free markers of a player; how he fell, if he did."""
    score = str(int(state.scores[seat]))
    if state.out[seat] and not state.won[seat]:
        return score, _("out"), "", ""
    legions = sum(legion.owner == seat and legion.height > 0 for legion in state.legions)
    return score, str(int(titan_power(state, seat))), str(int(legions)), str(int(count_free_markers(state, seat)))
