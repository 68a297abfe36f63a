"""What a measurement was made on."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import gemwright
from tests.bench.c_compiler import FLAGS, compiler
from tests.bench.timing import table


def facts() -> str:
    """The machine and the programs, as a table."""
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    rows = [
        ("processor", _processor()),
        ("processors seen", os.cpu_count()),
        ("load over 1, 5, 15 minutes at the start", load),
        ("system", f"{platform.system()} {platform.release()} {platform.machine()}"),
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
        ("gemwright", gemwright.__version__),
        *((name, _version(name)) for name in ("wasmtime", "joblib", "open_spiel")),
        ("C compiler", _compiler()),
    ]
    return table(("what", "value"), rows)


def _processor() -> str:
    cpus = Path("/proc/cpuinfo")
    lines = cpus.read_text(encoding="utf-8").splitlines() if cpus.is_file() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _compiler() -> str:
    command = compiler()
    if command is None:
        return "none"
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    return f"{done.stdout.splitlines()[0]}, {' '.join(FLAGS)}"
