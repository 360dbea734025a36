"""Board games for many players as fast, batched environments for reinforcement learning.

Importing this package makes its games known to Gymnasium and PettingZoo and loads nothing else.
"""

from titan_env import registry

for _name in registry.names():
    registry.announce(_name)
