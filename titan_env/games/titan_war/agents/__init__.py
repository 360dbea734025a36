"""Agents for Titan: war."""
