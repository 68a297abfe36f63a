"""Rules that are proved to end, without what makes them end: they are not proved any more."""

from __future__ import annotations

from pathlib import Path

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import open_ruleset
from gemwright.validator.abstraction.lowering import lower
from gemwright.validator.abstraction.vocabulary import Precision
from gemwright.validator.linear.budget import Budget
from gemwright.validator.proving import prove

UNLIMITED = Path(__file__).parents[1] / "data" / "overlays" / "thirty_points_unlimited.gem.yaml"


def test_without_a_count_of_reshuffles_the_game_is_not_proved_to_end() -> None:
    """At the precision at which the game with its count is proved, with more steps than that takes;
    `gemwright validate` says the same of all precisions, and what it says is in the file.

    A shuffle is part of each circle, so no play can be shown that repeats itself.
    """
    reporter = Reporter()
    rules = open_ruleset(str(UNLIMITED), reporter)
    assert rules is not None
    model = rules.instantiate(3, {}, reporter)
    assert model is not None and not reporter.diagnostics
    assert [each.expect for each in model.expectations] == ["unknown"]
    system = lower(model, Precision(seats=True, laps=True)).system
    ending = prove(system, Budget(80_000)).termination
    assert ending.verdict == "unknown" and ending.certificate is None
    left = {system.edges[at].label for group in ending.residual for at in group}
    assert {"discard_card", "name_player", "give_card"} <= left
