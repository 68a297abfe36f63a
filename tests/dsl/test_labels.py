"""Label files: texts with slots and cases, what is checked of them, and which name stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemwright.dsl.codes.labels import LABEL_CODES
from gemwright.dsl.diagnostics import Diagnostic, Reporter, Severity
from gemwright.dsl.labels.files import LabelFile, languages_beside, read_label_file
from gemwright.dsl.labels.labels import Labels, load_labels
from gemwright.dsl.labels.languages import categories_of, plural_of
from gemwright.dsl.labels.text import Fill, Filling, Text, spellings, write
from gemwright.dsl.ruleset import open_ruleset
from gemwright.validator.api import validate

RULES = """\
language: 1
game: example
players: 2
kinds:
  stone: {members: [red, green, blue], count: 4}
zones:
  shelf: {holds: stone}
  hand: {holds: stone, per: player}
setup: |
  move every stone to shelf
phases:
  start: turns
  turns:
    each: player as active, again and again
    actions: [take]
    otherwise: over
    decreases: size of shelf
  over: {do: end game}
actions:
  take:
    choose: {lot: stones from shelf}
    where: size of lot >= 1
    do: move lot to my hand
result: {score: size of hand}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "example.gem.yaml"
    path.write_text(RULES, encoding="utf-8")
    return path


def read(folder: Path, text: str, language: str = "en") -> tuple[LabelFile, Reporter]:
    path = folder / f"example.{language}.yaml"
    path.write_text(text, encoding="utf-8")
    reporter = Reporter()
    file = read_label_file(path, path.name, language, reporter)
    assert file is not None
    return file, reporter


def text_of(folder: Path, text: str, language: str = "en") -> Text:
    """One text, written as in a label file."""
    file, reporter = read(folder, f"faces:\n  red: {text}\n", language)
    assert not reporter.diagnostics
    return file.labels[0].text


def findings(rules: Path) -> tuple[Diagnostic, ...]:
    """What validate finds in the files of the rules' folder."""
    (report,) = validate(rules).files
    return tuple(each.diagnostic for each in report.findings)


# -- plurals


@pytest.mark.parametrize(
    ("language", "counts"),
    [
        ("en", {"one": [1], "other": [0, 2, 11, 21, 101]}),
        ("fr", {"one": [0, 1], "other": [2, 21]}),
        ("uk", {"one": [1, 21, 101], "few": [2, 4, 22, 34], "many": [0, 5, 11, 12, 14, 111, 112]}),
        ("pl", {"one": [1], "few": [2, 22], "many": [0, 5, 12, 21]}),
        ("cs", {"one": [1], "few": [2, 4], "other": [0, 5, 22]}),
        ("lt", {"one": [1, 21], "few": [2, 29], "other": [0, 10, 11, 111]}),
        ("ar", {"zero": [0], "one": [1], "two": [2], "few": [3, 110], "many": [11, 99]}),
        ("ja", {"other": [0, 1, 2, 100]}),
        ("th", {"other": [0, 1, 2, 100]}),
        ("xx", {"one": [1], "other": [0, 2]}),
    ],
)
def test_plural_categories(language: str, counts: dict[str, list[int]]) -> None:
    found = {name: [n for n in range(200) if plural_of(language)(n) == name] for name in counts}
    for name, numbers in counts.items():
        assert set(numbers) <= set(found[name]), name
    assert sum(map(len, found.values())) == 200 or language == "ar"
    used = {plural_of(language)(number) for number in range(1000)}
    assert used <= {*categories_of(language), "other"}


# -- texts


@pytest.mark.parametrize(
    ("text", "slots", "form", "written"),
    [
        ("red", {}, "", "red"),
        ('"{a}, {b}"', {"a": 1, "b": "x"}, "", "1, x"),
        ('"{b}; {a}{a}"', {"a": 1, "b": "x"}, "", "x; 11"),
        ('"{{a}} {a}"', {"a": "x"}, "", "{a} x"),
        ("{one: card, other: cards}", {}, "", "card"),
        ("{one: card, other: cards}", {"count": 1}, "", "card"),
        ("{one: card, other: cards}", {"count": 0}, "", "cards"),
        ("{one: card, other: cards}", {"count": -2}, "", "cards"),
        ("{gen: of red, other: red}", {}, "gen", "of red"),
        ("{gen: of red, other: red}", {}, "acc", "red"),
        ('{"no a": nothing, other: "{a}"}', {"a": 0}, "", "nothing"),
        ('{"no a": nothing, other: "{a}"}', {"a": ""}, "", "nothing"),
        ('{"no a": nothing, other: "{a}"}', {"a": 3}, "", "3"),
        ('{"a one": "{a} day", other: "{a} days"}', {"a": 1}, "", "1 day"),
        ('{"a one": "{a} day", other: "{a} days"}', {"a": 5}, "", "5 days"),
        ('""', {}, "", ""),
    ],
)
def test_a_text_is_written(
    tmp_path: Path, text: str, slots: dict[str, Filling], form: str, written: str
) -> None:
    assert write(text_of(tmp_path, text), slots, plural_of("en"), form) == written


