"""The validator: what can be known of a ruleset without playing it by hand.

It reads the game model of `gemwright.dsl` and plays through the public interface of
`gemwright.interpreter` only; it knows nothing of the command line.
"""
