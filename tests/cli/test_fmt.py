"""`fmt`: writes in one step, checks without writing, and leaves alone what it cannot read."""

import os
from pathlib import Path

import pytest

from gemwright.interpreter.cli import exits

from .conftest import Command

LAX = "a:   1\nb:\n    c: 2 #why\n"
CANONICAL = "a: 1\n\nb:\n  c: 2  # why\n"


@pytest.fixture
def lax(tmp_path: Path) -> Path:
    folder = tmp_path / "rules"
    folder.mkdir()
    path = folder / "rules.gem.yaml"
    path.write_text(LAX, encoding="utf-8")
    path.chmod(0o640)
    return path


def test_check_writes_nothing(lax: Path, command: Command) -> None:
    answer = command("fmt", "--check", str(lax))
    assert answer.code == exits.FINDINGS
    assert "not in canonical layout" in answer.out
    assert lax.read_text(encoding="utf-8") == LAX


def test_fmt_writes_and_is_then_content(lax: Path, command: Command) -> None:
    assert command("fmt", str(lax)).code == exits.CLEAN
    assert lax.read_text(encoding="utf-8") == CANONICAL
    assert lax.stat().st_mode & 0o777 == 0o640
    assert command("fmt", "--check", str(lax.parent)).code == exits.CLEAN
    assert os.listdir(lax.parent) == [lax.name]


def test_a_link_stays_a_link(lax: Path, command: Command) -> None:
    link = lax.parent / "link.gem.yaml"
    link.symlink_to(lax)
    assert command("fmt", str(link)).code == exits.CLEAN
    assert link.is_symlink() and lax.read_text(encoding="utf-8") == CANONICAL


def test_one_bad_file_does_not_keep_others_from_being_laid_out(lax: Path, command: Command) -> None:
    bad = lax.parent / "a.gem.yaml"
    bad.write_text("a: [\n", encoding="utf-8")
    answer = command("fmt", str(lax.parent))
    assert answer.code == exits.FINDINGS
    assert "a.gem.yaml:" in answer.out and bad.read_text(encoding="utf-8") == "a: [\n"
    assert lax.read_text(encoding="utf-8") == CANONICAL


def test_nothing_to_lay_out(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert command("fmt", str(folder)).code == exits.USAGE
    assert command("fmt", str(folder / "none.gem.yaml")).code == exits.FAILED
