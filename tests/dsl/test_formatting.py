"""The canonical layout: it is reached from any layout, kept once reached, and loses nothing."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.formatting import MARK_COLUMN, format_file
from gemwright.dsl.ruleset import bundled

RULES = {name: path.read_text(encoding="utf-8") for name, path in sorted(bundled().items())}


def formatted(folder: Path, text: str) -> str:
    path = folder / "rules.gem.yaml"
    path.write_text(text, encoding="utf-8")
    reporter = Reporter()
    found = format_file(path, "rules.gem.yaml", reporter)
    assert found is not None, reporter.diagnostics
    return found.after


@pytest.mark.parametrize("name", RULES)
def test_bundled_rules_are_in_canonical_layout(name: str, tmp_path: Path) -> None:
    assert formatted(tmp_path, RULES[name]) == RULES[name]


def scaled(text: str, factor: int) -> str:
    """All indents multiplied, also that of a map after the dash of its item."""
    dash = "-" + " " * (2 * factor - 1)

    def wider(found: re.Match[str]) -> str:
        return found[1] * factor + (dash if found[2] else "")

    return re.sub(r"^( +)(- )?", wider, text, flags=re.MULTILINE)


@settings(deadline=None)
@given(
    name=st.sampled_from(sorted(RULES)),
    factor=st.sampled_from([1, 2, 3]),
    trailing=st.integers(0, 3),
    gap=st.integers(0, 2),
)
def test_any_layout_leads_to_the_canonical_one(
    tmp_path_factory: pytest.TempPathFactory, name: str, factor: int, trailing: int, gap: int
) -> None:
    text = scaled(RULES[name], factor)
    text = re.sub(r"\n\n", "\n" * (2 + gap), text)
    text = re.sub(r"$", " " * trailing, text, flags=re.MULTILINE)
    assert formatted(tmp_path_factory.mktemp("layout"), text) == RULES[name]


LAYOUTS = [
    ("a:   1\n\n\n\nb:     x\n", "a: 1\n\nb: x\n"),
    ("a: 1 #why\n", "a: 1  # why\n"),
    ("a: 1      # far\n", "a: 1      # far\n"),
    ("##\n#  a\n#b\na: 1\n", "##\n#  a\n# b\na: 1\n"),
    ("a:\n - x\n -   y\n", "a:\n  - x\n  - y\n"),
    ("a:\n- b:  1\n  c: 2\n-    d: 3\n     e: 4\n", "a:\n  - b: 1\n    c: 2\n  - d: 3\n    e: 4\n"),
    ("a:\n- |\n x\n  y\n", "a:\n  - |\n    x\n      y\n"),
    ("a:\n    b: |\n       x\n          y\n\n       z\n", "a:\n  b: |\n    x\n      y\n\n    z\n"),
    ("a:\n      # of b\n   b: 1\n # of c\n   c: 2\n", "a:\n  # of b\n  b: 1\n  # of c\n  c: 2\n"),
    (
        "a:\n   b: [x,\n       y]\n   c: long\n     text\n",
        "a:\n  b: [x,\n      y]\n  c: long\n    text\n",
    ),
    ("a: 1\nb:\n  c: 2\nd:\n  e: 3\n", "a: 1\n\nb:\n  c: 2\n\nd:\n  e: 3\n"),
    ("a: 1\n# of b\nb:\n  c: 2\n", "a: 1\n\n# of b\nb:\n  c: 2\n"),
    ("a: 'x  #  y'  \n", "a: 'x  #  y'\n"),
    ("a: {}\nb: []\nc:\nd: ''\n", "a: {}\nb: []\nc:\nd: ''\n"),
    ("a: 1", "a: 1\n"),
    ("a: 1\n\n\n", "a: 1\n"),
]


@pytest.mark.parametrize(("before", "after"), LAYOUTS)
def test_layout(before: str, after: str, tmp_path: Path) -> None:
    assert formatted(tmp_path, before) == after
    assert formatted(tmp_path, after) == after


def test_clause_marks_are_aligned_in_sentences_only(tmp_path: Path) -> None:
    text = 'a: |\n  move x to y   @A-1  @A-2\n  # said  @A-3\n  short\nb: "c   @A-4"\n'
    lines = formatted(tmp_path, text).split("\n")
    assert lines[1].index("@") + 1 == MARK_COLUMN and lines[1].endswith("@A-1 @A-2")
    assert 'b: "c   @A-4"' in lines


@pytest.mark.parametrize("text", ["a: [\n", "a: &x 1\nb: *x\n", "", "- a\n", "a: 1\na: 2\n", "\t"])
def test_what_cannot_be_read_is_not_laid_out(text: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.gem.yaml"
    path.write_text(text, encoding="utf-8")
    reporter = Reporter()
    assert format_file(path, "rules.gem.yaml", reporter) is None
    assert reporter.has_errors
