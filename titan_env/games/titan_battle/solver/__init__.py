"""Exact values of duels, and the losses of agents against them."""
