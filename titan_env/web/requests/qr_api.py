"""The QR code of an invitation's link, for the phone of somebody beside the screen; no third party sees the link."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import segno

from titan_env.web.requests.request_validation import short
from titan_env.web.views.translation import _

LONGEST_LINK = 400
"""The bound on a link's characters: more would make a code too fine for a camera."""
_MARGIN = 4  # modules of light around a code, which the standard asks for


def qr(server: Any, owner: str, asked: Mapping[str, Any]) -> Any:
    """Return the QR code of a ``link`` as SVG, dark on light in every theme, as cameras expect."""
    link = asked.get("link")
    if not isinstance(link, str) or not link.startswith(("http://", "https://")) or len(link) > LONGEST_LINK:
        message = _("expected a link of at most {n} letters, got {got}", n=LONGEST_LINK, got=short(link))
        raise ValueError(message)
    drawn = io.BytesIO()
    code = segno.make_qr(link.encode(errors="replace"), error="m")
    code.save(drawn, kind="svg", xmldecl=False, light="#fff", border=_MARGIN, omitsize=True)
    return {"svg": drawn.getvalue().decode()}
