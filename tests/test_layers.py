"""Who may import whom, and that no word of one game is found where the rules of all games live.

The contracts stand in pyproject.toml. Here they run against the installed package, and against
small made-up packages with one forbidden import each, to see that every contract can fail.
"""

import csv
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ENGINE = ("dsl", "interpreter", "validator")

# -- layers

PACKAGES = (
    "",
    "dsl",
    "dsl/checks",
    "dsl/codes",
    "dsl/comparison",
    "dsl/document",
    "dsl/elaboration",
    "dsl/grammar",
    "dsl/labels",
    "dsl/model",
    "dsl/walkable",
    "interpreter",
    "interpreter/evaluation",
    "interpreter/information",
    "interpreter/scenario",
    "interpreter/simulation",
    "interpreter/walk",
    "interpreter/cli",
    "interpreter/compiled",
    "interpreter/compiled/flat",
    "interpreter/compiled/lower",
    "interpreter/compiled/passes",
    "interpreter/compiled/printers",
    "validator",
    "validator/abstraction",
    "validator/certificate",
    "validator/decisions",
    "validator/graph",
    "validator/linear",
    "validator/plays",
    "validator/proof",
    "validator/rules",
)
COMPILED = "gemwright.interpreter.compiled"

# What each folder may import: one example of every allowed direction.
ALLOWED = {
    "__main__.py": "from gemwright.interpreter.cli.main import main",
    "dsl/grammar/parse.py": "import lark\nimport yaml\nfrom gemwright.dsl.grammar import syntax",
    "dsl/document/tree.py": "",
    "dsl/model/game.py": "",
    "dsl/elaboration/flow.py": "from gemwright.dsl.model import game",
    "interpreter/game.py": "from gemwright.dsl.model import game",
    "interpreter/simulation/parallel.py": "import joblib",
    "interpreter/compiled/flat/ops.py": "",
    "interpreter/compiled/lower/terms.py": (
        f"from gemwright.dsl.model import game\nfrom {COMPILED}.flat import ops"
    ),
    "interpreter/compiled/passes/fold.py": f"from {COMPILED}.flat import ops",
    "interpreter/compiled/printers/python.py": f"from {COMPILED}.flat import ops",
    "interpreter/compiled/machine.py": f"import wasmtime\nfrom {COMPILED}.lower import terms",
    "validator/prove.py": "import networkx\nfrom gemwright.interpreter import game",
    "validator/linear/affine.py": "",
    "validator/proof/ranking.py": "from gemwright.validator.linear import affine",
    "interpreter/cli/main.py": "import rich\nfrom gemwright.validator import prove",
}

FORBIDDEN = [
    ("dsl/document/tree.py", "from gemwright.interpreter import game", "dsl-is-the-bottom"),
    ("dsl/document/tree.py", "from gemwright.validator import prove", "dsl-is-the-bottom"),
    ("dsl/model/game.py", "from gemwright.dsl.elaboration import flow", "layers-of-dsl"),
    (
        "validator/linear/affine.py",
        "from gemwright.validator.proof import ranking",
        "layers-of-validator",
    ),
    ("dsl/document/tree.py", "import rich", "rich-in-cli"),
    ("dsl/document/tree.py", "import networkx", "networkx-in-validator"),
    ("interpreter/game.py", "from gemwright.validator import prove", "engine-below-validator"),
    ("interpreter/game.py", "from gemwright.interpreter.cli import main", "cli-is-the-top"),
    ("interpreter/game.py", "import lark", "lark-in-dsl"),
    ("interpreter/game.py", "import yaml", "yaml-in-dsl"),
    ("interpreter/game.py", "from networkx import Graph", "networkx-in-validator"),
    ("validator/prove.py", "from gemwright.interpreter.cli import main", "cli-is-the-top"),
    ("validator/prove.py", "from rich import box", "rich-in-cli"),
    ("interpreter/cli/main.py", "import lark.tree", "lark-in-dsl"),
    ("__init__.py", "import lark", "lark-in-dsl"),
    ("interpreter/compiled/flat/ops.py", "from gemwright.dsl.model import game", "flat-is-below"),
    ("interpreter/compiled/flat/ops.py", f"from {COMPILED}.passes import fold", "flat-is-below"),
    (
        "interpreter/compiled/printers/python.py",
        f"from {COMPILED}.lower import terms",
        "printers-and-passes-know-no-rules",
    ),
    (
        "interpreter/compiled/passes/fold.py",
        "from gemwright.dsl.model import game",
        "printers-and-passes-know-no-rules",
    ),
    ("interpreter/game.py", "import wasmtime", "wasmtime-in-compiled"),
    ("interpreter/game.py", "from joblib import Parallel", "joblib-in-parallel"),
]


