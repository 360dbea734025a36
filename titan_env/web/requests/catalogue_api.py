"""The contents of the setup form, the glossary, and examples of rules, in the visitor's language."""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Mapping
from typing import Any

from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.contract.presentation_values import OptionPrompt, OptionValue
from titan_env.contract.translation import mark
from titan_env.pictures.svg import svg
from titan_env.records.rule_examples import example as example_of
from titan_env.web.requests.request_validation import asked_game, asked_look
from titan_env.web.views.game_view import PERSON
from titan_env.web.views.rules import anchors
from titan_env.web.views.translation import _

PICTURE = 120
"""The width of a picture in the form, in pixels."""

_AGENTS = {
    PERSON: mark("a person at this screen"),
    "random": mark("draws any legal move; the weakest, answers at once"),
    "greedy": mark("follows a few rules of thumb; far better than random, answers at once"),
    "expert": mark("plays as a good player would; better than greedy, answers at once"),
    "trained": mark("a network that learned by playing; strong, answers at once"),
    "afterstate": mark("looks many moves ahead and judges by a trained network; strong, answers at once"),
    "tuned": mark("plays by rules of thumb whose weights were found by matches; strong, answers at once"),
    "flat": mark("tries every move out in {n} imagined games a decision; thinks for some tenths of a second"),
    "mcts": mark("searches a tree of {n} imagined games a decision; thinks for some tenths of a second"),
    "rollout": mark("plays its moves out with a trained policy; thinks for some tenths of a second"),
    "improve": mark("improves another agent's decisions in imagined games; thinks for some tenths of a second"),
    "solve": mark("plays a win of this turn that is sure, and as the agent that it names elsewhere; answers at once"),
    "policy": mark("a trained policy from a file; answers at once"),
}
"""Kind of agent -> a sentence on its method, strength and thinking time."""


def form(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return the setup form of a game: presets, and options in words and pictures."""
    game, theme = asked_game(asked), asked_look(asked).theme
    offered = game.presentation.setup_form()
    return {
        "presets": [
            {
                "title": preset.title,
                "about": preset.about,
                "options": {name: typed(value) for name, value in preset.options.items()},
            }
            for preset in offered.presets
        ],
        "questions": [_question(question, theme) for question in offered.questions],
    }


def glossary(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return the glossary of a game, each entry with the anchor of its rule."""
    game = asked_game(asked)
    rules = anchors(game.metadata.folder) if game.metadata.folder else {}
    return {
        name: {"name": note.name, "text": note.text, "rule": rules.get(note.rule)}
        for name, note in game.text.glossary().items()
    }


def example(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return the example of a rule: its picture and its sentences."""
    game, look = asked_game(asked), asked_look(asked)
    shown = example_of(game, str(asked.get("rule")))
    return {"svg": svg(shown.shapes(look.narrow), theme=look.theme, title=shown.sentence), "said": shown.sentence}


def about_agent(name: str, game: Game) -> str:
    """Return one sentence on an agent: its method, strength and thinking time."""
    if name == PERSON:
        return _(_AGENTS[PERSON])
    kind, parameters = agents.parse(name, game)
    kind = "trained" if "@" in name and kind == "policy" else kind
    if kind in _AGENTS:
        return _(_AGENTS[kind], n=int(parameters.get("simulations", 0)))
    if kind not in game.metadata.agents:
        return ""
    module = importlib.import_module(game.metadata.agents[kind].partition(":")[0])
    return (inspect.getdoc(module) or "").partition("\n")[0]


def can_play(name: str, game: Game) -> bool:
    """Return whether an agent plays this game."""
    try:
        agents.load(name, game)
    except ValueError:
        return False
    return True


def check_agent(name: str) -> None:
    """Raise ValueError for an agent that plays none of the games."""
    complaints = []
    for game in registry.names():
        try:
            agents.load(name, registry.load(game))
            return
        except ValueError as error:
            complaints.append(str(error))
    raise ValueError(complaints[0])


def typed(value: Any) -> str:
    """Return the value of an option as people type it.

    >>> [typed(value) for value in (None, True, 4, "random", ["a", "b"])]
    ['none', 'true', '4', 'random', '["a", "b"]']
    """
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value)


def _question(question: OptionPrompt, theme: str) -> dict[str, Any]:
    """Return an option for the form."""
    return {
        "name": question.option,
        "title": question.title,
        "about": question.about,
        "choices": [_choice(choice, theme) for choice in question.choices],
        "pieces": [_choice(piece, theme) for piece in question.pieces],
        "instead": question.instead,
        "fewest": question.fewest,
        "most": question.most,
    }


def _choice(choice: OptionValue, theme: str) -> dict[str, Any]:
    """Return one value for the form, with its picture if it has one."""
    drawn = svg(choice.picture, width=PICTURE, theme=theme, title=choice.title) if choice.picture else None
    return {"value": typed(choice.value), "title": choice.title, "about": choice.about, "svg": drawn}
