"""The rulesets of the growth benchmark are sound, and their work grows in step with their size."""

from __future__ import annotations

import sys
from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.validator.graph.phase_graph import phase_graph
from gemwright.validator.rules.walking import nodes

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.growth import check, ruleset


def sizes(phases: int, actions: int, folder: Path) -> tuple[int, int]:
    """Edges of the phase graph and parts of the game model of a sound ruleset."""
    path = folder / "grown.gem.yaml"
    path.write_text(ruleset(phases, actions), encoding="utf-8")
    rules = open_ruleset(str(path), Reporter())
    assert rules is not None
    reporter = Reporter()
    game = rules.instantiate(2, {}, reporter)
    assert game is not None
    check(game, reporter)
    assert reporter.diagnostics == ()
    return phase_graph(game).number_of_edges(), sum(1 for _ in nodes((game.points, game.actions)))


def test_ten_times_the_rules_are_ten_times_the_work(tmp_path: Path) -> None:
    small, large = sizes(6, 6, tmp_path), sizes(60, 60, tmp_path)
    for before, after in zip(small, large, strict=True):
        assert 8 * before <= after <= 11 * before
