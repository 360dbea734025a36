"""Make the fonts that pixels are drawn with: DejaVu Sans, reduced to the letters and signs that pictures may need.

``python tools/fonts.py FOLDER`` reads ``DejaVuSans.ttf``, ``DejaVuSans-Bold.ttf`` and ``LICENSE_DEJAVU`` in a folder
(matplotlib ships them: ``matplotlib/mpl-data/fonts/ttf``) and writes ``titan_env/pictures/fonts``. Needs fonttools.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter, load_font, save_font

KEPT = (
    (0x0020, 0x007E, "Latin letters, digits, signs"),
    (0x00A0, 0x017F, "Latin letters with accents"),
    (0x0192, 0x0192, "f with a hook"),
    (0x0218, 0x021B, "Romanian letters"),
    (0x02C6, 0x02DD, "accents by themselves"),
    (0x0370, 0x03FF, "Greek letters"),
    (0x0400, 0x045F, "Cyrillic letters"),
    (0x0490, 0x0491, "Ukrainian letters"),
    (0x1E9E, 0x1E9E, "the capital sharp s"),
    (0x2010, 0x2027, "dashes, quotation marks, ellipsis"),
    (0x202F, 0x203A, "narrow space, per mille, single quotation marks"),
    (0x20AC, 0x20AC, "the euro"),
    (0x2116, 0x2122, "number and trademark"),
    (0x2190, 0x2199, "arrows"),
    (0x21A9, 0x21AA, "arrows with a hook"),
    (0x21B6, 0x21BB, "arrows in a circle"),
    (0x21C4, 0x21C6, "arrows to both sides"),
    (0x21D0, 0x21D5, "double arrows"),
    (0x2212, 0x2212, "minus"),
    (0x2248, 0x2265, "comparisons"),
    (0x25A0, 0x25D7, "squares, triangles, circles"),
    (0x2605, 0x2606, "stars"),
    (0x2620, 0x2620, "the skull"),
    (0x2654, 0x2667, "chess pieces, suits of cards"),
    (0x2680, 0x2685, "dice"),
    (0x26A0, 0x26A1, "a warning, lightning"),
    (0x2713, 0x2718, "ticks and crosses"),
)
"""The first and the last character of each range, and its name."""
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
OUT = Path(__file__).parents[1] / "titan_env" / "pictures" / "fonts"


def reduce(font: Path, out: Path) -> None:
    """Write a font that has the kept characters alone, without hints for small screens and without alternates."""
    options = Options(hinting=False, layout_features=[], notdef_outline=True, drop_tables=["FFTM"])
    loaded = load_font(str(font), options)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[code for first, last, _ in KEPT for code in range(first, last + 1)])
    subsetter.subset(loaded)
    save_font(loaded, str(out), options)


if __name__ == "__main__":
    for name in FONTS:
        reduce(Path(sys.argv[1]) / name, OUT / name)
    (OUT / "LICENSE").write_text((Path(sys.argv[1]) / "LICENSE_DEJAVU").read_text("utf-8"), "utf-8")
