"""Drawings of phase graphs: what they show, and that every format can be read."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.ruleset import bundled, open_ruleset
from gemwright.interpreter.cli.main import main
from gemwright.interpreter.game import load
from gemwright.validator.graph.drawing import Arrow, Box, Drawing, drawing, flattened
from gemwright.validator.graph.drawing_svg import as_svg
from gemwright.validator.graph.drawing_text import as_dot, as_mermaid
from gemwright.validator.graph.layout import Line, Size, lay_out

HOSTILE = Drawing(
    'a "title" <b>\\',
    (
        Box("n0", "start", ('x"] --> y', "<script>&"), ()),
        Box("n1", "end", ("end\\",), ("a group",)),
    ),
    (Arrow("n0", "n1", 'when "a" < b | c'), Arrow("n0", "n0", "again")),
)


def _shown(name: str) -> Drawing:
    game = load(name)
    assert game.ruleset is not None
    return drawing(game.model, {f.path: f.text for f in game.ruleset.document.files})


def test_a_drawing_shows_phases_actions_and_conditions() -> None:
    shown = _shown("grand_bazaar")
    texts = {box.id: box.lines for box in shown.boxes}
    labels = {
        (texts[arrow.source][0], texts[arrow.target][0]): (arrow.label, arrow.loose)
        for arrow in shown.arrows
    }
    assert labels["update", "closing"] == ("price_deck is empty", False)
    assert labels["update", "trading"] == ("else", False)
    assert ("trading", "trader chooses") in texts.values()
    assert any(
        label.startswith("trade\nsell too little\nonly sell") for label, _ in labels.values()
    )
    assert [box.shape for box in shown.boxes].count("end") == 1


def test_points_where_nothing_happens_are_left_out() -> None:
    for name in bundled():
        shapes = [box.shape for box in _shown(name).boxes]
        assert shapes.count("choice") < shapes.count("decision") + shapes.count("do")
        assert shapes.count("start") == 1


@pytest.mark.parametrize("name", sorted(bundled()))
def test_every_arrow_has_its_boxes(name: str) -> None:
    shown = _shown(name)
    ids = {box.id for box in shown.boxes}
    assert {end for arrow in shown.arrows for end in (arrow.source, arrow.target)} <= ids
    for text in (as_mermaid(shown), as_dot(shown)):
        assert all(re.search(rf"\b{box.id}\b", text) for box in shown.boxes)


@pytest.mark.parametrize("name", sorted(bundled()))
def test_boxes_and_labels_do_not_overlap(name: str) -> None:
    shown = flattened(_shown(name))
    number = {box.id: k for k, box in enumerate(shown.boxes)}
    sizes = [Size(7.0 * max(map(len, box.lines)), 15.0 * len(box.lines)) for box in shown.boxes]
    lines = [
        Line(number[a.source], number[a.target], Size(6.0 * len(a.label), 14.0 if a.label else 0.0))
        for a in shown.arrows
    ]
    layout = lay_out(sizes, lines)
    things = list(zip(layout.centres, sizes, strict=True))
    things += [
        (at, line.label) for at, line in zip(layout.labels, lines, strict=True) if at is not None
    ]
    for (one, size), (other, more) in combinations(things, 2):
        apart_x = abs(one[0] - other[0]) >= (size.width + more.width) / 2 - 0.01
        apart_y = abs(one[1] - other[1]) >= (size.height + more.height) / 2 - 0.01
        assert apart_x or apart_y


def test_svg_is_well_formed_and_holds_its_texts() -> None:
    tree = ElementTree.fromstring(as_svg(HOSTILE))
    texts = ["".join(node.itertext()) for node in tree.iter() if node.tag.endswith("tspan")]
    assert 'x"] --> y' in texts and "<script>&" in texts and "again: again" in texts
    assert not any(node.tag.endswith("script") for node in tree.iter())


def test_mermaid_and_dot_quote_what_rules_say() -> None:
    mermaid = as_mermaid(HOSTILE)
    assert 'x#quot;] --#gt; y<br/>#lt;script#gt;#amp;"' in mermaid
    assert mermaid.count('"') % 2 == 0
    dot = as_dot(HOSTILE)
    assert 'label="x\\"] --> y\\n<script>&"' in dot
    assert 'label="end\\\\"' in dot


def test_the_verb_prints_each_format(capsys: pytest.CaptureFixture[str]) -> None:
    starts = {"mermaid": "---\ntitle:", "dot": "digraph", "svg": "<svg"}
    for name, start in starts.items():
        assert main(["graph", "grand_bazaar", "--players", "2", "--format", name]) == 0
        assert capsys.readouterr().out.startswith(start)
    assert main(["graph", "grand_bazaar", "--players", "9"]) == 2


def test_the_same_drawing_every_time(tmp_path: Path) -> None:
    rules = open_ruleset("thirty_points", Reporter())
    assert rules is not None
    models = [rules.instantiate(3, {}, Reporter()) for _ in range(2)]
    texts = {as_svg(drawing(model, {})) for model in models if model is not None}
    assert len(texts) == 1
