"""The greedy agent of Titan: war: it weighs musters now and next turn, danger, and battles that it may win."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping
from typing import Any

from titan_env.agents.scorer import Scorer, make_scorer
from titan_env.contract import Game, inline_rule
from titan_env.games.titan_battle.agents import greedy as battle_greedy
from titan_env.games.titan_battle.agents.greedy import judge_battle
from titan_env.games.titan_battle.rules.actions import ACTIONS as BATTLE_ACTIONS
from titan_env.games.titan_battle.rules.state import Ask as BattleAsk
from titan_env.games.titan_war.agents.greedy_scores import NEVER, SCRATCH, judge
from titan_env.games.titan_war.agents.state_from_observation import Array, asked, is_in_battle, read_view
from titan_env.games.titan_war.rules.actions import ACTIONS
from titan_env.games.titan_war.rules.observation import BATTLE_AT
from titan_env.play.score_rules import ScoreRule

WEIGHTS: Mapping[str, float] = {
    "muster": 1.0,  # power times skill of what can be mustered where the move ends
    "prospect": 0.5,  # and of what can be in the next turn, on the average of the rolls
    "danger": 0.6,  # what the strongest enemy that can come may be expected to take
    "attack": 1.0,  # what an attack is expected to win and to lose
    "cost": 0.3,  # the share of the smaller legion that a won battle costs
    "titan": 150.0,  # a titan beside its power times skill
    "sharp": 4.0,  # how surely the stronger legion wins
    "flee": 0.25,  # a legion that may flee fights when it wins as likely as that
    "agree": 0.3,  # and agrees to be eliminated with the other when it wins less likely than that
}
_Weights = namedtuple("_Weights", WEIGHTS)  # type: ignore[misc]
_OF_BATTLE = battle_greedy.SCORE.counted(battle_greedy.WEIGHTS)
_BATTLE_ACTIONS, _SUMMON = len(BATTLE_ACTIONS), BattleAsk.SUMMON - 1


def make(game: Game, **weights: float) -> Scorer:
    """Return the greedy agent with some weights changed. Raises ValueError for a weight that is not in `WEIGHTS`."""
    return make_scorer(game, SCORE, WEIGHTS, weights)


@inline_rule
def judge_seen(seen: Any, scratch: Any, weights: Any, scores: Any) -> None:
    """Write the score of each of the 365 actions from an observation."""
    scores[:] = NEVER
    read_view(seen, scratch.war)
    judge(scratch.war, scratch, weights, scores)
    if is_in_battle(seen) and not seen[_SUMMON] > 0:
        judge_battle(seen[BATTLE_AT:], asked(seen), scratch.battle, _OF_BATTLE, scores[:_BATTLE_ACTIONS])


SCORE = ScoreRule(judge_seen, SCRATCH, _Weights, len(ACTIONS))


def fights_in(fields: Mapping[str, Array]) -> Any:
    """Return which seats are asked within a battle, (B,)."""
    return fields["ask"][:, : len(BattleAsk) - 1].any(axis=1) & fields["round"].any(axis=1)


def battles_in(fields: Mapping[str, Array]) -> Any:
    """Return which seats are asked what a battle alone asks, not which legion of the board gives an angel, (B,)."""
    return fights_in(fields) & ~(fields["ask"][:, BattleAsk.SUMMON - 1] > 0)
