"""A loop with a part that calls another rule each time; prints 9 and 13."""

from titan_env.contract import inline_rule, rule, specialize, specialize_part

judge = None


@rule
def twice(number):
    return 2 * number


@rule
def thrice(number):
    return 3 * number


@inline_rule
def search(number):
    return judge(number) + 1


def loop(number):
    return search(number)


for judges in (twice, thrice):
    print(specialize(loop, {"again": twice, "search": specialize_part(search, {"judge": judges})})(4))
