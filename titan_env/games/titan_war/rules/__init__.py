"""The rules of Titan: war."""
