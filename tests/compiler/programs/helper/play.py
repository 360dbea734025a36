"""A rule that calls a compiled helper in a new file of the engine; prints 20."""

from titan_env.engine.new_part import part

from titan_env.contract import rule


@rule
def play(number):
    return part(number) * 10


print(play(1))
