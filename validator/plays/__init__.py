"""Real plays: those that never end, and those that are held against the abstraction."""
