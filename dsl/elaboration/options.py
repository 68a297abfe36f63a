"""Options of a ruleset: what may be chosen, and the choice of one game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gemwright.dsl.diagnostics import Reporter
from gemwright.dsl.document.tree import Map, Scalar, Seq
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.names import Frame, Names, OptionValue, Scope
from gemwright.dsl.elaboration.reading import clauses_of, entries, range_of, syntax_of, text_of
from gemwright.dsl.source import Span

Chosen = Mapping[str, int | str | bool]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """A declared option: the first value is the default; numbers of `low..high` may be given
    too."""

    name: str
    values: tuple[int | str | bool, ...]
    low: int | None
    high: int | None
    clauses: tuple[str, ...]
    span: Span
    label: str

    def parse(self, text: str) -> int | str | bool | None:
        """The value that a text names; None when it is none of this option."""
        for value in self.values:
            if text == (str(value).lower() if isinstance(value, bool) else str(value)):
                return value
        if (
            self.low is not None
            and self.high is not None
            and text.lstrip("-").isdecimal()
            and len(text) < 11
        ):
            number = int(text)
            return number if self.low <= number <= self.high else None
        return None

    def accepts(self, value: int | str | bool) -> bool:
        """Whether `value` is one of this option."""
        if any(
            value == known and isinstance(value, bool) == isinstance(known, bool)
            for known in self.values
        ):
            return True
        if self.low is None or self.high is None or isinstance(value, bool):
            return False
        return isinstance(value, int) and self.low <= value <= self.high

    @property
    def domain(self) -> str:
        """All values, for people."""
        words = ", ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in self.values)
        return words if self.low is None else f"{words} (or {self.low}..{self.high})"


def read_options(tree: Map, reporter: Reporter) -> tuple[OptionSpec, ...]:
    """The declared options in order."""
    found: list[OptionSpec] = []
    for name, span, node in entries(tree.get("options")):
        listed = node.get("values") if isinstance(node, Map) else None
        values = (
            tuple(i.value for i in listed.items if isinstance(i, Scalar) and i.value is not None)
            if isinstance(listed, Seq)
            else ()
        )
        bounds = range_of(node.get("range"), reporter) if isinstance(node, Map) else None
        if not values:
            reporter.error(
                "S003", span, f"option `{name}` has no values", "write `values: [default, other]`"
            )
            continue
        low, high = bounds or (None, None)
        label = text_of(node.get("label")) if isinstance(node, Map) else None
        found.append(
            OptionSpec(
                name,
                values,
                low,
                high,
                clauses_of(node, reporter),
                span,
                label or name.replace("_", " "),
            )
        )
    return tuple(found)


def declare_options(names: Names, specs: tuple[OptionSpec, ...], chosen: Chosen) -> None:
    """Declare options with the values of this game."""
    for spec in specs:
        if not names.declare(spec.name, spec.span):
            continue
        value = chosen.get(spec.name, spec.values[0])
        words = tuple(v for v in spec.values if isinstance(v, str))
        element = names.mark(spec.name, spec.clauses, spec.span)
        names.options[spec.name] = OptionValue(value, words, element)


def options_fit(tree: Map, names: Names, expressions: Expressions) -> bool:
    """Whether the chosen options fit together; what does not is reported at its `needs`."""
    fine = True
    for name, _, node in entries(tree.get("options")):
        syntax = (
            syntax_of(node.get("needs"), "expression", names.reporter)
            if isinstance(node, Map)
            else None
        )
        condition = None if syntax is None else expressions.condition(syntax, Scope(Frame()))
        if syntax is not None and condition is not None and folding.scalar(condition) == 0:
            names.reporter.error(
                "O001",
                syntax.span,
                f"these options do not go together: `{name}` needs {syntax.text}",
                "choose other values",
            )
            fine = False
    return fine
