"""Two hundred people at once, each with a race of their own. Figures: ``pytest -s tests/web/test_load.py``."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx2
import numpy as np

from tests.web.serving import serving
from titan_env import registry
from titan_env.web.sitting import Sitting

PEOPLE = 200
OPTIONS = {"titans": 3, "turn_limit": 3}
NAMES = ["person", "greedy", "random"]


class Visitor:
    """A person with a browser, who always takes the n-th of the legal actions, around the end."""

    def __init__(self, address: str, number: int) -> None:
        self.client = httpx2.AsyncClient(base_url=address, timeout=120)
        self.number = number
        self.waited: list[float] = []

    async def ask(self, name: str, **data: Any) -> Any:
        """The answer, and how long it took."""
        began = time.perf_counter()
        answer = await self.client.post(f"/api/{name}", json=data)
        self.waited.append(time.perf_counter() - began)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def play(self) -> str:
        """A whole race; its record."""
        async with self.client:
            await self.client.get("/")
            typed = {name: str(value) for name, value in OPTIONS.items()}
            view = await self.ask("begin", game="titan_race", options=typed, names=NAMES, seed=self.number)
            identity = view["id"]
            while view["asked"] is not None:
                if view["mine"]:
                    legal = [action["number"] for action in view["actions"] if "say" in action]
                    action = legal[self.number % len(legal)]
                    view = await self.ask("play", id=identity, action=action, at=view["at"])
                else:
                    view = await self.ask("act", id=identity, at=view["at"])
            return str((await self.ask("record", id=identity))["text"])


def played_alone(number: int) -> str:
    """The record of the race that a visitor must have had."""
    sitting = Sitting(registry.load("titan_race"), NAMES, OPTIONS, number, practice=False)
    while not sitting.table.is_over:
        if int(sitting.table.state.seat) == 0:
            legal = np.flatnonzero(sitting.table.mask)
            sitting.play(int(legal[number % len(legal)]), len(sitting.moments) - 1)
        else:
            sitting.let_act()
    return sitting.record


def test_two_hundred_people_at_once_each_have_the_race_they_would_have_had_alone() -> None:
    async def all_of_them(address: str) -> tuple[list[Visitor], list[str]]:
        visitors = [Visitor(address, number) for number in range(PEOPLE)]
        return visitors, await asyncio.gather(*(visitor.play() for visitor in visitors))

    with serving() as address:
        began = time.perf_counter()
        visitors, records = asyncio.run(all_of_them(address))
        seconds = time.perf_counter() - began
    assert records == [played_alone(number) for number in range(PEOPLE)]
    assert len(set(records)) == PEOPLE
    waited = 1000 * np.concatenate([visitor.waited for visitor in visitors])
    median, most = np.percentile(waited, [50, 99])
    rate = f"{len(waited):,} answers in {seconds:.1f} s, {len(waited) / seconds:,.0f}/s"
    print(f"\n{PEOPLE} games at once: {rate}, median {median:.0f} ms, 99 % within {most:.0f} ms")
