"""The games. Each lives in a folder of its own and knows no other."""
