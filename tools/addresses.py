"""Write the addresses of `setup.cfg` and its version into the README, the notebooks and the citation::

    python -m tools.addresses

The README gets its badges, each notebook a badge that opens it in Colab and a cell that installs the wheel there.
"""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
_COLAB = "https://colab.research.google.com"
_EXTRAS = {"2_train_a_racer": "training"}
"""The extra that a notebook needs, where it is not `evaluation`."""
_INSTALLS = "colab"
"""The id of the cell that installs the wheel."""


class Project(NamedTuple):
    """What `setup.cfg` says of the project."""

    url: str
    docs: str
    version: str


def project() -> Project:
    """Return the project's addresses and version."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    metadata = setup["metadata"]
    pairs = (line.split(" = ") for line in metadata["project_urls"].strip().splitlines())
    return Project(metadata["url"], dict(pairs)["Documentation"], metadata["version"])


def with_badges(readme: str, facts: Project) -> str:
    """Return the README with the line of badges below its title."""
    tests = f"{facts.url}/actions/workflows/tests.yaml"
    badges = (
        f"[![tests]({tests}/badge.svg)]({tests})",
        f"[![documentation](https://img.shields.io/badge/docs-all_versions-blue)]({facts.docs})",
        "[![PyPI](https://img.shields.io/pypi/v/titan_env)](https://pypi.org/project/titan_env)",
        f"[![licence: MIT](https://img.shields.io/badge/licence-MIT-blue)]({facts.url}/blob/main/LICENSE)",
    )
    title, _, rest = readme.partition("\n\n")
    if rest.startswith("[!["):
        rest = rest.partition("\n\n")[2]
    return f"{title}\n\n{' '.join(badges)}\n\n{rest}"


def with_colab(notebook: dict[str, Any], name: str, facts: Project) -> dict[str, Any]:
    """Return a notebook whose first cell has the badge, and whose first code installs the wheel on Colab."""
    first, *others = notebook["cells"]
    repository = facts.url.removeprefix("https://github.com/")
    address = f"{_COLAB}/github/{repository}/blob/v{facts.version}/notebooks/{name}.ipynb"
    badge = f"[![Open in Colab]({_COLAB}/assets/colab-badge.svg)]({address})"
    text = re.sub(r"\n\n\[!\[Open in Colab\].*", "", "".join(first["source"]))
    wanted = f"titan_env[{_EXTRAS.get(name, 'evaluation')}]=={facts.version}"
    install = (
        f'import sys\n\nif "google.colab" in sys.modules:\n    %pip install --quiet --only-binary titan_env "{wanted}"'
    )
    code = {"cell_type": "code", "execution_count": None, "id": _INSTALLS, "metadata": {}, "outputs": []}
    return notebook | {
        "cells": [
            first | {"source": _lines(f"{text}\n\n{badge}")},
            code | {"source": _lines(install)},
            *(cell for cell in others if cell["id"] != _INSTALLS),
        ]
    }


def _lines(text: str) -> list[str]:
    """Return a text as the lines of a notebook's cell."""
    return text.splitlines(keepends=True)


def with_repository(citation: str, facts: Project) -> str:
    """Return the citation with the repository's address."""
    return re.sub(r"^repository-code: .*\n", "", citation, flags=re.MULTILINE) + f"repository-code: {facts.url}\n"


def files() -> dict[Path, str]:
    """Return the text of each file that holds an address."""
    facts = project()
    readme, citation = ROOT / "README.md", ROOT / "CITATION.cff"
    made = {
        readme: with_badges(readme.read_text("utf-8"), facts),
        citation: with_repository(citation.read_text("utf-8"), facts),
    }
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = with_colab(json.loads(path.read_text("utf-8")), path.stem, facts)
        made[path] = json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"
    return made


def main() -> None:
    """Write them all."""
    for path, text in files().items():
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
