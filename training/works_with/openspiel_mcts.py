"""OpenSpiel's search plays a race.

    python training/works_with/openspiel_mcts.py

Seen with open_spiel 2.0.2.
"""

import numpy as np
from open_spiel.python.algorithms import mcts

from titan_env.envs import openspiel

game = openspiel.load("titan_race", titans=2, turn_limit=3)
rng = np.random.RandomState(1)
bot = mcts.MCTSBot(game, uct_c=1.5, max_simulations=4, evaluator=mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
state = game.new_initial_state()
decisions = 0
while not state.is_terminal():
    if state.is_chance_node():
        answers, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(answers, p=chances)))
    elif state.current_player() == 0 and decisions < 3:
        state.apply_action(bot.step(state))
        decisions += 1
    else:
        state.apply_action(int(rng.choice(state.legal_actions())))
print(state.returns())
