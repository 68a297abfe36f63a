"""What the parser says about operators of other languages."""

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.grammar.parse import parse
from gemwright.dsl.source import TextMap


def on_one_line(text: str) -> TextMap:
    return TextMap("rules", tuple((1, column) for column in range(1, len(text) + 2)))


FOREIGN = [
    ("a => 1", 3, 5, "`>=`"),
    ("a =< 1", 3, 5, "`<=`"),
    ("a == 1", 3, 5, "`=`"),
    ("a <> 1", 3, 5, "`!=`"),
    ("a and b && c", 9, 11, "`and`"),
    ("a || c", 3, 5, "`or`"),
    ("!a", 1, 2, "`not`"),
    ("a ** 2 = 1", 3, 5, "`*`"),
    ("a / 2 = 1", 3, 4, "a table"),
    ("a % 2 = 1", 3, 4, "a table"),
]


@pytest.mark.parametrize(("text", "start", "end", "instead"), FOREIGN)
def test_operator_of_another_language(text: str, start: int, end: int, instead: str) -> None:
    reporter = Reporter()
    assert parse(text, "expression", on_one_line(text), reporter) is None
    (finding,) = reporter.diagnostics
    assert finding.code == "E001"
    assert (finding.span.column, finding.span.end_column) == (start, end)
    assert "is no operator" in finding.message
    assert finding.help.startswith("write ") and instead in finding.help


@pytest.mark.parametrize("text", ["a >= 1", "a <= 1", "a = 1", "a != 1", "not a", "a * a = 1"])
def test_operator_of_the_language(text: str) -> None:
    reporter = Reporter()
    assert parse(text, "expression", on_one_line(text), reporter) is not None
    assert not reporter.diagnostics
