"""The rules of Titan: battle."""
