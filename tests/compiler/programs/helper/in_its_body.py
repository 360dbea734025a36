"""The helper, with the number that it adds in its body."""

from titan_env.compiler.jit import rule


@rule
def part(number):
    return number + 1
