"""What other tools start: the shell steps of `action.yml`, and the hooks of pre-commit."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gemwright.dsl.ruleset import bundled
from gemwright.interpreter.cli.main import VERBS

ROOT = Path(__file__).parents[1]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
STEPS: dict[str, dict[str, Any]] = {step["name"]: step for step in ACTION["runs"]["steps"]}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A folder with one ruleset and its scenarios."""
    source = bundled()["grand_bazaar"].parent
    folder = tmp_path / "my rules"
    folder.mkdir()
    for name in ("grand_bazaar.gem.yaml", "price_cards.csv", "clauses.csv"):
        shutil.copy(source / name, folder)
    return folder


def run_step(name: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run the shell of a step as the runner would, with inputs in its environment."""
    step = STEPS[name]
    values = {key: str(value["default"]) for key, value in ACTION["inputs"].items()} | inputs
    env = {key: values[_input(text)] for key, text in step["env"].items()}
    scripts = str(Path(sys.executable).parent)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **env, "PATH": f"{scripts}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def _input(text: str) -> str:
    assert text.startswith("${{ inputs.") and text.endswith(" }}")
    return text.removeprefix("${{ inputs.").removesuffix(" }}")


def test_no_input_stands_in_the_text_of_a_script() -> None:
    """Else the text of an input would be run as a command."""
    for step in STEPS.values():
        assert "${{" not in step["run"]


def test_the_action_passes_good_rules(rules: Path) -> None:
    done = run_step("validate", rules.parent, paths="my rules\n\n", sarif="out.sarif")
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"version": "2.1.0"' in (rules.parent / "out.sarif").read_text(encoding="utf-8")


def test_the_action_fails_on_a_finding_and_names_its_line(rules: Path) -> None:
    path = rules / "grand_bazaar.gem.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("next: update", "next: updat"))
    done = run_step("validate", rules.parent, paths="my rules")
    assert done.returncode == 1
    assert "::error file=my rules/grand_bazaar.gem.yaml,line=" in done.stdout


def test_strictness_and_trust_are_passed_on(rules: Path) -> None:
    path = rules / "grand_bazaar.gem.yaml"
    text = path.read_text(encoding="utf-8")
    mark = "    - {key: highest money, clause: [B-1, B-29]}"
    comment = "    # validator: allow[E015] because it is tried\n"
    path.write_text(text.replace(mark, comment + mark.replace("B-29", "B-99")), encoding="utf-8")
    codes = [
        run_step("validate", rules.parent, paths="my rules", **given).returncode
        for given in ({"strict": "true"}, {"strict": "true", "trust-comments": "false"})
    ]
    assert codes == [0, 1]


def test_the_action_runs_scenarios_where_there_are_some(rules: Path) -> None:
    assert run_step("test", rules.parent, paths="my rules").returncode == 0
    scenario = rules / "grand_bazaar.test.yaml"
    scenario.write_text("language: 1\nruleset: none\nscenarios: []\n", encoding="utf-8")
    assert run_step("test", rules.parent, paths="my rules").returncode != 0


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_starts_a_verb_that_there_is(hook: dict[str, Any]) -> None:
    program, verb, *rest = hook["entry"].split()
    assert program == "gemwright" and verb in VERBS and not rest
    assert hook["language"] == "python"


def test_findings_of_a_file_do_not_depend_on_its_company(rules: Path) -> None:
    """pre-commit hands over files in batches of its own choice."""
    first = rules / "grand_bazaar.gem.yaml"
    second = rules / "second.gem.yaml"
    text = first.read_text(encoding="utf-8")
    second.write_text(text.replace("next: update", "next: updat"), encoding="utf-8")

    def lines(*paths: Path) -> set[str]:
        command = [sys.executable, "-m", "gemwright", "validate", "--players", "2"]
        done = subprocess.run(
            [*command, *map(str, paths)], capture_output=True, text=True, check=False
        )
        return set(done.stdout.splitlines())

    assert lines(first, second) == lines(first) | lines(second)
