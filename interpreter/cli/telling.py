"""Game things in words: pieces, zones, values, events, refusals, results, as one viewer reads them.

It is given only what a viewer may know (views and seen events), so it cannot tell too much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from gemwright.dsl import model as m
from gemwright.dsl.source import Span
from gemwright.dsl.terms import Base, Type
from gemwright.interpreter import seen as s
from gemwright.interpreter.cli.lines import clean
from gemwright.interpreter.decision import Refusal
from gemwright.interpreter.events import Value
from gemwright.interpreter.moves import Move, Names
from gemwright.interpreter.outcome import Outcome

Alike = tuple[int, ...]

_MOST_NAMED = 4
"""So many alike faces are named; of more only the number is told."""

ENDS = {
    "finished": "the game is over",
    "stalemate": "the game is over: nobody could go on",
    "capped": "the game is over: it reached the limit that the rules declare",
}


def counted(count: int, name: str) -> str:
    """So many of something; a name that begins with a digit is kept apart from the count."""
    return f"{count} x {name}" if name[:1].isdigit() else f"{count} {name}"


class Words(Names, Protocol):
    """Names of one language; what `gemwright.dsl.labels` offers."""

    @property
    def title(self) -> str:
        """What the game is called; '' if the language has no word."""


class Identifiers:
    """Names where there are no labels: the identifiers of the rules file, readable."""

    title = ""

    def name(self, category: str, key: str) -> str:
        """The identifier with spaces."""
        return key.replace("_", " ")

    def action(self, name: str) -> str:
        """The identifier with spaces."""
        return name.replace("_", " ")


class Telling:
    """Words for one game model in one language; `viewer` is who reads, None for a spectator."""

    def __init__(
        self,
        model: m.Game,
        names: Words,
        seats: Sequence[str] = (),
        sources: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`seats` are strategy names, shown beside the players; `sources` are the rules by path."""
        self._sources = sources
        self.model = model
        self.names = names
        self._seats = tuple(seats)
        self._zones = {
            zone.first + number: (zone, label)
            for zone in model.zones
            for number, label in enumerate(zone.labels)
        }

    # -- things

    def label(self, category: str, key: str) -> str:
        """The cleaned label of a name."""
        return clean(self.names.name(category, key))

    def face(self, face: int) -> str:
        """A member's name."""
        return self.label("face", self.model.faces[face].name)

    def player(self, seat: int, viewer: int | None = None) -> str:
        """A player: 'P2', or 'you'."""
        return "you" if seat == viewer and viewer is not None else f"P{seat + 1}"

    def seat(self, seat: int) -> str:
        """A player with who plays it: 'P2 (random)'."""
        return f"P{seat + 1} ({self._seats[seat]})" if self._seats else f"P{seat + 1}"

    def alike(self, faces: Alike) -> str:
        """Faces that cannot be told apart."""
        if not faces:
            return "hidden"
        if len(faces) == 1:
            return self.face(faces[0])
        if len(faces) <= _MOST_NAMED:
            return "/".join(self.face(face) for face in faces)
        return f"one of {len(faces)} kinds ({self.face(faces[0])}, ..)"

    def looks(self, looks: Sequence[s.Look]) -> str:
        """Counted pieces: '2 red, 1 blue'."""
        parts = [counted(look.count, self.alike(look.faces)) for look in looks]
        return ", ".join(parts) or "nothing"

    def zone(self, instance: int) -> str:
        """A place: 'shelf', or 'hand of P2'."""
        zone, label = self._zones[instance]
        return self.of(self.label("zone", zone.name), zone.index, label)

    def of(self, name: str, index: str, label: str) -> str:
        """A name with its index, if it has one."""
        return f"{name} of {self.index(index, label)}" if label else name

    def index(self, index: str, label: str) -> str:
        """The label of an index: a seat, a member or a number."""
        return label if index == "player" else self.label("face", label)

    def value(self, type: Type, value: Value) -> str:
        """A value in words."""
        if isinstance(value, tuple):
            if type.base is Base.PIECE:
                return self.face(value[1])
            cells = zip(type.faces, value, strict=True)
            return ", ".join(counted(n, self.face(face)) for face, n in cells if n) or "nothing"
        if type.base is Base.PLAYER:
            return self.player(value) if value >= 0 else "nobody"
        if type.base is Base.FACE:
            return self.face(value)
        if type.base is Base.FLAG:
            return "yes" if value else "no"
        return str(value)

    def variable(self, variable: int, position: int) -> str:
        """A state variable: 'round', or 'money of P1'."""
        declared = self.model.variables[variable]
        name = self.label("state", declared.name)
        return self.of(name, declared.index, declared.labels[position])

    def is_told(self, variable: int) -> bool:
        """Whether a variable is one of the rules file; what a loop counts by has no plain name."""
        return self.model.variables[variable].name.isidentifier()

    def phase(self, phase: str) -> str:
        """A phase; of nested ones the innermost."""
        return self.label("phase", phase.rsplit("/", 1)[-1])

    def action(self, name: str) -> str:
        """What an action is called."""
        return clean(self.names.action(name))

    def move(self, move: Move) -> str:
        """A move in one line."""
        action = next((each for each in self.model.actions if each.name == move.action), None)
        if action is None or not action.parameters:
            return self.action(move.action)
        picks = [
            f"{self.label('parameter', parameter.name)} {self.pick(parameter, value)}"
            for parameter, value in zip(action.parameters, move.values, strict=True)
        ]
        return f"{self.action(move.action)}: {'; '.join(picks)}"

    def pick(self, parameter: m.Parameter, value: Value) -> str:
        """A picked value in words: a lot by counts, a piece with its place where it may differ."""
        domain = parameter.domain
        if isinstance(value, int):
            return self.value(parameter.type, value)
        if isinstance(domain, m.LotDomain):
            several = len(domain.sources) > 1
            parts = []
            for cell, count in zip(domain.cells, value, strict=True):
                zone = self.model.zones[domain.sources[cell.source].zone].name
                place = f" from {self.label('zone', zone)}" if several else ""
                parts += [counted(count, self.face(cell.face)) + place] if count else []
            return ", ".join(parts) or "nothing"
        assert isinstance(domain, m.PieceDomain)
        zones = {self._zones[instance][0].name for instance, _ in domain.options}
        place = f" from {self.zone(value[0])}" if len(zones) > 1 else ""
        return self.face(value[1]) + place

    # -- events

    def event(self, event: s.SeenEvent, viewer: int | None) -> str:
        """An event as a sentence; '' for one that says nothing by itself."""
        if isinstance(event, s.SeenChoice):
            return f"{self.player(event.player, viewer)}: {self._choice(event)}"
        if isinstance(event, s.SeenPass):
            who = self.player(event.player, viewer)
            return f"{who}: nothing to choose, passed" if event.forced else f"{who}: pass"
        if isinstance(event, s.SeenMove):
            return self._moved(event)
        if isinstance(event, s.SeenValue):
            return self._assigned(event)
        if isinstance(event, s.SeenFact):
            told = "you learn" if event.private else "everybody learns"
            what = clean(event.text) or self._quote(event.span).removeprefix("openly ")
            what = what or "a condition"
            return f"{told}: {what} = {self.value(event.type, event.value)}"
        if isinstance(event, s.SeenPieces):
            shown = "shown to you" if event.private else "shown to all"
            return f"{self.zone(event.instance)}, {shown}: {self.looks(event.pieces)}"
        return self._plain(event, viewer)

    def _plain(
        self, event: s.SeenShuffle | s.SeenOut | s.SeenPhase | s.SeenEnd, viewer: int | None
    ) -> str:
        if isinstance(event, s.SeenShuffle):
            return f"{self.zone(event.instance)} was shuffled"
        if isinstance(event, s.SeenOut):
            verb = "are" if event.player == viewer else "is"
            return f"{self.player(event.player, viewer)} {verb} out of the game"
        if isinstance(event, s.SeenPhase):
            return f"phase: {self.phase(event.phase)}"
        return ENDS.get(event.reason, f"the game is over: {event.reason}")

    def _quote(self, span: Span | None) -> str:
        """What the rules say at a place, if it is at hand."""
        lines = self._sources.get(span.path, "").splitlines() if span is not None else []
        if span is None or not span.line <= span.end_line <= len(lines):
            return ""
        if span.line == span.end_line:
            return clean(lines[span.line - 1][span.column - 1 : span.end_column - 1])
        first, last = lines[span.line - 1], lines[span.end_line - 1]
        middle = lines[span.line : span.end_line - 1]
        parts = [first[span.column - 1 :], *middle, last[: span.end_column - 1]]
        return " ".join(clean(part).strip() for part in parts)

    def _moved(self, event: s.SeenMove) -> str:
        if not event.count:
            return ""
        what = self.looks(event.pieces)
        if all(not look.faces for look in event.pieces):
            what = f"{event.count} unseen"
        end = f"the {event.to_end} of " if event.to_end in ("top", "bottom") else ""
        return f"{what}: {self.zone(event.source)} -> {end}{self.zone(event.target)}"

    def _assigned(self, event: s.SeenValue) -> str:
        if not self.is_told(event.variable):
            return ""
        type = self.model.variables[event.variable].type
        name = self.variable(event.variable, event.position)
        return f"{name} is now {self.value(type, event.value)}"

    def _choice(self, event: s.SeenChoice) -> str:
        action = self.model.actions[event.action]
        picks = [
            f"{self.label('parameter', pick.name)} {self._pick(parameter, pick)}"
            for parameter, pick in zip(action.parameters, event.picks, strict=True)
        ]
        title = self.action(action.name)
        return f"{title}: {'; '.join(picks)}" if picks else title

    def _pick(self, parameter: m.Parameter, pick: s.SeenPick) -> str:
        if pick.pieces is not None:
            several = len(pick.pieces) > 1
            parts = []
            for zone, instance, looks in pick.pieces:
                text = self._picked(looks, isinstance(parameter.domain, m.PieceDomain))
                name = self.model.zones[zone].name
                place = self.label("zone", name) if instance is None else self.zone(instance)
                if looks or not several:
                    parts.append(f"{text} from {place}" if several and looks else text)
            return ", ".join(parts) or "nothing"
        if pick.value is None:
            return "secret"
        return self.value(parameter.type, pick.value)

    def _picked(self, looks: Sequence[s.Look], piece: bool) -> str:
        return self.alike(looks[0].faces) if piece and looks else self.looks(looks)

    # -- refusals and results

    def refusal(self, refusal: Refusal, clause_texts: dict[str, str]) -> list[str]:
        """Why not: the line of the rules, the values in it, its clauses."""
        told = [f"not possible: {clean(refusal.message)}"]
        if refusal.text and refusal.text not in refusal.message:
            told.append(f"the rules say: {clean(refusal.text)}")
        if refusal.values:
            values = ", ".join(f"{name} = {self._plain_value(v)}" for name, v in refusal.values)
            told.append(f"now: {clean(values)}")
        if refusal.span is not None:
            span = refusal.span
            told.append(f"written at {clean(span.path)}:{span.line}:{span.column}")
        for clause in refusal.clauses:
            text = clause_texts.get(clause, "")
            told.append(f"clause {clean(clause)}" + (f": {clean(text)}" if text else ""))
        return told

    def _plain_value(self, value: Value) -> str:
        return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    def outcome(self, outcome: Outcome) -> list[str]:
        """The result, best player first."""
        told = [ENDS.get(outcome.reason, outcome.reason)]
        for seat in sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat]):
            score = outcome.scores[seat]
            points = "" if score is None else f", score {score}"
            won = ", wins" if seat in outcome.winners else ""
            told.append(f"{outcome.ranks[seat]}. {self.seat(seat)}{points}{won}")
        if not outcome.winners:
            told.append("nobody wins")
        elif len(outcome.winners) > 1:
            told.append("the victory is shared")
        return told
