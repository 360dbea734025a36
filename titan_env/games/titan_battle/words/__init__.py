"""Titan: battle in words: sentences, positions as text, reasons, what people are offered."""
