"""One character against one: what a duel is worth under best play, and what agents lose against that.

`python -m titan_env.games.titan_battle.solver.duel minotaur warbear --land plains --side B` prints the share of the
battle that the attacker wins under best play of both, a mutual elimination counting half; with `--at C3 D5 --hits 1 0
--round 3 --half attacker` from such a position on. `duel --agents random greedy expert` prints what agents lose over
eleven duels, one on each land, or over the one that is named; `duel` alone what those eleven are worth.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from titan_env import agents, registry
from titan_env.contract import Game, draw, reduced_game, rule
from titan_env.contract.options import one_of
from titan_env.extras import MissingExtra, complaint, print_to_any_terminal
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_battle.rules.setup import configure, set_up
from titan_env.games.titan_battle.rules.state import OUTSIDE, ROUNDS, SLOTS, Land, Side
from titan_env.games.titan_battle.rules.ways import may_stand
from titan_env.games.titan_battle.solver.best_play import BestPlay, Duel
from titan_env.games.titan_battle.solver.loss import losses

if __name__ == "__main__":
    print_to_any_terminal()

DUELS = (
    ("minotaur", "warbear", "plains", "B"),
    ("troll", "centaur", "woods", "B"),
    ("lion", "gargoyle", "brush", "B"),
    ("gargoyle", "lion", "jungle", "B"),
    ("troll", "wyvern", "marsh", "B"),
    ("lion", "ranger", "hills", "B"),
    ("hydra", "dragon", "desert", "B"),
    ("hydra", "serpent", "swamp", "B"),
    ("lion", "minotaur", "mountains", "B"),
    ("troll", "warbear", "tundra", "B"),
    ("ranger", "gargoyle", "tower", "B"),
)
"""Attacker, defender, land and side of the duels over which agents are measured: one on each land, none one-sided."""

KINDS = np.array([[CHARACTERS.index(kind) for kind in duel[:2]] for duel in DUELS])
LANDS = np.array([LAND_NAMES.index(duel[2]) for duel in DUELS])
"""The characters (N, 2) and the lands (N,) of the duels, in each of which the attacker enters at the bottom."""

BEGINNING = (1, Side.DEFENDER), (OUTSIDE, OUTSIDE, 0, 0)
"""The first half of the first round, in which both are outside and unhurt."""
USUAL_ROUND = 2
HALVES = [side.name.lower() for side in Side]
GAME = "titan_battle"
COLUMNS = ("attacker", "defender", "land", "side", "worth to the attacker")
HEADINGS = ("agent", "loses per battle", "as attacker", "as defender", "decisions", "loses per decision")


@rule
def draw_duel(state: Any, luck: Any) -> None:
    """One of the duels is drawn, each as likely."""
    duel = draw(luck, len(LANDS))
    state.battle.land = LANDS[duel]
    for side in range(2):
        fighter = state.battle.fighters[side * SLOTS]
        fighter.kind = KINDS[duel, side]
        fighter.power = POWER[fighter.kind]
    set_up(state, luck)


def begun() -> Any:
    """Return a duel that is not drawn yet, (1,)."""
    attacker, defender, land, side = DUELS[0]
    return configure(land, side, [attacker], [defender], attacker_seat=0, reinforcement=False)


def exact_losses(game: Game) -> Callable[[agents.Agent], tuple[float, float]]:
    """Solve all duels; return the function that computes what an agent loses as attacker and as defender."""
    solved = [BestPlay(Duel(*duel)) for duel in DUELS]

    def losses_of(agent: agents.Agent) -> tuple[float, float]:
        attacker, defender, _ = losses(registry.load(GAME), agent, solved)
        return 2 * attacker.battle, 2 * defender.battle

    return losses_of


ONE_AGAINST_ONE = reduced_game(
    registry.load(GAME),
    "duels",
    "duels",
    setup=draw_duel,
    configure=begun,
    exact_losses=f"{__package__}.duel:exact_losses",
)
"""The duels as a game of their own, in which the first seat attacks."""


def table(names: Sequence[str], solved: Sequence[BestPlay], seed: int = 0) -> list[tuple[str, ...]]:
    """Return a line for each agent, by `HEADINGS`, the best first."""
    game = registry.load(GAME)
    found = {name: losses(game, agents.load(name, game), solved, seed) for name in names}
    return [
        (
            name,
            f"{both.battle:.2%}",
            f"{attacker.battle:.2%}",
            f"{defender.battle:.2%}",
            f"{both.decisions:.1f}",
            f"{both.battle / max(both.decisions, 1e-9):.2%}",
        )
        for name, (attacker, defender, both) in sorted(found.items(), key=lambda one: one[1][2].battle)
    ]


def position(
    duel: Duel, hexes: Sequence[str], hits: Sequence[int], begun: int, half: Side
) -> tuple[tuple[int, Side], tuple[int, ...]]:
    """Return the beginning of a half, and the hexes and hits of both there.

    Raises ValueError for a position that cannot be: by its hexes, hits, or round.
    """
    if not 1 <= begun <= ROUNDS:
        raise ValueError(f"--round: expected 1 to {ROUNDS}, got {begun}")
    at = [_hex_of(duel, side, name, begun, half) for side, name in zip(Side, hexes, strict=True)]
    if at[0] == at[1] and at[0] != OUTSIDE:
        raise ValueError(f"--at: expected two hexes, got {hexes[0]} twice")
    for side, taken in zip(Side, hits, strict=True):
        most = duel.powers[side] - 1 if at[side] != OUTSIDE else 0
        if not 0 <= taken <= most:
            raise ValueError(f"--hits: expected 0 to {most} of the {side.name.lower()}, got {taken}")
    return (begun, half), (*at, *hits)


def _hex_of(duel: Duel, side: Side, name: str, begun: int, half: Side) -> int:
    """Return where somebody stands. Raises ValueError where it cannot be."""
    is_outside = begun == 1 and (side == Side.ATTACKER or half == Side.DEFENDER)
    if is_outside != (name == "outside"):
        wanted = "outside, where it still is" if is_outside else "a hex of the map"
        raise ValueError(f"--at: expected the {side.name.lower()} {wanted}, got {name}")
    if is_outside:
        return OUTSIDE
    if name not in HEX_NAMES:
        raise ValueError(f"--at: expected a hex from {HEX_NAMES[0]} to {HEX_NAMES[-1]}, got {name}")
    number = HEX_NAMES.index(name)
    if not may_stand(int(duel.battle.land), duel.kinds[side], number):
        raise ValueError(f"--at: expected the {side.name.lower()} on a hex that it may enter, got {name}")
    return number


def _parser() -> argparse.ArgumentParser:
    """Return the options of the command."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("attacker", nargs="?", help="Character, such as minotaur.")
    parser.add_argument("defender", nargs="?", help="Character of the defender.")
    parser.add_argument("--land", choices=LAND_NAMES, help="Land of the battle; plains by default.")
    parser.add_argument("--side", choices=ENTRY_NAMES, help="Side on which the attacker enters; B by default.")
    parser.add_argument("--at", nargs=2, metavar="HEX", help="Hexes of attacker and defender; off the map by default.")
    parser.add_argument("--hits", nargs=2, type=int, metavar="HITS", help="Hits of both, with --at; 0 by default.")
    parser.add_argument("--round", type=int, help="Round, with --at; 2 by default.")
    parser.add_argument("--half", choices=HALVES, help="Half that begins, with --at; the defender's by default.")
    parser.add_argument("--agents", nargs="+", default=[], metavar="AGENT", help="Print the losses of these agents.")
    parser.add_argument("--seed", type=int, default=0, help="Seed of agents that draw.")
    return parser


