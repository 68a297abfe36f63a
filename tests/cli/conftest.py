"""A small game for the command line: `stall`, with lots, pieces, players, hidden hands, a match."""

import io
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gemwright.interpreter.cli.main import main
from gemwright.interpreter.game import Game, load

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Answer:
    """What a command line gave."""

    code: int
    out: str
    err: str


Command = Callable[..., Answer]


def heed_interrupts() -> None:
    """In a new process: Ctrl-C has its meaning, also below a job that runs in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Command:
    """Runs one command line in an empty folder that holds `stall.gem.yaml`, with typed lines."""
    for path in DATA.iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)

    def run(*words: str, typed: str = "") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main(words)
        shown = capsys.readouterr()
        return Answer(code, shown.out, shown.err)

    return run


@pytest.fixture(scope="session")
def stall() -> Game:
    """The game at two players."""
    return load(DATA / "stall.gem.yaml", 2)
