"""Games that exist to test the tables with."""
