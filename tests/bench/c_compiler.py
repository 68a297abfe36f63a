"""Compiles C with the compiler of this machine."""

from __future__ import annotations

import shutil
import subprocess
from ctypes import CDLL
from pathlib import Path
from tempfile import TemporaryDirectory

FLAGS = ("-O3", "-fno-semantic-interposition", "-shared", "-fPIC")


def compiler() -> str | None:
    """The C compiler of this machine, if it has one."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def library(source: str) -> CDLL:
    """A source, compiled and loaded.

    Raises:
        RuntimeError: there is no C compiler.
    """
    command = compiler()
    if command is None:
        raise RuntimeError("there is no C compiler")
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        text, built = Path(folder, "program.c"), Path(folder, "program.so")
        text.write_text(source, encoding="utf-8")
        subprocess.run([command, *FLAGS, "-o", str(built), str(text)], check=True)
        return CDLL(str(built))
