"""What is proved of a transition system: invariants, and measures that go down."""
