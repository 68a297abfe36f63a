"""The interpreter: plays a checked ruleset. Its front end for people is the subpackage `cli`.

Nothing is imported here, so that `gemwright --help` and `import gemwright.dsl` stay light.
"""
