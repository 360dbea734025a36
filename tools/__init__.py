"""Generators of pages, catalogues and comparisons; they are run by hand or by the documentation, never installed."""
