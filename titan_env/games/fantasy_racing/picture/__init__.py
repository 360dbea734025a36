"""Fantasy Racing as shapes."""
