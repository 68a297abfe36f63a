"""Defines and effects are put in where they are used; what grows beyond a budget is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset

RULES = """\
language: 1
game: growth
players: 2
kinds:
  stone: {members: [red], count: 3}
zones:
  pile: {holds: stone, order: stack}
  bag: {holds: stone}
state:
  v: 0..9
define:
  DEFINE
effects:
  EFFECT
phases:
  start: only
  only:
    do: |
      DO
      end game
result:
  score: SCORE
"""


def codes(folder: Path, define: str, effect: str, do: str, score: str) -> list[str]:
    text = RULES.replace("DEFINE", define).replace("EFFECT", effect)
    path = folder / "growth.gem.yaml"
    path.write_text(text.replace("DO", do).replace("SCORE", score), encoding="utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    assert rules is not None
    assert (rules.instantiate(2, {}, reporter) is None) == reporter.has_errors
    return [each.code for each in reporter.diagnostics]


def chain(link: str, end: str, levels: int) -> str:
    """`levels` declarations: each speaks of the next one as `link` says, the last is `end`."""
    links = [link.replace("HERE", f"d{n}").replace("NEXT", f"d{n + 1}") for n in range(levels)]
    return "\n  ".join((*links, end.replace("HERE", f"d{levels}")))


DEFINES = {
    "what is named twice": ("HERE: NEXT + NEXT", "HERE: v", "d0"),
    "an argument that is doubled": ("HERE(x): NEXT(x + x)", "HERE(x): x", "d0(v)"),
    "a lot that is doubled": ("HERE(x): NEXT(x + x)", "HERE(x): x[red]", "d0(bag)"),
}
EFFECTS = {
    "an effect twice": ('HERE: "if v = 0: NEXT\\nNEXT"', "HERE: shuffle pile"),
    "an effect twice, with marks": (
        'HERE: "if v = 0: NEXT @A-1\\nNEXT @A-2"',
        "HERE: shuffle pile",
    ),
    "an effect with a doubled argument": ("HERE(x): NEXT(x + x)", "HERE(x): v := x"),
}


@pytest.mark.parametrize("case", DEFINES)
@pytest.mark.parametrize(("levels", "expected"), [(4, []), (60, ["E009"])])
def test_defines(tmp_path: Path, case: str, levels: int, expected: list[str]) -> None:
    link, end, score = DEFINES[case]
    define = chain(link, end, levels)
    assert codes(tmp_path, define, "e: v := 0", "e", score) == expected


@pytest.mark.parametrize("case", EFFECTS)
@pytest.mark.parametrize(("levels", "expected"), [(4, []), (60, ["E009"])])
def test_effects(tmp_path: Path, case: str, levels: int, expected: list[str]) -> None:
    link, end = EFFECTS[case]
    effect, start = chain(link, end, levels), "d0(v)" if "(x)" in link else "d0"
    assert codes(tmp_path, "n: v", effect, start, "n") == expected
