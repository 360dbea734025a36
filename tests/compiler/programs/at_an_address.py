"""A rule that calls a function whose address differs in each process; prints 8."""

import ctypes

from titan_env.contract import rule

size = ctypes.CDLL(None).labs
size.argtypes, size.restype = [ctypes.c_long], ctypes.c_long


@rule
def twice(number):
    return 2 * size(number)


print(twice(-4))
