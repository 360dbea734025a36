"""What a battle is worth before it begins: learned from finished battles, told from legions, land and entry alone."""
