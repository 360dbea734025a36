"""The README's examples work when they are pasted."""

import doctest
from pathlib import Path


def test_every_example_of_the_readme_prints_what_it_says() -> None:
    page = Path(__file__).parent.parent / "README.md"
    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 5
    assert results.failed == 0
