"""`play` in a real terminal: colour, handing over, interruption."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from .conftest import DATA, heed_interrupts

ESCAPE = "\x1b["


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in DATA.iterdir():
        shutil.copy(path, tmp_path)
    return tmp_path


def start(folder: Path, *words: str, columns: int = 80, **env: str) -> pexpect.spawn:
    around = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLUMNS")}
    return pexpect.spawn(
        sys.executable,
        ["-m", "gemwright", "play", "stall.gem.yaml", "--seed", "5", *words],
        cwd=folder,
        env={**around, "TERM": "xterm-256color", **env},
        encoding="utf-8",
        preexec_fn=heed_interrupts,
        timeout=60,
        dimensions=(50, columns),
    )


@pytest.fixture
def colourful(folder: Path) -> Iterator[pexpect.spawn]:
    terminal = start(folder)
    yield terminal
    terminal.close(force=True)


def test_a_terminal_gets_colour(colourful: pexpect.spawn) -> None:
    colourful.expect("P1> ?$")
    assert ESCAPE in colourful.before
    colourful.sendline("quit")
    colourful.expect("gemwright play --resume stall-5.save.jsonl")
    colourful.expect(pexpect.EOF)


@pytest.mark.parametrize(
    ("words", "env"), [(("--plain",), {}), ((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})]
)
def test_no_colour_where_none_is_wanted(
    folder: Path, words: tuple[str, ...], env: dict[str, str]
) -> None:
    terminal = start(folder, *words, **env)
    terminal.expect("P1> ?$")
    assert ESCAPE not in terminal.before
    terminal.close(force=True)


def test_a_narrow_terminal_is_kept_to(folder: Path) -> None:
    terminal = start(folder, columns=44, NO_COLOR="1")
    terminal.expect("P1> ?$")
    assert max(len(line) for line in terminal.before.splitlines()) <= 44
    terminal.close(force=True)


def test_an_interruption_saves(folder: Path) -> None:
    terminal = start(folder)
    terminal.expect("P1> ?$")
    terminal.sendline("take red=1")
    terminal.expect("P1> ?$")
    terminal.sendintr()
    terminal.expect("gemwright play --resume stall-5.save.jsonl")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
    assert '"take"' in (folder / "stall-5.save.jsonl").read_text(encoding="utf-8")


def test_the_screen_is_cleared_between_people(folder: Path) -> None:
    terminal = start(folder, "--seats", "human,human")
    terminal.expect("P1 .human.: your turn")
    terminal.sendline("")
    terminal.expect("P1> ?$")
    assert "1 plain, 1 striped" in terminal.before
    terminal.sendline("1")
    terminal.expect("P2 .human.: your turn")
    assert f"{ESCAPE}2J" in terminal.before
    assert f"{ESCAPE}3J" in terminal.before
    terminal.close(force=True)
