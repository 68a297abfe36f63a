"""Actions: choose / where / do -> the model's actions."""

from __future__ import annotations

from dataclasses import dataclass

from gemwright.dsl.document.tree import Map, Node
from gemwright.dsl.elaboration import folding, values
from gemwright.dsl.elaboration.domains import Domains
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.names import Frame, Names, Scope
from gemwright.dsl.elaboration.reading import clauses_of, entries, syntax_of
from gemwright.dsl.elaboration.sentences import Sentences
from gemwright.dsl.elaboration.values import ZoneRef
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import (
    PASS_ACTION,
    Action,
    Line,
    LotCell,
    LotDomain,
    Parameter,
    PieceDomain,
    Source,
    Statement,
    ValueDomain,
)
from gemwright.dsl.model.terms import FLAG, PLAYER, Base, Local, LotVector, Numbers, Term, Type
from gemwright.dsl.source import Span


@dataclass(frozen=True, slots=True)
class _Pick:
    """A line of `choose` that picks from zones: the pieces of `held` in `zones`."""

    name: str
    span: Span
    slot: int
    zones: tuple[ZoneRef, ...]
    held: tuple[int, ...]
    secret: bool

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(Source(zone.zone.id, zone.index) for zone in self.zones)

    def parameter(self, type: Type, domain: LotDomain | PieceDomain) -> Parameter:
        """What the action's parameter becomes."""
        return Parameter(self.name, self.slot, type, domain, self.secret, self.span)


