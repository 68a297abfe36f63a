"""Declarations of zones: what they hold, in which order, and who sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gemwright.dsl.document.tree import Map, Node
from gemwright.dsl.elaboration.declare import Settled
from gemwright.dsl.elaboration.names import Names
from gemwright.dsl.elaboration.reading import clauses_of, entries, syntax_of, text_of
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import Zone
from gemwright.dsl.source import Span

BOX: Final = "box"
"""Where every piece lies at first; it need not be declared."""


class Zones:
    """Declares the zones of a file."""

    def __init__(self, names: Names, settled: Settled, tree: Map) -> None:
        self.names = names
        self.settled = settled
        self.tree = tree
        self.reporter = names.reporter

    def declare(self) -> None:
        """Declare all zones; the box is there even when no one declares it."""
        declared = entries(self.tree.get("zones"))
        held: dict[int, None] = {}
        for name, span, node in declared:
            if isinstance(node, Map) and self.names.declare(name, span):
                zone = self._zone(name, span, node)
                if zone is not None:
                    self.names.zones[name] = zone
                    held.update(dict.fromkeys(zone.faces) if name != BOX else {})
        faces = tuple(sorted(held))
        if BOX in self.names.zones:
            self._check_box(self.names.zones[BOX], faces)
        elif BOX in self.names.declared:
            text = "`box` is where all pieces lie at first"
            self.reporter.error("E010", self.names.declared[BOX], text, "choose another name")
        else:
            self.names.declared[BOX] = Span("", 1, 1, 1, 1)
            sight = self._sight("nobody", None, faces, ("",), "")
            self.names.zones[BOX] = Zone(
                len(self.names.zones),
                BOX,
                faces,
                "",
                ("",),
                "counts",
                0,
                None,
                None,
                sight,
                "nobody",
                0,
                0,
                0,
                Span("", 1, 1, 1, 1),
                None,
            )
        self._refills(declared)

    def _check_box(self, box: Zone, faces: tuple[int, ...]) -> None:
        """Report a declared box that could not hold what lies in it at first."""
        missing = [face for face in faces if face not in box.faces]
        if missing:
            name = self.names.faces[missing[0]].name
            text = f"`box` does not hold `{name}`, which lies there at first"
            help = "let it hold all kinds of pieces, or leave it out"
            self.reporter.error("E003", box.span, text, help)
        if box.index or box.order != "counts" or box.limit is not None:
            text = "`box` is a single place without order or limit"
            self.reporter.error("E003", box.span, text, "declare only `holds` and `seen_by`")

    def _zone(self, name: str, span: Span, node: Map) -> Zone | None:
        syntax = syntax_of(node.get("holds"), "kinds", self.reporter)
        faces = None if syntax is None else self._held(syntax)
        index, labels = self.settled.index(node.get("per"), span)
        if faces is None or index is None:
            return None
        order, slots = self._order(node.get("order"), faces)
        limit = self.settled.constant(node.get("limit"), None)
        if limit is not None and limit < 1:
            place = node.get("limit") or node
            text = f"no piece at all could lie in `{name}`"
            self.reporter.error("E006", place.span, text, "write a limit of 1 or more")
        seen = node.get("seen_by")
        level = self.settled.level(seen) if not isinstance(seen, Map) else "columns"
        if level == "owner" and index != "player":
            self.reporter.error(
                "E003", span, f"`{name}` has no owner", "only a zone `per: player` has one"
            )
            return None
        sight = self._sight(level, seen if isinstance(seen, Map) else None, faces, labels, index)
        element = self.names.mark(name, clauses_of(node, self.reporter), span)
        return Zone(
            len(self.names.zones),
            name,
            faces,
            index,
            labels,
            order,
            slots,
            limit,
            None,
            sight,
            level,
            0,
            0,
            0,
            span,
            element,
        )

    def _held(self, syntax: Syntax) -> tuple[int, ...] | None:
        faces: dict[int, None] = {}
        for part in syntax.nodes():
            for word in part.words():
                found = self.names.kind_named(word)
                if found is not None:
                    faces.update(dict.fromkeys(found[0].kind.faces))
                elif word in self.names.members:
                    faces[self.names.members[word]] = None
                else:
                    self.names.unknown(word, part.span, "a kind", sorted(self.names.kinds))
                    return None
        return tuple(sorted(faces))

    def _order(self, node: Node | None, faces: tuple[int, ...]) -> tuple[str, int]:
        text = text_of(node)
        pieces = sum(self.names.faces[f].count for f in faces)
        if text is None:
            return "counts", 0
        if text == "stack":
            return "stack", pieces
        words = text.split()
        if len(words) == 3 and words[:2] == ["row", "of"]:
            option = self.names.options.get(words[2])
            size = (
                option.value
                if option is not None
                else int(words[2])
                if words[2].isdecimal() and len(words[2]) < 4
                else None
            )
            if isinstance(size, int) and not isinstance(size, bool) and 1 <= size <= 200:
                return "row", size
        assert node is not None
        self.reporter.error(
            "S002", node.span, f"`{text[:40]}` is no order", "write `stack` or `row of 4`"
        )
        return "counts", 0

    def _sight(
        self,
        level: str,
        columns: Map | None,
        faces: tuple[int, ...],
        labels: tuple[str, ...],
        index: str,
    ) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Classes per instance and viewer; the last viewer is a spectator."""
        levels = {key: self.settled.level(value) for key, _, value in entries(columns)}
        return tuple(
            tuple(
                self._classes(level, levels, faces, index == "player" and viewer == place)
                for viewer in range(self.names.players + 1)
            )
            for place in range(len(labels))
        )

    def _classes(
        self, level: str, levels: dict[str, str], faces: tuple[int, ...], owner: bool
    ) -> tuple[int, ...]:
        if level == "all" or (level == "owner" and owner):
            return tuple(range(len(faces)))
        if level != "columns":
            return tuple(0 for _ in faces)
        seen = [key for key, one in levels.items() if one == "all" or (one == "owner" and owner)]
        found: dict[tuple[object, ...], int] = {}
        classes: list[int] = []
        for face in faces:
            columns = self.names.kinds[self.names.faces[face].kind].columns
            look = tuple(columns[key].values[face] if key in columns else None for key in seen)
            classes.append(found.setdefault(look, len(found)))
        every = all(
            key in seen
            for face in faces
            for key in self.names.kinds[self.names.faces[face].kind].columns
        )
        return tuple(range(len(faces))) if every else tuple(classes)

    def _refills(self, declared: tuple[tuple[str, Span, Node], ...]) -> None:
        for name, _, node in declared:
            text = text_of(node.get("refill")) if isinstance(node, Map) else None
            zone = self.names.zones.get(name)
            if text is None or zone is None or not isinstance(node, Map):
                continue
            deck = self.names.zones.get(text)
            target = node.get("refill")
            assert target is not None
            if deck is None or deck.order != "stack" or deck.index not in ("", zone.index):
                self.reporter.error(
                    "E003",
                    target.span,
                    f"`{text[:40]}` cannot refill `{name}`",
                    "name a stack with the same `per`, or a single one",
                )
                continue
            self.names.zones[name] = replace(zone, refill=deck.id)
