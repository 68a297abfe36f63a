"""Every defect of the catalogue is told, once, at its place; sound files stay silent.

What is known to be missed stands in `tests/data/err/missed.txt`; a test fails when one of those is
found, too, so that the list stays true.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.catalogue import CLEAN, ERRORS, Mutant, catalogue, judge, missed, mutants, silent, told

MUTANTS = mutants()
KNOWN = missed()
MOST_LINES = 12
"""A mutant differs from its clean file in no more lines than these."""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_defect_is_one_finding_at_its_place(mutant: Mutant) -> None:
    judged = judge(mutant)
    found = ", ".join(map(str, judged.found)) or "nothing"
    assert judged.exact is (mutant.name not in KNOWN), f"expected {mutant.finding}, found {found}"


@pytest.mark.parametrize("path", silent(), ids=lambda path: path.name.split(".")[0])
def test_a_sound_file_is_silent(path: Path) -> None:
    report, found = told(path)
    assert not found
    assert all(verdict.termination == "proved" for verdict in report.verdicts)


def test_the_catalogue_is_whole() -> None:
    writable = {defect for defect, reason in catalogue().items() if not reason}
    assert writable == {mutant.defect for mutant in MUTANTS}
    assert set(KNOWN) <= {mutant.name for mutant in MUTANTS}
    assert len(silent()) >= len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_a_small_change_of_its_clean_file(mutant: Mutant) -> None:
    before = (CLEAN / f"{mutant.clean}.gem.yaml").read_text(encoding="utf-8").splitlines()
    after = mutant.path.read_text(encoding="utf-8", errors="replace").splitlines()
    if len(after) == 1:
        return  # a file without any content
    changed = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    assert 0 < len(changed) <= MOST_LINES, changed


def test_a_file_that_is_too_big_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "big.gem.yaml"
    path.write_text("title: big\n" + "# filler\n" * 1_200_000, encoding="utf-8")
    assert [each.code for each in told(path)[1]] == ["Y009"]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.gem.yaml").write_text("language: 1\ngame: secret\n", encoding="utf-8")
    (inside / "base.gem.yaml").symlink_to(tmp_path / "secret.gem.yaml")
    text = (CLEAN / "stall.gem.yaml").read_text(encoding="utf-8")
    path = inside / "stall.gem.yaml"
    path.write_text(text.replace("game: stall\n", "game: stall\nextends: base\n"), encoding="utf-8")
    assert [each.code for each in told(path)[1]] == ["Y013"]


def test_what_is_told_does_not_depend_on_the_other_files() -> None:
    paths = [str(ERRORS / name) for name in ("E002/bnak.gem.yaml", "clean/ring.gem.yaml")]
    from gemwright.validator.api import validate

    both = [file.findings for file in validate(*paths).files]
    assert both == [validate(path).files[0].findings for path in paths]
