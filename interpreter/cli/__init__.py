"""The command line. Read `main` first, then one module per verb; `exits` names the exit codes.

Nothing is imported here: `gemwright --help` loads `main` and `exits` and nothing else of ours.
"""
