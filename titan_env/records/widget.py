"""A game as a widget in a notebook: the player of exported replays, with `anywidget`. Needs the extra ``notebook``.

A record is sent as a whole and is shown without a kernel too, if the notebook keeps its widgets. A game in play is sent
moment by moment: each view asks for what it does not have yet.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from titan_env.extras import extra
from titan_env.records.replay import Record
from titan_env.records.replay_html import ReplayPages, filled_page, pages_of, title_of

with extra("notebook"):
    import anywidget
    import traitlets

_FOLDER = files("titan_env.records")


class ReplayWidget(anywidget.AnyWidget):  # type: ignore[misc]
    """The pages of a game, with board and transport."""

    _esm = "".join(_FOLDER.joinpath(name).read_text("utf-8") for name in ("replay.js", "widget.js"))
    page = traitlets.Unicode().tag(sync=True)
    """The elements and styles below the shadow root."""
    plays = traitlets.Bool().tag(sync=True)
    """Somebody chooses actions, and moments are sent when asked for; otherwise all of them are in `packed`."""
    packed = traitlets.Unicode().tag(sync=True)
    moments = traitlets.Int().tag(sync=True)
    notice = traitlets.Unicode().tag(sync=True)
    """A line for people, such as the error that has ended the game."""

    def __init__(self, title: str, pages: ReplayPages, plays: bool = False) -> None:
        self.pages = pages
        whole = filled_page(title, {"scheme": "", "language": "", "pages": ""})
        page = whole[whole.index("<style>") : whole.index('<script type="text/plain"')]
        packed = "" if plays else pages.packed()
        super().__init__(page=page, plays=plays, packed=packed, moments=len(pages))
        self.on_msg(self._answer)

    def _answer(self, _widget: Any, content: dict[str, Any], _buffers: Any) -> None:
        """Send a view the texts and pages that it does not have."""
        if "known" in content:
            texts, pages = content["known"]
            self.send({"from": [texts, pages], "packed": self.pages.packed(int(texts), int(pages))})


def widget_of(record: Record) -> ReplayWidget:
    """Return the widget that replays a record. Raises BadRecord where it does not replay."""
    return ReplayWidget(title_of(record.game, record.header["agents"]), pages_of(record))
