"""Evidence that is checked again: what holds is counted, what was tampered with is noticed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gemwright.interpreter.cli.main import main
from gemwright.validator.certificate.system import CertificateError
from gemwright.validator.findings import FileReport
from gemwright.validator.rechecking import Rechecked, recheck
from gemwright.validator.validating import validate

from .test_endless import SWAPPING


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> FileReport:
    path = tmp_path_factory.mktemp("endless") / "swapping.gem.yaml"
    path.write_text(SWAPPING, encoding="utf-8")
    (file,) = validate(str(path), players=2).files
    return file


def with_trace(file: FileReport, changes: Mapping[str, Any]) -> FileReport:
    (verdict,) = file.verdicts
    assert isinstance(verdict.trace, dict)
    return replace(file, verdicts=(replace(verdict, trace={**verdict.trace, **changes}),))


def test_a_play_that_never_ends_is_played_again(endless: FileReport) -> None:
    assert recheck(endless) == Rechecked(proofs=0, plays=1)


def test_a_play_that_does_not_come_back_is_noticed(endless: FileReport) -> None:
    (verdict,) = endless.verdicts
    assert isinstance(verdict.trace, dict)
    lines = verdict.trace["lines"]
    assert isinstance(lines, list)
    moves = [at for at, line in enumerate(lines) if isinstance(line, dict) and "move" in line]
    with pytest.raises(AssertionError, match="does not come back"):
        recheck(with_trace(endless, {"lines": lines[: moves[-1]]}))
    with pytest.raises(AssertionError, match="nothing goes round"):
        recheck(with_trace(endless, {"loop": len(moves)}))


def test_a_proof_is_checked_again_and_a_weaker_one_is_noticed() -> None:
    (file,) = validate("lantern_market", players=2, options={}).files
    assert recheck(file) == Rechecked(proofs=1, plays=0)
    (verdict,) = file.verdicts
    assert verdict.moves is not None
    bragging = replace(verdict, moves=verdict.moves - 1)
    with pytest.raises(AssertionError, match="are proved"):
        recheck(replace(file, verdicts=(bragging,)))
    with pytest.raises(CertificateError):
        recheck(replace(file, verdicts=(replace(verdict, certificate={}),)))


def test_the_command_says_what_was_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "swapping.gem.yaml"
    path.write_text(SWAPPING, encoding="utf-8")
    main(["validate", str(path), "--players", "2", "--recheck"])
    assert "checked again: 0 proofs, 1 endless play\n" in capsys.readouterr().err
