"""What a person types for a move, made into plain data that `move_from_json` reads.

`trade sold red=1 bought blue=2`, `trade sold 1 red, bought 2 blue`, `give plain to P2`, `pass`. The
names are those of the rules file or their labels, in any case, with spaces or underscores. The
names of parameters may be left out as long as the picks come in their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gemwright.dsl import model as m
from gemwright.dsl.suggest import did_you_mean
from gemwright.dsl.terms import Base
from gemwright.interpreter.moves import Names, instance_label

_LONGEST_NAME = 6
"""Words that a name may have."""

_NOTHING = ("nothing", "none", "no", "0", "-")
_YES = ("yes", "y", "true", "1")
_NO = ("no", "n", "false", "0")
_FROM = "from"


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
    def data(self) -> dict[str, Any] | Unclear:
        """The move as data; of a lot that was not said nothing is picked."""
        for parameter in self.missing:
            if not isinstance(parameter.domain, m.LotDomain):
                return Unclear(f"`{self.action}` lacks `{parameter.name}`")
        empty: dict[str, Any] = {each.name: {} for each in self.missing}
        return {"action": self.action} | empty | dict(self.picks)


def normal(name: str) -> str:
    """A name as it is compared: lower case, joined by underscores."""
    return "_".join(re.split(r"[\s_]+", name.strip().casefold()))


def words_of(text: str) -> list[str]:
    """The words of a line; commas, `;`, `:` and `=` separate, and `=` is a word of its own."""
    return re.findall(r"=|[^\s,;:=]+", text)


class Reader:
    """Reads moves of one game model."""

    def __init__(self, model: m.Game, names: Names) -> None:
        self._model = model
        self._names = names

    # -- whole moves

    def move(self, text: str) -> Typed | Unclear:
        """A move, or the part of it that was said."""
        words = words_of(text)
        found = self.action(words)
        if isinstance(found, Unclear):
            return found
        name, rest = found
        action = next((each for each in self._model.actions if each.name == name), None)
        if action is None:
            return Typed(name, {}, ()) if not rest else Unclear("`pass` takes nothing else")
        picks = self._picks(action, rest)
        if isinstance(picks, Unclear):
            return picks
        missing = tuple(each for each in action.parameters if each.name not in picks)
        return Typed(name, picks, missing)

    def action(self, words: Sequence[str]) -> tuple[str, Sequence[str]] | Unclear:
        """The action that a line begins with, and the words after it."""
        known = {normal(a.name): a.name for a in self._model.actions}
        known |= {normal(self._names.action(a.name)): a.name for a in self._model.actions}
        known.setdefault(m.PASS_ACTION, m.PASS_ACTION)
        length = _longest(words, known)
        if not words:
            return Unclear("say what you do")
        if not length:
            hint = did_you_mean(words[0], sorted(known))
            return Unclear(f"there is no action `{words[0]}`" + (f"; {hint}" if hint else ""))
        return known[normal(" ".join(words[:length]))], words[length:]

    def _picks(self, action: m.Action, words: Sequence[str]) -> dict[str, Any] | Unclear:
        """The picks that were said: first without names in order, then each after its name."""
        lead, segments = self._segments(action, words)
        unnamed = [each for each in action.parameters if each.name not in segments]
        picks: dict[str, Any] = {}
        while lead:
            if not unnamed:
                return Unclear(f"`{action.name}`: `{' '.join(lead)}` is too much")
            parameter = unnamed.pop(0)
            value, used = self._first_pick(parameter, lead)
            if isinstance(value, Unclear):
                return Unclear(f"`{parameter.name}`: {value.text}")
            picks[parameter.name], lead = value, lead[used:]
        for parameter in action.parameters:
            if parameter.name in segments:
                value = self.pick(parameter, segments[parameter.name])
                if isinstance(value, Unclear):
                    return Unclear(f"`{parameter.name}`: {value.text}")
                picks[parameter.name] = value
        return picks

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
        known: dict[str, str] = {}
        for parameter in action.parameters:
            known[normal(self._names.name("parameter", parameter.name))] = parameter.name
            known[normal(parameter.name)] = parameter.name
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
            if word in _YES or word in _NO:
                return word in _YES
            return Unclear("say yes or no")
        if base is Base.INT:
            if re.fullmatch(r"-?\d{1,9}", word):
                return int(word)
            return Unclear("say a whole number")
        if base is Base.PLAYER:
            seat = word.upper()
            if word == "nobody" or re.fullmatch(r"P[0-9]{1,2}", seat):
                return word if word == "nobody" else seat
            return Unclear("say a player, such as P2")
        return self._face(parameter.type.faces, word)

    def _face(self, faces: Iterable[int], word: str) -> str | Unclear:
        known = self._faces(faces)
        if word in known:
            return known[word]
        if not word:
            return Unclear("say which")
        hint = did_you_mean(word, sorted(known))
        return Unclear(f"`{word}` is not possible here" + (f"; {hint}" if hint else ""))

    def _faces(self, faces: Iterable[int]) -> dict[str, str]:
        """Faces by what a person may call them; an identifier beats a label."""
        names = [self._model.faces[face].name for face in faces]
        known = {normal(self._names.name("face", name)): name for name in names}
        return known | {normal(name): name for name in names}

    def _piece(self, domain: m.PieceDomain, words: Sequence[str]) -> Any | Unclear:
        if _FROM in words:
            at = list(words).index(_FROM)
            place = self._place({each for each, _ in domain.options}, words[at + 1 :])
            if isinstance(place, Unclear):
                return place
            face = self._face(domain.faces, normal(" ".join(words[:at])))
            return face if isinstance(face, Unclear) else {"from": place, "piece": face}
        return self._face(domain.faces, normal(" ".join(words)))

    def _place(self, instances: Iterable[int], words: Sequence[str]) -> str | Unclear:
        """The label of a zone instance: `shelf`, `hand[P2]`, `hand P2` or `hand of P2`."""
        labels = [instance_label(self._model, each) for each in sorted(instances)]
        known = {_place_key(label): label for label in labels}
        word = normal(" ".join(each for each in words if each != "of"))
        if _place_key(word) in known:
            return known[_place_key(word)]
        return Unclear(f"no place `{word}`; there are {', '.join(labels)}")

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
        if normal(" ".join(words)) in _NOTHING:
            return lots
        faces, places = self._faces(domain.faces), {normal(name): name for name in sources}
        places |= {normal(self._names.name("zone", name)): name for name in sources}
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
            if words[at : at + 1] == [_FROM]:
                length = _longest(words[at + 1 :], places)
                if not length:
                    return Unclear(f"say from where: {', '.join(sources)}")
                source = places[normal(" ".join(words[at + 1 : at + 1 + length]))]
                at += 1 + length
            elif len(sources) > 1:
                return Unclear(f"say from where: `{face} from {' | '.join(sources)}`")
            lots[source][face] = lots[source].get(face, 0) + (1 if count is None else count)
        return lots

    def _no_face(self, words: Sequence[str], faces: Mapping[str, str]) -> Unclear:
        if not words or words[0] == "=":
            some = next(iter(faces.values()), "")
            return Unclear(f"say how many of what, such as `2 {some}`")
        hint = did_you_mean(words[0], sorted(faces))
        return Unclear(f"`{words[0]}` is not possible here" + (f"; {hint}" if hint else ""))


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
