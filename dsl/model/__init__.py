"""The game model: one ruleset at one player count with one set of options, typed and immutable."""
