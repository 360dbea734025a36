"""Rendering of shapes: as SVG, as PDF, as pixels, in a window and as text in a terminal."""
