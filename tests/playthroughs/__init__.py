"""Playthroughs: whole games as texts, one a ruleset and player count, compared with the rules.

    python -m tests.playthroughs [--write] [RULESET ...]

Without a flag every game is played again and compared with its text; `--write` makes the texts
anew, after a change that is meant. Uniformly random players, the seed stands in the first lines.
"""
