"""Titan Race for PettingZoo: ``env(...)`` ends the game at an illegal action, ``raw_env(...)`` raises."""

from functools import partial

from titan_env.aec import make

env = partial(make, game="titan_race")
raw_env = partial(make, game="titan_race", on_illegal="raise")
