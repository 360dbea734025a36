"""What the faces are told: options of the game, for always or for one episode, and switches of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract import Game
from titan_env.engine.batch import Records
from titan_env.engine.given import configured


def of_episode(game: Game, usual: Mapping[str, Any], options: Any) -> Records:
    """The game (1,) of a `reset` with these options: those under "game" take the place of the usual ones.

    Other keys are left to whom they are meant for. Raises TypeError or ValueError for another number of
    seats, and for options of the game that lie beside "game".
    """
    options = {} if options is None else options
    if not isinstance(options, Mapping):
        raise TypeError(f'expected options of reset() as a dict such as {{"game": {{...}}}}, got {options!r}')
    for name in options:
        if name in game.options:
            raise ValueError(f'expected {name!r} under "game", as in reset(options={{"game": {{{name!r}: ...}}}})')
    changed = options.get("game", {})
    if not isinstance(changed, Mapping):
        raise TypeError(f'expected options["game"] as a dict of options of {game.title}, got {changed!r}')
    template = configured(game, {**usual, **changed})
    if changed and template["seats"][0] != (seats := configured(game, usual)["seats"][0]):
        raise ValueError(f"expected options for {seats} agents, got {template['seats'][0]}; make another environment")
    return template
