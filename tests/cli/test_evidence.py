"""`validate --evidence`: proofs and endless plays as files that the other commands read."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.main import main

from ..validator.test_endless import SWAPPING
from ..validator.test_structure import text


def test_each_verdict_with_evidence_has_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, folder = tmp_path / "swapping.gem.yaml", tmp_path / "made" / "here"
    rules.write_text(SWAPPING, encoding="utf-8")
    words = ["validate", str(rules), "lantern_market", "--players", "2", "--evidence", str(folder)]
    main(words)
    names = sorted(path.name for path in folder.iterdir())
    assert "lantern_market-2p.certificate.json" in names
    assert "swapping-2p.trace.json" in names
    capsys.readouterr()
    assert "lantern_market-2p-pearls_stand_in-false.certificate.json" in names
    proofs = [str(folder / name) for name in names if name.endswith(".certificate.json")]
    assert main(["check-cert", *proofs]) == exits.CLEAN
    told = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[0] for line in told] == proofs
    wrong = str(folder / "swapping-2p.trace.json")
    assert main(["check-cert", wrong, *proofs]) == exits.FINDINGS
    assert main(["replay", str(folder / "swapping-2p.trace.json")]) == exits.CLEAN


def test_files_of_one_name_do_not_overwrite_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "swapping.gem.yaml").write_text(SWAPPING, encoding="utf-8")
    main(["validate", str(tmp_path), "--players", "2", "--evidence", str(folder)])
    assert {path.name for path in folder.iterdir()} == {
        "swapping-2p.trace.json",
        "swapping-2-2p.trace.json",
    }


def test_a_place_that_cannot_be_written_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "swapping.gem.yaml"
    rules.write_text(SWAPPING, encoding="utf-8")
    words = ["validate", str(rules), "--players", "2", "--evidence", str(rules)]
    assert main(words) == exits.FAILED
    assert f"cannot write {rules}" in capsys.readouterr().err


def test_a_game_in_which_a_rule_breaks_can_be_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, folder = tmp_path / "stuck.gem.yaml", tmp_path / "evidence"
    rules.write_text(text("size of bank >= 3"), encoding="utf-8")
    main(["validate", str(rules), "--evidence", str(folder)])
    told = capsys.readouterr().out
    assert "error[D001]" in told and "in move 4; its last moves: P2: take; P1: take" in told
    assert main(["replay", str(folder / "stuck-2p-D001.trace.json")]) == exits.CLEAN
    assert "4 decisions replayed, no difference" in capsys.readouterr().out
