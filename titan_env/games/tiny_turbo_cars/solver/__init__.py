"""The last round of a race, solved exactly, and what agents lose in it."""
