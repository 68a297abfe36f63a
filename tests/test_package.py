"""The package as it is installed: it holds the whole tree, says one version, and stays light."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gemwright
from gemwright.interpreter.cli.main import VERBS

# folder of the repository -> import name
ROOTS = {
    "interpreter/api": "gemwright",
    "dsl": "gemwright.dsl",
    "interpreter": "gemwright.interpreter",
    "validator": "gemwright.validator",
    "rulesets": "gemwright.rulesets",
}
CODE = ("dsl", "interpreter", "validator")

# distributions whose import name differs from their own
IMPORT_NAMES = {"pyyaml": "yaml"}


@pytest.fixture(scope="module")
def project(repository: Path) -> dict[str, Any]:
    return tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))


def import_name(folder: Path) -> str:
    """The package that a folder of the repository (relative) installs as."""
    for root in sorted(ROOTS, key=len, reverse=True):
        if folder.is_relative_to(root):
            return ".".join((ROOTS[root], *folder.relative_to(root).parts))
    raise AssertionError(folder)


def code_files(repository: Path, tree_files: tuple[Path, ...]) -> list[Path]:
    relative = (path.relative_to(repository) for path in tree_files)
    return [path for path in relative if path.parts[0] in CODE and path.suffix == ".py"]


# -- what is installed


def test_the_package_list_is_the_tree(
    project: dict[str, Any], repository: Path, tree_files: tuple[Path, ...]
) -> None:
    folders = {path.parent for path in code_files(repository, tree_files)}
    expected = sorted({import_name(folder) for folder in folders} | {"gemwright.rulesets"})
    setuptools = project["tool"]["setuptools"]
    assert sorted(setuptools["packages"]) == expected
    assert setuptools["package-dir"] == {name: folder for folder, name in ROOTS.items()}
    for folder in folders:
        assert (repository / folder / "__init__.py").is_file()


def test_rulesets_are_data_only(repository: Path, tree_files: tuple[Path, ...]) -> None:
    inside = [path for path in tree_files if path.is_relative_to(repository / "rulesets")]
    assert {path.suffix for path in inside} <= {".csv", ".json", ".md", ".yaml"}


def test_the_installed_files_are_the_tree(repository: Path, tree_files: tuple[Path, ...]) -> None:
    """Code, grammars and data alike: a pattern missing in pyproject.toml shows up here."""
    relative = [path.relative_to(repository) for path in tree_files]
    expected = {path for path in relative if path.parts[0] in (*CODE, "rulesets")}
    found = set()
    for folder, name in ROOTS.items():
        for path in _installed(name):
            inside = repository / folder / path
            if not (folder == "interpreter" and path.parts[0] == "api"):
                found.add(inside.relative_to(repository))
    hint = "at the desk, run the `pip install -e` line of README.md again"
    assert sorted(expected - found) == [], hint
    assert sorted(found - expected) == [], hint


def _installed(name: str) -> Iterator[Path]:
    """Files of an installed package, relative to it, without those of its mapped subpackages."""
    (root,) = importlib.import_module(name).__path__
    mapped = {other.removeprefix("gemwright.") for other in ROOTS.values()}
    for path in sorted(Path(root).rglob("*")):
        relative = path.relative_to(root)
        foreign = name == "gemwright" and relative.parts[0] in mapped
        if path.is_file() and "__pycache__" not in relative.parts and not foreign:
            yield relative


def test_it_is_typed() -> None:
    assert resources.files("gemwright").joinpath("py.typed").is_file()


# -- what it says of itself


def test_the_version_has_one_place(
    project: dict[str, Any], repository: Path, tree_files: tuple[Path, ...]
) -> None:
    assert metadata.version("gemwright") == gemwright.__version__
    assert "version" in project["project"]["dynamic"]
    word = re.compile(rf"(?<![\w.]){re.escape(gemwright.__version__)}(?![\w.])")
    code = code_files(repository, tree_files)
    naming = [path for path in code if word.search((repository / path).read_text(encoding="utf-8"))]
    assert naming == [Path("interpreter/api/__init__.py")]


def test_extras_are_declared(project: dict[str, Any]) -> None:
    extras = {name.lower() for name in metadata.metadata("gemwright").get_all("Provides-Extra", [])}
    assert extras == set(project["project"]["optional-dependencies"])
    assert {"fast", "sim", "graph", "rl", "dev"} <= extras


def test_the_license_is_installed(repository: Path) -> None:
    assert metadata.metadata("gemwright")["License-Expression"] == "MIT"
    text = (repository / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License\n")
    assert "the gemwright authors" in text


def test_every_third_party_import_is_a_declared_dependency(
    project: dict[str, Any], repository: Path, tree_files: tuple[Path, ...]
) -> None:
    extras = project["project"]["optional-dependencies"]
    requirements = project["project"]["dependencies"] + extras["fast"] + extras["sim"]
    names = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in requirements]
    declared = {IMPORT_NAMES.get(name, name) for name in names}
    used = set()
    for path in code_files(repository, tree_files):
        used |= _imported(ast.parse((repository / path).read_text(encoding="utf-8")))
    used -= {"gemwright", *sys.stdlib_module_names}
    assert used <= declared


def _imported(tree: ast.Module) -> set[str]:
    """First words of the imported modules; a relative import counts as `.`, which is forbidden."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." if node.level else str(node.module).split(".")[0])
    return names


