"""Seats and the agents that decide for them: learner batches, game loops, determinization, tree search and solvers."""
