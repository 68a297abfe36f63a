"""docs/rulebooks says what the rules say."""

from __future__ import annotations

import re

import pytest

from .rulebooks import BEGIN, END, difference, games, made, path_of, renewed

GAMES = games()


@pytest.mark.parametrize("name", GAMES)
def test_a_page_is_as_the_rules_make_it(name: str) -> None:
    found = difference(GAMES[name])
    assert not found, f"{found}\nrun: python -m tests.rulebooks --write"


@pytest.mark.parametrize("name", GAMES)
def test_a_page_explains_every_option(name: str) -> None:
    """What people wrote beside the generated part speaks of all that is left open."""
    text = path_of(name).read_text("utf-8")
    written = text.replace(made(GAMES[name]), "")
    missing = [spec.name for spec in GAMES[name].options if f"`{spec.name}`" not in written]
    assert not missing


@pytest.mark.parametrize("name", GAMES)
def test_lines_are_those_of_the_file(name: str) -> None:
    rules = GAMES[name]
    source = rules.document.files[0].text.split("\n")
    shown = re.findall(r"(?:\| |<br>)(\d+) `([^`]*)`", made(rules))
    assert shown or not rules.clauses
    for number, text in shown:
        line = " ".join(source[int(number) - 1].split())
        assert line.startswith(text.removesuffix("...").replace("\\|", "|")[:40].rstrip("}, "))


def test_what_people_wrote_stays() -> None:
    rules = next(iter(GAMES.values()))
    page = f"# Mine\n\nBefore.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n"
    assert renewed(page, rules) == f"# Mine\n\nBefore.\n\n{made(rules)}\n\nAfter.\n"
    assert renewed("# Mine\n", rules) == f"# Mine\n\n{made(rules)}\n"
    assert renewed(renewed("", rules), rules) == renewed("", rules)
