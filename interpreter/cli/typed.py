"""What a person types for a move, made into plain data that `move_from_json` reads.

`trade sold red=1 bought blue=2`, `trade sold 1 red, bought 2 blue`, `give plain to P2`, `pass`. The
names are those of the rules file or their labels in any of their forms, in any case, with spaces or
underscores. The names of parameters may be left out as long as the picks come in their order. Wide
digits and commas are as good as narrow ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gemwright.dsl.labels.labels import Labels
from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base
from gemwright.dsl.suggest import nearest
from gemwright.interpreter.cli.speech import ENGLISH, Speech, speech
from gemwright.interpreter.moves import find_action, instance_label

_LONGEST_NAME = 6
"""Words that a name may have."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """Why what was typed is no move."""

    text: str


@dataclass(frozen=True, slots=True)
class Typed:
    """What was typed of a move: the action, its picks as data, the parameters not said."""

    action: str
    picks: Mapping[str, Any]
    missing: tuple[m.Parameter, ...]

    @property
    def lacking(self) -> str:
        """The first pick that must be said and was not; ''."""
        needed = [each for each in self.missing if not isinstance(each.domain, m.LotDomain)]
        return needed[0].name if needed else ""

    @property
    def data(self) -> dict[str, Any]:
        """The move as data, if it lacks nothing; of a lot that was not said nothing is picked."""
        empty: dict[str, Any] = {each.name: {} for each in self.missing}
        return {"action": self.action} | empty | dict(self.picks)


def normal(name: str) -> str:
    """A name as it is compared: lower case, joined by underscores, wide letters as narrow ones."""
    narrow = unicodedata.normalize("NFKC", name)
    return "_".join(re.split(r"[\s_]+", narrow.strip().casefold()))


def words_of(text: str) -> list[str]:
    """The words of a line; commas, `;`, `:` and `=` separate, and `=` is a word of its own."""
    narrow = unicodedata.normalize("NFKC", text)
    return re.findall(r"=|[^\s,;:=、。]+", narrow)


class Reader:
    """Reads moves of one game model, in one language and in English."""

    def __init__(self, model: m.Game, labels: Labels, spoken: Speech) -> None:
        self._model = model
        self._labels = labels
        self._say = spoken.say
        self._words = {
            key: {normal(word) for each in (spoken, speech(ENGLISH)) for word in each.words(key)}
            for key in ("typed.yes", "typed.no", "typed.nothing", "typed.nobody", "typed.from")
        }

    def _unclear(self, key: str, **slots: str) -> Unclear:
        return Unclear(self._say(f"typed.{key}", **slots))

    def _unknown(self, key: str, word: str, section: str, known: Mapping[str, str]) -> Unclear:
        """That a word is not known, with the name of the element that it is nearest to."""
        text = self._say(f"typed.{key}", word=word)
        near = nearest(word, known)
        if near:
            name = self._labels.name(section, known[near[0]])
            text = self._say("typed.did_you_mean", text=text, word=name)
        return Unclear(text)

    def _spelled(self, section: str, names: Iterable[str]) -> dict[str, str]:
        """Elements by what a person may call them; an identifier beats a label."""
        known: dict[str, str] = {}
        for name in names:
            known |= {normal(word): name for word in self._labels.spellings(section, name)}
        return known | {normal(name): name for name in names}

    # -- whole moves

    def move(self, text: str, offered: Sequence[str] = ()) -> Typed | Unclear:
        """A move, or the part of it that was said.

        The action need not be said if the words are picks of one of the `offered` actions alone.
        """
        words = words_of(text)
        found = self.action(words)
        if isinstance(found, Unclear):
            return self._unnamed(words, offered) or found
        name, rest = found
        action = find_action(self._model, name)
        if action is None:
            return self._unclear("pass_alone") if rest else Typed(name, {}, ())
        return self._typed(action, rest)

    def _typed(self, action: m.Action, words: Sequence[str]) -> Typed | Unclear:
        picks = self._picks(action, words)
        if isinstance(picks, Unclear):
            return picks
        missing = tuple(each for each in action.parameters if each.name not in picks)
        return Typed(action.name, picks, missing)

    def _unnamed(self, words: Sequence[str], offered: Sequence[str]) -> Typed | None:
        """The one offered action that the words are picks of; None if there is none or several."""
        if not words:
            return None
        actions = [find_action(self._model, name) for name in offered]
        read = [self._typed(each, words) for each in actions if each is not None]
        found = [each for each in read if isinstance(each, Typed)]
        return found[0] if len(found) == 1 else None

    def action(self, words: Sequence[str]) -> tuple[str, Sequence[str]] | Unclear:
        """The action that a line begins with, and the words after it."""
        known = self._spelled("actions", [each.name for each in self._model.actions])
        known.setdefault(normal(self._say("moves.pass")), m.PASS_ACTION)
        known.setdefault(m.PASS_ACTION, m.PASS_ACTION)
        length = _longest(words, known)
        if not words:
            return self._unclear("say_action")
        if not length:
            return self._unknown("no_action", words[0], "actions", known)
        return known[normal(" ".join(words[:length]))], words[length:]

    def _picks(self, action: m.Action, words: Sequence[str]) -> dict[str, Any] | Unclear:
        """The picks that were said: first without names in order, then each after its name.

        Words that are picks throughout are no names: a pick may be called like a member.
        """
        plain = self._in_order(action, words)
        if plain is not None:
            return plain
        lead, segments = self._segments(action, words)
        unnamed = [each for each in action.parameters if each.name not in segments]
        picks: dict[str, Any] = {}
        while lead:
            if not unnamed:
                return self._unclear(
                    "too_much", action=self._labels.action(action.name), words=" ".join(lead)
                )
            parameter = unnamed.pop(0)
            value, used = self._first_pick(parameter, lead)
            if isinstance(value, Unclear):
                return self._of_pick(parameter, value)
            picks[parameter.name], lead = value, lead[used:]
        for parameter in action.parameters:
            if parameter.name in segments:
                value = self.pick(parameter, segments[parameter.name])
                if isinstance(value, Unclear):
                    return self._of_pick(parameter, value)
                picks[parameter.name] = value
        return picks

    def _in_order(self, action: m.Action, words: Sequence[str]) -> dict[str, Any] | None:
        """The picks of words without any name; None if that is not what they are."""
        picks: dict[str, Any] = {}
        for parameter in action.parameters:
            if not words:
                break
            value, used = self._first_pick(parameter, words)
            if isinstance(value, Unclear):
                return None
            picks[parameter.name], words = value, words[used:]
        return None if words else picks

    def _of_pick(self, parameter: m.Parameter, problem: Unclear) -> Unclear:
        name = self._labels.name("parameter", parameter.name)
        return self._unclear("of_pick", name=name, text=problem.text)

    def _first_pick(self, parameter: m.Parameter, words: Sequence[str]) -> tuple[Any, int]:
        """The pick that a line begins with, of as many words as it can have, and their number."""
        for length in range(len(words), 0, -1):
            value = self.pick(parameter, words[:length])
            if not isinstance(value, Unclear):
                return value, length
        return self.pick(parameter, words), 0

    def _segments(
        self, action: m.Action, words: Sequence[str]
    ) -> tuple[Sequence[str], dict[str, Sequence[str]]]:
        """The words before the first name of a parameter, and those after each name."""
        known = self._spelled("parameters", [each.name for each in action.parameters])
        lead, segments, at = len(words), dict[str, Sequence[str]](), 0
        name, first = "", 0
        while at < len(words):
            length = _longest(words[at:], known)
            if length:
                lead = min(lead, at)
                segments |= {name: _trimmed(words[first:at])} if name else {}
                name, first = known[normal(" ".join(words[at : at + length]))], at + length
            at += max(1, length)
        segments |= {name: _trimmed(words[first:])} if name else {}
        return words[:lead], segments

    # -- single picks

    def pick(self, parameter: m.Parameter, words: Sequence[str]) -> Any | Unclear:
        """The value of one parameter as data."""
        domain = parameter.domain
        if isinstance(domain, m.LotDomain):
            return self._lot(domain, words)
        if isinstance(domain, m.PieceDomain):
            return self._piece(domain, words)
        return self._scalar(parameter, words)

    def _scalar(self, parameter: m.Parameter, words: Sequence[str]) -> Any | Unclear:
        word = normal(" ".join(words))
        base = parameter.type.base
        if base is Base.FLAG:
            if word in self._words["typed.yes"] or word in self._words["typed.no"]:
                return word in self._words["typed.yes"]
            return self._unclear("say_yes")
        if base is Base.INT:
            if re.fullmatch(r"-?\d{1,9}", word):
                return int(word)
            return self._unclear("say_number")
        if base is Base.PLAYER:
            return self._player(parameter, word)
        return self._face(parameter.type.faces, words)

    def _player(self, parameter: m.Parameter, word: str) -> str | Unclear:
        if word in self._words["typed.nobody"] and parameter.type.optional:
            return "nobody"
        for seat in range(self._model.players):
            if word in (f"p{seat + 1}", normal(self._say("players.player", number=seat + 1))):
                return f"P{seat + 1}"
        like_one = re.fullmatch(r"p[0-9]{1,2}", word) or word in self._words["typed.nobody"]
        return self._unclear("no_player" if like_one else "say_player")

    def _face(self, faces: Iterable[int], words: Sequence[str]) -> str | Unclear:
        faces = tuple(faces)
        known = self._faces(faces)
        said = " ".join(words)
        if normal(said) in known:
            return known[normal(said)]
        for face in map(self._model.faces.__getitem__, faces):
            if face.is_called(said):
                return face.name
        if not said:
            return self._unclear("say_which")
        return self._unknown("impossible", said, "faces", known)

    def _faces(self, faces: Iterable[int]) -> dict[str, str]:
        """Faces by what a person may call them."""
        return self._spelled("faces", [self._model.faces[face].name for face in faces])

    def _piece(self, domain: m.PieceDomain, words: Sequence[str]) -> Any | Unclear:
        at = next((n for n, word in enumerate(words) if self._is_from(word)), None)
        if at is not None:
            place = self._place({each for each, _ in domain.options}, words[at + 1 :])
            if isinstance(place, Unclear):
                return place
            face = self._face(domain.faces, words[:at])
            return face if isinstance(face, Unclear) else {"from": place, "piece": face}
        return self._face(domain.faces, words)

    def _is_from(self, word: str) -> bool:
        return normal(word) in self._words["typed.from"]

    def _place(self, instances: Iterable[int], words: Sequence[str]) -> str | Unclear:
        """The label of a zone instance: `shelf`, `hand[P2]`, `hand P2` or `hand of P2`."""
        labels = [instance_label(self._model, each) for each in sorted(instances)]
        known = {_place_key(label): label for label in labels}
        word = normal(" ".join(each for each in words if each != "of"))
        if _place_key(word) in known:
            return known[_place_key(word)]
        return self._unclear("no_place", word=word, places=", ".join(labels))

    def _lot(self, domain: m.LotDomain, words: Sequence[str]) -> Any | Unclear:
        """Counts by face: `red=1`, `1 red`, `red`; with several sources `1 red from shelf`."""
        sources = source_names(self._model, domain)
        counts = self._counted(domain, words, sources)
        if isinstance(counts, Unclear) or len(sources) > 1:
            return counts
        return counts.get(sources[0], {})

    def _counted(
        self, domain: m.LotDomain, words: Sequence[str], sources: Sequence[str]
    ) -> dict[str, dict[str, int]] | Unclear:
        lots: dict[str, dict[str, int]] = {name: {} for name in sources}
        if normal(" ".join(words)) in self._words["typed.nothing"]:
            return lots
        faces, places = self._faces(domain.faces), self._spelled("zones", sources)
        at = 0
        while at < len(words):
            count = int(words[at]) if _is_count(words[at : at + 1]) else None
            at += count is not None
            at += count is not None and list(words[at : at + 1]) == ["x"]
            length = _longest(words[at:], faces)
            if not length and count is not None and _longest(words[at - 1 :], faces):
                # A member may be called by a number.
                count, at, length = None, at - 1, 1
            if not length:
                return self._no_face(words[at:], faces)
            face = faces[normal(" ".join(words[at : at + length]))]
            at += length
            if words[at : at + 1] == ["="] and _is_count(words[at + 1 : at + 2]):
                count, at = int(words[at + 1]), at + 2
            source = sources[0]
            if at < len(words) and self._is_from(words[at]):
                length = _longest(words[at + 1 :], places)
                if not length:
                    return self._unclear("say_place", places=", ".join(sources))
                source = places[normal(" ".join(words[at + 1 : at + 1 + length]))]
                at += 1 + length
            elif len(sources) > 1:
                return self._unclear("say_place", places=", ".join(sources))
            lots[source][face] = lots[source].get(face, 0) + (1 if count is None else count)
        return lots

    def _no_face(self, words: Sequence[str], faces: Mapping[str, str]) -> Unclear:
        if not words or words[0] == "=":
            some = next(iter(faces.values()), "")
            return self._unclear("say_count", name=self._labels.name("faces", some))
        return self._unknown("impossible", words[0], "faces", faces)


def source_names(model: m.Game, domain: m.LotDomain) -> list[str]:
    """A name for each source of a lot: its zone, with a number where a zone stands twice."""
    zones = [model.zones[source.zone].name for source in domain.sources]
    return [
        f"{name}.{zones[: number + 1].count(name)}" if zones.count(name) > 1 else name
        for number, name in enumerate(zones)
    ]


def _longest(words: Sequence[str], known: Mapping[str, str]) -> int:
    """How many of the first words make the longest known name; 0 for none."""
    for length in range(min(_LONGEST_NAME, len(words)), 0, -1):
        if "=" not in words[:length] and normal(" ".join(words[:length])) in known:
            return length
    return 0


def _is_count(words: Sequence[str]) -> bool:
    return bool(words) and re.fullmatch(r"[0-9]{1,6}", words[0]) is not None


def _trimmed(words: Sequence[str]) -> Sequence[str]:
    """Words without a leading `=`: `to=P2` is `to P2`."""
    return words[1:] if words[:1] == ["="] else words


def _place_key(label: str) -> str:
    return normal(re.sub(r"[\[\]]", " ", label))