def lint_imports(
    config: Path, folder: Path, *words: str, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run the linter in `folder` (which must not be the repository: it would import from there)."""
    tool = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [str(tool), "--no-cache", "--no-logo", *words, str(config)],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "200", **env},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def make_package(folder: Path, extra: tuple[str, str] | None = None) -> None:
    for package in PACKAGES:
        (folder / "gemwright" / package).mkdir(parents=True, exist_ok=True)
        (folder / "gemwright" / package / "__init__.py").touch()
    for name, text in ALLOWED.items():
        (folder / "gemwright" / name).write_text(text + "\n", encoding="utf-8")
    if extra:
        with (folder / "gemwright" / extra[0]).open("a", encoding="utf-8") as module:
            module.write(extra[1] + "\n")


def test_the_installed_package_keeps_every_contract(repository: Path, tmp_path: Path) -> None:
    done = lint_imports(repository / "pyproject.toml", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_allowed_direction_is_allowed(repository: Path, tmp_path: Path) -> None:
    make_package(tmp_path)
    done = lint_imports(repository / "pyproject.toml", tmp_path, PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("module", "line", "contract"), FORBIDDEN)
def test_a_forbidden_import_breaks_its_contract(
    module: str, line: str, contract: str, repository: Path, tmp_path: Path
) -> None:
    make_package(tmp_path, (module, line))
    done = lint_imports(
        repository / "pyproject.toml", tmp_path, "--contract", contract, PYTHONPATH=str(tmp_path)
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "BROKEN" in done.stdout


def test_every_contract_is_broken_once_above(repository: Path) -> None:
    text = (repository / "pyproject.toml").read_text(encoding="utf-8")
    declared = re.findall(r'^id = "([^"]+)"$', text, re.MULTILINE)
    assert sorted(declared) == sorted({contract for _, _, contract in FORBIDDEN})


# -- words of one game: the two lists are tests/data/words/*.txt


def test_no_word_of_one_game_in_the_engine(repository: Path, tree_files: tuple[Path, ...]) -> None:
    common = word_list(repository, "common")
    own = {word for word in own_words(repository / "rulesets") if word not in common}
    names = word_list(repository, "game") | own
    found = []
    for path in tree_files:
        if path.relative_to(repository).parts[0] not in ENGINE:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            for word in sorted(words_of(line) & names):
                found.append(f"{path.relative_to(repository)}:{number}: {word}")
    assert found == [], "name things of games neutrally here, or add to common.txt"


@pytest.mark.parametrize("text", ["take_opal(x)", "OpalCard", "# an opal.", "OPALS and OPAL"])
def test_words_are_found_inside_names(text: str) -> None:
    assert "opal" in words_of(text)


def test_no_word_is_in_both_lists(repository: Path) -> None:
    assert not word_list(repository, "common") & word_list(repository, "game")


def test_own_words_are_members_kinds_and_zones(tmp_path: Path) -> None:
    (tmp_path / "pieces.csv").write_text("name,count\nquartz,3\nred,2\n", encoding="utf-8")
    (tmp_path / "probe.gem.yaml").write_text(
        "game: probe_game\n"
        "kinds:\n"
        "  mineral: [flint, card]\n"
        "  crystal: {table: pieces.csv}\n"
        "  marble: {rows: [[agate, 1], [blue, 2]], columns: {worth: 1..3}}\n"
        "  jade: {one per: player, named: [green, teal]}\n"
        "  both: mineral + [geode]\n"
        "zones:\n"
        "  vault: {holds: mineral}\n",
        encoding="utf-8",
    )
    expected = {"probe_game", "mineral", "flint", "card", "crystal", "quartz", "red", "marble"}
    expected |= {"agate", "blue", "jade", "green", "teal", "both", "geode", "vault"}
    assert set(own_words(tmp_path)) == expected


def word_list(repository: Path, name: str) -> set[str]:
    path = repository / "tests" / "data" / "words" / f"{name}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def words_of(line: str) -> set[str]:
    """The lower-case words of a line: whole names, and their parts at `_` and at capitals."""
    found = set()
    for name in re.findall(r"[A-Za-z_]+", line):
        parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
        found |= {name.lower(), *(part.lower() for part in parts)}
    return found


def own_words(rulesets: Path) -> Iterator[str]:
    """Names of games, kinds, members and zones in all rulesets below a folder."""
    for path in sorted(rulesets.rglob("*.gem.yaml")):
        rules = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        for word in _names(rules, path.parent):
            if re.fullmatch(r"[a-z][a-z_]{2,}", word):
                yield word


def _names(rules: dict[str, Any], folder: Path) -> Iterator[str]:
    yield rules["game"]
    yield from rules.get("zones") or {}
    for kind, form in (rules.get("kinds") or {}).items():
        yield kind
        if isinstance(form, dict):
            yield from _members(form.get("members", []))
            yield from _members(form.get("named", []))
            for row in form.get("rows", []):
                yield from _members(row[:1])
            if "table" in form:
                yield from _first_column(folder / form["table"])
        else:
            yield from _members(form)


def _members(form: Any) -> Iterator[str]:
    """Members of a list, or of the lists inside a union such as `stone + [joker]`."""
    if isinstance(form, list):
        yield from (word for word in form if isinstance(word, str))
    elif isinstance(form, str):
        for inside in re.findall(r"\[([^\]]*)\]", form):
            yield from (word.strip() for word in inside.split(","))


def _first_column(table: Path) -> Iterator[str]:
    with io.StringIO(table.read_text(encoding="utf-8")) as text:
        for row in csv.DictReader(text):
            yield row["name"] if "name" in row else next(iter(row.values()))
