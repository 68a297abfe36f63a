"""Validation reports in the forms that other programs read."""