def _chosen(options: argparse.Namespace) -> list[tuple[str, str, str, str]]:
    """Return the duels that are asked for. Raises ValueError for one that cannot be fought, or options without use."""
    for name, needed, is_there in (
        ("land", "attacker and defender", options.attacker),
        ("side", "attacker and defender", options.attacker),
        ("at", "attacker and defender", options.attacker),
        ("at", "no --agents", not options.agents),
        ("hits", "--at", options.at),
        ("round", "--at", options.at),
        ("half", "--at", options.at),
    ):
        if getattr(options, name) is not None and not is_there:
            raise ValueError(f"--{name}: expected {needed} with it")
    if options.attacker is None:
        return list(DUELS)
    if options.defender is None:
        raise ValueError("expected a defender too")
    one_of("attacker", options.attacker, CHARACTERS)
    one_of("defender", options.defender, CHARACTERS)
    land, side = options.land or LAND_NAMES[Land.PLAINS], options.side or "B"
    if land == LAND_NAMES[Land.TOWER] and side != "B":
        raise ValueError(f"--side: expected B in a tower, got {side}")
    return [(options.attacker, options.defender, land, side)]


def _asked_position(options: argparse.Namespace, duel: Duel) -> tuple[tuple[int, Side], tuple[int, ...]]:
    """Return the position that is asked for, or the beginning. Raises ValueError for one that cannot be."""
    if options.at is None:
        return BEGINNING
    half = Side[(options.half or HALVES[Side.DEFENDER]).upper()]
    begun = USUAL_ROUND if options.round is None else options.round
    return position(duel, options.at, options.hits or (0, 0), begun, half)


def main() -> None:
    """Print what a duel is worth to its attacker, or what agents lose; without characters eleven duels are meant."""
    parser = _parser()
    options = parser.parse_args()
    try:
        duels = _chosen(options)
        game = registry.load(GAME)
        for name in options.agents:
            agents.load(name, game)
        moment, place = _asked_position(options, Duel(*duels[0]))
    except (ValueError, MissingExtra) as error:
        parser.error(complaint(error))
    solved = [BestPlay(Duel(*duel)) for duel in duels]
    if options.agents:
        _print(HEADINGS, table(options.agents, solved, options.seed))
    elif options.attacker is None:
        _print(COLUMNS, [(*duel, f"{best.worth:.4f}") for duel, best in zip(duels, solved, strict=True)])
    else:
        print(f"{solved[0].begun[moment][place]:.4f}")


def _print(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    for line in (headings, ["---"] * len(headings), *lines):
        print("|", " | ".join(line), "|")


if __name__ == "__main__":
    main()
