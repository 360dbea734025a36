"""The games, each in a folder of its own; none imports another, with the exceptions that `setup.cfg` lists."""
