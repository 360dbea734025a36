"""Rendering of shapes: as SVG, as pixels, in a window and as text in a terminal."""
