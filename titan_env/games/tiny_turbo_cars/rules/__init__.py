"""The rules, compiled: what a race is, and what happens in it."""
