"""Text geometry: wide characters, wrapping, and letters that must not reach a terminal."""

import pytest

from gemwright.interpreter.cli.lines import cells, clean, columns, grid, pad, wrap

WIDE = "宝石の市場"


def test_wide_characters_take_two_cells() -> None:
    assert cells("stone") == 5
    assert cells(WIDE) == 10
    assert pad(WIDE, 12) == WIDE + "  "
    assert cells(pad("é", 4)) == 4


@pytest.mark.parametrize("text", ["a\x1b[2Jb", "a\u202eb", "a\x07b", "a\x9bb", "a\u200bb"])
def test_no_control_character_reaches_the_terminal(text: str) -> None:
    assert all(letter.isprintable() for letter in clean(text))
    assert clean(text).startswith("a")


def test_blanks_become_spaces() -> None:
    assert clean("a\tb\nc\u00a0d") == "a b c d"


@pytest.mark.parametrize("width", [10, 23, 80])
@pytest.mark.parametrize("text", ["red green blue " * 9, WIDE * 9, f"stone {WIDE} " * 5, "x" * 50])
def test_no_line_is_wider_than_asked(text: str, width: int) -> None:
    lines = wrap(text, width, "  ", "    ")
    assert all(cells(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_nothing_is_one_line() -> None:
    assert wrap("", 80, "  ") == [""]


def test_columns_hang_under_their_text() -> None:
    lines = columns([("shelf", "2 red, 1 blue"), (WIDE, "word " * 20)], 40)
    assert lines[0] == "  shelf       2 red, 1 blue"
    assert all(line.startswith(" " * 14) for line in lines[2:])
    assert all(cells(line) <= 40 for line in lines)


def test_a_grid_is_aligned() -> None:
    assert grid([("a", "b", "c"), ("aa", "bbb", "c c")]) == ["a   b    c", "aa  bbb  c c"]
