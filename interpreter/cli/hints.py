"""What a new variant might change, as commented lines of a rules file.

Each hint is a piece of an overlay that loads as it stands once its `# ` is taken away: it says what
the base says, or another default of an option, so that an author has only to change it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from gemwright.dsl.document.tree import Map, Node, Scalar
from gemwright.dsl.elaboration.options import OptionSpec
from gemwright.dsl.elaboration.reading import entries, text_of
from gemwright.dsl.ruleset import Ruleset
from gemwright.interpreter.cli.arguments import option_value

_MOST_OPTIONS = 6


@dataclass(frozen=True, slots=True)
class Hint:
    """What may be changed, in a sentence, and the lines that change it."""

    about: str
    lines: tuple[str, ...]


def hints(rules: Ruleset) -> tuple[Hint, ...]:
    """What can be changed in a ruleset, from the easiest to the deepest."""
    tree = rules.document.tree
    found = (_players(rules), _options(rules.options), _where(tree), _result(tree))
    return tuple(hint for hint in found if hint is not None)


def _players(rules: Ruleset) -> Hint:
    low, high = rules.players
    return Hint(
        "How many may play; what the rules say for other numbers has to make sense, too.",
        (f"players: {low}" if low == high else f"players: {low}..{high}",),
    )


def _options(options: tuple[OptionSpec, ...]) -> Hint | None:
    """Options with another default: the first value."""
    lines = []
    for spec in options:
        values = [option_value(value) for value in spec.values]
        if len(values) > 1:
            lines.append(f"  {spec.name}: {{values: [{', '.join((*values[1:], values[0]))}]}}")
    if not lines:
        return None
    return Hint(
        "Options: the first value is the default. Values that you leave out are not there.",
        ("options:", *lines[:_MOST_OPTIONS]),
    )


def _where(tree: Map) -> Hint | None:
    """The conditions of the first action that has any."""
    for name, _, action in entries(tree.get("actions")):
        where = action.get("where") if isinstance(action, Map) else None
        if isinstance(where, Scalar):
            about = (
                f"When `{name}` is possible: a condition in each line. `where: null` allows all."
            )
            return Hint(about, ("actions:", f"  {name}:", *_block("    where", where)))
    return None


def _block(key: str, node: Scalar) -> Iterator[str]:
    """A text under its key as a block, whatever form the base gave it."""
    indent = " " * (len(key) - len(key.lstrip()) + 2)
    yield f"{key}: |"
    for line in node.text.rstrip("\n").splitlines():
        yield f"{indent}{line}".rstrip()


def _result(tree: Map) -> Hint | None:
    """Score, and who wins."""
    result = tree.get("result")
    score = text_of(result.get("score")) if isinstance(result, Map) else None
    if not isinstance(result, Map) or score is None:
        return None
    lines = ["result:", f"  score: {_quoted(score)}"]
    keys = _keys(result.get("winner"))
    if keys:
        lines += ["  winner:", *(f"    - {_quoted(key)}" for key in keys)]
    about = "The score, and what decides who wins: keys are compared one after another."
    return Hint(about, tuple(lines))


def _keys(node: Node | None) -> list[str]:
    items = node.items if node is not None and not isinstance(node, Scalar | Map) else (node,)
    texts = [text_of(item.get("key") if isinstance(item, Map) else item) for item in items]
    return [text for text in texts if text is not None]


def _quoted(text: str) -> str:
    """A text as a YAML scalar on one line."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False)
