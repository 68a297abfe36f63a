"""What several test modules need: where the repository lies and which files belong to it."""

from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parent.parent

# Folders that tools make and git ignores; they may lie about at the desk.
_MADE = {"build", "dist", "venv", "htmlcov", "__pycache__", "node_modules"}
_HIDDEN_BUT_OURS = {".ci", ".github"}


@pytest.fixture(scope="session")
def repository() -> Path:
    """The folder of pyproject.toml."""
    return _ROOT


@pytest.fixture(scope="session")
def tree_files() -> tuple[Path, ...]:
    """Every file of the repository, sorted, without what tools made (works without git)."""
    return tuple(sorted(_walk(_ROOT)))


def _walk(folder: Path) -> list[Path]:
    found: list[Path] = []
    for path in folder.iterdir():
        if path.is_file():
            found.append(path)
        elif path.is_dir() and _is_ours(path.name):
            found.extend(_walk(path))
    return found


def _is_ours(name: str) -> bool:
    if name.startswith("."):
        return name in _HIDDEN_BUT_OURS
    return name not in _MADE and not name.endswith(".egg-info")
