"""Validation of game options given to an environment's constructor or, for one episode, to `reset`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.engine.game_setup import GameSetup, known_options
from titan_env.engine.varied_options import VariedOptions


class DefaultOptions:
    """The default options of an environment, given to its constructor, and the initial state (1,) that they configure.

    `api` is the environment class, whose own keywords an error lists too. Raises TypeError for an unknown option.
    """

    def __init__(
        self, game: Game, options: Mapping[str, Any], api: Callable[..., Any], vary: Mapping[str, Any] | None = None
    ) -> None:
        self.game, self.options = game, options
        self.varied = None if vary is None else VariedOptions.of(game, options, vary, api)
        """The options of which every episode draws."""
        usual = GameSetup.of_keywords(game, options, api).template if self.varied is None else self.varied.first
        self.template: Records = usual

    def of_episode(self, options: Any) -> Records:
        """Return the initial state (1,) for a `reset` with these options: those under "game" override the defaults.

        Other keys are ignored. Raises TypeError or ValueError for another number of seats, for unknown options of the
        game, and for options of the game that do not stand under "game".
        """
        changed = self.changed(options)
        if not changed:
            return self.template
        if self.varied is not None:
            raise ValueError("expected either vary or options of the game in reset(), got both")
        template = GameSetup.of_keywords(self.game, {**self.options, **changed}).template
        if template["seats"][0] != (seats := self.template["seats"][0]):
            got = template["seats"][0]
            raise ValueError(f"expected options for {seats} agents, got {got}; make another environment")
        return template

    def next_games(self, batch: Batch, options: Any, rows: Any = slice(None)) -> None:
        """Set what the next games in these rows of a batch begin with; where options vary, the batch draws it."""
        template = self.of_episode(options)
        if self.varied is None:
            batch.set_templates(template, rows)

    def of_game(self, batch: Batch, options: Any = None) -> Mapping[str, Any]:
        """Return the options of the game in the first row of a batch, which `reset` began with these."""
        return (
            {**self.options, **self.changed(options)} if self.varied is None else self.varied.tables[batch.variant[0]]
        )

    def infos(self, batch: Batch) -> dict[str, int]:
        """Return the infos on the options of the game in the first row: their number, "variant", where they vary."""
        return {} if self.varied is None else {"variant": int(batch.variant[0])}

    def changed(self, options: Any) -> Mapping[str, Any]:
        """Return the options of the game in the `options` of a `reset`, the dict under "game".

        Raises TypeError unless both are dicts, ValueError for an option of the game outside of "game".
        """
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise TypeError(f'expected options of reset() as a dict such as {{"game": {{...}}}}, got {options!r}')
        for name in options:
            if name in known_options(self.game):
                raise ValueError(f'expected {name!r} under "game", as in reset(options={{"game": {{{name!r}: ...}}}})')
        changed = options.get("game", {})
        if not isinstance(changed, Mapping):
            raise TypeError(
                f'expected options["game"] as a dict of options of {self.game.metadata.title}, got {changed!r}'
            )
        return changed
