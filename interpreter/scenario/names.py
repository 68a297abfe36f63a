"""Names and values of a scenario, looked up in a game model; what does not fit is reported.

A value is written as in moves: a number, true or false, a member's name, `P1`, `nobody`. A lookup
that fails reports once and gives None, so that callers only go on with what they have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq, plain
from gemwright.dsl.model import game as m
from gemwright.dsl.model.terms import Base, Type
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean
from gemwright.interpreter.moves import Lies, Move, move_from_json


class Names:
    """The names of one game model."""

    def __init__(self, model: m.Game, reporter: Reporter) -> None:
        self.model = model
        self.reporter = reporter
        self.seats = tuple(f"P{seat + 1}" for seat in range(model.players))
        self._zones = {zone.name: zone for zone in model.zones}
        self._variables = {each.name: each for each in model.variables}

    # -- things of the model

    def zone(self, entry: Entry) -> m.Zone | None:
        """The zone family of a key."""
        found = self._zones.get(entry.key)
        if found is None:
            self.unknown(entry.key_span, "zone", entry.key, self._zones)
        return found

    def variable(self, entry: Entry) -> m.Variable | None:
        """The state variable or role of a key."""
        found = self._variables.get(entry.key)
        if found is None:
            public = [name for name in self._variables if name.isidentifier()]
            self.unknown(entry.key_span, "state or role", entry.key, public)
        return found

    def position(self, owner: m.Zone | m.Variable, entry: Entry) -> int | None:
        """The position of a key among the labels of a family."""
        if entry.key in owner.labels:
            return owner.labels.index(entry.key)
        self.unknown(entry.key_span, f"place in `{owner.name}`", entry.key, owner.labels)
        return None

    def seat(self, node: Node | Entry) -> int | None:
        """A seat, 0-based, of `P1` .. as a value or a key."""
        text, span = text_of(node)
        if text in self.seats:
            return self.seats.index(text)
        self.unknown(span, "player", text, self.seats)
        return None

    def seat_list(self, node: Node) -> list[int] | None:
        """Seats, written as one or as a list; None if any is wrong."""
        items = node.items if isinstance(node, Seq) else (node,)
        found = [self.seat(item) for item in items]
        good = [seat for seat in found if seat is not None]
        return good if len(good) == len(found) else None

    def face(self, node: Node | Entry, faces: Sequence[int]) -> int | None:
        """A member's face, one of `faces`."""
        text, span = text_of(node)
        for face in faces:
            if self.model.faces[face].name == text:
                return face
        self.unknown(span, "member", text, [self.model.faces[face].name for face in faces])
        return None

    def phase(self, node: Node) -> str | None:
        """The path of a phase, written in full or as its last name if that is unique."""
        text, span = text_of(node)
        paths = list(dict.fromkeys(point.phase for point in self.model.points if point.phase))
        found = [path for path in paths if path == text]
        found = found or [path for path in paths if path.rsplit("/", 1)[-1] == text]
        if len(found) == 1:
            return found[0]
        if found:
            self.wrong("X003", span, f"`{text}` may be {', '.join(found)}: write the whole path")
        else:
            lasts = [path.rsplit("/", 1)[-1] for path in paths]
            self.unknown(span, "phase", text, dict.fromkeys([*lasts, *paths]))
        return None

    # -- values

    def value(self, node: Node, type: Type) -> int | None:
        """A value of a type, in its range."""
        if type.base is Base.FACE:
            return self.face(node, type.faces)
        if type.base is Base.PLAYER:
            if type.optional and text_of(node)[0] == "nobody":
                return -1
            return self.seat(node)
        raw = node.value if isinstance(node, Scalar) else None
        if type.base is Base.FLAG:
            if isinstance(raw, bool):
                return int(raw)
            self.wrong("X003", node.span, "say true or false")
            return None
        if not isinstance(raw, int) or isinstance(raw, bool):
            self.wrong("X003", node.span, "say a whole number")
            return None
        if type.base is Base.INT and not type.low <= raw <= type.high:
            text = f"{raw} lies outside the declared range {type.low}..{type.high}"
            self.wrong("X005", node.span, text)
            return None
        return raw

    def show(self, value: int, type: Type) -> str:
        """A value as a scenario writes it."""
        if type.base is Base.FACE:
            return self.model.faces[value].name if value >= 0 else "empty"
        if type.base is Base.PLAYER:
            return self.seats[value] if value >= 0 else "nobody"
        if type.base is Base.FLAG:
            return "true" if value else "false"
        return str(value)

    def move(self, node: Node, seat: int, lies: Lies | None = None) -> Move | None:
        """A move: `pass`, `name`, or `name: {parameter: value}`; `lies` as for data."""
        data: dict[str, object] = {"action": text_of(node)[0]}
        if isinstance(node, Map):
            if len(node.entries) != 1:
                self.wrong("X007", node.span, "a move is `name: {parameter: value}` or a name")
                return None
            entry = node.entries[0]
            data = {"action": entry.key}
            if isinstance(entry.value, Map):
                data.update((each.key, plain(each.value)) for each in entry.value.entries)
            elif not (isinstance(entry.value, Scalar) and entry.value.value is None):
                self.wrong("X007", entry.value.span, "parameters are `{parameter: value}`")
                return None
        found = move_from_json(self.model, seat, data, lies)
        if isinstance(found, str):
            self.wrong("X007", node.span, found, self._known_action(str(data["action"])))
            return None
        return found

    def _known_action(self, name: str) -> str:
        names = [action.name for action in self.model.actions] + [m.PASS_ACTION]
        return "" if name in names else did_you_mean(name, names)

    # -- reporting

    def unknown(self, span: Span, what: str, text: str, known: Iterable[str]) -> None:
        """Report a name that is not there."""
        names = list(known)
        help = did_you_mean(text, names)
        if not help and names:
            help = f"there are {', '.join(names[:12])}{', ..' if len(names) > 12 else ''}"
        self.wrong("X003", span, f"there is no {what} `{text}`", help)

    def wrong(self, code: str, span: Span, message: str, help: str = "") -> None:
        """Report an error."""
        self.reporter.error(code, span, message, help)


def text_of(node: Node | Entry) -> tuple[str, Span]:
    """The text of a key or scalar as written, and where it stands; '' for anything else."""
    if isinstance(node, Entry):
        return node.key, node.key_span
    if not isinstance(node, Scalar) or node.value is None:
        return "", node.span
    if isinstance(node.value, bool):
        return ("true" if node.value else "false"), node.span
    return str(node.value), node.span


def entries_of(node: Node, names: Names, what: str) -> tuple[Entry, ...]:
    """The entries of a mapping; reports anything else."""
    if isinstance(node, Map):
        return node.entries
    names.wrong("X001", node.span, f"{what} is a mapping")
    return ()
