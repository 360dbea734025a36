"""The contrast of two colours, as the accessibility guidelines measure it (WCAG 2.2)."""

from __future__ import annotations

READABLE = 4.5
"""The least contrast of text with what lies behind it (WCAG 2.2, 1.4.3)."""


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, "#" and six hex digits each: from 1, the same, to 21, black and white.

    >>> round(contrast("#000000", "#ffffff"), 1)
    21.0
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
