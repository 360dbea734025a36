"""Put a built documentation into the site of all versions, in a folder of its own::

    python -m tools.docs_site docs/_build site v0.3.0

The site's ``versions.json`` lists the folders, newest release first, for the switch in the sidebar; its ``index.html``
leads to the newest release, or before the first one to the branch that was published.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

_START = '<!DOCTYPE html>\n<meta charset="utf-8">\n<title>titan_env</title>\n'
_RELEASE = re.compile(r"v\d+(\.\d+)*")
_NAME = re.compile(r"[\w.-]*\w")


def in_order(names: Iterable[str]) -> list[str]:
    """Return names of versions: releases from the newest to the oldest, then branches.

    >>> in_order(["main", "v0.9.0", "v0.10.0"])
    ['v0.10.0', 'v0.9.0', 'main']
    """
    releases, branches = [], []
    for name in names:
        (releases if _RELEASE.fullmatch(name) else branches).append(name)
    newest_first = sorted(releases, key=lambda name: [int(number) for number in name[1:].split(".")], reverse=True)
    return [*newest_first, *sorted(branches)]


def publish(built: Path, site: Path, name: str) -> None:
    """Replace a version's folder in the site, and write the list of versions and the first page anew.

    Raises ValueError for a folder without a built documentation, or a name that is none of a folder.
    """
    if not (built / "index.html").is_file():
        raise ValueError(f"expected a built documentation, found no {built / 'index.html'}; run make docs")
    if not _NAME.fullmatch(name) or name.startswith("."):
        raise ValueError(f"expected the name of a tag or branch without a slash, as v0.3.0 or main, got {name!r}")
    site.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(site / name, ignore_errors=True)
    shutil.copytree(built, site / name, ignore=shutil.ignore_patterns(".doctrees", ".buildinfo"))
    names = in_order(path.parent.name for path in site.glob("*/index.html"))
    (site / "versions.json").write_text(json.dumps(names) + "\n", "utf-8")
    (site / "index.html").write_text(f'{_START}<meta http-equiv="refresh" content="0; url={names[0]}/">\n', "utf-8")
    (site / ".nojekyll").touch()  # folders that begin with an underscore are served too


def main() -> None:
    """Publish the documentation that was built."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("built", type=Path, help="Folder of the built documentation.")
    parser.add_argument("site", type=Path, help="Folder of the site, such as a checkout of the branch gh-pages.")
    parser.add_argument("name", help="Name of the version: its tag or branch.")
    given = parser.parse_args()
    try:
        publish(given.built, given.site, given.name)
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