@pytest.mark.parametrize(
    ("count", "form", "written"),
    [
        (1, "", "карта"),
        (1, "acc", "карту"),
        (3, "acc", "карти"),
        (12, "", "карт"),
        (22, "", "карти"),
    ],
)
def test_three_plural_forms_and_a_case(tmp_path: Path, count: int, form: str, written: str) -> None:
    text = text_of(tmp_path, '{"acc, one": карту, one: карта, few: карти, other: карт}', "uk")
    assert write(text, {"count": count}, plural_of("uk"), form) == written


def test_the_first_case_that_fits_is_taken(tmp_path: Path) -> None:
    cases = '{"you, no a": A, "no a": B, "hidden a": C, you: D, "a you": E, other: F}'
    text = text_of(tmp_path, cases)
    plural = plural_of("en")
    you, other = Fill(lambda form: "", you=True), Fill(lambda form: "")
    secret = Fill(lambda form: "", hidden=True)
    nothing = Fill(lambda form: "", nothing=True)
    assert write(text, {"player": you, "a": nothing}, plural) == "A"
    assert write(text, {"player": other, "a": nothing}, plural) == "B"
    assert write(text, {"player": you, "a": secret}, plural) == "C"
    assert write(text, {"player": you, "a": other}, plural) == "D"
    assert write(text, {"player": other, "a": you}, plural) == "E"
    assert write(text, {"player": other, "a": other}, plural) == "F"


def test_a_slot_may_hand_on_the_form(tmp_path: Path) -> None:
    name = text_of(tmp_path, "{gen: of red, other: red}")
    fill = Fill(lambda form: write(name, {}, plural_of("en"), form))
    around = text_of(tmp_path, '"[{name:same}]"')
    assert write(around, {"name": fill}, plural_of("en"), "gen") == "[of red]"
    assert write(around, {"name": fill}, plural_of("en")) == "[red]"
    fixed = text_of(tmp_path, '"[{name:gen}]"')
    assert write(fixed, {"name": fill}, plural_of("en")) == "[of red]"


def test_every_spelling_may_be_typed(tmp_path: Path) -> None:
    text = text_of(tmp_path, '{one: ruby, "no a": "{a}", other: rubies}')
    assert spellings(text) == ("ruby", "rubies")


# -- what is wrong with a file


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("zoens: {shelf: x}\n", (1, 1), "zones"),
        ("zones: shelf\n", (1, 8), "maps elements"),
        ("zones: {shelf: {name: x, plcae: y}}\n", (1, 26), "place"),
        ("zones: {shelf: [x]}\n", (1, 16), "text"),
        ("zones: {shelf: null}\n", (1, 16), "text"),
        ("zones: {shelf: {one: x}}\n", (1, 16), "other"),
        ("zones: {shelf: {other: x, one: y}}\n", (1, 27), "other"),
        ("zones: {shelf: {few: x, other: y}}\n", (1, 17), "few"),
        ("zones: {shelf: {sometimes: x, other: y}}\n", (1, 17), "sometimes"),
        ('zones: {shelf: {"one, ufo": x, other: y}}\n', (1, 23), "ufo"),
        ('zones: {shelf: "a {b"}\n', (1, 19), "slot"),
        ('zones: {shelf: "a {B}"}\n', (1, 19), "slot"),
        ('zones: {shelf: "a {b:gne}"}\n', (1, 19), "gen"),
        ("actions: {take: {ask: x}}\n", (1, 23), "picks"),
        ("title: {one: x}\n", (1, 8), "other"),
    ],
)
def test_the_form_of_a_file(tmp_path: Path, text: str, place: tuple[int, int], said: str) -> None:
    _, reporter = read(tmp_path, text)
    (found,) = reporter.diagnostics
    assert (found.code, found.span.line, found.span.column) == ("L001", *place)
    assert said in found.message + found.help


