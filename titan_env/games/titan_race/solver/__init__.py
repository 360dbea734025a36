"""The last turns of a race of two, small enough to be solved exactly."""
