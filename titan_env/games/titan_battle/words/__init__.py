"""The words of Titan: battle."""
