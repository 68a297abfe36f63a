"""Why a condition does not hold: the line of `where`, its clauses, and the values that it compared."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from gemwright.dsl import model as m
from gemwright.dsl import terms as t
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.decision import Refusal
from gemwright.interpreter.evaluate import Evaluator
from gemwright.interpreter.events import Value

MOST = 6


def broken_line(
    line: m.Line, number: int, evaluator: Evaluator, block: Block, frame: Frame, model: m.Game
) -> Refusal:
    """The refusal of a full pick by a line, with the values of both sides of what failed."""
    found: list[tuple[str, Value]] = []
    for term in _failed(line.condition, True, evaluator, block, frame):
        for side in (term.left, term.right):
            if not isinstance(side, t.Const):
                found.append((_text(side, line), evaluator.value(side, block, frame)))
    marks = f" ({', '.join(line.clauses)})" if line.clauses else ""
    message = f"this breaks the rule `{line.text}`{marks}"
    return Refusal(
        message, number, line.text, line.clauses, line.span, tuple(dict.fromkeys(found))[:MOST]
    )


def _failed(
    term: t.Term, wanted: bool, evaluator: Evaluator, block: Block, frame: Frame
) -> list[t.Compare | t.VectorCompare]:
    """The comparisons to blame: those whose value is not what the condition needs."""
    if isinstance(term, t.Compare | t.VectorCompare):
        return [term] if bool(evaluator.value(term, block, frame)) != wanted else []
    if isinstance(term, t.Not):
        return _failed(term.term, not wanted, evaluator, block, frame)
    if isinstance(term, t.And | t.Or):
        return [
            one for part in term.terms for one in _failed(part, wanted, evaluator, block, frame)
        ]
    if isinstance(term, t.If):
        live = term.then if evaluator.value(term.condition, block, frame) else term.otherwise
        return _failed(live, wanted, evaluator, block, frame)
    return []


def _text(term: t.Term, line: m.Line) -> str:
    """The words of a term, sliced out of the line when it stands on it; else its place in the file."""
    span, place = term.span, line.span
    if span is not None and span.path == place.path and span.line == span.end_line == place.line:
        start, end = span.column - place.column, span.end_column - place.column
        if 0 <= start < end <= len(line.text):
            return line.text[start:end]
    names = [n for n in _names(term) if n]
    return " ".join(names[:3]) or "value"


def _names(node: object) -> list[str]:
    found: list[str] = []
    if isinstance(node, t.Local | t.Lookup | t.Table):
        found.append(node.name)
    if isinstance(node, tuple):
        return [name for part in node for name in _names(part)]
    if is_dataclass(node) and not isinstance(node, type):
        for field in fields(node):
            if field.name not in ("span", "type", "name", "values"):
                found.extend(_names(getattr(node, field.name)))
    return found
