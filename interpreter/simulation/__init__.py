"""Games between strategies, one or a hundred thousand."""
