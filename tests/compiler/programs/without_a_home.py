"""A rule of a user whom the system gives no home, as in some containers; prints 8 and what the cache holds."""

import pwd


def has_no_home(number):
    raise KeyError(number)


pwd.getpwuid = has_no_home

from titan_env.compiler import cache  # noqa: E402
from titan_env.contract import rule  # noqa: E402


@rule
def twice(number):
    return 2 * number


print(twice(4))
cache.clear()
print(cache.contents())
