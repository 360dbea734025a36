"""Handlers of the page's requests, with validation of what they carry."""
