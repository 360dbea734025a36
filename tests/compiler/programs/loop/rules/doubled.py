"""The rule that the loop is compiled with."""

from titan_env.contract import rule


@rule
def twice(number):
    return 2 * number
