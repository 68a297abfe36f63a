"""Scenario files: tests of rules, written beside them."""
