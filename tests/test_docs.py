"""What the documentation shows is so: its rules load, its code runs, its numbers are computed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.parse import STARTS, parse
from gemwright.dsl.ruleset import open_ruleset
from gemwright.dsl.source import TextMap
from gemwright.interpreter.chance import BlockChance, draw, finalise, key

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def blocks(info: str, *pages: Path) -> list[tuple[str, str]]:
    """The fenced blocks with this info string, each with a name for the report."""
    found: list[tuple[str, str]] = []
    for page in pages or PAGES:
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match[1] == info:
                line = text.count("\n", 0, match.start()) + 1
                found.append((f"{page.relative_to(ROOT)}:{line}", match[2]))
    return found


def rules_files() -> list[tuple[str, str]]:
    """Complete rules files; scenario files have no line `game:`."""
    return [
        (where, text)
        for where, text in blocks("yaml")
        if text.startswith("language: 1\n") and re.search(r"^game:", text, re.M)
    ]


def ids(found: list[tuple[str, str]]) -> list[str]:
    return [where for where, _ in found]


@pytest.mark.parametrize(("where", "text"), rules_files(), ids=ids(rules_files()))
def test_a_rules_file_loads_at_every_player_count(where: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.gem.yaml"
    path.write_text(text, encoding="utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    assert rules is not None, reporter.diagnostics
    for players in range(rules.players[0], rules.players[1] + 1):
        assert rules.instantiate(players, {}, reporter) is not None, reporter.diagnostics
    assert not reporter.diagnostics


@pytest.mark.parametrize(("where", "text"), blocks("python"), ids=ids(blocks("python")))
def test_python_runs(where: str, text: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr


def commands() -> list[tuple[str, str]]:
    return [
        (f"{where} {line[2:]}", line[2:])
        for where, text in blocks("console")
        for line in text.splitlines()
        if line.startswith("$ gemwright ")
    ]


@pytest.mark.parametrize(("where", "line"), commands(), ids=ids(commands()))
def test_a_command_line_works(where: str, line: str, tmp_path: Path) -> None:
    arguments = shlex.split(line)[1:]
    done = subprocess.run(
        [sys.executable, "-m", "gemwright", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def snippets() -> list[tuple[str, str, str]]:
    return [(where, start, text) for start in STARTS for where, text in blocks(f"text {start}")]


@pytest.mark.parametrize(
    ("where", "start", "text"), snippets(), ids=[where for where, _, _ in snippets()]
)
def test_a_snippet_is_of_the_grammar(where: str, start: str, text: str) -> None:
    """Blocks marked `text sentences`, `text lines`, .. ; single ones stand one a line."""
    whole = start in ("sentences", "lines", "next")
    for part in [text] if whole else text.splitlines():
        reporter = Reporter()
        places = tuple((1, column) for column in range(1, len(part) + 2))
        assert parse(part, start, TextMap(where, places), reporter), reporter.diagnostics
        assert not reporter.diagnostics


def vectors(title: str) -> list[list[int]]:
    """The rows of numbers of the table under a heading of docs/chance.md."""
    page = (ROOT / "docs" / "chance.md").read_text(encoding="utf-8")
    part = page.split(f"### {title}\n")[1].split("\n#")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("|")]
    return [[int(cell.strip(" `"), 0) for cell in row] for row in rows[2:]]


def test_the_vectors_of_the_generator() -> None:
    for value, expected in vectors("Finaliser"):
        assert finalise(value) == expected
    for *parts, expected in vectors("Keys"):
        assert key(*parts) == expected
    for seed, tick, n, expected in vectors("Draws"):
        assert draw(key(seed), tick, n) == expected
    shuffles = vectors("Shuffle")
    chance = BlockChance([key(shuffles[0][0]), 0], 0)
    assert [row[2] for row in shuffles] == chance.shuffle(0, list(range(len(shuffles))))


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_links_lead_somewhere(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))
    missing = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert not missing


def test_the_pages_have_examples() -> None:
    assert len(rules_files()) >= 8
    assert len(blocks("python")) >= 4
    assert commands()
    assert len(snippets()) >= 10