# -- the public names


def test_public_names_and_the_imports_for_type_checkers_agree(repository: Path) -> None:
    tree = ast.parse((repository / "interpreter/api/__init__.py").read_text(encoding="utf-8"))
    (block,) = [
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    shown = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            assert alias.asname == alias.name, "mypy takes a name as public only if it says `as`"
            shown[alias.name] = node.module
    assert shown == dict(gemwright._HOME)


@pytest.mark.parametrize("name", sorted(gemwright._HOME))
def test_each_public_name_leads_home(name: str) -> None:
    value = getattr(gemwright, name)
    assert value is getattr(importlib.import_module(gemwright._HOME[name]), name)
    assert name in dir(gemwright)
    assert inspect.getdoc(value)


def test_another_name_is_an_attribute_error() -> None:
    name = "lod"
    with pytest.raises(AttributeError, match="has no attribute 'lod'"):
        getattr(gemwright, name)


def test_importing_the_package_loads_nothing_else() -> None:
    code = (
        "import sys; before = set(sys.modules); import gemwright\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - set(sys.stdlib_module_names)))\n"
        "print(*sorted(name for name in sys.modules if name.startswith('gemwright.')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "gemwright\n\n"


# -- the verbs


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_each_verb_has_its_module(verb: str) -> None:
    name, summary = VERBS[verb]
    module: ModuleType = importlib.import_module(name)
    assert name.rpartition(".")[2] == verb.replace("-", "_")
    assert list(inspect.signature(module.add_arguments).parameters) == ["parser"]
    assert list(inspect.signature(module.run).parameters) == ["args"]
    assert summary and summary[0].islower() and not summary.endswith(".")


# -- what the papers around it say


def test_the_gate_runs_the_tests_command_of_the_readme(repository: Path) -> None:
    """`.ci/run` cuts the command out of README.md; this holds the place where it looks."""
    readme = (repository / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"<!-- \.ci/run takes [^\n]* -->\n```sh\n(.*?)\n```\n", readme, re.DOTALL)
    assert blocks == ["python -m pytest"]
    gate = repository / ".ci" / "run"
    assert r"<!-- .ci\/run takes" in gate.read_text(encoding="utf-8")
    assert gate.stat().st_mode & 0o111


def test_the_changelog_has_this_version_or_an_unreleased_part(repository: Path) -> None:
    text = (repository / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[([^\]]+)\]", text, re.MULTILINE)
    assert headings and headings[0] in {"Unreleased", gemwright.__version__}


# Where a package came from, and where somebody's files lie, is nobody's business but theirs.
_REGISTRY = re.compile(r"pypi\.org|pythonhosted\.org|npmjs|crates\.io|index-url|find-links")
_PUBLISHED = {"sarif-2.1.0-rtm.5.json"}  # a standard as its authors wrote it, examples included
_MACHINE_PATH = re.compile(r"(?<![\w.~:/$}*-])/(?:work|root|home|Users|opt|tmp|mnt)/\w|file:///")


def test_no_file_names_a_registry_or_a_path_of_one_machine(
    repository: Path, tree_files: tuple[Path, ...]
) -> None:
    found = []
    for path in tree_files:
        if path == Path(__file__).resolve() or path.name in _PUBLISHED:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), start=1):
            if _REGISTRY.search(line) or _MACHINE_PATH.search(line):
                found.append(f"{path.relative_to(repository)}:{number}: {line.strip()}")
    assert found == []


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("see /" + "home/somebody/notes", True),
        ('open("/' + 'tmp/out.json")', True),
        ("https://example.org/home/page", False),
        ("$HOME/opt/tool", False),
        ("docs/tmp/file", False),
        ("/etc/passwd", False),
    ],
)
def test_what_counts_as_a_path_of_one_machine(line: str, is_one: bool) -> None:
    assert bool(_MACHINE_PATH.search(line)) is is_one
