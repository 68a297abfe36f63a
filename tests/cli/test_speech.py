"""The catalogues of the runner: complete, sound, used, and playable in every language."""

from __future__ import annotations

import re
from pathlib import Path
from unicodedata import category

import pytest

import gemwright.interpreter.cli as cli
from gemwright.dsl.diagnostics import Reporter
from gemwright.interpreter.cli import exits
from gemwright.interpreter.cli.lines import cells, wrap
from gemwright.interpreter.cli.speech import (
    check_catalogue,
    languages,
    read_catalogue,
    speech,
)
from gemwright.interpreter.simulation.players import strategy_names

from .conftest import Command

FOLDER = Path(cli.__path__[0])
ENGLISH = read_catalogue(FOLDER / "catalogue" / "en.yaml", "en", Reporter())


def test_the_bundled_languages() -> None:
    assert languages() == ("en", "ja", "th", "uk")


@pytest.mark.parametrize("language", languages())
def test_a_catalogue_is_complete_and_sound(language: str) -> None:
    reporter = Reporter()
    path = FOLDER / "catalogue" / f"{language}.yaml"
    texts = read_catalogue(path, language, reporter)
    assert check_catalogue(texts, ENGLISH, reporter) == ()
    assert reporter.diagnostics == ()
    assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 100


def test_a_lost_and_a_foreign_slot_are_found(tmp_path: Path) -> None:
    path = tmp_path / "fr.yaml"
    path.write_text('log: {value: "{nom} vaut {value}.", shuffled: Fini.}\n', encoding="utf-8")
    reporter = Reporter()
    check_catalogue(read_catalogue(path, "fr", reporter), ENGLISH, reporter)
    assert [each.code for each in reporter.diagnostics] == ["L003", "L004"]


def test_every_sentence_is_used_and_every_used_one_is_there() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.py")))
    sections = {key.split(".")[0] for key in ENGLISH}
    used = set(re.findall(rf'"((?:{"|".join(sections)})\.[a-z_]+)"', code))
    assert used <= set(ENGLISH)
    made_up = {
        "players": strategy_names(),
        "log": ("finished", "stalemate", "capped", "moved", "moved_top", "moved_bottom"),
        "commands": tuple(key.split(".")[1] for key in ENGLISH if key.startswith("commands.")),
    }
    for key in ENGLISH:
        section, name = key.split(".", 1)
        spoken = key in used or f'"{name}"' in code
        assert spoken or name in made_up.get(section, ()), key


@pytest.mark.parametrize("language", languages())
def test_typed_words_are_no_names_of_commands(language: str) -> None:
    """A command must not be taken for a yes, a no or a nothing."""
    spoken = speech(language)
    commands = {spoken.say(key) for key in ENGLISH if re.fullmatch(r"commands\.[a-z]+", key)}
    words = {word for key in ("yes", "no", "nothing") for word in spoken.words(f"typed.{key}")}
    assert not commands & words


@pytest.mark.parametrize("language", languages())
def test_a_game_is_played_in_every_language(command: Command, language: str) -> None:
    say = speech(language).say
    typed = [
        say("commands.log") + " " + say("commands.all"),
        say("commands.view"),
        f"{say('commands.why')} 999",
        say("commands.help"),
        "\uff11",
        say("commands.quit"),
    ]
    answer = command(
        *("play", "stall.gem.yaml", "--plain", "--seed", "5", "--lang", language),
        typed="".join(f"{line}\n" for line in typed),
    )
    assert answer.code == exits.CLEAN
    assert say("commands.help_why") in answer.out.replace("\n    ", " ").replace("\n  ", "\n")
    assert max(map(cells, answer.out.splitlines())) <= 80
    last = answer.out.splitlines()[-1]
    resume = "gemwright play --resume stall-5.save.jsonl"
    assert last == (resume if language == "en" else f"{resume} --lang {language}")
    assert command(*last.split()[1:], "--plain", typed="").code == exits.CLEAN


def test_a_language_that_nobody_speaks_is_refused(command: Command) -> None:
    answer = command("play", "stall.gem.yaml", "--plain", "--lang", "tlh")
    assert answer.code == exits.USAGE
    assert "en, ja, th, uk" in answer.err


def test_what_a_language_lacks_is_said(command: Command) -> None:
    command_words = ("play", "stall.gem.yaml", "--plain", "--seed", "5", "--lang")
    Path("stall.fr.yaml").write_text("faces: {red: rouge}\n", encoding="utf-8")
    answer = command(*command_words, "fr", typed="quit\n")
    assert "names are not in this language yet" in answer.out
    assert "6 rouge, 6 green" in answer.out


def test_a_label_file_with_a_mistake_is_told_and_played_without_it(command: Command) -> None:
    text = 'faces: {red: scarlet}\nactions: {take: {move: "grab {lott}"}}\n'
    Path("stall.en.yaml").write_text(text, encoding="utf-8")
    answer = command("play", "stall.gem.yaml", "--plain", "--seed", "5", typed="quit\n")
    assert answer.code == exits.CLEAN
    assert "stall.en.yaml:2:30: error[L003]" in answer.err
    assert "6 scarlet" in answer.out


SCRIPTS = Path(__file__).parents[1] / "data" / "scripts.txt"


@pytest.mark.parametrize("width", [13, 20, 33])
@pytest.mark.parametrize("text", SCRIPTS.read_text(encoding="utf-8").splitlines())
def test_text_of_any_script_breaks_well(text: str, width: int) -> None:
    lines = wrap(text, width, "  ", "    ")
    assert len(lines) > 2
    assert all(cells(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    firsts = [line.strip()[0] for line in lines]
    assert not any(category(first) in ("Pe", "Pf", "Po") for first in firsts)
    # no vowel sign or tone mark is torn from its letter
    assert all(cells(first) > 0 for first in firsts)
