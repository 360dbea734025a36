"""An agent without this package, in any language: ``process:"python3 agents/plain_agent.py"`` is its name.

It reads bytes and writes lines, as `titan_env.agents.process` says: here any legal action, each as likely.
"""

import random
import sys

_, _, _, fields, actions, *numbers = sys.stdin.buffer.readline().split()
rng = random.Random(numbers[0])
print("ready", flush=True)
while request := sys.stdin.buffer.read(4 * int(fields) + int(actions)):
    mask = request[4 * int(fields) :]
    print(rng.choice([action for action, legal in enumerate(mask) if legal]), flush=True)
