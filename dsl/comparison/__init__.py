"""What differs between two rulesets."""
