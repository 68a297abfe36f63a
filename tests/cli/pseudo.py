"""A made-up language: every text of a catalogue or label file with its letters exchanged.

What stands on the screen in plain letters did not come from a catalogue or a label file.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import replace

from gemwright.dsl.labels.labels import Key, Labels, load_labels
from gemwright.dsl.labels.text import Text, plain_text
from gemwright.dsl.labels.vocabulary import Vocabulary, vocabulary
from gemwright.dsl.source import Span
from gemwright.interpreter.cli.speech import Speech, speech
from gemwright.interpreter.game import Game

LANGUAGE = "xx"

_STRANGE = "".join(chr(0x0250 + number) for number in range(26))
_TABLE = str.maketrans(string.ascii_lowercase + string.ascii_uppercase, _STRANGE * 2)
_NOWHERE = Span("", 1, 1, 1, 1)

PLAIN = re.compile(r"[A-Za-z]{2,}")


def strange(text: str) -> str:
    """A text with every plain letter exchanged."""
    return text.translate(_TABLE)


def strange_text(text: Text) -> Text:
    """A text of a label file, its slots and cases as they were."""
    cases = [
        replace(case, parts=tuple(strange(p) if isinstance(p, str) else p for p in case.parts))
        for case in text.cases
    ]
    return replace(text, cases=tuple(cases))


def strange_speech() -> Speech:
    """The runner's sentences."""
    english = speech("en")
    texts = {key: strange_text(text) for key, text in english.texts.items()}
    return Speech(LANGUAGE, texts, {})


def _names(known: Vocabulary) -> dict[Key, Text]:
    """A name for each element, made of its identifier."""
    texts: dict[Key, Text] = {}
    for section, keys in (*known.met.items(), ("kinds", tuple(known.kinds))):
        for key in keys:
            if section != "facts":
                texts[section, key, "name"] = plain_text(strange(key.replace("_", " ")), _NOWHERE)
    return texts


def _facts(known: Vocabulary) -> dict[Key, Text]:
    return {
        ("facts", key, "name"): plain_text(strange("a fact"), _NOWHERE)
        for key in known.met.get("facts", ())
    }


def strange_labels(game: Game, sentences: bool) -> Labels:
    """Labels for a game: names only, or with the sentences of its English label files."""
    assert game.ruleset is not None
    known = vocabulary(game.model, game.ruleset.document.text_of)
    texts: dict[Key, Text] = {**_names(known), **_facts(known)}
    if sentences:
        english = load_labels(game.ruleset, game.model, "en").texts
        texts |= {key: strange_text(text) for key, text in english.items()}
    return Labels(LANGUAGE, strange(game.title), texts)


def strange_clauses(clauses: Mapping[str, str]) -> dict[str, str]:
    """The texts of a rulebook's clauses."""
    return {id: strange(text) for id, text in clauses.items()}
