"""Widgets in notebooks: their script in a browser, as a notebook runs it, and their messages through a real kernel."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from playwright.sync_api import Browser, Locator, Page, expect

from titan_env import GameAEC
from titan_env.records.replay import read
from titan_env.records.widget import ReplayWidget

pytestmark = pytest.mark.thorough

GOOD_GAMES = Path(__file__).parents[2] / "docs" / "records"

SHOW = """async ({ script, state }) => {
  const listeners = {};
  const model = {
    get: name => state[name],
    on: (name, listener) => { (listeners[name] ??= []).push(listener); },
    off: (name, listener) => { listeners[name] = listeners[name]?.filter(other => other !== listener); },
    send: async content => {
      const { answers, changed } = await window.kernel(content);
      for (const answer of answers) for (const listener of listeners["msg:custom"] ?? []) listener(answer);
      for (const [name, value] of Object.entries(changed)) {
        state[name] = value;
        for (const listener of listeners[`change:${name}`] ?? []) listener();
      }
    },
  };
  const { default: widget } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  window.leave = widget.render({ model, el: document.body });
}"""
"""How a notebook shows a widget: its module gets a model with the state, and an element."""


GONE_ON = "n => Number(document.querySelector('div').shadowRoot.getElementById('where').max) > n"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1000, "height": 900}, reduced_motion="reduce")
    faults: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert faults == []


def show(page: Page, widget: ReplayWidget) -> None:
    """Show a widget in a page whose messages come to it."""
    names = ("page", "plays", "packed", "moments", "notice")
    answers: list[Any] = []
    widget.send = answers.append

    def kernel(content: Any) -> Any:
        before = {name: getattr(widget, name) for name in names}
        widget._handle_custom_msg(content, [])
        sent, answers[:] = [*answers], []
        changed = {name: getattr(widget, name) for name in names if getattr(widget, name) != before[name]}
        return {"answers": sent, "changed": changed}

    page.expose_function("kernel", kernel)
    page.evaluate(SHOW, {"script": widget._esm, "state": {name: getattr(widget, name) for name in names}})


def moment(page: Page) -> tuple[int, int]:
    at, last = page.locator("#number").inner_text().split("/")
    return int(at), int(last)


def test_a_record_is_stepped_through_in_a_notebook_without_a_kernel(page: Page) -> None:
    record = read(GOOD_GAMES / "titan_race.jsonl")
    widget = record.show()
    show(page, widget)
    expect(page.locator("#number")).to_have_text(f"0/{len(record.decisions)}")
    page.locator("#on").click()
    expect(page.locator("#say")).to_contain_text(str(record.decisions[0]["say"]))
    page.keyboard.press("End")
    expect(page.locator("#number")).to_have_text(f"{len(record.decisions)}/{len(record.decisions)}")
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#choices button")).to_have_count(0)
    paper = page.locator("#board svg > rect").first
    light = paper.evaluate("rect => getComputedStyle(rect).fill")
    page.locator("#theme").click()
    assert paper.evaluate("rect => getComputedStyle(rect).fill") != light
    page.evaluate("leave()")


def test_a_whole_game_is_played_by_clicks_on_the_board_and_on_choices(page: Page) -> None:
    env = GameAEC("titan_race", titans=2, turn_limit=6)
    env.reset(seed=3)
    show(page, env.play(0, "greedy"))
    on_the_board = decided = 0
    while True:
        page.locator("#last").click()
        choices = page.locator("#choices button")
        if not any(env.terminations[agent] or env.truncations[agent] for agent in env.agents):
            expect(choices.first).to_be_visible()
        if not choices.count():
            break
        assert decided < 200
        offered, moments = page.locator("#board .offered"), len(env._taken)
        if offered.count() and decided % 2:
            on_the_board += 1
            _press(offered.first)
            if len(env._taken) == moments and choices.count() and not _waits(page, env, moments):
                choices.first.click()
        else:
            choices.first.click()
        decided += 1
        page.wait_for_function(GONE_ON, arg=moments)
    assert on_the_board
    assert moment(page)[1] == len(env._taken)


def _press(thing: Locator) -> None:
    thing.dispatch_event("click")


def _waits(page: Page, env: GameAEC, moments: int) -> bool:
    """Whether the environment has gone on a little later: clicks are answered in turn."""
    page.wait_for_timeout(200)
    return len(env._taken) > moments


CELLS = [
    "from titan_env import GameAEC\nenv = GameAEC('titan_race', titans=2)\nenv.reset(seed=3)",
    "env.play(0, 'random')",
    "from titan_env.records.replay import read\nread('docs/records/titan_race.jsonl').show()",
]


@pytest.mark.filterwarnings("default")  # the kernel's own libraries warn
def test_a_widget_is_shown_by_a_kernel_and_plays_what_its_view_sends() -> None:
    cells = [nbformat.v4.new_code_cell(source) for source in [*CELLS, "print(env._taken)"]]
    notebook = nbformat.v4.new_notebook(cells=cells)
    root = GOOD_GAMES.parents[1]
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": root}})
    with client.setup_kernel():
        for number, cell in enumerate(cells[:3]):
            client.execute_cell(cell, number)
        shown = [output["data"] for cell in cells[:3] for output in cell.outputs if "data" in output]
        model = shown[0]["application/vnd.jupyter.widget-view+json"]["model_id"]
        assert "application/vnd.jupyter.widget-view+json" in shown[1]
        first = _answer(client, model, {"known": [0, 0]})
        last = first["pages"][-1]
        action = last["choices"][0][0]
        _send(client, model, {"action": action, "moment": len(first["pages"])})
        more = _answer(client, model, {"known": [len(first["texts"]), len(first["pages"])]})
        assert more["pages"]
        client.execute_cell(cells[3], 3)
        taken = [int(number) for number in re.findall(r"\d+", cells[3].outputs[0]["text"])]
    assert action == taken[len(first["pages"]) - 1]
    assert len(taken) == len(first["pages"]) + len(more["pages"]) - 1


def _send(client: NotebookClient, model: str, content: Any) -> None:
    """Send a message to a widget, as its view does."""
    data = {"method": "custom", "content": content}
    kernel = client.kc
    kernel.shell_channel.send(kernel.session.msg("comm_msg", {"comm_id": model, "data": data}))


def _answer(client: NotebookClient, model: str, content: Any) -> Any:
    """The texts and pages that a widget answers a message with."""
    _send(client, model, content)
    while True:
        heard = run_sync(client.kc.get_iopub_msg)(timeout=60)
        data = heard["content"].get("data", {})
        if heard["msg_type"] == "comm_msg" and heard["content"]["comm_id"] == model and data["method"] == "custom":
            assert data["content"]["from"] == content["known"]
            return json.loads(zlib.decompress(base64.b64decode(data["content"]["packed"])))
