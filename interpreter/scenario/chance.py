"""Chance by script: the outcomes that a scenario says come first, then those of its seed.

The outcomes stand in one list. A chance event takes the first of the list if it is of its kind; if
an outcome of its kind stands further behind, the scenario has the order wrong; if none is left, the
seed draws. A kind is a sort of event, and for shuffles and draws the zone, where the scenario names
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq
from gemwright.dsl.model import game as m
from gemwright.dsl.source import Span
from gemwright.interpreter.chance import BlockChance, key
from gemwright.interpreter.moves import instance_label
from gemwright.interpreter.scenario.names import Names

SCRIPT_STREAM = 1_000_003
"""The stream of a scenario's own draws, apart from the game and its bots."""


class ChanceMismatch(Exception):
    """A chance event that the script does not fit; ends the scenario."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome. `zone` is an instance or None for any; `values` by kind:

    shuffle: faces from the top down; draw, member: one face; player: a seat; number: a number;
    place: a position from the bottom, 0-based.
    """

    kind: str
    zone: int | None
    values: tuple[int, ...]
    span: Span


class Script:
    """Answers the chance events of one game; see `gemwright.interpreter.chance.Chance`."""

    def __init__(self, model: m.Game, outcomes: Sequence[Outcome], seed: int) -> None:
        self._model = model
        self._left = list(outcomes)
        self._seeded = BlockChance([key(seed, 0, SCRIPT_STREAM), 0], 0)

    @property
    def left(self) -> tuple[Outcome, ...]:
        """The outcomes that have not come."""
        return tuple(self._left)

    def piece(self, zone: int, faces: Sequence[int], counts: Sequence[int]) -> int:
        """The scripted piece, if there is one of it."""
        wanted = self._next(("draw",), zone)
        if wanted is None:
            return self._seeded.piece(zone, faces, counts)
        face = wanted.values[0]
        if face in faces and counts[faces.index(face)]:
            return faces.index(face)
        where = instance_label(self._model, zone)
        text = f"`{self._name(face)}` cannot be drawn: none is in `{where}`"
        raise ChanceMismatch(text, wanted.span)

    def shuffle(self, zone: int, faces: list[int]) -> list[int]:
        """The scripted top of the stack; the seed shuffles what lies beneath."""
        wanted = self._next(("shuffle",), zone)
        if wanted is None:
            return self._seeded.shuffle(zone, faces)
        beneath = list(faces)
        for face in wanted.values:
            if face not in beneath:
                where = instance_label(self._model, zone)
                text = f"`{self._name(face)}` is not among what is shuffled into `{where}`"
                raise ChanceMismatch(text, wanted.span)
            beneath.remove(face)
        return self._seeded.shuffle(zone, beneath) + list(reversed(wanted.values))

    def player(self, seats: Sequence[int]) -> int:
        """The scripted player, if he is among those drawn from."""
        wanted = self._next(("player",), None)
        if wanted is None:
            return self._seeded.player(seats)
        return self._one_of(wanted, seats, f"P{wanted.values[0] + 1}")

    def value(self, values: Sequence[int]) -> int:
        """The scripted number or member."""
        wanted = self._next(("number", "member"), None)
        if wanted is None:
            return self._seeded.value(values)
        value = wanted.values[0]
        name = self._name(value) if wanted.kind == "member" else str(value)
        return self._one_of(wanted, values, name)

    def place(self, zone: int, n: int) -> int:
        """The scripted position."""
        wanted = self._next(("place",), None)
        if wanted is None:
            return self._seeded.place(zone, n)
        return self._one_of(wanted, range(n), f"place {wanted.values[0] + 1}")

    def _one_of(self, wanted: Outcome, possible: Sequence[int], name: str) -> int:
        if wanted.values[0] not in possible:
            raise ChanceMismatch(f"{name} is not among what is drawn from", wanted.span)
        return wanted.values[0]

    def _next(self, kinds: tuple[str, ...], zone: int | None) -> Outcome | None:
        """Take the first outcome if it is of the kind; None leaves the event to the seed."""
        for position, outcome in enumerate(self._left):
            if outcome.kind in kinds and (zone is None or outcome.zone in (None, zone)):
                if position:
                    first = self._left[0]
                    text = f"the next outcome is a {first.kind}, but a {outcome.kind} comes first"
                    raise ChanceMismatch(text, first.span)
                return self._left.pop(0)
        return None

    def _name(self, face: int) -> str:
        return self._model.faces[face].name


