"""What a person types for a move, made into plain data that `move_from_json` reads.

`trade sold red=1 bought blue=2`, `trade sold 1 red, bought 2 blue`, `give P2 red_3`, `pass`. Names are
those of the rules file or their labels, in any case, with spaces or underscores. The names of
parameters may be left out where there is one parameter, or where each pick is one word.
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

    def move(self, text: str) -> dict[str, Any] | Unclear:
        """A whole move as data."""
        words = words_of(text)
        found = self.action(words)
        if isinstance(found, Unclear):
            return found
        name, rest = found
        if name == m.PASS_ACTION:
            return {"action": name} if not rest else Unclear("`pass` takes nothing else")
        action = next(each for each in self._model.actions if each.name == name)
        picks = self._picks(action, rest)
        return picks if isinstance(picks, Unclear) else {"action": name} | picks

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
        """The parameters of an action, each from the words after its name."""
        segments = self._segments(action, words)
        if isinstance(segments, Unclear):
            return segments
        picks: dict[str, Any] = {}
        for parameter in action.parameters:
            if parameter.name not in segments:
                if not isinstance(parameter.domain, m.LotDomain):
                    return Unclear(f"`{action.name}` lacks `{parameter.name}`")
                segments[parameter.name] = ()
            value = self.pick(parameter, segments[parameter.name])
            if isinstance(value, Unclear):
                return Unclear(f"`{parameter.name}`: {value.text}")
            picks[parameter.name] = value
        return picks

    def _segments(
        self, action: m.Action, words: Sequence[str]
    ) -> dict[str, Sequence[str]] | Unclear:
        known: dict[str, str] = {}
        for parameter in action.parameters:
            known[normal(self._names.name("parameter", parameter.name))] = parameter.name
            known[normal(parameter.name)] = parameter.name
        starts: list[tuple[int, int, str]] = []
        at = 0
        while at < len(words):
            length = _longest(words[at:], known)
            if length:
                starts.append((at, at + length, known[normal(" ".join(words[at : at + length]))]))
            at += max(1, length)
        if starts and starts[0][0] == 0:
            ends = [start for start, _, _ in starts[1:]] + [len(words)]
            pairs = zip(starts, ends, strict=True)
            return {name: _trimmed(words[first:end]) for (_, first, name), end in pairs}
        if len(action.parameters) == 1:
            return {action.parameters[0].name: words}
        if len(action.parameters) == len(words):
            names = [parameter.name for parameter in action.parameters]
            return {name: [word] for name, word in zip(names, words, strict=True)}
        if not words:
            return {}
        names_text = ", ".join(f"`{parameter.name}`" for parameter in action.parameters)
        return Unclear(f"`{action.name}` takes {names_text}: name what you pick, see `?`")

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
            return word if word == "nobody" else word.upper()
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
            count = int(words[at]) if re.fullmatch(r"\d{1,6}", words[at]) else None
            at += count is not None
            length = _longest(words[at:], faces)
            if not length and count is not None and _longest(words[at - 1 :], faces):
                # A member may be called by a number.
                count, at, length = None, at - 1, 1
            if not length:
                return self._no_face(words[at:], faces)
            face = faces[normal(" ".join(words[at : at + length]))]
            at += length
            if words[at : at + 1] == ["="] and re.fullmatch(r"\d{1,6}", "".join(words[at + 1 : at + 2])):
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
            return Unclear("say how many of what, such as `2 " + next(iter(faces.values()), "") + "`")
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


def _trimmed(words: Sequence[str]) -> Sequence[str]:
    """Words without a leading `=`: `to=P2` is `to P2`."""
    return words[1:] if words[:1] == ["="] else words


def _place_key(label: str) -> str:
    return normal(re.sub(r"[\[\]]", " ", label))
