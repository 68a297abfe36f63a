"""Overlays: merging with provenance, the paths that may be named, and the digest."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.diagnostics import Diagnostic, Reporter, Severity
from gemwright.dsl.document.compose import Document, load_document
from gemwright.dsl.document.tree import Map, Node, plain
from gemwright.dsl.ruleset import open_ruleset


def load(path: Path, shown: str = "") -> tuple[Document | None, tuple[Diagnostic, ...]]:
    reporter = Reporter()
    document = load_document(path, shown or path.name, reporter)
    return document, reporter.diagnostics


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def places(findings: tuple[Diagnostic, ...]) -> list[tuple[str, str, int, int]]:
    return [(d.code, d.span.path, d.span.line, d.span.column) for d in findings]


def node_at(document: Document | None, *path: str) -> Node:
    assert document is not None
    node: Node | None = document.tree
    for key in path:
        assert isinstance(node, Map)
        node = node.get(key)
    assert node is not None
    return node


BASE = """\
language: 1
game: market
zones:
  bank: {holds: stone, limit: 4}
  shelf: {holds: card}
kinds:
  stone: [red, green]
"""


def test_overlay_merges_maps_and_replaces_the_rest(tmp_path: Path) -> None:
    over = (
        "extends: base\nzones:\n  bank: {limit: 9}\n  shelf: null\n  table: {holds: card}\n"
        "kinds: {stone: [blue]}\n"
    )
    write(tmp_path, {"base.gem.yaml": BASE, "over.gem.yaml": over})
    document, findings = load(tmp_path / "over.gem.yaml")
    assert findings == () and document is not None
    assert plain(document.tree) == {
        "language": 1,
        "game": "market",
        "zones": {"bank": {"holds": "stone", "limit": 9}, "table": {"holds": "card"}},
        "kinds": {"stone": ["blue"]},
        "extends": "base",
    }
    assert document.chain == ("base", "over") and document.name == "over"
    assert [source.path for source in document.files] == ["base.gem.yaml", "over.gem.yaml"]
    assert document.folder == tmp_path.resolve()


def test_every_node_keeps_its_file(tmp_path: Path) -> None:
    over = "extends: base\nzones:\n  bank:\n    limit: 9\n"
    write(tmp_path, {"base.gem.yaml": BASE, "over.gem.yaml": over})
    document, _ = load(tmp_path / "over.gem.yaml")
    holds = node_at(document, "zones", "bank", "holds").span
    limit = node_at(document, "zones", "bank", "limit").span
    assert (holds.path, holds.line, holds.column) == ("base.gem.yaml", 4, 17)
    assert (limit.path, limit.line, limit.column) == ("over.gem.yaml", 4, 12)
    assert document is not None and document.folder_of(holds) == tmp_path.resolve()
    assert document.text_of("base.gem.yaml") == BASE and document.text_of("x") is None


def test_null_without_anything_to_remove_is_a_warning(tmp_path: Path) -> None:
    over = "extends: base\nzones:\n  bnak: null\n  new: {holds: card, limit: null}\n"
    write(tmp_path, {"base.gem.yaml": BASE, "over.gem.yaml": over})
    document, findings = load(tmp_path / "over.gem.yaml")
    assert places(findings) == [
        ("Y019", "over.gem.yaml", 3, 3),
        ("Y019", "over.gem.yaml", 4, 22),
    ]
    assert {found.severity for found in findings} == {Severity.WARNING}
    assert plain(node_at(document, "zones", "new")) == {"holds": "card"}


def test_chain_of_three(tmp_path: Path) -> None:
    files = {
        "base.gem.yaml": BASE,
        "middle.gem.yaml": "extends: base\ngame: middle\nzones: {shelf: null}\n",
        "top.gem.yaml": "extends: middle\nzones: {shelf: {holds: stone}}\n",
    }
    write(tmp_path, files)
    document, findings = load(tmp_path / "top.gem.yaml")
    assert findings == () and document is not None
    assert document.chain == ("base", "middle", "top")
    assert plain(node_at(document, "zones", "shelf")) == {"holds": "stone"}
    assert plain(node_at(document, "game")) == "middle"


# -- where bases are looked for ----------------------------------------------------------------


def test_name_is_found_above_a_folder_of_variants(tmp_path: Path) -> None:
    files = {"market/market.gem.yaml": BASE, "market/variants/quick.gem.yaml": "extends: market\n"}
    write(tmp_path, files)
    real = tmp_path / "market" / "variants" / "quick.gem.yaml"
    document, findings = load(real, "games/market/variants/quick.gem.yaml")
    assert findings == () and document is not None
    assert [source.path for source in document.files] == [
        "games/market/market.gem.yaml",
        "games/market/variants/quick.gem.yaml",
    ]


def test_name_is_not_found_above_another_folder(tmp_path: Path) -> None:
    files = {"market/market.gem.yaml": BASE, "market/others/quick.gem.yaml": "extends: market\n"}
    write(tmp_path, files)
    document, findings = load(tmp_path / "market" / "others" / "quick.gem.yaml")
    assert document is None and places(findings) == [("Y017", "quick.gem.yaml", 1, 10)]


def test_own_folder_comes_before_the_one_above(tmp_path: Path) -> None:
    files = {
        "market.gem.yaml": BASE,
        "variants/market.gem.yaml": BASE.replace("game: market", "game: near"),
        "variants/quick.gem.yaml": "extends: market\n",
    }
    write(tmp_path, files)
    document, _ = load(tmp_path / "variants" / "quick.gem.yaml")
    assert plain(node_at(document, "game")) == "near"


def test_bundled_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "rulesets/far/far.gem.yaml": BASE,
        "rulesets/far/variants/quick.gem.yaml": "extends: far\ngame: quick\n",
        "mine.gem.yaml": "extends: quick\n",
    }
    write(tmp_path, files)
    monkeypatch.setattr("gemwright.dsl.document.paths.files", lambda _: tmp_path / "rulesets")
    document, findings = load(tmp_path / "mine.gem.yaml")
    assert findings == () and document is not None
    assert [source.path for source in document.files] == [
        "rulesets/far/far.gem.yaml",
        "rulesets/far/variants/quick.gem.yaml",
        "mine.gem.yaml",
    ]


def test_no_bundled_folder_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> Path:
        raise ModuleNotFoundError

    monkeypatch.setattr("gemwright.dsl.document.paths.files", missing)
    write(tmp_path, {"mine.gem.yaml": "extends: nothing\n"})
    document, findings = load(tmp_path / "mine.gem.yaml")
    assert document is None and places(findings) == [("Y017", "mine.gem.yaml", 1, 10)]


def test_relative_path_below_the_own_folder(tmp_path: Path) -> None:
    write(tmp_path, {"parts/base.gem.yaml": BASE, "a.gem.yaml": "extends: parts/base.gem.yaml\n"})
    document, findings = load(tmp_path / "a.gem.yaml", "x/a.gem.yaml")
    assert findings == () and document is not None
    assert document.files[0].path == "x/parts/base.gem.yaml"


ESCAPES = [
    "../secret",
    "../../x.gem.yaml",
    "parts/../../x.gem.yaml",
    "./base.gem.yaml",
    "/etc/passwd",
    "~/x.gem.yaml",
    "https://example.org/x.gem.yaml",
    "file:other.gem.yaml",
    "'C:\\x.gem.yaml'",
    "'C:/x.gem.yaml'",
    "'parts\\base.gem.yaml'",
    "a//b.gem.yaml",
    '"a\\tb.gem.yaml"',
    "'$HOME/x.gem.yaml'",
    "'*.gem.yaml'",
    "'x.gem.yaml '",
    ".hidden/x.gem.yaml",
    "x" * 300 + ".gem.yaml",
]


@pytest.mark.parametrize("text", ESCAPES)
def test_path_that_leaves_the_folder(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"inner/a.gem.yaml": f"extends: {text}\n", "x.gem.yaml": "secret: word\n"})
    opened: list[str] = []
    real_open = __import__("os").open

    def watched(path: object, *rest: int) -> int:
        opened.append(str(path))
        return int(real_open(path, *rest))

    monkeypatch.setattr("gemwright.dsl.document.textfile.os.open", watched)
    document, findings = load(tmp_path / "inner" / "a.gem.yaml")
    assert document is None and places(findings) == [("Y013", "a.gem.yaml", 1, 10)]
    assert opened == [str((tmp_path / "inner" / "a.gem.yaml").resolve())]
    assert "secret: word" not in findings[0].message


def test_link_that_leaves_the_folder(tmp_path: Path) -> None:
    write(tmp_path, {"secret.gem.yaml": "secret: word\n", "inner/a.gem.yaml": "extends: out\n"})
    inner = tmp_path / "inner"
    (inner / "out.gem.yaml").symlink_to(tmp_path / "secret.gem.yaml")
    (inner / "folder").symlink_to(tmp_path)
    _, findings = load(inner / "a.gem.yaml")
    assert places(findings) == [("Y013", "a.gem.yaml", 1, 10)]
    assert "word" not in findings[0].message
    write(inner, {"b.gem.yaml": "extends: folder/secret.gem.yaml\n"})
    _, findings = load(inner / "b.gem.yaml")
    assert places(findings) == [("Y013", "b.gem.yaml", 1, 10)]


def test_link_inside_the_folder_is_fine(tmp_path: Path) -> None:
    write(tmp_path, {"base.gem.yaml": BASE, "a.gem.yaml": "extends: other\n"})
    (tmp_path / "other.gem.yaml").symlink_to(tmp_path / "base.gem.yaml")
    document, findings = load(tmp_path / "a.gem.yaml")
    assert document is not None and findings == ()


def test_circle_of_links(tmp_path: Path) -> None:
    (tmp_path / "x.gem.yaml").symlink_to(tmp_path / "y.gem.yaml")
    (tmp_path / "y.gem.yaml").symlink_to(tmp_path / "x.gem.yaml")
    write(tmp_path, {"a.gem.yaml": "extends: x\n"})
    document, findings = load(tmp_path / "a.gem.yaml")
    assert document is None and len(findings) == 1
    document, findings = load(tmp_path / "x.gem.yaml")
    assert document is None and places(findings) == [("Y017", "x.gem.yaml", 1, 1)]


def test_circle_names_its_members(tmp_path: Path) -> None:
    files = {"start": "a", "a": "b", "b": "c", "c": "a"}
    write(tmp_path, {f"{name}.gem.yaml": f"extends: {base}\n" for name, base in files.items()})
    document, findings = load(tmp_path / "start.gem.yaml")
    assert document is None and places(findings) == [("Y014", "c.gem.yaml", 1, 10)]
    assert "`a` extends `b` extends `c` extends `a`" in findings[0].message


def test_ruleset_that_extends_itself(tmp_path: Path) -> None:
    write(tmp_path, {"a.gem.yaml": "extends: a\n"})
    document, findings = load(tmp_path / "a.gem.yaml")
    assert document is None and places(findings) == [("Y014", "a.gem.yaml", 1, 10)]


def test_chain_of_eight_is_the_longest(tmp_path: Path) -> None:
    write(tmp_path, {f"r{n}.gem.yaml": f"extends: r{n + 1}\n" for n in range(9)})
    write(tmp_path, {"r9.gem.yaml": BASE})
    document, findings = load(tmp_path / "r2.gem.yaml")
    assert findings == () and document is not None and len(document.chain) == 8
    document, findings = load(tmp_path / "r1.gem.yaml")
    assert document is None and places(findings) == [("Y009", "r8.gem.yaml", 1, 10)]


@pytest.mark.parametrize("text", ["[a]", "{a: b}", "5", "true", "''", "null"])
def test_extends_must_be_text(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"a.gem.yaml": f"extends: {text}\n"})
    document, findings = load(tmp_path / "a.gem.yaml")
    assert document is None and places(findings) == [("S002", "a.gem.yaml", 1, 10)]


def test_broken_base_is_reported_in_its_file(tmp_path: Path) -> None:
    write(tmp_path, {"base.gem.yaml": "a: b: c\n", "a.gem.yaml": "x: y\nextends: base\n"})
    document, findings = load(tmp_path / "a.gem.yaml")
    assert document is None and places(findings) == [("Y015", "base.gem.yaml", 1, 5)]


# -- digest ------------------------------------------------------------------------------------

TABLE = "extends: base\nkinds: {card: {table: cards.csv}}\ntables: {worth: {file: t/w.csv}}\n"
FILES = {"base.gem.yaml": BASE, "a.gem.yaml": TABLE, "cards.csv": "name\nx\n", "t/w.csv": "a\n1\n"}


def digest(folder: Path, changed: dict[str, str]) -> str:
    write(folder, {**FILES, **changed})
    document, findings = load(folder / "a.gem.yaml", f"shown/{folder.name}/a.gem.yaml")
    assert document is not None and findings == ()
    assert len(document.files) == 4
    return document.digest


def test_digest_does_not_depend_on_the_place(tmp_path: Path) -> None:
    first = digest(tmp_path / "one", {})
    assert first == digest(tmp_path / "two" / "deeper", {}) and len(first) == 64
    windows = {name: text.replace("\n", "\r\n") for name, text in FILES.items()}
    assert first == digest(tmp_path / "three", windows)
    assert first == digest(tmp_path / "four", {"a.fr.yaml": "labels: x\n"})


@pytest.mark.parametrize("name", sorted(FILES))
def test_digest_depends_on_every_file(name: str, tmp_path: Path) -> None:
    addition = "x\n" if name.endswith(".csv") else "# remark\n"
    changed = digest(tmp_path / "changed", {name: FILES[name] + addition})
    assert changed != digest(tmp_path / "plain", {})


def test_missing_table_is_reported_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.gem.yaml": "kinds:\n  card: {table: none.csv}\n"})
    document, findings = load(tmp_path / "a.gem.yaml")
    assert document is not None and places(findings) == [("Y017", "a.gem.yaml", 2, 17)]


def test_table_of_a_base_lies_beside_the_base(tmp_path: Path) -> None:
    files = {
        "market/market.gem.yaml": "kinds: {card: {table: cards.csv}}\n",
        "market/cards.csv": "name\nx\n",
        "market/variants/quick.gem.yaml": "extends: market\n",
    }
    write(tmp_path, files)
    document, findings = load(
        tmp_path / "market" / "variants" / "quick.gem.yaml", "v/quick.gem.yaml"
    )
    assert findings == () and document is not None
    assert [source.path for source in document.files][-1] == "cards.csv"


def test_base_in_a_later_language_is_not_read(tmp_path: Path) -> None:
    base, over = "language: 2\ngame: base\n", "language: 1\nextends: base\n"
    write(tmp_path, {"base.gem.yaml": base, "over.gem.yaml": over})
    document, findings = load(tmp_path / "over.gem.yaml")
    assert document is None
    assert places(findings) == [("S005", "base.gem.yaml", 1, 11)]


def test_a_table_is_read_once(tmp_path: Path) -> None:
    """What the digest covers is what is played, whatever happens to the file meanwhile."""
    rules = (
        "language: 1\ngame: shelf\nplayers: 2\n"
        "kinds:\n  card: {columns: {worth: 1..9}, table: cards.csv}\n"
        "zones:\n  shelf: {holds: card}\n"
        "phases:\n  start: only\n  only: {do: end game}\n"
        "result: {score: size of shelf}\n"
    )
    (tmp_path / "shelf.gem.yaml").write_text(rules, encoding="utf-8")
    table = tmp_path / "cards.csv"
    table.write_text("name,worth\nlow,1\nhigh,9\n", encoding="utf-8")
    reporter = Reporter()
    ruleset = open_ruleset(str(tmp_path / "shelf.gem.yaml"), reporter)
    assert ruleset is not None
    table.write_text("name,worth\nother,5\n", encoding="utf-8")
    game = ruleset.instantiate(2, {}, reporter)
    assert game is not None
    assert [face.name for face in game.faces] == ["low", "high"]
    table.unlink()
    assert ruleset.instantiate(2, {}, reporter) == game
