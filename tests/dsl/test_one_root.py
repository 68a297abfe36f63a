"""One wrong declaration is one finding: what uses the name is not reported again."""

import shutil
from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Diagnostic, Reporter
from gemwright.dsl.ruleset import bundled, open_ruleset

CHANGES = [
    ("  price: {per: jewel, range: 1..19", "  price: {per: jewel, range: 1..19.5", "E001"),
    ("  price: {per: jewel, range: 1..19", "  price: {per: jewel, range: 1..first", "E002"),
    ("  price: {per: jewel, range: 1..19", "  price: {per: jewl, range: 1..19", "E002"),
    ("hand: {holds: jewel, per", "hand: {holds: jewl, per", "E002"),
    ("bazaar: {holds: jewel}", "bazaar: {hold: jewel}", "S001"),
    ("price[j] * hand[p][j]", "price[j] ** hand[p][j]", "E001"),
    ("worth(lot): sum of lot[j]", "worth(lot): sum lot[j]", "E001"),
    ("sold: jewels from my hand", "sold: jewels from hand", "E003"),
    ("sold: jewels from my hand", "sold: jewels from my hnd", "E002"),
    ("count: jewels_per_type", "count: jewls_per_type", "E002"),
    ("each: player clockwise", "each: plyer clockwise", "E002"),
    ("  first: player", "  first: plyer", "E002"),
    ("  money:\n    per: player", "  money:\n    per: plyer", "E002"),
    ("- {key: highest money, clause: [B-1, B-29]}", "- {key: highest mony}", "E002"),
    ("clause: [B-1, B-29]", "clause: [B-1, B-99]", "E015"),
]


def findings(tmp_path: Path, old: str, new: str) -> tuple[Diagnostic, ...]:
    source = bundled()["grand_bazaar"]
    folder = tmp_path / "rules"
    shutil.copytree(source.parent, folder)
    path = folder / source.name
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert old == new or text != path.read_text(encoding="utf-8"), "the change changes nothing"
    reporter = Reporter()
    ruleset = open_ruleset(str(path), reporter)
    if ruleset is not None:
        ruleset.instantiate(3, {}, reporter)
    return reporter.diagnostics


@pytest.mark.parametrize(("old", "new", "code"), CHANGES)
def test_one_finding_for_one_cause(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert [found.code for found in findings(tmp_path, old, new)] == [code]


def test_nothing_is_wrong_before_the_change(tmp_path: Path) -> None:
    assert findings(tmp_path, "", "") == ()


def test_two_causes_are_two_findings(tmp_path: Path) -> None:
    old = "    where: no_legal_purchase is out\n    do: eliminate me"
    new = "    where: no_legal_purchase is outt\n    do: eliminate mee"
    assert len(findings(tmp_path, old, new)) == 2
