"""The grammars of the sentences and expressions inside a ruleset."""