@pytest.mark.parametrize("info", LABEL_CODES, ids=lambda info: info.code)
def test_the_examples_of_the_codes(rules: Path, info: object) -> None:
    code, bad, good = (getattr(info, name) for name in ("code", "bad", "good"))
    beside = rules.with_name("example.fr.yaml")
    beside.write_text(bad, encoding="utf-8")
    assert code in [found.code for found in findings(rules)]
    beside.write_text(good, encoding="utf-8")
    assert code not in [found.code for found in findings(rules)]


@pytest.mark.parametrize(
    ("text", "code", "column", "help"),
    [
        ("zones: {shelff: x}\n", "L002", 9, "did you mean `shelf`?"),
        ("faces: {res: x}\n", "L002", 9, "did you mean `red`?"),
        ("actions: {take: {ask: {lott: x}}}\n", "L002", 24, "did you mean `lot`?"),
        ("moves: {shelf to hnad: '{pieces}'}\n", "L002", 9, "did you mean `hand`?"),
        ("moves: {shelf: '{pieces}'}\n", "L002", 9, "`ZONE to ZONE`"),
        ("facts: {size of lot: '{value}'}\n", "L002", 9, ""),
        ("actions: {take: {move: '{lott} {lot}'}}\n", "L003", 25, "did you mean `lot`?"),
        ("actions: {take: {move: {no x: a, other: '{lot}'}}}\n", "L003", 25, "`lot`"),
        ("faces: {red: 'the {name}'}\n", "L003", 19, "none"),
        ("zones: {shelf: {place: '{player} {name}'}}\n", "L003", 25, "`name`"),
    ],
)
def test_what_a_file_speaks_of(rules: Path, text: str, code: str, column: int, help: str) -> None:
    rules.with_name("example.en.yaml").write_text(text, encoding="utf-8")
    found = [each for each in findings(rules) if each.severity is Severity.ERROR]
    assert [(each.code, each.span.column) for each in found] == [(code, column)]
    assert help in found[0].help
    assert found[0].span.path.endswith("example.en.yaml")


@pytest.mark.parametrize(
    ("log", "lost"),
    [
        ('"{player} takes {lot}."', []),
        ('"{player} takes."', ["`{lot}`"]),
        ('"Taken."', ["`{lot}`, `{player}`"]),
        ('{"no lot": "{player} takes nothing.", other: "{player} takes {lot}."}', []),
        ('{"you, no lot": A, you: "You take {lot}.", other: "{player} takes."}', []),
        ('{you: "You take.", other: "{player} takes {lot}."}', ["`{lot}`"]),
        ('""', []),
    ],
)
def test_what_a_text_must_tell(rules: Path, log: str, lost: list[str]) -> None:
    text = f'actions: {{take: {{move: "take {{lot}}", log: {log}}}}}\n'
    rules.with_name("example.en.yaml").write_text(text, encoding="utf-8")
    found = [each for each in findings(rules) if each.code == "L004"]
    assert [each.message.removeprefix("this text does not tell ") for each in found] == lost


def test_an_unreadable_file_is_found(rules: Path) -> None:
    rules.with_name("example.en.yaml").write_text("zones: [\n", encoding="utf-8")
    assert [each.severity for each in findings(rules)] == [Severity.ERROR]


def test_a_mistake_in_a_label_file_leaves_the_verdicts(rules: Path) -> None:
    rules.with_name("example.en.yaml").write_text("zones: {bank: x}\n", encoding="utf-8")
    (report,) = validate(rules).files
    assert "L002" in [each.diagnostic.code for each in report.findings]
    assert report.verdicts


def test_the_files_of_a_base_are_judged_with_the_base(rules: Path) -> None:
    rules.with_name("example.en.yaml").write_text("zones: {bank: x}\n", encoding="utf-8")
    variant = rules.with_name("other.gem.yaml")
    variant.write_text("language: 1\ngame: other\nextends: example\n", encoding="utf-8")
    assert "L002" in [each.code for each in findings(rules)]
    assert findings(variant) == ()


# -- which text stands


def labels(rules: Path, language: str) -> tuple[Labels, Reporter]:
    reporter = Reporter()
    opened = open_ruleset(str(rules), reporter)
    assert opened is not None
    model = opened.instantiate(2, {}, reporter)
    assert model is not None
    return load_labels(opened, model, language, reporter), reporter


def test_a_name_falls_back_to_english_and_to_the_identifier(rules: Path) -> None:
    english = "title: The shelf\nfaces: {red: Red, green: Green}\n"
    rules.with_name("example.en.yaml").write_text(english, encoding="utf-8")
    rules.with_name("example.fr.yaml").write_text("faces: {red: rouge}\n", encoding="utf-8")
    french, reporter = labels(rules, "fr")
    assert [french.name("face", each) for each in ("red", "green", "blue")] == [
        "rouge",
        "Green",
        "blue",
    ]
    assert not reporter.diagnostics
    # red stands; two members, two zones, two phases, an action and its pick do not
    assert french.lacking == 8
    assert labels(rules, "en")[0].title == "The shelf"
    assert labels(rules, "en")[0].lacking == 0


