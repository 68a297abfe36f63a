"""Declarations of constant tables: functions of members and numbers, read from files."""

from __future__ import annotations

from gemwright.dsl.document.tables import read_table
from gemwright.dsl.document.tree import Map, Node, Scalar, Seq
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.declare_rows import Row, Rows, records_of
from gemwright.dsl.elaboration.names import Names, TableInfo
from gemwright.dsl.elaboration.reading import clauses_of, entries, range_of, text_of
from gemwright.dsl.model.terms import Base, Type
from gemwright.dsl.source import Span


class ConstantTables:
    """Declares the tables of a file; all kinds are known."""

    def __init__(self, names: Names, rows: Rows) -> None:
        self.names = names
        self.rows = rows
        self.reporter = names.reporter

    def declare(self, tree: Map) -> None:
        """Declare every table."""
        for name, span, node in entries(tree.get("tables")):
            self._declare(name, span, node)

    def _declare(self, name: str, span: Span, node: Node) -> None:
        if not isinstance(node, Map) or not self.names.declare(name, span):
            return
        file, by = node.get("file"), node.get("by")
        bounds = range_of(node.get("range"), self.reporter)
        if not isinstance(file, Scalar) or not isinstance(by, Seq) or bounds is None:
            self.reporter.error(
                "S003",
                span,
                f"`{name}` needs `file`, `by` and `range`",
                "see the language reference, tables",
            )
            return
        types: list[Type] = []
        for item in by.items:
            numbers = range_of(item, self.reporter)
            info = None if numbers else self.names.kinds.get(text_of(item) or "")
            if numbers is None and info is None:
                self.names.unknown(
                    text_of(item) or "", item.span, "a kind or a range", sorted(self.names.kinds)
                )
                return
            types.append(
                Type(Base.INT, *numbers)
                if numbers
                else Type(Base.FACE, faces=info.kind.faces if info else ())
            )
        table = read_table(self.rows.document, file, self.reporter)
        default = (
            folding.scalar(
                self.rows.constant(text_of(node.get("default")) or "0", file.map)
                or folding.integer(0, span)
            )
            or 0
        )
        if table is None:
            return
        sizes = tuple(len(t.faces) if t.base is Base.FACE else t.high - t.low + 1 for t in types)
        total = 1
        for size in sizes:
            total *= size
        if total > 100_000:
            self.reporter.error(
                "E009", span, f"`{name}` has {total} cells", "a table has at most 100000"
            )
            return
        cells = [default] * total
        for row in records_of(table):
            place = self._place(row, types, sizes)
            last = list(row)[len(types)] if len(row) > len(types) else None
            if place is not None and last is not None:
                cells[place] = self.rows.number(
                    row["value"] if "value" in row else row[last],
                    Type(Base.INT, *bounds),
                    name,
                )
        bases = tuple(0 if t.base is Base.FACE else t.low for t in types)
        result = Type(Base.INT, min(cells), max(cells))
        element = self.names.mark(name, clauses_of(node, self.reporter), span)
        self.names.tables[name] = TableInfo(
            tuple(cells), tuple(types), bases, sizes, default, result, element
        )

    def _place(self, row: Row, types: list[Type], sizes: tuple[int, ...]) -> int | None:
        place = 0
        for cell, type, size in zip(row.values(), types, sizes, strict=False):
            if type.base is Base.FACE:
                face = self.rows.named(cell[0], type.faces)
                at = -1 if face is None else type.faces.index(face)
            else:
                at = (
                    int(cell[0]) - type.low
                    if cell[0].lstrip("-").isdecimal() and len(cell[0]) < 10
                    else -1
                )
            if not 0 <= at < size:
                self.reporter.error(
                    "E006",
                    cell[1].span(0, len(cell[0])),
                    f"`{cell[0][:40]}` is outside the table",
                    "mend the cell, or the `by` of the table",
                )
                return None
            place = place * size + at
        return place
