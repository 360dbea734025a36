"""What `setup.cfg` cannot say: a build without compiled code needs Numba, which others leave to the extra `author`."""

from pathlib import Path
from typing import Any

from setuptools import Distribution, setup


class NumbaWhereNothingIsBuilt(Distribution):
    """The package as `setup.cfg` describes it, with Numba among its requirements if it brings no built code."""

    def parse_config_files(self, *parts: Any, **named: Any) -> None:
        """Read `setup.cfg`, and complete the requirements."""
        super().parse_config_files(*parts, **named)
        if not any(Path(__file__).parent.glob("titan_env/built/*/index.json")):
            self.install_requires = [*self.install_requires, *self.extras_require["author"]]
            self.metadata.install_requires = self.install_requires


setup(distclass=NumbaWhereNothingIsBuilt)
