"""The pages that are followed step by step do what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from .walkthrough import Command, File, agrees, run, steps

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("labels.md", "proofs.md", "tutorial.md")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_can_be_followed(page: str, tmp_path: Path) -> None:
    done = 0
    for step in steps(DOCS / page):
        if isinstance(step, File):
            (tmp_path / step.name).write_text(step.text, encoding="utf-8")
        else:
            assert isinstance(step, Command)
            printed = run(step, tmp_path)
            place = f"{page}:{step.line}: {' '.join(step.words)}"
            assert agrees(step.expected, printed), f"{place} printed\n{printed}"
            done += 1
    assert done >= 4


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("", "whatever", True),
        ("a\nb", "a\nb\n", True),
        ("a\nb", "a\nc", False),
        ("a\nb", "a\nb\nc", False),
        ("a\n...", "a\nb\nc", True),
        ("a\n...\nc", "a\nb\nc", True),
        ("a\n...\nc", "a\nc", True),
        ("...\nc", "a\nb\nc", True),
        ("...\nc", "a\nb\nd", False),
        ("...\nb\n...", "a\nb\nc", True),
    ],
)
def test_what_is_shown_may_leave_lines_out(expected: str, printed: str, same: bool) -> None:
    assert agrees(expected, printed) == same
