"""Two rules, and a loop that is compiled once with each of them; prints 8 9 13."""

from titan_env.contract import rule, specialize


@rule
def twice(number):
    return 2 * number


@rule
def thrice(number):
    return 3 * number


def change(number):
    return number


def loop(number):
    return change(number) + 1


print(twice(4), specialize(loop, {"change": twice})(4), specialize(loop, {"change": thrice})(4))
