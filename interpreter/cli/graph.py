"""`gemwright graph RULESET`: the phases of a game and the ways between them, as a picture."""

from __future__ import annotations

import argparse

from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import add_game, add_ruleset, game_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_ruleset(parser)
    add_game(parser)
    parser.add_argument(
        "--format",
        choices=("mermaid", "dot", "svg"),
        default="mermaid",
        help="Mermaid and DOT are laid out by other programs, an SVG can be opened as it is",
    )


def run(args: argparse.Namespace) -> int:
    """Print the picture."""
    game = game_of(args, None)
    if isinstance(game, int):
        return game
    # Imported here: other verbs do without them.
    from gemwright.validator.graph.drawing import drawing
    from gemwright.validator.graph.drawing_svg import as_svg
    from gemwright.validator.graph.drawing_text import as_dot, as_mermaid

    files = game.ruleset.document.files if game.ruleset is not None else ()
    shown = drawing(game.model, {file.path: file.text for file in files})
    formats = {"mermaid": as_mermaid, "dot": as_dot, "svg": as_svg}
    print(formats[args.format](shown), end="")
    return exits.CLEAN
