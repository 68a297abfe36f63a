"""The table as a person wants to see it: whose turn, the places, the players, from one view."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gemwright.dsl.labels.text import Fill, filled
from gemwright.dsl.labels.vocabulary import BOX, is_shown
from gemwright.dsl.model.game import Variable
from gemwright.dsl.model.terms import Base
from gemwright.interpreter.cli.lines import columns, wrap
from gemwright.interpreter.cli.naming import Naming
from gemwright.interpreter.cli.screen import Line
from gemwright.interpreter.events import Value
from gemwright.interpreter.information.seen import Look
from gemwright.interpreter.information.views import VariableView, View, ZoneView

_CARDLIKE = 2
"""Pieces with so many things printed on them, or with a lot, are shown with them."""
_MOST_PRINTED = 8
"""So many different pieces of a zone are shown with what is printed on them."""

Row = tuple[str, str]


_MOST_KNOWN = 8
"""More known kinds than these are counted, not named."""


class Table:
    """Draws views of one game model."""

    def __init__(self, naming: Naming) -> None:
        self._naming = naming
        self._say = naming.speech.say
        self._cards = {
            face
            for face in naming.columns
            if len(cells := naming.printable(face)) >= _CARDLIKE
            or any(naming.columns[face][name][0].base is Base.VECTOR for name in cells)
        }

    def lines(self, view: View, width: int, full: bool = False) -> list[Line]:
        """The whole table. `full` leaves nothing out: piles in order, all that is printed."""
        shown = [Line(text, "title") for text in wrap(self._headline(view), width)]
        title = self._say("table.table")
        shown += self._section(title, self._rows(view, None, full), width, "")
        for seat in self._seat_order(view):
            rows = self._rows(view, seat, full)
            if rows:
                style = "mine" if seat == view.viewer else ""
                shown += self._section(self._player_title(view, seat), rows, width, style)
        return shown

    def _headline(self, view: View) -> str:
        parts = [self._naming.phase(view.phase)] if view.phase else []
        if view.deciding:
            key = "table.choosing_sealed" if view.sealed else "table.choosing"
            parts.append(self._say(key, who=self._naming.players(view.deciding, view.viewer)))
        headline = self._naming.title
        for part in parts:
            headline = self._say("table.headline", title=headline, rest=part)
        return headline

    def _seat_order(self, view: View) -> list[int]:
        """The viewer first, then clockwise."""
        players = self._naming.model.players
        first = view.viewer or 0
        return [(first + step) % players for step in range(players)]

    def _player_title(self, view: View, seat: int) -> str:
        title = self._naming.seat(seat)
        marks = [self._say("table.you")] if seat == view.viewer else []
        marks += [self._say("table.out")] if seat in view.out else []
        listed = self._naming.speech.listed(marks)
        return self._say("table.marked", seat=title, marks=listed) if marks else title

    def _section(self, title: str, rows: Sequence[Row], width: int, style: str) -> list[Line]:
        if not rows:
            return []
        head = Line(title, "mine" if style else "title")
        return [head, *(Line(text, style) for text in columns(rows, width))]

    # -- rows

    def _rows(self, view: View, seat: int | None, full: bool) -> list[Row]:
        """What belongs to a player, or (None) to nobody."""
        rows: list[Row] = []
        for zone in view.zones:
            if zone.zone == BOX or self._naming.owner(zone.instance) != seat:
                continue
            rows.append((self._naming.zone_title(zone.instance), self._zone(zone, full)))
        for variable in view.variables:
            row = self._variable(variable, seat, full)
            if row is not None:
                rows.append(row)
        return [row for row in rows if row[1]]

    def _variable(self, shown: VariableView, seat: int | None, full: bool) -> Row | None:
        naming = self._naming
        declared = naming.model.variables[shown.variable]
        if not is_shown(declared):
            return None
        label = naming.label("state", declared.name)
        if declared.index == "player":
            values = [value for position, value in shown.cells if position == seat]
            return (label, self._value(declared, values[0], full).write("")) if values else None
        if seat is not None:
            return None
        told = [each for each in self._cells(shown, declared, full) if each.write("")]
        return (label, naming.speech.listed(told).write("")) if told else None

    def _cells(self, shown: VariableView, declared: Variable, full: bool) -> Iterator[Fill]:
        """The values of a variable that belongs to no player; of flags those that are set."""
        naming = self._naming
        for position, number in shown.cells:
            value = self._value(declared, number, full)
            if not declared.index or not value.write(""):
                yield value
                continue
            index = naming.index(declared.index, declared.labels[position])
            if declared.type.base is not Base.FLAG:
                yield naming.speech.fill("pieces.fact", name=index, value=value)
            elif number:
                yield index

    def _value(self, declared: Variable, number: Value, full: bool) -> Fill:
        """A value as the labels show it in the table; the whole table shows it as it is."""
        value = self._naming.value(declared.type, number)
        text = self._naming.labels.sentence("state", declared.name, "show")
        if text is None or full:
            return value
        return filled(self._naming.speech.tell(text, value=value))

    # -- zones

    def _zone(self, zone: ZoneView, full: bool) -> str:
        if not zone.size:
            family = self._naming.zone_of(zone.instance)
            text = self._naming.labels.sentence("zones", family.name, "empty")
            if text is None or full:
                return self._say("table.empty")
            return self._naming.speech.tell(text)
        if zone.sequence is not None:
            return self._sequence(zone, full)
        if zone.pieces:
            return self._known(zone, self._pieces(zone.pieces, full))
        return self._known(zone, self._unseen(zone))

    def _unseen(self, zone: ZoneView) -> str:
        """How many pieces lie there, where no more is seen."""
        kind = self._naming.kind_in(self._naming.zone_of(zone.instance))
        return self._naming.look(Look((), zone.size), kind).write("")

    def _sequence(self, zone: ZoneView, full: bool) -> str:
        """A row from left to right; a stack by its size and its top."""
        assert zone.sequence is not None
        if zone.order == "row":
            cells = [self._one(look, True) if look else "-" for look in zone.sequence]
            joint = "lists.semicolon"
            return self._naming.speech.listed(cells, joint, joint).write("")
        top = self._one(zone.sequence[-1], True)
        if full and len(zone.sequence) > 1:
            below = [self._naming.alike(look) for look in reversed(zone.sequence[:-1])]
            pieces = self._naming.speech.listed(below)
            return self._say("table.below", count=zone.size, piece=top, pieces=pieces)
        return self._known(zone, self._say("table.on_top", count=zone.size, piece=top))

    def _pieces(self, pieces: Iterable[Look], full: bool) -> str:
        looks = list(pieces)
        printed = full or len(looks) <= _MOST_PRINTED
        items: list[Fill] = []
        with_facts = False
        for look in looks:
            if printed and self._is_card(look.faces):
                with_facts = True
                kind = self._naming.model.faces[look.faces[0]].kind
                one = filled(self._one(look.faces, True))
                items.append(
                    one if look.count == 1 else self._naming.counted(look.count, one, kind)
                )
            else:
                items.append(self._naming.look(look))
        joint = "lists.semicolon" if with_facts else "lists.comma"
        return self._naming.speech.listed(items, joint, joint).write("")

    def _is_card(self, faces: tuple[int, ...]) -> bool:
        return len(faces) == 1 and faces[0] in self._cards

    def _one(self, faces: tuple[int, ...], printed: bool) -> str:
        name = self._naming.alike(faces).write("")
        if printed and self._is_card(faces):
            untold = self._naming.untold(faces[0])
            if untold:
                facts = self._naming.speech.listed(untold)
                return self._say("pieces.printed", name=name, facts=facts)
        return name

    def _known(self, zone: ZoneView, text: str) -> str:
        """The text of a zone with what the viewer knows to be there although he does not see it."""
        if not zone.known:
            return text
        if len(zone.known) > _MOST_KNOWN:
            count = sum(count for _, count in zone.known)
            if count == zone.size and zone.order == "stack":
                return self._say("table.known_all", zone=text)
            return self._say("table.known_many", zone=text, count=count)
        faces, counts = zip(*zone.known, strict=True)
        return self._say("table.known", zone=text, pieces=self._naming.lot(faces, counts))
