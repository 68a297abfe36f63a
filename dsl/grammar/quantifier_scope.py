"""Conditions after `has` that are read another way than they look.

What stands after `has` goes on as far as it can. `no stone s has A and B` means `no stone s has (A
and B)`; where B does not speak of `s`, most people read `(no stone s has A) and B`, which is
something else. Parentheses on either side say which is meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gemwright.dsl.diagnostics import Reporter, quoted
from gemwright.dsl.grammar.syntax import Syntax

_DIFFERS: Final = {
    "no": {"all_of": "and", "any_of": "or", "implies": "implies"},
    "some": {"implies": "implies"},
    "every": {"implies": "implies"},
}
"""Where the two readings differ, by quantifier and rule, with the word between the parts."""


def check_scope(quantified: Syntax, reporter: Reporter) -> None:
    """Warn of a bare condition whose last part does not speak of what the quantifier binds."""
    word, binder, body = quantified.word(0), quantified.node(1), quantified.node(2)
    joint = _DIFFERS[word].get(body.rule)
    if joint is None or quantified.text[: body.start - quantified.start].rstrip().endswith("("):
        return
    last = body.nodes()[-1]
    name = binder.words()[-1] if binder.rule == "bind_number" else binder.word(1)
    if name in _words(last):
        return
    head = quantified.text[: body.start - quantified.start].strip()
    reporter.warning(
        "E005",
        last.span,
        f"{quoted(last.text)} belongs to what {quoted(head)} asks, although it says nothing "
        f"of `{name}`",
        f"write `({head} ..) {joint} ..`, or `{head} (.. {joint} ..)` if that is meant",
    )


def _words(syntax: Syntax) -> Iterator[str]:
    yield from syntax.words()
    for node in syntax.nodes():
        yield from _words(node)
