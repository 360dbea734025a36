"""Draw the page for the documentation: ``docs/pictures/page.png``, a race at a decision, and every game in every look.

``python -m tools.page_picture`` serves the page on this machine and visits it; it needs Playwright and a chromium on
the PATH, as the browser tests do. ``docs/pictures/page/`` gets a picture of each game on a screen and on a telephone,
light and dark.
"""

from __future__ import annotations

import io
import itertools
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from titan_env import registry

ADDRESS, PORT = "http://127.0.0.1", 8417
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
"""The browser that is there; without windows it takes half of the processor's time."""
SIZE: ViewportSize = {"width": 1440, "height": 900}
SETUP = {"game": "titan_race", "options": {"titans": "4"}, "names": ["person", *["expert"] * 3], "seed": "7"}
SIZES: Mapping[str, ViewportSize] = {"screen": SIZE, "telephone": {"width": 390, "height": 844}}
LOOKS: Sequence[Literal["light", "dark"]] = ("light", "dark")
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
DECISIONS = 9
"""Decisions of the person before the picture."""

PLAY = """async ({ decisions, ...setup }) => {
  const post = async (name, data) => (await fetch(`api/${name}`, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) })).json();
  let view = await post("begin", { practice: false, position: null, ...setup });
  const id = view.id;
  for (let own = 0; own < decisions || !view.your_turn;) {
    if (!view.live || view.result) throw new Error(view.error ?? "expected a game that goes on longer");
    const [{ at }, chosen] = [view, view.your_turn ? view.actions.at(own % 2 ? -1 : 0) : null];
    if (view.your_turn) own += 1;
    view = await (chosen ? post("play", { id, action: chosen.number, at }) : post("act", { id, at }));
  }
  return id;
}"""
"""Begins a game, takes some decisions of the person, and stops at the next: returns the game's id."""


def draw(page: Page, out: Path) -> None:
    """Sit down in the middle of a race, and write the window as a picture."""
    sit_down(page, SETUP)
    save(page, out)


def draw_all(page: Page, folder: Path) -> None:
    """Sit down at every game, and write it in every size and look."""
    folder.mkdir(exist_ok=True)
    for name in registry.names():
        seats = int(registry.load(name).rules.configure()[0].seats)
        sit_down(page, {"game": name, "options": {}, "names": ["person", *["greedy"] * (seats - 1)], "seed": "7"})
        for size, look in itertools.product(SIZES, LOOKS):
            page.set_viewport_size(SIZES[size])
            page.emulate_media(color_scheme=look)
            page.reload()
            save(page, folder / f"{name}_{size}_{look}.png")


def sit_down(page: Page, setup: Mapping[str, Any]) -> None:
    """Play some decisions of a new game, and come to its table."""
    identity = page.evaluate(PLAY, {**setup, "decisions": DECISIONS})
    page.goto(f"{ADDRESS}:{PORT}/?at={identity}#{identity}")


def save(page: Page, out: Path) -> None:
    """Write the window as a small picture, once the table is drawn."""
    page.locator("#log .moment").first.wait_for(state="attached")
    page.locator("#actions button").first.wait_for(state="attached")
    Image.open(io.BytesIO(page.screenshot())).quantize(128).save(out, optimize=True)


def wait_for_server() -> None:
    """Return once the server answers."""
    while True:
        try:
            urllib.request.urlopen(f"{ADDRESS}:{PORT}/healthz").close()
        except urllib.error.URLError:
            time.sleep(0.2)
        else:
            return


if __name__ == "__main__":
    command = [sys.executable, "-m", "titan_env", "web", "--port", str(PORT), "--keep", "none"]
    server = subprocess.Popen(command)
    try:
        wait_for_server()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
            page.goto(f"{ADDRESS}:{PORT}/")
            draw(page, PICTURES / "page.png")
            draw_all(page, PICTURES / "page")
    finally:
        server.terminate()
