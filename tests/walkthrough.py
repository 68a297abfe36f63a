"""Pages that are followed step by step, in one folder: files are written, command lines run, and
what they print is compared with the page.

A block ```` ```yaml NAME ```` is a file. In a block ```` ```console run ```` a line `$ gemwright`
runs; the lines below it are its output, whole, or parts of it with `...` for lines, or the end of a
line, that are left out. What follows a prompt `P1> ` is typed. `(exit code N)` as the last line is
what it is to end with.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(
    r"^```(yaml|csv) (\S+\.(?:yaml|csv))\n(.*?)^```$|^```console run\n(.*?)^```$", re.M | re.S
)
_PROMPT = re.compile(r"^[^\s$]+> (.+)$", re.M)
_CODE = re.compile(r"\n?\(exit code (\d+)\)\s*$")
_GAP = "..."


@dataclass(frozen=True, slots=True)
class File:
    """A file that the page shows."""

    line: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command line with what it prints; `expected` is '' where the page shows nothing."""

    line: int
    words: tuple[str, ...]
    expected: str
    code: int


def steps(page: Path) -> Iterator[File | Command]:
    """What a page does, in order."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found[2]:
            yield File(line, found[2], found[3])
        else:
            yield from _commands(line, found[4])


def _commands(line: int, block: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        code = _CODE.search(output)
        expected = _CODE.sub("", output).strip("\n")
        words = tuple(shlex.split(command))
        assert words[0] == "gemwright", command
        yield Command(line, words[1:], expected, int(code[1]) if code else 0)


def run(command: Command, folder: Path) -> str:
    """Run a command line in a folder, typing what its expected output says; what it printed."""
    typed = "".join(f"{line}\n" for line in _PROMPT.findall(command.expected))
    done = subprocess.run(
        [sys.executable, "-m", "gemwright", *command.words],
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
        encoding="utf-8",
    )
    printed = done.stdout + done.stderr
    assert done.returncode == command.code, f"{' '.join(command.words)}\n{printed}"
    return printed


def agrees(expected: str, printed: str) -> bool:
    """Whether what was printed is what the page shows, `...` standing for whatever is left out."""
    if not expected:
        return True
    parts = [
        part.strip("\n") for part in re.split(rf"^\s*{re.escape(_GAP)}$", expected, flags=re.M)
    ]
    pattern = r"\n(?:.*\n)*".join(_pattern(part) for part in parts if part)
    if expected.lstrip().startswith(_GAP):
        pattern = r"(?:.*\n)*" + pattern
    if expected.rstrip().endswith(_GAP):
        pattern += r"(?:\n.*)*"
    return re.fullmatch(pattern, printed.strip("\n")) is not None


def _pattern(lines: str) -> str:
    escaped = (re.escape(line) for line in lines.split("\n"))
    return "\n".join(re.sub(r"\\\.\\\.\\\.$", ".*", line) for line in escaped)
