"""Matches between agents: blocks of games with equal luck, mixed tables, ratings' models and intervals."""