class Actions:
    """Understands the `actions` of a file."""

    def __init__(
        self, names: Names, expressions: Expressions, domains: Domains, sentences: Sentences
    ) -> None:
        self.names = names
        self.expressions = expressions
        self.domains = domains
        self.sentences = sentences

    def read(self, number: int, name: str, span: Span, node: Node) -> Action:
        """One action; what cannot be understood is reported and left out."""
        if name == PASS_ACTION:
            taken = "`pass` is a word of the language"
            self.names.reporter.error("E010", span, taken, "choose another name for the action")
        frame = Frame()
        me = Local(PLAYER, span, frame.take(), "me")
        scope = Scope(frame, me)
        parameters: list[Parameter] = []
        reporter = self.names.reporter
        for key, key_span, value in entries(node.get("choose") if isinstance(node, Map) else None):
            syntax = syntax_of(value, "domain", reporter)
            if not self.names.binds(key, key_span, scope.local):
                continue
            found = None if syntax is None else self._parameter(key, key_span, syntax, scope)
            if found is not None:
                parameter, term = found
                parameters.append(parameter)
                scope = scope.bind(key, term)
            else:
                self.names.announce((key,))
        choosing = frame.gather()
        where, folded = self._where(node.get("where") if isinstance(node, Map) else None, scope)
        body: tuple[Statement, ...] = ()
        text = syntax_of(node.get("do"), "sentences", reporter) if isinstance(node, Map) else None
        if text is not None:
            body = self.sentences.block(text, scope)[0]
        mark = self.names.mark(name, clauses_of(node, reporter), span)
        elements = choosing + folded + (() if mark is None else (mark,))
        return Action(
            number, name, tuple(parameters), where, body, frame.slots, "pass", elements, span
        )

    def _where(self, node: Node | None, scope: Scope) -> tuple[tuple[Line, ...], tuple[int, ...]]:
        """The lines that options leave open, and the elements of those that options settle."""
        syntax = syntax_of(node, "lines", self.names.reporter)
        lines: list[Line] = []
        folded: list[int] = []
        for line in syntax.nodes() if syntax is not None else ():
            condition = self.expressions.condition(line.node(0), scope)
            clauses = tuple(word[1:] for word in line.words())
            text = line.node(0).text
            mark = self.names.mark(text[:60], clauses, line.span)
            elements = scope.frame.gather() + (() if mark is None else (mark,))
            if condition is not None and folding.scalar(condition) == 1:
                folded.extend(elements)
            elif condition is not None:
                lines.append(Line(condition, " ".join(text.split()), clauses, line.span, elements))
        return tuple(lines), tuple(folded)

    def _parameter(
        self, name: str, span: Span, syntax: Syntax, scope: Scope
    ) -> tuple[Parameter, Term] | None:
        pick, secret = syntax.node(0), syntax.parts[-1] == "secretly"
        if pick.rule == "pick_from":
            return self._from(name, span, pick, secret, scope)
        slot = scope.frame.take()
        if pick.rule == "pick_flag":
            domain = Numbers(folding.integer(0, span), folding.integer(1, span))
            return Parameter(name, slot, FLAG, ValueDomain(domain, 0, 1), secret, span), Local(
                FLAG, span, slot, name
            )
        if pick.rule == "pick_number":
            return self._number(name, span, pick, slot, secret, scope)
        parts = pick.node(0).nodes()
        words = [word for part in parts for word in part.words()]
        found = self.domains.simple(words[0], pick.span, scope) if len(words) == 1 else None
        if found is None:
            if len(words) != 1:
                self.expressions.error(
                    "E003", pick.span, "pick from one kind", "declare a union kind and name it"
                )
            return None
        chosen, type = found
        single = ValueDomain(chosen, 0, 0)
        return Parameter(name, slot, type, single, secret, span), Local(type, span, slot, name)

    def _number(
        self, name: str, span: Span, pick: Syntax, slot: int, secret: bool, scope: Scope
    ) -> tuple[Parameter, Term] | None:
        low, high = (self.expressions.number(node, scope) for node in pick.nodes())
        if low is None or high is None:
            return None
        if high.type.high - low.type.low > 10_000:
            self.expressions.error(
                "E009",
                pick.span,
                f"up to {high.type.high - low.type.low + 1} numbers may be picked",
                "give narrower bounds",
            )
            return None
        type = folding.number_type(low.type.low, max(high.type.high, low.type.low))
        domain = ValueDomain(Numbers(low, high), type.low, type.high)
        return Parameter(name, slot, type, domain, secret, span), Local(type, span, slot, name)

    def _from(
        self, name: str, span: Span, pick: Syntax, secret: bool, scope: Scope
    ) -> tuple[Parameter, Term] | None:
        nodes = pick.nodes()
        faces: dict[int, None] = {}
        plural = False
        for part in nodes[0].nodes():
            for word in part.words():
                found = self.names.kind_named(word)
                if found is None:
                    self.names.unknown(
                        word, part.span, "a kind", sorted({*self.names.kinds, *self.names.plurals})
                    )
                    return None
                scope.frame.mention(*found[0].elements)
                faces.update(dict.fromkeys(found[0].kind.faces))
                plural = plural or found[1]
        zones: list[ZoneRef] = []
        for node in nodes[1:]:
            zone = (
                self.expressions.zone(node, scope)
                if plural
                else self.expressions.value(node, scope)
            )
            if not isinstance(zone, ZoneRef):
                if zone is not None:
                    self.expressions.error(
                        "E003",
                        node.span,
                        f"this is {values.describe(zone)}",
                        "pieces are picked from zones",
                    )
                return None
            zones.append(zone)
        held = tuple(f for f in sorted(faces) if any(f in z.zone.faces for z in zones))
        if not held:
            self.expressions.error(
                "E003", pick.span, "no such piece can lie there", "name a kind that the zone holds"
            )
            return None
        picked = _Pick(name, span, scope.frame.take(), tuple(zones), held, secret)
        return self._lot(picked) if plural else self._piece(picked)

    def _lot(self, pick: _Pick) -> tuple[Parameter, Term]:
        cells: list[LotCell] = []
        for number, zone in enumerate(pick.zones):
            for face in pick.held:
                if face in zone.zone.faces:
                    count, limit = self.names.faces[face].count, zone.zone.limit
                    cells.append(
                        LotCell(number, face, count if limit is None else min(count, limit))
                    )
        high = max((cell.high for cell in cells), default=0) * len(pick.zones)
        type = Type(Base.VECTOR, 0, high, pick.held)
        domain = LotDomain(pick.sources, pick.held, tuple(cells))
        positions = tuple(pick.held.index(cell.face) for cell in cells)
        local = Local(type, pick.span, pick.slot, pick.name)
        return pick.parameter(type, domain), LotVector(type, pick.span, local, positions)

    def _piece(self, pick: _Pick) -> tuple[Parameter, Term]:
        options: dict[tuple[int, int], None] = {}
        for zone in pick.zones:
            first = instance_base(self.names, zone.zone.id)
            for place in range(zone.zone.size):
                for face in pick.held:
                    if face in zone.zone.faces:
                        options[(first + place, face)] = None
        type = Type(Base.PIECE, faces=pick.held)
        domain = PieceDomain(pick.sources, pick.held, tuple(options))
        return pick.parameter(type, domain), Local(type, pick.span, pick.slot, pick.name)


def instance_base(names: Names, zone: int) -> int:
    """The number of the first instance of a zone family: families are numbered in order of
    their ids."""
    ordered = sorted(names.zones.values(), key=lambda z: z.id)
    return sum(z.size for z in ordered if z.id < zone)