def test_a_variant_says_its_own_over_those_of_its_base(rules: Path) -> None:
    rules.with_name("example.en.yaml").write_text(
        "title: Base\nfaces: {red: Red, green: Green}\n", encoding="utf-8"
    )
    variant = rules.with_name("other.gem.yaml")
    variant.write_text("language: 1\ngame: other\nextends: example\n", encoding="utf-8")
    assert labels(variant, "en")[0].title == "Base"
    variant.write_text(
        "language: 1\ngame: other\nextends: example\ntitle: {en: Other, uk: Інша}\n",
        encoding="utf-8",
    )
    assert labels(variant, "en")[0].title == "Other"
    assert labels(variant, "uk")[0].title == "Інша"
    rules.with_name("other.en.yaml").write_text("title: Own\nfaces: {red: RED}\n", encoding="utf-8")
    own = labels(variant, "en")[0]
    assert (own.title, own.name("face", "red"), own.name("face", "green")) == (
        "Own",
        "RED",
        "Green",
    )


def test_texts_of_a_base_about_what_the_variant_changed_are_left_out(rules: Path) -> None:
    text = (
        'actions: {take: {move: "take {lot}", log: "{player} takes {lot}."}}\n'
        "zones: {shelf: {name: shelf, place: the shelf}}\n"
    )
    rules.with_name("example.en.yaml").write_text(text, encoding="utf-8")
    variant = rules.with_name("other.gem.yaml")
    changed = "choose: {lot: null, one: stone from shelf}, where: null, do: move one to my hand"
    variant.write_text(
        f"language: 1\ngame: other\nextends: example\nactions:\n  take: {{{changed}}}\n",
        encoding="utf-8",
    )
    own, reporter = labels(variant, "en")
    assert not reporter.diagnostics
    assert own.sentence("actions", "take", "move") is None
    assert own.sentence("zones", "shelf", "place") is not None
    assert findings(variant) == ()


def test_a_broken_text_is_reported_and_left_out(rules: Path) -> None:
    text = 'actions: {take: {name: grab, move: "{lott}", log: "{player} grabs {lot}."}}\n'
    rules.with_name("example.en.yaml").write_text(text, encoding="utf-8")
    english, reporter = labels(rules, "en")
    assert [each.code for each in reporter.diagnostics] == ["L003"]
    assert english.sentence("actions", "take", "move") is None
    assert english.sentence("actions", "take", "log") is not None
    assert english.action("take") == "grab"


@pytest.mark.parametrize("language", ["../x", "e", "gem", "test", "EN", "", "en/.."])
def test_what_is_no_language_reads_no_file(rules: Path, language: str) -> None:
    found, reporter = labels(rules, language)
    assert not found.texts and not reporter.diagnostics


def test_languages_are_found_beside_the_rules(rules: Path) -> None:
    for name in ("example.uk.yaml", "example.pt-BR.yaml", "example.test.yaml", "exampl.en.yaml"):
        rules.with_name(name).write_text("title: x\n", encoding="utf-8")
    assert languages_beside(rules.parent, "example") == ("pt-BR", "uk")


HOSTILE = sorted((Path(__file__).parents[1] / "data" / "hostile").glob("*.yaml"))


@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.stem)
def test_a_hostile_label_file_is_refused_or_harmless(rules: Path, path: Path) -> None:
    rules.with_name("example.en.yaml").write_bytes(path.read_bytes())
    english, reporter = labels(rules, "en")
    assert reporter.has_errors or not english.texts
    assert english.action("take") == "take"


@pytest.mark.parametrize(
    "text",
    [
        'faces: {red: "' + "{red}" * 200 + '"}\n',
        'faces: {red: "' + "{" * 500 + '"}\n',
        "faces: {red: {" + ", ".join(f'"no a{n}": x' for n in range(500)) + ", other: y}}\n",
        "actions: {take: {ask: {" + ", ".join(f"a{n}: x" for n in range(500)) + "}}}\n",
    ],
)
def test_a_label_file_may_be_absurd(rules: Path, text: str) -> None:
    rules.with_name("example.en.yaml").write_text(text, encoding="utf-8")
    english, reporter = labels(rules, "en")
    assert english.name("face", "red") in ("red", "y")
    assert len(reporter.diagnostics) <= 1100
