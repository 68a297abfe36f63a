"""Passes over flat programs: each makes a program that does the same, faster or shorter."""
