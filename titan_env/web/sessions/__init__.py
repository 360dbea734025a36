"""Games in progress: stores, reopening, and scheduling of agents' decisions."""
