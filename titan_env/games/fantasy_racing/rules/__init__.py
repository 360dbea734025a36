"""The rules of Fantasy Racing: what is compiled."""
