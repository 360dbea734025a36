"""The rules of Titan Race: what is compiled."""
