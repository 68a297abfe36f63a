"""The codes of findings, and what `gemwright explain` says about each."""
