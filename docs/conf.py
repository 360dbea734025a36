"""Sphinx's settings, for ``make docs``."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from tools.commands import write_reference  # noqa: E402
from tools.illustrate import illustrate  # noqa: E402

_SIDEBAR = (
    "sidebar/brand",
    "sidebar/search",
    "versions",
    "sidebar/scroll-start",
    "sidebar/navigation",
    "sidebar/scroll-end",
)

project = "titan_env"
author = "the titan_env team"
version = release = installed("titan_env")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
exclude_patterns = ["_build", "measured"]
html_theme = "furo"
html_title = "titan_env"
html_static_path = ["style"]
html_css_files = ["tables.css"]
html_js_files = ["versions.js"]
templates_path = ["templates"]
html_sidebars = {"**": [f"{part}.html" for part in _SIDEBAR]}
html_show_copyright = False
default_role = "code"  # `name` in a docstring
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_mock_imports = ["ray", "pyspiel"]
autodoc_default_options = {"members": True, "show-inheritance": False}
myst_heading_anchors = 3
myst_enable_extensions = ["fieldlist"]


def _only_what_has_a_source(app: Any) -> list[Any]:
    """Let the list of sources name no module that has none, which viewcode would link to nowhere."""
    modules = getattr(app.env, "_viewcode_modules", {})
    for name in [name for name, source in modules.items() if not source]:
        del modules[name]
    return []


def setup(app: Any) -> None:
    """Draw the pictures of the rules, and list the commands, before anything is read."""
    app.connect("builder-inited", lambda app: illustrate(HERE / "_made"))
    app.connect("builder-inited", lambda app: write_reference(HERE / "_made"))
    app.connect("html-collect-pages", _only_what_has_a_source, priority=100)
