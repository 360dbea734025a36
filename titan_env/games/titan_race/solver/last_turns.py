"""The last turns of a race of two players over one lap, as two small games: with hidden hands, and with open ones.

`python -m titan_env.evaluation.reports.exploitability titan_env.games.titan_race.solver.last_turns:HIDDEN_HANDS AGENT`
prints how exploitable an agent is there. Both begin in the same positions, and only what the players know differs: the
four dice lie rolled in the pool, each player is dealt one of three cards, and after three turns, in which nothing is
rolled any more, a race without a winner is drawn.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from titan_env.contract import reduced_game, rule
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.setup import SILENCE
from titan_env.games.titan_race.rules.start import deal_hands
from titan_env.games.titan_race.rules.state import BONUS_CARDS, Race

POSITION = """\
12      .       .       .
11  .       .       .
10      .       .       .
 9  .       .Sl     .
 8      .Ch     .       .
 7  .       .       .
 6      .       .       .
 5  .       .       .
 4      .       .       .
 3  .Cr     .       .
 2      .       .       .
 1  .       .Ra     .
craken: lap=1 life=1 life_max=1 life_start=1
chtooloo: lap=1 life=1 life_max=1 life_start=1
slaugg: seat=0 side=0 lap=1 life=1 life_max=1 life_start=1
rassik: seat=1 side=1 lap=1 life=1 life_max=1 life_start=1
seats: 2
sides: 2
laps: 1
turn_limit: 102
pool: yellow green green green
aside: surprise_trap explosion fireball lightning mimic retreat wings gust hourglass thorns
"""
"""Where both games begin, before a shield, a speed potion and a healing potion are dealt.

Slaugg, whose player also has Craken's turn now, wins in the third turn with the yellow die, or with a green one and a
speed potion. Chtooloo, in between, can take the yellow die or strike Slaugg: which of them helps depends on the card.
"""


@rule
def deal_hidden(state: Any, luck: Any) -> None:
    """Each player is dealt a card, which the other one does not see."""
    deal_hands(Race(state, luck, SILENCE[0]))


@rule
def deal_open(state: Any, luck: Any) -> None:
    """Each player is dealt a card, and everybody sees it: each card is a lot of its own that has left the deck."""
    deal_hands(Race(state, luck, SILENCE[0]))
    for card in range(BONUS_CARDS):
        if state.cards[card] >= 0:
            state.lots[card] = 1 + state.cards[card]


begun = partial(GAME.text.parse_position, POSITION)

HIDDEN_HANDS = reduced_game(GAME, "hidden_hands", "last turns, hidden hands", setup=deal_hidden, configure=begun)
OPEN_HANDS = reduced_game(GAME, "open_hands", "last turns, open hands", setup=deal_open, configure=begun)
