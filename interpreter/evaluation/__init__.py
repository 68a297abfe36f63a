"""What terms mean and what sentences do in a state block."""
