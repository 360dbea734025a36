"""Pictures of any game: shapes drawn as SVG, as pixels, in a window and in a terminal."""
