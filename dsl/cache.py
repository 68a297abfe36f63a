"""What takes long to make, in the user's cache folder: compiled modules, tables of the parser.

Names are hashes of all that the content depends on, so nothing in there is ever out of date.
Files are written under another name and then renamed, so that processes never see half a file.
Each begins with the hash of what follows: a damaged file is as good as none. A folder that cannot
be read or written, or that others may write to, is not used; nothing here ever fails.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_KEPT: Final = 256
"""Files that stay; the oldest go first."""

FOLDER: Final = "GEMWRIGHT_CACHE"
"""The variable of the environment that names another folder; empty for no cache."""


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Where the user's cache lies, or None for no cache."""
    named = environment.get(FOLDER)
    if named is not None:
        return Path(named) if named else None
    if environment.get("XDG_CACHE_HOME"):
        return Path(environment["XDG_CACHE_HOME"]) / "gemwright"
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return Path(local) / "gemwright" / "cache" if local else None
    home = environment.get("HOME")
    if not home:
        return None
    parts = ("Library", "Caches") if sys.platform == "darwin" else (".cache",)
    return Path(home).joinpath(*parts, "gemwright")


class Cache:
    """Bytes by name in one folder."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get(self, name: str) -> bytes | None:
        """What was kept under a name, if it is whole."""
        if self._folder is None or not self._is_private(self._folder):
            return None
        try:
            data = (self._folder / name).read_bytes()
        except OSError:
            return None
        content = data[32:]
        return content if hashlib.sha256(content).digest() == data[:32] else None

    def put(self, name: str, content: bytes) -> None:
        """Keep bytes under a name; what cannot be kept is not."""
        if self._folder is None:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._is_private(self._folder):
                self._write(self._folder, name, hashlib.sha256(content).digest() + content)
                self._trim(self._folder)
        except OSError:
            return

    def _write(self, folder: Path, name: str, data: bytes) -> None:
        number, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
            os.replace(temporary, folder / name)
        except BaseException:
            os.unlink(temporary)
            raise

    def _trim(self, folder: Path) -> None:
        files = [each for each in folder.iterdir() if each.is_file()]
        if len(files) > _KEPT:
            files.sort(key=lambda each: (each.stat().st_mtime, each.name))
            for each in files[: len(files) - _KEPT]:
                each.unlink(missing_ok=True)

    def _is_private(self, folder: Path) -> bool:
        """Whether nobody else may have put files there: a module is run as it is."""
        if not hasattr(os, "getuid"):
            return True
        try:
            found = folder.stat()
        except OSError:
            return False
        others = stat.S_IWGRP | stat.S_IWOTH
        return found.st_uid == os.getuid() and not found.st_mode & others
