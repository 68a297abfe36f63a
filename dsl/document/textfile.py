"""Reading one text file from an untrusted source.

Only regular files, at most `MAX_BYTES`, UTF-8, without characters that hide what the text says.
Everything here is linear in the size of the file, and is done before any parser sees it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import UNSAFE, Reporter, quoted
from gemwright.dsl.source import SourceFile, Span

MAX_BYTES: Final = 256 * 1024
#: So many findings of one kind are enough to act on.
_MOST_REPORTED: Final = 20
_UTF8_MARK: Final = b"\xef\xbb\xbf"
_OTHER_MARKS: Final = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


def read_text(
    real: Path, shown: str, reporter: Reporter, asked: Span | None = None
) -> SourceFile | None:
    """Read a file, or report why not and give None.

    `asked` is the place that names the file; without one, the start of the file itself.
    """
    data = _read_bytes(real, asked or Span(shown, 1, 1, 1, 1), quoted(shown, 80), reporter)
    if data is None:
        return None
    text = _decode(data, shown, reporter)
    if text is None or _report_unsafe(text, shown, reporter):
        return None
    return SourceFile(shown, real, text)


def _read_bytes(real: Path, span: Span, name: str, reporter: Reporter) -> bytes | None:
    # Opened without waiting, then asked what it is: a pipe or a device must not block us.
    try:
        handle = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        reporter.error("Y017", span, f"there is no file {name}")
        return None
    except (OSError, ValueError):
        reporter.error("Y017", span, f"{name} cannot be opened")
        return None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            reporter.error("Y017", span, f"{name} is not an ordinary file")
            return None
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(MAX_BYTES + 1)
    except OSError:
        reporter.error("Y017", span, f"{name} cannot be read")
        return None
    finally:
        os.close(handle)
    if len(data) > MAX_BYTES:
        size = max(status.st_size, len(data))
        reporter.error(
            "Y009",
            span,
            f"{name} has {size} bytes, more than the {MAX_BYTES} that a file may have",
            "move long tables to CSV files of their own",
        )
        return None
    return data


def _decode(data: bytes, shown: str, reporter: Reporter) -> str | None:
    for mark, encoding in _OTHER_MARKS:
        if data.startswith(mark):
            message = f"the file is written in {encoding}, not in UTF-8"
            reporter.error("Y012", Span(shown, 1, 1, 1, 1), message, "save it as UTF-8")
            return None
    data = data.removeprefix(_UTF8_MARK)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8").replace("\r\n", "\n")
        span = place_in(before, len(before), shown)
        message = f"byte 0x{data[error.start]:02X} is not part of UTF-8 text"
        reporter.error("Y012", span, message, "save the file as UTF-8")
        return None
    return text.replace("\r\n", "\n")


def _report_unsafe(text: str, shown: str, reporter: Reporter) -> bool:
    """Report characters that hide what the text says; tabs and line ends are not among them."""
    count = 0
    for found in UNSAFE.finditer(text):
        if found.group() in "\n\t":
            continue
        span = place_in(text, found.start(), shown)
        message = f"the character U+{ord(found.group()):04X} cannot be seen and is not allowed"
        reporter.error("Y012", span, message, "remove it")
        count += 1
        if count == _MOST_REPORTED:
            break
    return count > 0


def place_in(text: str, offset: int, shown: str) -> Span:
    """The span of the character at an offset of a text. Linear in the offset."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    return Span(shown, line, column, line, column + 1)
