"""The helper, with the number that it adds in a constant below."""

from titan_env.compiler.jit import rule


@rule
def part(number):
    return number + ADDED


ADDED = 1
