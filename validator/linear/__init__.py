"""Integer affine constraints, exact and under budgets: elimination, projection, minima."""
