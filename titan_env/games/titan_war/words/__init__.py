"""Titan: war in words: sentences for each audience, positions as text, reasons, what people are offered."""
