"""Whole games are played as they were kept: what has changed in them shows as a difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from .playthroughs import golden
from .playthroughs.golden import Playthrough, playthroughs, strays

MOST = 400 * 1024
"""Bytes of one text."""


ALL = tuple(playthroughs())


@pytest.mark.parametrize("each", ALL, ids=lambda each: f"{each.ruleset}-{each.players}")
def test_a_game_is_played_as_it_was_kept(each: Playthrough) -> None:
    difference = each.difference()
    hint = "if this is meant: python -m tests.playthroughs --write"
    assert not difference, f"{each.path.name}\n{difference}\n{hint}"
    assert each.path.stat().st_size <= MOST


def test_no_text_is_left_over() -> None:
    assert strays() == []


def test_a_difference_is_shown_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    each = ALL[0]
    kept = each.path.read_text("utf-8")
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    assert "is missing" in each.difference()
    lines = kept.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("  does"))
    changed = [*lines[:at], "  does nothing at all", *lines[at + 1 :]]
    each.path.write_text("\n".join(changed) + "\n", "utf-8")
    difference = each.difference().splitlines()
    assert "-  does nothing at all" in difference
    assert f"+{lines[at]}" in difference
    each.write()
    assert each.path.read_text("utf-8") == kept
    assert each.difference() == ""


def test_a_text_tells_all_that_is_asked_of_it() -> None:
    """State, views that know less, choices and their number, the move, clauses, the result."""
    text = Playthrough("thirty_points", 3).path.read_text("utf-8")
    for part in (
        "  now  stock:",
        " see stock:",
        " unseen (knows ",
        "\n  may  ",
        "\n  does ",
        "\n  by   ",
    ):
        assert part in text, part
    assert "\nresult: " in text
    assert max(map(len, text.splitlines())) <= 100
