"""Declarations of state, and of the names for expressions and sentences."""

from __future__ import annotations

from gemwright.dsl.document.tree import Map, Node
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.declare import Settled
from gemwright.dsl.elaboration.names import Define, Names
from gemwright.dsl.elaboration.reading import clauses_of, entries, header_of, syntax_of, text_of
from gemwright.dsl.elaboration.values import Value
from gemwright.dsl.model.game import Variable
from gemwright.dsl.model.terms import FLAG, PLAYER, Base, Type
from gemwright.dsl.source import Span


class States:
    """Declares the state of a file."""

    def __init__(self, names: Names, settled: Settled, tree: Map) -> None:
        self.names = names
        self.settled = settled
        self.tree = tree
        self.reporter = names.reporter

    def declare(self) -> None:
        """Declare all state."""
        for name, span, node in entries(self.tree.get("state")):
            if self.names.declare(name, span):
                self._variable(name, span, node)

    def _variable(self, name: str, span: Span, node: Node) -> None:
        long = node if isinstance(node, Map) else None
        word = text_of(long.get("type")) if long is not None else text_of(node)
        if word is None and long is not None and long.get("range") is not None:
            word = "number"
        per = long.get("per") if long is not None else None
        short = (word or "").split(" per ")
        type = self._type(short[0].strip(), long, node)
        if type is None:
            return
        index, labels = self.settled.index(per, span)
        if len(short) == 2 and per is None:
            index, labels = self.settled.index_word(short[1].strip(), node.span)
        if index is None:
            return
        level = self.settled.level(long.get("seen_by")) if long is not None else "all"
        start = self._start(type, long.get("start") if long is not None else None)
        element = self.names.mark(name, clauses_of(node, self.reporter), span)
        number = len(self.names.variables)
        self.names.variables[name] = Variable(
            number,
            name,
            type,
            index,
            labels,
            tuple(start for _ in labels),
            level,
            0,
            False,
            span,
            element,
        )

    def _type(self, word: str, long: Map | None, node: Node) -> Type | None:
        if word in ("player", "player or nobody"):
            return PLAYER if word == "player" else Type(Base.PLAYER, optional=True)
        if word == "flag":
            return FLAG
        bounds = (
            self.settled.bounds(long.get("range"))
            if long is not None
            else self.settled.bounds(node)
            if ".." in word
            else None
        )
        if bounds is not None:
            if not -(1 << 31) <= bounds[0] <= bounds[1] < 1 << 31:
                self.reporter.error(
                    "E006", node.span, "this range is too wide", "stay within 32 bits"
                )
                return None
            return Type(Base.INT, *bounds)
        if ".." in word or (long is not None and long.get("range") is not None):
            return None
        found = self.names.kinds.get(word)
        if found is None:
            self.names.unknown(
                word[:40],
                node.span,
                "a type of state",
                sorted({*self.names.kinds, "player", "flag"}),
            )
            return None
        return Type(Base.FACE, faces=found.kind.faces)

    def _start(self, type: Type, node: Node | None) -> int:
        text = text_of(node)
        if type.base is Base.FACE:
            return self._first_face(type, node)
        if type.base is Base.PLAYER:
            if node is not None:
                who = "nobody" if type.optional else "the first player"
                help = "set it in `setup`, for example `first := seat(2)`"
                self.reporter.error("E003", node.span, f"a player starts as {who}", help)
            return -1 if type.optional else 0
        if type.base is Base.FLAG and text in ("true", "false"):
            return int(text == "true")
        value = self.settled.constant(node, None)
        if value is None:
            return 0 if type.low <= 0 <= type.high else type.low
        if not type.low <= value <= type.high:
            assert node is not None
            self.reporter.error(
                "E006",
                node.span,
                f"{value} lies outside {type.low}..{type.high}",
                "widen the range or change the start",
            )
            return type.low
        return value

    def _first_face(self, type: Type, node: Node | None) -> int:
        """The member that a state starts as: the first one, or the one that is named."""
        text = text_of(node)
        if node is None or text is None:
            return type.faces[0]
        found = self.names.members.get(text)
        if found not in type.faces:
            known = [self.names.faces[face].name for face in type.faces]
            self.names.unknown(text[:40], node.span, f"one of {', '.join(known[:6])}", known)
            return type.faces[0]
        assert found is not None
        return found


def declare_defines(tree: Map, names: Names) -> None:
    """Declare defines and effects, unread: they are understood where they are used."""
    for section, start, key in (("define", "expression", "is"), ("effects", "sentences", "do")):
        for header, span, node in entries(tree.get(section)):
            head = header_of(header, span, names.reporter)
            body = syntax_of(
                node.get(key) if isinstance(node, Map) else node, start, names.reporter
            )
            if head is None or body is None or not names.declare(head[0], span):
                continue
            element = names.mark(head[0], clauses_of(node, names.reporter), span)
            target = names.defines if section == "define" else names.effects
            target[head[0]] = Define(head[1], body, element, span)


def check_parameters(names: Names) -> None:
    """Report parameters of defines, effects and tests that hide another name."""
    for define in (*names.defines.values(), *names.effects.values()):
        bound: dict[str, Value] = {}
        for parameter in define.parameters:
            if names.binds(parameter, define.span, bound):
                bound[parameter] = folding.flag(True, define.span)
    for info in names.kinds.values():
        for column in info.columns.values():
            if column.parameter:
                names.binds(column.parameter, info.span, {})
