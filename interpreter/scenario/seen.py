"""`sees`, `not_sees`, `knows`, `log_contains` and `log_lacks`: what a player may know.

| key | by seat | holds when |
|---|---|---|
| `sees` | zones and state as in `zones` and `state` | the view of the seat shows exactly that |
| `not_sees` | a list of `zone`, `zone label`, `state` | the view does not show it |
| `knows` | zones by count | the view knows so many pieces of a hidden zone |
| `log_contains` | a pattern, or a list | for each pattern some seen event has all that it says |
| `log_lacks` | a pattern, or a list | no seen event has all that a pattern says |

A pattern is a mapping of seen-event fields (`event`, `from`, `to`, ..), or a text in one of its
lines.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from gemwright.dsl.document.tree import Entry, Map, Node, Scalar, Seq, plain
from gemwright.interpreter.evaluation.effects import Trace
from gemwright.interpreter.information.seen_json import seen_to_json
from gemwright.interpreter.information.views import FULL, ZoneView
from gemwright.interpreter.scenario.names import Names, entries_of, text_of
from gemwright.interpreter.scenario.zones import GAP, Content, zone_contents
from gemwright.interpreter.state import State

_UNSEEN: Final = -2
"""A piece whose face the viewer cannot tell."""


class SeenExpectations:
    """Checks these expectations against states of one game."""

    def __init__(self, names: Names, trace: Trace) -> None:
        self._names = names
        self._trace = trace

    def knows(self, key: str) -> bool:
        """Whether an expectation is one of these."""
        return key in _CHECKS

    def check(self, entry: Entry, state: State) -> None:
        """Compare, seat by seat; what differs is reported."""
        for said in entries_of(entry.value, self._names, f"`{entry.key}`"):
            seat = self._names.seat(said)
            if seat is not None:
                _CHECKS[entry.key](self, said, seat, state)

    # -- views

    def _sees(self, said: Entry, seat: int, state: State) -> None:
        for entry in entries_of(said.value, self._names, "`sees`"):
            if self._is_state(entry.key):
                self._sees_state(entry, seat, state)
                continue
            for content in self._contents(entry):
                shown = state.view(seat).zones[content.instance]
                self._sees_zone(content, shown, said.key)

    def _sees_zone(self, content: Content, shown: ZoneView, who: str) -> None:
        if content.size is not None:
            if shown.size != content.size:
                text = f"`{content.label}` has {shown.size} pieces, not {content.size}"
                self._fail(content, text)
            return
        pieces = _visible(shown)
        unseen = pieces.count(_UNSEEN)
        if unseen and not content.more:
            self._fail(content, f"{who} does not see {unseen} pieces of `{content.label}`")
            return
        wanted = list(content.pieces)
        if content.listed and shown.sequence is not None:
            ends = pieces[len(pieces) - len(wanted) :] if shown.order == "stack" else pieces
            good = ends[: len(wanted)] == wanted
            real = [face for face in pieces if face != GAP]
            good = good and (content.more or len(real) == len([w for w in wanted if w != GAP]))
        else:
            real = [face for face in pieces if face != GAP]
            good = not Counter(wanted) - Counter(real)
            good = good and (content.more or len(real) == len(wanted))
        if not good:
            seen = ", ".join(self._face(face) for face in pieces) or "nothing"
            self._fail(content, f"{who} sees {seen} in `{content.label}`")

    def _sees_state(self, entry: Entry, seat: int, state: State) -> None:
        variable = self._names.variable(entry)
        if variable is None:
            return
        if variable.element is not None:
            self._trace((variable.element,))
        cells = _cells(state, seat, variable.id)
        indexed = variable.index and isinstance(entry.value, Map)
        said = entry.value.entries if indexed and isinstance(entry.value, Map) else (entry,)
        for each in said:
            position = self._names.position(variable, each) if indexed else 0
            value = self._names.value(each.value, variable.type)
            if position is None or value is None:
                continue
            if position not in cells:
                self._wrong(each.value, f"{self._names.seats[seat]} does not see `{variable.name}`")
            elif cells[position] != value:
                actual = self._names.show(cells[position], variable.type)
                self._wrong(each.value, f"`{variable.name}` is {actual}")

    def _not_sees(self, said: Entry, seat: int, state: State) -> None:
        items = said.value.items if isinstance(said.value, Seq) else (said.value,)
        for item in items:
            words = text_of(item)[0].replace("[", " ").replace("]", " ").split()
            if not words or not isinstance(item, Scalar):
                self._names.wrong("X001", item.span, "say a zone or state, and whose: `hand P1`")
                continue
            key = Entry(words[0], item.span, item, item.map)
            if self._is_state(words[0]):
                self._sees_no_state(key, words[1:], seat, state)
            else:
                self._sees_no_zone(key, words[1:], seat, state)

    def _sees_no_zone(self, key: Entry, labels: list[str], seat: int, state: State) -> None:
        zone = self._names.zone(key)
        if zone is None:
            return
        if zone.element is not None:
            self._trace((zone.element,))
        zones = state.view(seat).zones
        for position, label in enumerate(zone.labels):
            if labels and label not in labels:
                continue
            shown = zones[zone.first + position]
            if shown.seen == FULL:
                name = f"{zone.name}[{label}]" if label else zone.name
                self._wrong(key.value, f"{self._names.seats[seat]} sees `{name}`")

    def _sees_no_state(self, key: Entry, labels: list[str], seat: int, state: State) -> None:
        variable = self._names.variable(key)
        if variable is None:
            return
        if variable.element is not None:
            self._trace((variable.element,))
        for position in _cells(state, seat, variable.id):
            if not labels or variable.labels[position] in labels:
                self._wrong(key.value, f"{self._names.seats[seat]} sees `{variable.name}`")

    def _knows(self, said: Entry, seat: int, state: State) -> None:
        for entry in entries_of(said.value, self._names, "`knows`"):
            for content in self._contents(entry):
                shown = state.view(seat).zones[content.instance]
                known = Counter(dict(shown.known))
                if shown.seen == FULL:
                    known = Counter(_visible(shown))
                wanted = Counter(content.pieces)
                if wanted - known or (not content.more and known - wanted):
                    names = [f"{count} {self._face(face)}" for face, count in known.items()]
                    text = f"{said.key} knows {', '.join(names) or 'nothing'}"
                    self._fail(content, f"{text} of `{content.label}`")

    def _contents(self, entry: Entry) -> list[Content]:
        zone = self._names.zone(entry)
        if zone is None:
            return []
        if zone.element is not None:
            self._trace((zone.element,))
        return list(zone_contents(zone, entry.value, self._names))

    def _is_state(self, name: str) -> bool:
        return any(variable.name == name for variable in self._names.model.variables)

    # -- logs

    def _log_contains(self, said: Entry, seat: int, state: State) -> None:
        for pattern in _patterns(said.value):
            if not self._in_log(pattern, seat, state):
                self._wrong(pattern, f"nothing in the log of {said.key} is like this")

    def _log_lacks(self, said: Entry, seat: int, state: State) -> None:
        for pattern in _patterns(said.value):
            if self._in_log(pattern, seat, state):
                self._wrong(pattern, f"the log of {said.key} has this")

    def _in_log(self, pattern: Node, seat: int, state: State) -> bool:
        wanted = plain(pattern)
        for event in state.log(seat):
            data = seen_to_json(self._names.model, event)
            if isinstance(wanted, str):
                if wanted in json.dumps(data, ensure_ascii=False):
                    return True
            elif _matches(wanted, data):
                return True
        return False

    # -- reporting

    def _face(self, face: int) -> str:
        if face in (GAP, _UNSEEN):
            return "empty" if face == GAP else "?"
        return self._names.model.faces[face].name

    def _fail(self, content: Content, message: str) -> None:
        self._names.wrong("X008", content.span, message)

    def _wrong(self, node: Node, message: str) -> None:
        self._names.wrong("X008", node.span, message)


def _visible(shown: ZoneView) -> list[int]:
    """The faces that a viewer sees, in order if he sees an order; `_UNSEEN` for the others."""
    if shown.sequence is not None:
        return [_only(look) for look in shown.sequence]
    pieces: list[int] = []
    for look in shown.pieces:
        pieces.extend([_only(look.faces)] * look.count)
    return pieces + [_UNSEEN] * (shown.size - len(pieces))


def _only(faces: tuple[int, ...]) -> int:
    if not faces:
        return GAP
    return faces[0] if len(faces) == 1 else _UNSEEN


def _cells(state: State, seat: int, variable: int) -> dict[int, int]:
    for shown in state.view(seat).variables:
        if shown.variable == variable:
            return dict(shown.cells)
    return {}


def _patterns(node: Node) -> tuple[Node, ...]:
    return node.items if isinstance(node, Seq) else (node,)


def _matches(wanted: object, data: object) -> bool:
    """Whether data has all that a pattern says."""
    if isinstance(wanted, dict):
        return isinstance(data, dict) and all(
            key in data and _matches(value, data[key]) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return (
            isinstance(data, list)
            and len(wanted) == len(data)
            and all(_matches(one, other) for one, other in zip(wanted, data, strict=True))
        )
    return wanted == data


_CHECKS: Final[Mapping[str, Callable[[SeenExpectations, Entry, int, State], None]]] = {
    "sees": SeenExpectations._sees,
    "not_sees": SeenExpectations._not_sees,
    "knows": SeenExpectations._knows,
    "log_contains": SeenExpectations._log_contains,
    "log_lacks": SeenExpectations._log_lacks,
}
