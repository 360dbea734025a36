"""The table of what each API can do has no hole without a reason."""

from __future__ import annotations

import pytest

from tools import powers
from tools.powers import APIS, ELSEWHERE, POWERS, PROTOCOL, REASONS, cell, offered

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("api", APIS)
def test_no_hole_is_without_a_reason(power: str, api: str) -> None:
    assert len(cell(power, api)) > len("no: ")


@pytest.mark.parametrize("api", APIS)
def test_whatever_an_api_offers_is_a_power_that_the_others_are_asked_for(api: str) -> None:
    known = {name for names in POWERS.values() for name in names}
    assert offered(api) - known - PROTOCOL == set()


def test_no_reason_is_given_where_there_is_no_hole() -> None:
    for power, api in [*ELSEWHERE, *REASONS]:
        assert not set(POWERS[power]) & offered(api), f"{api} has {power!r} by now"
    assert not set(ELSEWHERE) & set(REASONS)


def test_a_hole_without_a_reason_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(powers, "REASONS", {})
    with pytest.raises(KeyError, match="expected a reason why GameAEC has nothing for 'threads'"):
        cell("threads", "GameAEC")
