"""The phase graph: what it alone tells, and how it is drawn."""