def read_outcomes(entries: tuple[Entry, ...], names: Names) -> list[Outcome]:
    """The outcomes of `chance`, names looked up; what is wrong is reported."""
    reader = _Reader(names)
    found: list[Outcome] = []
    for entry in entries:
        found.extend(reader.read(entry))
    return found


class _Reader:
    def __init__(self, names: Names) -> None:
        self._names = names

    def read(self, entry: Entry) -> list[Outcome]:
        kind, node = entry.key, entry.value
        if kind == "shuffle":
            return self._shuffle(node)
        if kind == "draw":
            return self._draw(node)
        if kind == "player":
            seat = self._names.seat(node)
            return [] if seat is None else [Outcome(kind, None, (seat,), node.span)]
        if kind == "member":
            face = self._names.face(node, self._all_faces())
            return [] if face is None else [Outcome(kind, None, (face,), node.span)]
        value = node.value if isinstance(node, Scalar) else None
        if not isinstance(value, int) or isinstance(value, bool):
            self._names.wrong("X001", node.span, f"`{kind}` is a whole number")
            return []
        return [Outcome(kind, None, (value - (kind == "place"),), node.span)]

    def _all_faces(self) -> tuple[int, ...]:
        return tuple(face.id for face in self._names.model.faces)

    def _shuffle(self, node: Node) -> list[Outcome]:
        if not isinstance(node, Map) or not node.entries:
            text = "`shuffle` names a stack and its pieces from the top down"
            self._names.wrong("X001", node.span, text)
            return []
        found = []
        for entry in node.entries:
            for instance, zone, pieces in self._instances(entry):
                faces = self._faces(pieces, zone.faces)
                found.append(Outcome("shuffle", instance, tuple(faces), entry.key_span))
        return found

    def _draw(self, node: Node) -> list[Outcome]:
        """One outcome per piece: a member, a list, or a mapping from zone to one of these."""
        if not isinstance(node, Map):
            return self._drawn(node, None, self._all_faces())
        found = []
        for entry in node.entries:
            for instance, zone, pieces in self._instances(entry):
                found.extend(self._drawn(pieces, instance, zone.faces))
        return found

    def _drawn(self, node: Node, instance: int | None, faces: tuple[int, ...]) -> list[Outcome]:
        items = node.items if isinstance(node, Seq) else (node,)
        found = []
        for item in items:
            face = self._names.face(item, faces)
            if face is not None:
                found.append(Outcome("draw", instance, (face,), item.span))
        return found

    def _instances(self, entry: Entry) -> list[tuple[int, m.Zone, Node]]:
        """The zone instances that a key names, each with what is said of it."""
        zone = self._names.zone(entry)
        if zone is None:
            return []
        if not zone.index:
            return [(zone.first, zone, entry.value)]
        if not isinstance(entry.value, Map):
            text = f"say which `{zone.name}`: {', '.join(zone.labels)}"
            self._names.wrong("X001", entry.value.span, text)
            return []
        found = []
        for inner in entry.value.entries:
            position = self._names.position(zone, inner)
            if position is not None:
                found.append((zone.first + position, zone, inner.value))
        return found

    def _faces(self, node: Node, faces: tuple[int, ...]) -> list[int]:
        if not isinstance(node, Seq):
            self._names.wrong("X001", node.span, "say the pieces as a list, from the top down")
            return []
        found = [self._names.face(item, faces) for item in node.items]
        return [face for face in found if face is not None]
