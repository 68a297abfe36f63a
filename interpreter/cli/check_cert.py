"""`gemwright check-cert FILE...`: do certificates prove what they say?

A certificate stands by itself; of a validation report in JSON all certificates are checked. The
checker knows nothing of the prover.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.arguments import fail, option_value
from gemwright.interpreter.cli.lines import clean

_MOST_BYTES = 64 * 1024 * 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        type=Path,
        help="a certificate, or what `gemwright validate --format json` prints",
    )


def run(args: argparse.Namespace) -> int:
    """Check all files and say how it went; the exit code, of several the highest."""
    return max(_checked(file) for file in args.files)


def _checked(file: Path) -> int:
    """Check the certificates of one file and say how it went; the exit code."""
    # Imported here: other verbs do without them.
    from gemwright.validator.certificate.checker import check
    from gemwright.validator.certificate.system import CertificateError

    shown = clean(str(file))
    try:
        if file.stat().st_size > _MOST_BYTES:
            return fail(exits.FAILED, f"{shown} is too large for a certificate")
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as failure:
        return fail(exits.FAILED, f"cannot read {shown}: {failure.strerror or failure}")
    except (ValueError, RecursionError):
        return fail(exits.FAILED, f"{shown} is no JSON")
    found = list(_certificates(data))
    if not found:
        return fail(exits.FINDINGS, f"{shown} holds no certificate")
    worst = exits.CLEAN
    for name, certificate in found:
        try:
            moves = check(certificate)
        except CertificateError as problem:
            print(f"{shown}: {name}refused: {clean(str(problem))}")
            worst = exits.FINDINGS
        else:
            limit = "" if moves is None else f", after at most {moves} moves"
            print(f"{shown}: {name}every play ends{limit}")
    return worst


def _certificates(data: Any) -> Iterator[tuple[str, Any]]:
    """Certificates with a name for each."""
    if not isinstance(data, dict) or not isinstance(data.get("files"), list):
        yield "", data
        return
    for file in data["files"]:
        for verdict in file.get("verdicts", ()) if isinstance(file, dict) else ():
            if isinstance(verdict, dict) and verdict.get("certificate") is not None:
                options = verdict.get("options") or {}
                changed = "".join(
                    f", {name} = {_written(value)}" for name, value in options.items()
                )
                name = f"{file.get('path')}, {verdict.get('players')} players{changed}: "
                yield clean(name), verdict["certificate"]


def _written(value: Any) -> str:
    return option_value(value) if isinstance(value, int | str) else json.dumps(value)
