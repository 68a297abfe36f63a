"""Conditions over picks that can be counted without listing the picks, and their normal form."""
