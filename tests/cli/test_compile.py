"""`compile`: the flat program as text, as Python, as WebAssembly, as C."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.interpreter.cli import exits

from ..compiled.c_machine import compiled
from .conftest import Command


def test_show_prints_the_program(command: Command) -> None:
    answer = command("compile", "stall.gem.yaml", "--show", "--players", "3")
    assert answer.code == exits.CLEAN
    assert answer.out.startswith("program stall, 3 players\n")
    assert "\nfunction play(" in answer.out
    assert answer.err == ""
    assert command("compile", "stall.gem.yaml", "--players", "3").out == answer.out


def test_python_can_be_run_and_wasm_is_a_module(command: Command, tmp_path: Path) -> None:
    assert command("compile", "stall.gem.yaml", "--to", "python", "-o", "stall.py").code == 0
    space: dict[str, object] = {}
    exec((tmp_path / "stall.py").read_text(encoding="utf-8"), space)
    assert callable(space["f_play"])
    assert command("compile", "stall.gem.yaml", "--to", "wasm", "-o", "stall.wasm").code == 0
    assert (tmp_path / "stall.wasm").read_bytes().startswith(b"\0asm\x01\0\0\0")


def test_c_can_be_compiled(command: Command) -> None:
    answer = command("compile", "stall.gem.yaml", "--to", "c")
    assert answer.code == exits.CLEAN
    assert compiled(answer.out).gw_batch is not None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--to", "wasm"), "-o FILE"),
        (("--show", "--to", "python"), "--show prints text"),
        (("--players", "9"), "2 to 3 players, not 9"),
    ],
)
def test_wrong_usage(command: Command, words: tuple[str, ...], said: str) -> None:
    answer = command("compile", "stall.gem.yaml", *words)
    assert answer.code == exits.USAGE
    assert said in answer.err
    assert answer.out == ""


def test_a_file_that_cannot_be_written(command: Command) -> None:
    answer = command("compile", "stall.gem.yaml", "-o", "no/such/folder")
    assert answer.code == exits.FAILED
    assert "cannot write" in answer.err
