"""Compiled engines: a game model lowered to a flat program, printed in a machine's language."""
