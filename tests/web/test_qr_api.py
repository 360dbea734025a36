"""The QR code of a link, as a camera reads it; whatever is no link is refused in one line."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
import segno

from tests.web.serving import Visitor
from titan_env.web.requests.qr_api import LONGEST_LINK, qr

LINK = "https://games.example/table/#0123456789abcdefABCDEF&key=abcdefghijklmnopqrstuv"


def modules(svg: str) -> set[tuple[int, int]]:
    """The dark modules of a drawn code, as column and row."""
    root = ElementTree.fromstring(svg)
    drawn = next(path.attrib for path in root if "stroke" in path.attrib)
    found, column, row = set(), 0.0, 0.0
    for letter, numbers in re.findall(r"([Mmh])([-\d. ]+)", drawn["d"]):
        first, *rest = (float(number) for number in re.findall(r"-?\d*\.?\d+", numbers))
        if letter == "h":
            found |= {(int(column) + step, int(row)) for step in range(int(first))}
            column += first
        else:
            column, row = (first, rest[0]) if letter == "M" else (column + first, row + rest[0])
    return found


def test_the_code_says_the_link_dark_on_light_with_a_margin(browser: Visitor) -> None:
    svg = browser.do("qr", link=LINK)["svg"]
    expected = segno.make_qr(LINK, error="m").matrix
    dark = {(column + 4, row + 4) for row, line in enumerate(expected) for column, sign in enumerate(line) if sign}
    assert modules(svg) == dark
    assert 'fill="#fff"' in svg, "on a dark page, too"
    assert "<script" not in svg


@pytest.mark.parametrize("link", [None, 7, ["https://a"], "", "javascript:alert(1)", "https://" + "a" * LONGEST_LINK])
def test_what_is_no_link_has_no_code(browser: Visitor, link: object) -> None:
    assert f"expected a link of at most {LONGEST_LINK} letters" in browser.refused("qr", link=link)


def test_a_code_has_no_markup_of_the_link() -> None:
    svg = qr(None, "", {"link": 'https://a/"><script>alert(1)</script>\ud800'})["svg"]
    assert "script" not in svg
