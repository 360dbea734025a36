"""The browser that the tests of the page visit it with: Debian's chromium, if it is there.

Without windows, `chromium-headless-shell`, it takes half of the processor's time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.serving import Visitor, serving
from titan_env.web.requests.server import Server
from tools.page_picture import CHROMIUM

QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]

PATIENCE = 120_000  # milliseconds: a busy machine is no fault of the page

SLOWNESS = int(os.environ.get("SLOW_PAGE", "0"))
"""Milliseconds that each answer is held back; what passes with 0 and fails with 500 is a test in a race."""

HOLD_BACK = """() => {
  const quick = window.fetch;
  window.fetch = async (...what) => {
    const answer = await quick(...what);
    await new Promise(done => setTimeout(done, MILLISECONDS));
    return answer;
  };
}"""

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on the PATH; apt-get install chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)


FORM = "/#new"
"""The link that opens the form with all options."""


class Visit:
    """A browser of one person, whose page must never fail."""

    def __init__(self, chromium: Browser, address: str, link: str = FORM, **how: Any) -> None:
        self.context = chromium.new_context(**{"reduced_motion": "reduce", **how})
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        if SLOWNESS:
            self.page.add_init_script(f"({HOLD_BACK.replace('MILLISECONDS', str(SLOWNESS))})()")
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: request.url.startswith(("data:", "blob:")) or self._inside(request))
        self.address = address
        self.page.goto(address + link)

    def _inside(self, request: Any) -> None:
        if not request.url.startswith(self.address):
            self.faults.append(f"asked for {request.url}")

    def begin(
        self, *names: str, game: str = "titan_race", seed: int = 4, practice: bool = False, **options: object
    ) -> None:
        """Fill the form in and begin."""
        page = self.page
        page.locator("#game").select_option(game)
        expect(page.locator("#options label").first).to_be_attached()
        if game == "titan_race":
            expect(page.locator("[data-piece=titans]").first).to_be_visible()
        self.unfold()
        for name, value in options.items():
            self.fill(name, str(value))
        expect(page.locator("#seats select")).to_have_count(len(names))
        for seat, name in enumerate(names):
            page.locator("#seats select").nth(seat).select_option(name)
        page.locator("#seed").fill(str(seed))
        page.locator("#practice").set_checked(practice)
        page.get_by_role("button", name="Begin").click()
        expect(page.locator("#board svg")).to_be_visible()

    def options(self, game: str = "titan_race") -> None:
        """Go from anywhere to the form with the options of a game."""
        self.page.locator('[data-tab="door"]').click()
        self.page.locator(f'[data-game="{game}"]').get_by_role("button", name="Options").click()
        expect(self.page.locator("#go")).to_be_enabled()

    def unfold(self) -> None:
        """Show every option of the form."""
        opened = "document.querySelectorAll('#start details').forEach(details => { details.open = true; })"
        self.page.evaluate(opened)

    def fill(self, name: str, value: str) -> None:
        """Choose a value for an option, or type it where it is none of the usual ones."""
        self.unfold()
        choice = self.page.locator(f"#options select[name={name}]")
        choice.wait_for()
        if value in choice.locator("option").evaluate_all("options => options.map(option => option.value)"):
            choice.select_option(value)
            return
        choice.select_option("other …")
        self.page.locator(f"#options textarea[name={name}]").fill(value)
        self.page.locator(f"#options textarea[name={name}]").blur()

    def open_log(self) -> None:
        """Pull the drawer with the log out."""
        self.page.locator("#history summary").click()
        expect(self.page.locator("#log")).to_be_visible()

    def shown(self) -> tuple[int, int]:
        """Which moment of how many is on the table."""
        at, last = self.page.locator("#number").inner_text().split("/")
        return int(at), int(last)


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Visit]:
    visited = Visit(chromium, address)
    yield visited
    visited.context.close()
    assert visited.faults == []


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def browser(server: Server) -> Visitor:
    return Visitor(server)
