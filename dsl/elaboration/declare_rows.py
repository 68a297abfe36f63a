"""Members of kinds, from lists, rows, tables and combinations, with the values of their columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from typing import Final

from gemwright.dsl.document.compose import Document
from gemwright.dsl.document.tables import Cell, Table, read_table
from gemwright.dsl.document.tree import Map, Node, Scalar, Seq
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.names import Column, Frame, Names, Scope
from gemwright.dsl.elaboration.reading import entries, text_of
from gemwright.dsl.grammar.parse import parse
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import Face
from gemwright.dsl.model.terms import Base, Const, Type
from gemwright.dsl.source import Span, TextMap
from gemwright.dsl.suggest import did_you_mean

_NUMBER: Final = re.compile(r"[0-9]{1,9}")

MAX_FACES = 2_000
"""The most members of one kind."""

Row = dict[str, tuple[str, TextMap]]
"""The cells of a row by column name, each with its place."""


class Rows:
    """Makes members and reads the cells that belong to them."""

    def __init__(self, names: Names, expressions: Expressions, document: Document) -> None:
        self.names = names
        self.expressions = expressions
        self.document = document
        self.reporter = names.reporter

    def constant(
        self, text: str, map: TextMap, local: Mapping[str, Const] | None = None
    ) -> Const | None:
        """The value of a constant expression over options, members and `local` names."""
        if _NUMBER.fullmatch(text):  # most cells, and no name could mean anything else in them
            return folding.integer(int(text), map.span(0, len(text)))
        syntax = parse(text, "expression", map, self.reporter)
        if syntax is None:
            return None
        term = self.expressions.value(syntax, Scope(Frame(), None, dict(local or {})))
        if isinstance(term, Const):
            return term
        if term is not None:
            self.reporter.error(
                "E003",
                syntax.span,
                "this is not known before the game",
                "use numbers, members and options only",
            )
        return None

    def face(self, member: str, kind: str, span: Span, count: int = 1) -> int:
        """A new face; a name that is taken is reported."""
        face = len(self.names.faces)
        self.names.faces.append(Face(face, member, kind, count))
        if member in self.names.members or not self.names.declare(member, span):
            self.reporter.error(
                "E010",
                span,
                f"`{member}` already names something else",
                "member names are unique in a file",
            )
        self.names.members[member] = face
        return face

    def members(self, kind: str, words: list[tuple[str, Span]]) -> tuple[int, ...]:
        """New faces, one per word."""
        return tuple(self.face(word, kind, span) for word, span in words)

    def read(
        self, name: str, node: Map, types: dict[str, tuple[Type, Span, str]]
    ) -> tuple[tuple[int, ...], dict[str, Column]] | None:
        """The members of a kind in the long form and their columns; None after a report."""
        members, named = node.get("members"), node.get("named")
        if isinstance(members, Seq):
            return self.members(name, [(text_of(i) or "", i.span) for i in members.items]), {}
        if isinstance(named, Seq):
            words = [(text_of(i) or "", i.span) for i in named.items]
            if len(words) < self.names.players:
                self.reporter.error(
                    "E006",
                    named.span,
                    f"{len(words)} names for {self.names.players} players",
                    "name one member per player",
                )
                return None
            return self.members(name, words[: self.names.players]), {}
        if node.get("every combination") is not None:
            return self._combinations(name, node, types)
        rows = node.get("rows")
        if isinstance(rows, Seq):
            return self._fill(name, types, self._listed(rows, types))
        file = node.get("table")
        if isinstance(file, Scalar):
            table = read_table(self.document, file, self.reporter)
            return None if table is None else self._fill(name, types, records_of(table))
        self.reporter.error(
            "S003",
            node.span,
            f"`{name}` has no members",
            "give `members`, `table`, `rows`, `every combination` or `one per` with `named`",
        )
        return None

    def _listed(self, rows: Seq, types: dict[str, tuple[Type, Span, str]]) -> list[Row]:
        columns = ["name", *types]
        found: list[Row] = []
        for row in rows.items:
            items = row.items if isinstance(row, Seq) else ()
            if len(items) != len(columns):
                self.reporter.error(
                    "Y020",
                    row.span,
                    f"this row has {len(items)} cells",
                    f"expected {', '.join(columns)}",
                )
                continue
            cells: Row = {}
            for column, item in zip(columns, items, strict=True):
                vector = types[column][0] if column in types else None
                if vector is not None and vector.base is Base.VECTOR:
                    cells.update(self._vector_cells(column, item, vector))
                elif isinstance(item, Scalar):
                    cells[column] = (text_of(item) or "", item.map)
                else:
                    self._no_vector(column, item)
                    break
            else:
                found.append(cells)
        return found

    def _vector_cells(self, column: str, item: Node, type: Type) -> Row:
        """`{red: 2, blue: 1}` as the cells of a vector; 0 alone is none of each."""
        cells: Row = {}
        known = [self.names.faces[face].name for face in type.faces]
        for key, span, value in entries(item):
            face = self.named(key, type.faces)
            if face is None:
                what = f"one of {', '.join(known[:6])}"
                self.names.unknown(key[:40], span, what, known)
            elif isinstance(value, Scalar):
                name = f"{column}_{self.names.faces[face].name}"
                cells[name] = (text_of(value) or "", value.map)
        if not isinstance(item, Map) and text_of(item) != "0":
            self.reporter.error(
                "E003",
                item.span,
                f"`{column}` has a number for each of several members",
                f"write `{{{known[0] if known else 'member'}: 2}}`, or 0 for none of each",
            )
        return cells

    def _no_vector(self, column: str, item: Node) -> None:
        self.reporter.error(
            "E003", item.span, f"`{column}` is a single value", "write one name or number"
        )

    def _combinations(
        self, name: str, node: Map, types: dict[str, tuple[Type, Span, str]]
    ) -> tuple[tuple[int, ...], dict[str, Column]] | None:
        count = node.get("every combination")
        text = text_of(count) or "1"
        assert isinstance(count, Scalar)
        choices: list[list[int | tuple[int, ...]]] = []
        for type, _, _ in types.values():
            if type.base is Base.VECTOR:
                choices.append(
                    list(product(range(type.low, type.high + 1), repeat=len(type.faces)))
                )
            else:
                choices.append(
                    list(type.faces)
                    if type.base is Base.FACE
                    else list(range(type.low, type.high + 1))
                )
        size = 1
        for choice in choices:
            size *= len(choice)
        if size > MAX_FACES or not choices:
            self.reporter.error(
                "E009",
                node.span,
                f"every combination is {size} members",
                f"a kind has 1 to {MAX_FACES}",
            )
            return None
        columns = {key: Column(type, {}) for key, (type, _, _) in types.items()}
        faces: list[int] = []
        for cells in product(*choices):
            member = name + "".join(
                f"_{self._word(cell, type)}"
                for cell, (type, _, _) in zip(cells, types.values(), strict=True)
            )
            local = {
                key: Const(type, count.span, cell)
                for (key, (type, _, _)), cell in zip(types.items(), cells, strict=True)
            }
            value = self.constant(text, count.map, local)
            number = None if value is None else folding.scalar(value)
            if number is None:
                return None
            faces.append(self.face(member, name, node.span, number))
            for key, cell in zip(types, cells, strict=True):
                columns[key].values[faces[-1]] = cell
        return tuple(faces), columns

    def _word(self, cell: int | tuple[int, ...], type: Type) -> str:
        if isinstance(cell, tuple):
            return "_".join(f"m{-n}" if n < 0 else str(n) for n in cell)
        if type.base is Base.FACE:
            return self.names.faces[cell].name.removeprefix(f"{self.names.faces[cell].kind}_")
        return f"m{-cell}" if cell < 0 else str(cell)

    def _fill(
        self,
        name: str,
        types: dict[str, tuple[Type, Span, str]],
        rows: list[Row],
    ) -> tuple[tuple[int, ...], dict[str, Column]] | None:
        columns = {
            key: Column(type, {}, {} if word else None, word)
            for key, (type, _, word) in types.items()
        }
        faces: list[int] = []
        for row in rows:
            first = "name" if "name" in row else next(iter(row))
            member, map = row[first]
            count = (
                folding.scalar(self.constant(*row["count"]) or folding.integer(1, None))
                if "count" in row
                else 1
            )
            faces.append(
                self.face(member, name, map.span(0, len(member)), 1 if count is None else count)
            )
            for key, (type, span, _) in types.items():
                self._cell(columns[key], key, type, row, faces[-1], span, map.span(0, 1))
        if not rows:
            return None
        return tuple(faces), columns

    def _cell(
        self,
        column: Column,
        key: str,
        type: Type,
        row: Row,
        face: int,
        span: Span,
        place: Span,
    ) -> None:
        if type.base is Base.VECTOR:
            cells: list[int] = []
            for member in type.faces:
                word = self.names.faces[member].name
                found = row.get(f"{key}_{word}", row.get(word))
                cells.append(self.number(found, type, key) if found else 0)
            column.values[face] = tuple(cells)
            return
        found = row.get(key)
        if found is None:
            self.reporter.error(
                "S003", place, f"there is no cell `{key}`", did_you_mean(key, sorted(row))
            )
            column.values[face] = type.faces[0] if type.faces else type.low
        elif column.tests is not None:
            syntax = parse(found[0], "expression", found[1], self.reporter)
            column.tests[face] = syntax or Syntax("true", (), span, "true", 1, 0, 0)
        elif type.base is Base.FACE:
            column.values[face] = self._member(found, type)
        else:
            column.values[face] = self.number(found, type, key)

    def _member(self, cell: tuple[str, TextMap], type: Type) -> int:
        text, map = cell
        option = self.names.options.get(text)
        word = option.value if option is not None and isinstance(option.value, str) else text
        face = self.named(str(word), type.faces)
        if face is None:
            known = [self.names.faces[f].name for f in type.faces]
            self.names.unknown(
                text[:40], map.span(0, len(text)), f"one of {', '.join(known[:6])}", known
            )
            return type.faces[0]
        return face

    def named(self, word: str, faces: tuple[int, ...]) -> int | None:
        """The one of these members that a cell names, by its name or without its kind: `7`."""
        known = [self.names.faces[face] for face in faces]
        for names in ([f.name for f in known], [f.name.removeprefix(f"{f.kind}_") for f in known]):
            if word in names:
                return faces[names.index(word)]
        return None

    def number(self, cell: tuple[str, TextMap], type: Type, key: str) -> int:
        """The number in a cell; one outside the range of `type` is reported."""
        value = self.constant(*cell)
        number = None if value is None else folding.scalar(value)
        if number is None:
            return type.low
        if not type.low <= number <= type.high:
            self.reporter.error(
                "E006",
                cell[1].span(0, len(cell[0])),
                f"{number} lies outside {type.low}..{type.high} of `{key}`",
                "widen the range or mend the cell",
            )
            return type.low
        return number


def records_of(table: Table) -> list[Row]:
    """Each row by column name; the column `source` is for people only."""
    heads = [cell.text for cell in table.columns]
    return [
        {
            head: (cell.text, _map(cell))
            for head, cell in zip(heads, row, strict=True)
            if head != "source"
        }
        for row in table.rows
    ]


def _map(cell: Cell) -> TextMap:
    span = cell.span
    return TextMap(
        span.path, tuple((span.line, span.column + n) for n in range(len(cell.text) + 1))
    )
