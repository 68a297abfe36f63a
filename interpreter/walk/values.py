"""The values in a line of `where` that does not hold, with a text for each."""

from __future__ import annotations

from collections.abc import Iterator

from gemwright.dsl.model import game as m
from gemwright.dsl.model import terms as t
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.events import Value
from gemwright.interpreter.problem import RuntimeProblem

Shown = tuple[tuple[str, Value], ...]

_NAMES = (
    t.VectorSum,
    t.VectorIndex,
    t.ReadVariable,
    t.ZoneCount,
    t.ZoneSize,
    t.Fold,
    t.Local,
    t.LotVector,
    t.ZoneVector,
)
_MOST = 12
"""Values that are shown of one line."""


def compared(
    model: m.Game, evaluator: Evaluator, line: m.Line, block: Block, frame: Frame
) -> Shown:
    """Both sides of the comparisons that fail, and what they are made of; no constants."""
    reader = _Reader(model, evaluator, line, block, frame.copy())
    found: dict[str, Value] = {}
    for comparison in reader.failing(line.condition, True):
        for side in (comparison.left, comparison.right):
            reader.side(side, found)
    return tuple(found.items())[:_MOST]


class _Reader:
    """Reads the terms of one line at one pick."""

    def __init__(
        self, model: m.Game, evaluator: Evaluator, line: m.Line, block: Block, frame: Frame
    ) -> None:
        self._model = model
        self._evaluator = evaluator
        self._line = line
        self._block = block
        self._frame = frame
        self._bound: dict[int, str] = {}

    def value(self, term: t.Term) -> Value | None:
        """The value of a term; None if it cannot be read."""
        try:
            found: Value = self._evaluator.value(term, self._block, self._frame)
        except RuntimeProblem:
            return None
        return int(found) if isinstance(found, bool) else found

    # -- which comparisons fail

    def failing(self, term: t.Term, wanted: bool) -> Iterator[t.Compare | t.VectorCompare]:
        """The comparisons because of which a condition is not as wanted.

        Inside a fold the bound slot keeps the element while the caller reads.
        """
        if bool(self.value(term)) is wanted or isinstance(term, t.SomeLot):
            return
        if isinstance(term, t.Compare | t.VectorCompare):
            yield term
        elif isinstance(term, t.Not):
            yield from self.failing(term.term, not wanted)
        elif isinstance(term, t.Openly):
            yield from self.failing(term.term, wanted)
        elif isinstance(term, t.And | t.Or):
            for each in term.terms:
                yield from self.failing(each, wanted)
        elif isinstance(term, t.Fold) and term.body is not None:
            yield from self._in_fold(term, term.body, wanted)

    def _in_fold(
        self, term: t.Fold, body: t.Term, wanted: bool
    ) -> Iterator[t.Compare | t.VectorCompare]:
        """The first element that breaks a fold which asks the same of all."""
        if (term.op == "every") is not wanted:
            return
        for element in self._evaluator.elements(term.domain, self._block, self._frame):
            self._frame[term.slot] = element
            if term.filter is not None and not self.value(term.filter):
                continue
            if bool(self.value(body)) is not wanted:
                self._bound[term.slot] = self._name(element, term.domain)
                yield from self.failing(body, wanted)
                return

    def _name(self, element: int, domain: t.Domain) -> str:
        if isinstance(domain, t.Faces | t.Pieces):
            return self._model.faces[element].name
        return f"P{element + 1}" if isinstance(domain, t.Players) else str(element)

    # -- values with texts

    def side(self, term: t.Term, found: dict[str, Value]) -> None:
        """Add a side of a comparison, and the named terms in it."""
        if isinstance(term, t.Const):
            return
        self._add(term, found)
        for each in self._named(term):
            self._add(each, found)

    def _add(self, term: t.Term, found: dict[str, Value]) -> None:
        value = self.value(term)
        text = self._text(term)
        if value is not None and text:
            found.setdefault(text, value)

    def _named(self, term: t.Term) -> Iterator[t.Term]:
        """The greatest terms with a name of their own inside a sum or choice."""
        if isinstance(term, t.Arithmetic):
            inner: tuple[t.Term, ...] = (term.left, term.right)
        elif isinstance(term, t.Extreme):
            inner = term.arguments
        elif isinstance(term, t.If):
            inner = (term.then if self.value(term.condition) else term.otherwise,)
        else:
            if isinstance(term, _NAMES):
                yield term
            return
        for each in inner:
            yield from self._named(each)

    def _text(self, term: t.Term) -> str:
        return self._sliced(term) or self._written(term)

    def _sliced(self, term: t.Term) -> str:
        """The term as the line has it, if it stands in there on one row and names nothing bound."""
        line, span = self._line.span, term.span
        if span is None or self._bound or span.path != line.path:
            return ""
        if not span.line == span.end_line == line.line == line.end_line:
            return ""
        if line.end_column - line.column < len(self._line.text):
            return ""
        start = span.column - line.column
        return self._line.text[start : start + span.end_column - span.column].strip()

    def _written(self, term: t.Term) -> str:
        """The term in words of the language."""
        if isinstance(term, t.Const):
            return self._constant(term)
        if isinstance(term, t.Local):
            return self._bound.get(term.slot, term.name)
        if isinstance(term, t.LotVector):
            return term.lot.name
        if isinstance(term, t.Widen | t.Openly):
            return self._written(term.vector if isinstance(term, t.Widen) else term.term)
        if isinstance(term, t.VectorSum):
            return f"size of {self._written(term.vector)}"
        if isinstance(term, t.VectorIndex):
            return f"{self._written(term.vector)}[{self._written(term.face)}]"
        if isinstance(term, t.Arithmetic):
            return f"{self._written(term.left)} {term.op} {self._written(term.right)}"
        if isinstance(term, t.ZoneVector | t.ZoneSize):
            zone = self._zone(term.zone, term.index)
            return zone if isinstance(term, t.ZoneVector) else f"size of {zone}"
        if isinstance(term, t.ZoneCount):
            return f"{self._zone(term.zone, term.index)}[{self._written(term.face)}]"
        if isinstance(term, t.ReadVariable):
            name = self._model.variables[term.variable].name
            return name if term.index is None else f"{name}[{self._written(term.index)}]"
        if isinstance(term, t.Lookup):
            return self._written(term.argument)
        return _plain(term)

    def _constant(self, term: t.Const) -> str:
        if not isinstance(term.value, int):
            return "a lot"
        if term.type.base is t.Base.FACE and 0 <= term.value < len(self._model.faces):
            return self._model.faces[term.value].name
        return f"P{term.value + 1}" if term.type.base is t.Base.PLAYER else str(term.value)

    def _zone(self, zone: int, index: t.Term | None) -> str:
        name = self._model.zones[zone].name
        return name if index is None else f"{name}[{self._written(index)}]"


def _plain(term: t.Term) -> str:
    if isinstance(term, t.Fold):
        return {"sum": "the sum", "count": "the count"}.get(term.op, f"the {term.op}")
    return "the value"
