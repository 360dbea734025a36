"""A part of the loop."""

from titan_env.contract import inline_rule


@inline_rule
def more(number):
    return number + 1
