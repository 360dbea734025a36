"""The value of a battle before it begins: learned from finished battles, from legions, land and entry alone."""
