"""The label files of the bundled rulesets: sound, complete, and in the languages that are asked."""

from __future__ import annotations

import re

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.labels.labels import label_files, labelled
from gemwright.dsl.labels.text import Slot
from gemwright.dsl.labels.vocabulary import Gatherer
from gemwright.dsl.render import render
from gemwright.dsl.ruleset import Ruleset, open_ruleset
from gemwright.interpreter.cli.bundled import Bundled, bundled_rulesets
from gemwright.interpreter.option_sets import singles
from gemwright.validator.labelling import label_findings

RULEBOOKS = {"splendor": "th", "diams": "uk", "thirty_points": "ja"}
"""The language of a rulebook, where it is not English."""


def opened(name: str) -> Ruleset:
    rules = open_ruleset(name, Reporter())
    assert rules is not None
    return rules


def gathered(rules: Ruleset) -> Gatherer:
    """The words of all player counts, and of every single option value at the smallest."""
    words = Gatherer(rules.document.text_of)
    low, high = rules.players
    games = [(players, {}) for players in range(low, high + 1)]
    for players, options in (*games, *((low, options) for options in singles(rules))):
        model = rules.instantiate(players, options, Reporter())
        if model is not None:
            words.add(model)
    return words


@pytest.mark.parametrize("each", bundled_rulesets().values(), ids=lambda each: each.name)
def test_nothing_is_wrong_or_missing(each: Bundled) -> None:
    rules = opened(each.name)
    found = label_findings(rules, gathered(rules).vocabulary())
    assert not found, "\n".join(render(one, lambda path: None) for one in found)


@pytest.mark.parametrize("each", bundled_rulesets().values(), ids=lambda each: each.name)
def test_a_game_speaks_english_and_the_language_of_its_rulebook(each: Bundled) -> None:
    assert {"en", RULEBOOKS.get(each.base, "en")} <= set(labelled(opened(each.name)))


@pytest.mark.parametrize("name", bundled_rulesets())
def test_english_verbs_agree_with_you(name: str) -> None:
    """A sentence that begins with a player and a verb needs a case for the reader: `You take`."""
    for file in label_files(opened(name), "en", Reporter()):
        for label in file.labels:
            tested = {each.test for case in label.text.cases for each in case.conditions}
            for case in label.text.cases if "you" not in tested else ():
                first, *rest = case.parts
                told = isinstance(first, Slot) and first.name in ("player", "value")
                verb = rest and isinstance(rest[0], str) and re.match(r" (\w+s|is|has) ", rest[0])
                assert not (told and verb), (file.path, case.span.line)
