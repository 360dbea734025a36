"""What the faces are told: options of the game, for always or for one episode, and switches of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from titan_env.contract import Game
from titan_env.engine.batch import Records
from titan_env.engine.given import configured


class Usual:
    """The options that an environment was made with, and the game (1,) that they make.

    `face` is who got them among keywords of its own. Raises TypeError for an unknown option.
    """

    def __init__(self, game: Game, options: Mapping[str, Any], face: Callable[..., Any]) -> None:
        self.game, self.options = game, options
        self.template = configured(game, options, face)

    def of_episode(self, options: Any) -> Records:
        """The game (1,) of a `reset` with these options: those under "game" take the place of the usual ones.

        Other keys are left to whom they are meant for. Raises TypeError or ValueError for another number of
        seats, and for options of the game that lie beside "game".
        """
        changed = self.changed(options)
        if not changed:
            return self.template
        template = configured(self.game, {**self.options, **changed})
        if template["seats"][0] != (seats := self.template["seats"][0]):
            got = template["seats"][0]
            raise ValueError(f"expected options for {seats} agents, got {got}; make another environment")
        return template

    def changed(self, options: Any) -> Mapping[str, Any]:
        """The options of the game among those of a `reset`. Raises TypeError or ValueError for what are none."""
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise TypeError(f'expected options of reset() as a dict such as {{"game": {{...}}}}, got {options!r}')
        for name in options:
            if name in self.game.rules.options:
                raise ValueError(f'expected {name!r} under "game", as in reset(options={{"game": {{{name!r}: ...}}}})')
        changed = options.get("game", {})
        if not isinstance(changed, Mapping):
            raise TypeError(
                f'expected options["game"] as a dict of options of {self.game.metadata.title}, got {changed!r}'
            )
        return changed
