"""Where the elements begin that clause marks make."""

from __future__ import annotations

from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset

RULES = """
language: 1
game: marked
players: 2
kinds:
  stone: {members: [red], count: 4}
zones:
  shelf: {holds: stone}
setup: move every stone to shelf                                               @T-1
phases:
  start: only
  only:
    do: |
      if size of shelf = 4:                                                    @T-2
        move 1 red from shelf to box
        end game
      for each number n in 1..2:                                               @T-3
        move 1 red from shelf to box                                           @T-4
      end game
result: {score: size of shelf}
"""


def test_a_mark_on_the_line_of_a_block_is_for_its_condition_too(tmp_path: Path) -> None:
    path = tmp_path / "marked.gem.yaml"
    path.write_text(RULES)
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    game = None if rules is None else rules.instantiate(2, {}, reporter)
    assert game is not None, reporter.diagnostics
    lines = RULES.splitlines()
    found = {}
    for element in game.elements:
        span = element.span
        first = lines[span.line - 1][span.column - 1 :].split("  ")[0]
        found[element.clauses[0]] = (first, span.end_line - span.line)
    assert found == {
        "T-1": ("move every stone to shelf", 0),
        "T-2": ("if size of shelf = 4:", 2),
        "T-3": ("for each number n in 1..2:", 1),
        "T-4": ("move 1 red from shelf to box", 0),
    }
