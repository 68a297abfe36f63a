"""The command line around the verbs: dispatch, exit codes, and what happens when a verb fails."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType, ModuleType

import pytest

from gemwright import __version__
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli import main as cli

HEAVY = ("jsonschema", "lark", "networkx", "rich", "wcwidth", "yaml")

Run = Callable[[argparse.Namespace], int]


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> Callable[[Run], None]:
    """Makes `gemwright probe [--number N]` run the given function."""

    def install(run: Run) -> None:
        module = ModuleType("probe_verb")
        module.add_arguments = lambda parser: parser.add_argument("--number", type=int, default=0)
        module.run = run
        monkeypatch.setitem(sys.modules, "probe_verb", module)
        table = MappingProxyType({"probe": ("probe_verb", "a verb of this test")})
        monkeypatch.setattr(cli, "VERBS", table)

    return install


@pytest.fixture
def temp_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def python(
    code: str, *, stdout: int | None = subprocess.PIPE, **env: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **env},
        timeout=60,
        check=False,
    )


def raising(failure: BaseException) -> Run:
    def run(args: argparse.Namespace) -> int:
        raise failure

    return run


# -- the general options


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_names_every_verb_and_every_exit_code(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([word]) == exits.CLEAN
    shown = capsys.readouterr()
    lines = [line.split() for line in shown.out.splitlines() if line.startswith("  ")]
    firsts = [words[0] for words in lines]
    for name in (*cli.VERBS, *map(str, exits.MEANINGS)):
        assert firsts.count(name) == 1
    assert not set(cli.RESERVED) & set(firsts)
    assert shown.err == ""


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == exits.CLEAN
    assert capsys.readouterr().out == f"gemwright {__version__}\n"


def test_nothing_asked_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == exits.USAGE
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("usage: gemwright")


@pytest.mark.parametrize("words", [["--help"], ["--version"], [], ["tournament"], ["--bogus"]])
def test_general_answers_import_nothing_heavy(words: list[str]) -> None:
    done = python(
        "import sys\n"
        "from gemwright.interpreter.cli.main import main\n"
        f"main({words!r})\n"
        "print('\\n'.join(sys.modules))\n"
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.splitlines())
    assert not loaded & set(HEAVY)
    assert {name for name in loaded if name.split(".")[0] == "gemwright"} == {
        "gemwright",
        "gemwright.interpreter",
        "gemwright.interpreter.cli",
        "gemwright.interpreter.cli.exits",
        "gemwright.interpreter.cli.main",
    }


@pytest.mark.parametrize("start", ["module", "script"])
def test_both_ways_to_start_it(start: str) -> None:
    script = str(Path(sys.executable).with_name("gemwright"))
    command = [sys.executable, "-m", "gemwright"] if start == "module" else [script]
    done = subprocess.run(
        [*command, "--version"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"gemwright {__version__}\n")
    done = subprocess.run([*command, "tournament"], capture_output=True, timeout=60, check=False)
    assert done.returncode == exits.USAGE


# -- words that are no verb


@pytest.mark.parametrize("word", cli.RESERVED)
def test_a_reserved_name_is_refused_as_such(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([word, "file"]) == exits.USAGE
    shown = capsys.readouterr()
    assert f"`{word}` is a reserved name: not available in this version" in shown.err
    assert shown.out == ""


def test_no_name_is_both_a_verb_and_reserved() -> None:
    assert not set(cli.VERBS) & set(cli.RESERVED)


def test_a_near_miss_is_answered_with_the_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["valdate", "x"]) == exits.USAGE
    shown = capsys.readouterr().err
    assert "unknown verb `valdate`" in shown
    assert "did you mean `validate`" in shown


def test_a_far_miss_is_answered_without_a_guess(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["xyzzyplugh"]) == exits.USAGE
    shown = capsys.readouterr().err
    assert "unknown verb `xyzzyplugh`\n" in shown
    assert "did you mean" not in shown


def test_an_unknown_general_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--verbose"]) == exits.USAGE
    assert "unknown option `--verbose`" in capsys.readouterr().err


# -- verbs that run


@pytest.mark.parametrize("code", list(exits.MEANINGS))
def test_the_exit_code_is_the_verbs(verb: Callable[[Run], None], code: int) -> None:
    verb(lambda args: code)
    assert cli.main(["probe"]) == code


def test_a_verb_gets_its_arguments(verb: Callable[[Run], None]) -> None:
    verb(lambda args: exits.FINDINGS if args.number == 7 else exits.CLEAN)
    assert cli.main(["probe", "--number", "7"]) == exits.FINDINGS


@pytest.mark.parametrize("rest", [["--number", "seven"], ["--num", "7"], ["stray"]])
def test_wrong_arguments_of_a_verb(
    verb: Callable[[Run], None], rest: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    verb(lambda args: exits.CLEAN)
    assert cli.main(["probe", *rest]) == exits.USAGE
    assert capsys.readouterr().err.startswith("usage: gemwright probe")


def test_help_of_a_verb(verb: Callable[[Run], None], capsys: pytest.CaptureFixture[str]) -> None:
    verb(lambda args: exits.FAILED)
    assert cli.main(["probe", "--help"]) == exits.CLEAN
    assert "A verb of this test." in capsys.readouterr().out


# -- verbs that fail


def test_an_interrupt_is_no_failure(
    verb: Callable[[Run], None], capsys: pytest.CaptureFixture[str], temp_folder: Path
) -> None:
    verb(raising(KeyboardInterrupt()))
    assert cli.main(["probe"]) == exits.INTERRUPTED
    assert capsys.readouterr().err == "\ninterrupted\n"
    assert not list(temp_folder.iterdir())


def test_a_bug_is_one_line_and_the_traceback_goes_to_a_file(
    verb: Callable[[Run], None], capsys: pytest.CaptureFixture[str], temp_folder: Path
) -> None:
    verb(raising(ZeroDivisionError("a message\nof two lines")))
    assert cli.main(["probe"]) == exits.FAILED
    shown = capsys.readouterr()
    (report,) = temp_folder.iterdir()
    assert shown.out == ""
    assert shown.err == (
        "internal error: ZeroDivisionError: a message of two lines; "
        f"please report it with {report}\n"
    )
    assert "Traceback (most recent call last)" in report.read_text(encoding="utf-8")
    assert report.stat().st_mode & 0o077 == 0


def test_a_file_error_that_a_verb_let_pass_is_a_bug(
    verb: Callable[[Run], None], capsys: pytest.CaptureFixture[str], temp_folder: Path
) -> None:
    verb(raising(FileNotFoundError(2, "No such file or directory", "gone.txt")))
    assert cli.main(["probe"]) == exits.FAILED
    assert capsys.readouterr().err.startswith("internal error: FileNotFoundError:")
    assert len(list(temp_folder.iterdir())) == 1


def test_a_bug_without_a_temp_folder_is_still_one_line(
    verb: Callable[[Run], None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    verb(raising(ValueError("odd")))
    assert cli.main(["probe"]) == exits.FAILED
    assert capsys.readouterr().err == "internal error: ValueError: odd; please report\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_leaves_early_sees_no_error(unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = python(
            "import sys\n"
            "from gemwright.interpreter.cli.main import main\n"
            "sys.exit(main(['--help']))\n",
            stdout=writing,
            PYTHONUNBUFFERED=unbuffered,
        )
    finally:
        os.close(writing)
    assert done.stderr == ""
    assert done.returncode == exits.FAILED


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_cannot_be_written_is_said_so(unbuffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = python(
            "import sys\n"
            "from gemwright.interpreter.cli.main import main\n"
            "sys.exit(main(['--help']))\n",
            stdout=full.fileno(),
            PYTHONUNBUFFERED=unbuffered,
        )
    assert done.stderr == "gemwright: cannot write the output: No space left on device\n"
    assert done.returncode == exits.FAILED


def test_letters_that_the_terminal_lacks_are_escaped() -> None:
    done = python(
        "import sys\n"
        "from gemwright.interpreter.cli.main import main\n"
        "sys.exit(main(['caf\\xe9\\u2615']))\n",
        PYTHONIOENCODING="ascii:strict",
    )
    assert done.returncode == exits.USAGE
    assert "caf\\xe9\\u2615" in done.stderr
