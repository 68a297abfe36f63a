"""Where a game that is being played is kept: always in memory, and in a file line by line."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Literal, TextIO

from gemwright.interpreter.saves import Header, Recorder, Save

_SUFFIX = ".save.jsonl"


class Keeper:
    """Keeps the lines of one game.

    `path` is the file that holds every line so far, None while there is none. When a file cannot be
    written any more the game goes on without it; `trouble` then says so until it is read.
    """

    def __init__(self, header: Header) -> None:
        self._header = header
        self._lines: list[str] = []
        self._file: TextIO | None = None
        self.path: Path | None = None
        self._trouble: tuple[str, str] | None = None
        self.recorder = Recorder(self._keep)

    @classmethod
    def begin(cls, header: Header, path: Path | None) -> Keeper:
        """Keep a new game.

        Raises:
            OSError: the file cannot be made, or is there already.
        """
        keeper = cls(header)
        if path is not None:
            keeper._open(path, "x")
        keeper.recorder.header(header)
        return keeper

    @classmethod
    def resume(cls, save: Save, path: Path) -> Keeper:
        """Go on in a file that was read; a torn last line is cut off.

        Raises:
            OSError: the file cannot be written.
        """
        keeper = cls(save.header)
        with path.open("r+b") as raw:
            whole = raw.read(save.size).decode()
            if not whole.endswith("\n"):
                whole += "\n"
            raw.seek(0)
            raw.write(whole.encode())
            raw.truncate()
        keeper._lines = whole.splitlines(keepends=True)
        keeper._open(path, "a")
        keeper.recorder = Recorder(keeper._keep, save.decisions)
        return keeper

    def trouble(self) -> tuple[str, str] | None:
        """The file that could not be written since the last question, and why."""
        found, self._trouble = self._trouble, None
        return found

    def save_as(self, path: Path) -> None:
        """Write all lines to a new file and go on there.

        Raises:
            OSError: the file cannot be made, or is there already.
        """
        with open(path, "x", encoding="utf-8", newline="\n") as new:
            new.writelines(self._lines)
        self.close()
        self._open(path, "a")

    def save_somewhere(self, name: str) -> Path | None:
        """Make sure that the game stands in a file, and give its path; None if that fails.

        Without a file it takes a new one in the current folder, else in the temp folder.
        """
        if self.path is not None:
            return self.path
        stem = f"{name}-{self._header.seed}"
        for folder in (Path(), Path(tempfile.gettempdir())):
            for number in range(1, 1000):
                path = folder / f"{stem}{'' if number == 1 else f'-{number}'}{_SUFFIX}"
                try:
                    self.save_as(path)
                except FileExistsError:
                    continue
                except OSError:
                    break
                return path
        return None

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        self._file, self.path = None, None

    def _open(self, path: Path, mode: Literal["a", "x"]) -> None:
        self._file = path.open(mode, encoding="utf-8", newline="\n")
        self.path = path

    def _keep(self, line: str) -> None:
        self._lines.append(line)
        if self._file is not None:
            try:
                self._write(line)
            except OSError as failure:
                self._trouble = str(self.path), str(failure.strerror or failure)
                self._file, self.path = None, None

    def _write(self, line: str) -> None:
        assert self._file is not None
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())
