"""What declarations have in common: numbers, ranges, indexes and visibility settled before play."""

from __future__ import annotations

from gemwright.dsl.document.tree import Node, Scalar
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.names import Frame, Names, Scope
from gemwright.dsl.elaboration.reading import range_of, syntax_of, text_of
from gemwright.dsl.grammar.parse import parse
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.terms import Base, Const
from gemwright.dsl.source import Span


class Settled:
    """Reads what a declaration says, with the options of this game put in."""

    def __init__(self, names: Names, expressions: Expressions) -> None:
        self.names = names
        self.expressions = expressions
        self.reporter = names.reporter

    def constant(self, node: Node | None, fallback: int | None) -> int | None:
        """A constant number over options and players."""
        if node is None:
            return fallback
        syntax = syntax_of(node, "expression", self.reporter)
        term = None if syntax is None else self.expressions.value(syntax, Scope(Frame()))
        if isinstance(term, Const) and term.type.base is Base.INT:
            return folding.scalar(term)
        if term is not None:
            self.reporter.error(
                "E003",
                node.span,
                "this is no number known before the game",
                "use numbers and options only",
            )
        return fallback

    def bounds(self, node: Node | None) -> tuple[int, int] | None:
        """`a..b` whose ends may be constant expressions; None after a report."""
        found = range_of(node, self.reporter)
        text = text_of(node)
        if found is not None or text is None or ".." not in text or not isinstance(node, Scalar):
            return found
        syntax = parse(text, "domain", node.map, self.reporter)
        if syntax is None:
            return None
        pick = syntax.node(0)
        ends = [self.expressions.number(n, Scope(Frame())) for n in pick.nodes()]
        if pick.rule == "pick_number" and None in ends:
            return None
        known = [None if end is None else folding.scalar(end) for end in ends]
        if pick.rule == "pick_number" and known[0] is not None and known[1] is not None:
            return known[0], known[1]
        self.reporter.error(
            "E003",
            node.span,
            "this range is not known before the game",
            "write `a..b` with numbers and options",
        )
        return None

    def index(self, node: Node | None, span: Span) -> tuple[str | None, tuple[str, ...]]:
        """What `per` names: the index and one label per place; '' when there is no `per`."""
        text = text_of(node)
        return ("", ("",)) if text is None or node is None else self.index_word(text, node.span)

    def index_word(self, text: str, span: Span) -> tuple[str | None, tuple[str, ...]]:
        """What a zone or a state is kept per: the index and one label per place."""
        if text == "player":
            return "player", tuple(f"P{n + 1}" for n in range(self.names.players))
        found = self.names.kinds.get(text)
        if found is None:
            known = sorted({*self.names.kinds, "player"})
            self.names.unknown(text[:40], span, "a kind", known)
            return None, ()
        numbers = found.kind.numbers
        if numbers:
            return text, tuple(str(n) for n in numbers)
        return text, tuple(self.names.faces[f].name for f in found.kind.faces)

    def _reads_state(self, syntax: Syntax) -> bool:
        """Whether a condition names what the file declares, but what no option or kind is."""
        waiting = [syntax]
        while waiting:
            each = waiting.pop()
            waiting.extend(each.nodes())
            word = each.word(0) if each.rule == "name" else ""
            if word in self.names.announced and word not in self.names.everything():
                return True
        return False

    def level(self, node: Node | None) -> str:
        """Who sees a thing: 'all', 'owner' or 'nobody', once options are settled."""
        if node is None:
            return "all"
        syntax = syntax_of(node, "expression", self.reporter)
        while syntax is not None and syntax.rule in ("expression", "if_else"):
            if syntax.rule == "expression":
                syntax = syntax.node(0)
                continue
            known = not self._reads_state(syntax.node(1))
            condition = (
                self.expressions.condition(syntax.node(1), Scope(Frame())) if known else None
            )
            value = None if condition is None else folding.scalar(condition)
            if value is None and (condition is not None or not known):
                self.reporter.error(
                    "I002",
                    syntax.span,
                    "visibility may depend on options only",
                    "test options and `players`, never state",
                )
            if value is None:
                return "nobody"
            syntax = syntax.node(0 if value else 2)
        word = syntax.text if syntax is not None else ""
        if word not in ("all", "owner", "nobody"):
            self.reporter.error(
                "S002",
                node.span,
                f"`{word[:40]}` is no visibility",
                "write `all`, `owner` or `nobody`",
            )
            return "nobody"
        return word
