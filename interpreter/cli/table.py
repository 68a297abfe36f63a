"""The table as a person wants to see it: whose turn, the places, the players, from one view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gemwright.dsl.model import Variable
from gemwright.dsl.terms import Base
from gemwright.interpreter.block import BOX
from gemwright.interpreter.cli.facts import Facts
from gemwright.interpreter.cli.lines import clean, columns, wrap
from gemwright.interpreter.cli.screen import Line
from gemwright.interpreter.cli.telling import Telling, counted
from gemwright.interpreter.seen import Look
from gemwright.interpreter.views import VariableView, View, ZoneView

_CARDLIKE = 2
"""Pieces with so many things printed on them, or with a lot, are shown with them."""
_MOST_PRINTED = 8
"""So many different pieces of a zone are shown with what is printed on them."""

Row = tuple[str, str]


_MOST_KNOWN = 8
"""More known kinds than these are counted, not named."""


class Table:
    """Draws views of one game model."""

    def __init__(self, telling: Telling, facts: Facts) -> None:
        self._telling = telling
        self._facts = facts
        self._cards = {
            face
            for face, columns in facts.items()
            if len(columns) >= _CARDLIKE
            or any(type.base is Base.VECTOR for type, _ in columns.values())
        }

    def lines(self, view: View, width: int, full: bool = False) -> list[Line]:
        """The whole table. `full` leaves nothing out: piles in order, all that is printed."""
        shown = [Line(text, "title") for text in wrap(self._headline(view), width)]
        shown += self._section("table", self._rows(view, None, full), width, "")
        for seat in self._seat_order(view):
            rows = self._rows(view, seat, full)
            if rows:
                style = "mine" if seat == view.viewer else ""
                shown += self._section(self._player_title(view, seat), rows, width, style)
        return shown

    def _headline(self, view: View) -> str:
        title = clean(self._telling.names.title) or self._telling.model.name.replace("_", " ")
        parts = [title, *([self._telling.phase(view.phase)] if view.phase else [])]
        if view.deciding:
            who = [self._telling.player(seat, view.viewer) for seat in view.deciding]
            verb = "choose" if len(who) > 1 or who == ["you"] else "chooses"
            together = " in secret at the same time" if view.sealed else ""
            parts.append(f"{' and '.join(who)} {verb}{together}")
        return " | ".join(parts)

    def _seat_order(self, view: View) -> list[int]:
        """The viewer first, then clockwise."""
        players = self._telling.model.players
        first = view.viewer or 0
        return [(first + step) % players for step in range(players)]

    def _player_title(self, view: View, seat: int) -> str:
        title = self._telling.seat(seat)
        marks = ["you"] if seat == view.viewer else []
        marks += ["out"] if seat in view.out else []
        return f"{title}: {', '.join(marks)}" if marks else title

    def _section(self, title: str, rows: Sequence[Row], width: int, style: str) -> list[Line]:
        if not rows:
            return []
        head = Line(title, "mine" if style else "title")
        return [head, *(Line(text, style) for text in columns(rows, width))]

    # -- rows

    def _rows(self, view: View, seat: int | None, full: bool) -> list[Row]:
        """What belongs to a player, or (None) to nobody."""
        model = self._telling.model
        rows: list[Row] = []
        for zone in view.zones:
            declared = next(each for each in model.zones if each.name == zone.zone)
            owner = int(zone.label[1:]) - 1 if declared.index == "player" else None
            if zone.zone == BOX or owner != seat:
                continue
            label = self._telling.label("zone", zone.zone)
            if owner is None and zone.label:
                label = self._telling.zone(zone.instance)
            rows.append((label, self._zone(zone, full)))
        for variable in view.variables:
            row = self._variable(variable, seat)
            if row is not None:
                rows.append(row)
        return rows

    def _variable(self, shown: VariableView, seat: int | None) -> Row | None:
        telling = self._telling
        declared = telling.model.variables[shown.variable]
        if not telling.is_told(shown.variable) or self._is_turn(declared):
            return None
        label = telling.label("state", declared.name)
        if declared.index == "player":
            values = [value for position, value in shown.cells if position == seat]
            return (label, telling.value(declared.type, values[0])) if values else None
        if seat is not None:
            return None
        cells = [
            f"{telling.index(declared.index, declared.labels[position])} {value}".strip()
            for position, number in shown.cells
            for value in [telling.value(declared.type, number)]
        ]
        return label, ", ".join(cells)

    def _is_turn(self, variable: Variable) -> bool:
        """Whether it is a role that only says whose turn it is: the headline does."""
        return variable.role and variable.type.base is Base.PLAYER

    # -- zones

    def _zone(self, zone: ZoneView, full: bool) -> str:
        if not zone.size:
            return "empty"
        if zone.sequence is not None:
            return self._sequence(zone, full)
        if zone.pieces:
            text = self._pieces(zone.pieces, full)
            return text + self._known(zone)
        return f"{zone.size} unseen" + self._known(zone)

    def _sequence(self, zone: ZoneView, full: bool) -> str:
        """A row from left to right; a stack by its size and its top."""
        assert zone.sequence is not None
        if zone.order == "row":
            return "; ".join(self._one(look, True) if look else "-" for look in zone.sequence)
        top = self._one(zone.sequence[-1], True)
        if full and len(zone.sequence) > 1:
            below = ", ".join(self._telling.alike(look) for look in reversed(zone.sequence[:-1]))
            return f"{zone.size}, on top {top}; below {below}"
        return f"{zone.size}, on top {top}" + self._known(zone)

    def _pieces(self, pieces: Iterable[Look], full: bool) -> str:
        looks = list(pieces)
        printed = full or len(looks) <= _MOST_PRINTED
        parts = []
        for look in looks:
            single = len(look.faces) == 1 and look.faces[0] in self._cards
            name = self._one(look.faces, printed)
            parts.append(name if single and look.count == 1 else counted(look.count, name))
        return ("; " if any("[" in part for part in parts) else ", ").join(parts)

    def _one(self, faces: tuple[int, ...], printed: bool) -> str:
        name = self._telling.alike(faces)
        if printed and len(faces) == 1 and faces[0] in self._cards:
            return f"{name} [{', '.join(self.printed(faces[0]))}]"
        return name

    def _known(self, zone: ZoneView) -> str:
        """What the viewer knows to be there although he does not see it."""
        if not zone.known:
            return ""
        if len(zone.known) > _MOST_KNOWN:
            return f" (you know {sum(count for _, count in zone.known)} of them)"
        known = ", ".join(counted(count, self._telling.face(face)) for face, count in zone.known)
        return f" (you know of {known})"

    def printed(self, face: int) -> list[str]:
        """What is printed on a piece: 'points 1', 'cost 2 red, 1 blue'. Without empty cells."""
        told = []
        for name, (type, value) in self._facts.get(face, {}).items():
            label = self._telling.label("column", name)
            if type.base is Base.FLAG:
                told += [label] if value else []
            elif not isinstance(value, tuple) or any(value):
                told.append(f"{label} {self._telling.value(type, value)}")
        return told
