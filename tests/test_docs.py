"""What the documentation shows is so: its rules load, its code runs, its numbers are computed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.grammar.parse import STARTS, parse
from gemwright.dsl.ruleset import open_ruleset
from gemwright.dsl.source import TextMap
from gemwright.interpreter.chance import BlockChance, draw, finalise, key

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
GAME = re.compile(r"^game:", re.M)
TABLE = re.compile(r"\b(?:table|file): (\w+\.csv)")
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: where it begins, what follows its backticks, and what it holds."""

    where: str
    info: str
    text: str


def page_blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}",
            match[1],
            match[2],
        )
        for match in FENCE.finditer(text)
    ]


def blocks(info: str) -> list[Block]:
    """All blocks of a sort."""
    return [block for page in PAGES for block in page_blocks(page) if block.info == info]


def rules_files() -> list[tuple[Block, str]]:
    """Complete rules files, each with the text of the block below if that is a plain one.

    A rules file that names a table shows it there. Scenario files have no line `game:`.
    """
    found = []
    for page in PAGES:
        shown = page_blocks(page)
        for number, block in enumerate(shown):
            rules = block.text.startswith("language: 1\n") and GAME.search(block.text)
            if block.info == "yaml" and rules:
                below = shown[number + 1 : number + 2]
                plain = [each.text for each in below if each.info == ""]
                found.append((block, "".join(plain)))
    return found


def name(value: object) -> str | None:
    """How the tests below are told apart."""
    return value.where if isinstance(value, Block) else ""


@pytest.mark.parametrize(("block", "table"), rules_files(), ids=name)
def test_a_rules_file_loads_at_every_player_count(block: Block, table: str, tmp_path: Path) -> None:
    path = tmp_path / "example.gem.yaml"
    path.write_text(block.text, encoding="utf-8")
    if named := TABLE.search(block.text):
        (tmp_path / named[1]).write_text(table, encoding="utf-8")
    reporter = Reporter()
    rules = open_ruleset(str(path), reporter)
    assert rules is not None, reporter.diagnostics
    for players in range(rules.players[0], rules.players[1] + 1):
        assert rules.instantiate(players, {}, reporter) is not None, reporter.diagnostics
    assert not reporter.diagnostics


@pytest.mark.parametrize("block", blocks("python"), ids=name)
def test_python_runs(block: Block, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", block.text],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", blocks("console"), ids=name)
def test_command_lines_work(block: Block, tmp_path: Path) -> None:
    """They run one after another in an empty folder, with nothing to read from."""
    lines = [line[2:] for line in block.text.splitlines() if line.startswith("$ ")]
    assert lines
    for line in lines:
        program, *arguments = shlex.split(line)
        assert program == "gemwright"
        done = subprocess.run(
            [sys.executable, "-m", "gemwright", *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, line + "\n" + done.stdout + done.stderr


def snippets() -> list[Block]:
    """Blocks marked `text sentences`, `text lines`, ..: by which start rule they are read."""
    return [block for start in STARTS for block in blocks(f"text {start}")]


@pytest.mark.parametrize("block", snippets(), ids=name)
def test_a_snippet_is_of_the_grammar(block: Block) -> None:
    start = block.info.removeprefix("text ")
    whole = start in ("sentences", "lines", "next")
    for part in [block.text] if whole else block.text.splitlines():
        reporter = Reporter()
        places = tuple((1, column) for column in range(1, len(part) + 2))
        assert parse(part, start, TextMap(block.where, places), reporter), reporter.diagnostics
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
    assert blocks("console")
    assert len(snippets()) >= 10
