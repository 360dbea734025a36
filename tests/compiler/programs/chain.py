"""Rules that call each other in a chain, one of them declared, and a loop that Python calls; prints 23."""

import numpy as np

from titan_env.compiler.jit import rule, specialize, typed_rule

POINT = np.dtype([("x", np.int64)])


@rule
def inner(number):
    return number + 1


@rule
def middle(number):
    return inner(number) * 2


@rule
def outer(number):
    return middle(number) + 3


def declared(point, number):
    point.x += outer(number)


def play(points, number):
    for point in points:
        change(point, number)
        point.x += middle(number)


def change(point, number):
    pass


points = np.zeros(1, POINT)
specialize(play, {"change": typed_rule(rule(declared), (POINT, np.int64))})(points, 4)
print(points["x"][0])
