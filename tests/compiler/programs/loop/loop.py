"""A loop whose rule lies in ``rules/``, and a part of which lies in a file beside it; prints 9."""

from part import more
from rules.doubled import twice

from titan_env.contract import specialize


def loop(number):
    return more(change(number))


def change(number):
    return number


print(specialize(loop, {"change": twice})(4))
