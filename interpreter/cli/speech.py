"""What the runner itself says, in one language: the sentences of `catalogue/LANG.yaml`.

The English file is the measure: it has every sentence, and its slots are those that there are. A
sentence that another language lacks is said in English.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.reader import read_yaml
from gemwright.dsl.document.tree import Map
from gemwright.dsl.labels.check import check_slots
from gemwright.dsl.labels.languages import categories_of, plural_of
from gemwright.dsl.labels.reader import TextReader
from gemwright.dsl.labels.text import Fill, Filling, Text, filled, write
from gemwright.dsl.labels.vocabulary import Slots

ENGLISH: Final = "en"

_FOLDER: Final = Path(__file__).parent / "catalogue"


class Speech:
    """The sentences of one language."""

    def __init__(self, language: str, texts: Mapping[str, Text], english: Mapping[str, Text]):
        """`texts` and `english` are catalogues by `section.key`."""
        self.language = language
        self.plural = plural_of(language)
        self.texts: Mapping[str, Text] = {**english, **texts}

    def say(self, key: str, form: str = "", /, **slots: Filling) -> str:
        """A sentence with its slots filled."""
        return write(self.texts[key], slots, self.plural, form)

    def tell(self, text: Text, form: str = "", /, **slots: Filling) -> str:
        """A text of a label file with its slots filled."""
        return write(text, slots, self.plural, form)

    def fill(self, key: str, /, **slots: Filling) -> Fill:
        """A sentence as what stands in a slot of another one."""
        return Fill(lambda form: self.say(key, form, **slots))

    def knows(self, key: str) -> bool:
        """Whether there is a sentence of this key, in the language or in English."""
        return key in self.texts

    def words(self, key: str) -> tuple[str, ...]:
        """A text that lists words, divided by commas."""
        return tuple(word.strip() for word in self.say(key).split(","))

    def number(self, number: int) -> Fill:
        """A large number with its thousands apart."""
        written = f"{number:,}".replace(",", self.say("numbers.thousands"))
        return Fill(lambda form: written, number, nothing=number == 0)

    def listed(
        self, items: Sequence[Fill | str], last: str = "lists.comma", joint: str = "lists.comma"
    ) -> Fill:
        """Things in a row; nothing for none. It counts as so many as its items say together.

        `joint` is the sentence that joins two of them, `last` the one before the last.
        """

        def written(form: str) -> str:
            texts = [each if isinstance(each, str) else each.write(form) for each in items]
            if not texts:
                return self.say("values.nothing", form)
            text = texts[0]
            for number, each in enumerate(texts[1:], 2):
                key = last if number == len(texts) else joint
                text = self.say(key, first=text, second=each)
            return text

        fills = [filled(each) for each in items]
        total = sum(1 if each.number is None else each.number for each in fills)
        return Fill(written, total, nothing=not items)


def languages() -> tuple[str, ...]:
    """The languages that the runner speaks."""
    return tuple(sorted(path.name.removesuffix(".yaml") for path in _FOLDER.glob("*.yaml")))


@cache
def speech(language: str) -> Speech:
    """The runner's sentences in a language; English where it has no catalogue."""
    english = _catalogue(ENGLISH)
    if language == ENGLISH or language not in languages():
        return Speech(language, {}, english)
    return Speech(language, _catalogue(language), english)


def _catalogue(language: str) -> Mapping[str, Text]:
    """A catalogue of the package; that it is sound is for the tests to see."""
    reporter = Reporter()
    texts = read_catalogue(_FOLDER / f"{language}.yaml", language, reporter)
    assert not reporter.has_errors, reporter.diagnostics
    return texts


def read_catalogue(path: Path, language: str, reporter: Reporter) -> dict[str, Text]:
    """The texts of a catalogue by `section.key`; problems go to the reporter."""
    read = read_yaml(path, path.name, reporter)
    texts: dict[str, Text] = {}
    reader = TextReader(reporter, categories_of(language))
    for section in read[0].entries if read is not None else ():
        for entry in section.value.entries if isinstance(section.value, Map) else ():
            text = reader.text(entry.value)
            if text is not None:
                texts[f"{section.key}.{entry.key}"] = text
    return texts


def check_catalogue(
    texts: Mapping[str, Text], english: Mapping[str, Text], reporter: Reporter
) -> tuple[str, ...]:
    """Compare the slots of a catalogue with English; the keys that only one of them has.

    A text must tell what every case of the English one tells.
    """
    for key in texts.keys() & english.keys():
        cases = english[key].cases
        used = [frozenset(part.name for part in case.slots) for case in cases]
        asked = {each.slot for case in cases for each in case.conditions} - {""}
        slots = Slots(frozenset(asked).union(*used), frozenset.intersection(*used))
        check_slots(texts[key], slots, reporter)
    return tuple(sorted(texts.keys() ^ english.keys()))
