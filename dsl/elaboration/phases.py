"""The phases of a file: their tree, roles and control points.

Every phase has an entry and an exit point; `done` of a phase leads to the next step, the loop
around it, or the exit of the phase that holds it. Names of phases are unique in a file.
"""

from __future__ import annotations

from dataclasses import dataclass

from gemwright.dsl.document.tree import Map, Scalar, Seq
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.expressions import Expressions
from gemwright.dsl.elaboration.names import Frame, Names, Scope
from gemwright.dsl.elaboration.reading import clauses_of, entries, syntax_of, text_of
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import End, Point, Variable
from gemwright.dsl.model.terms import PLAYER, Base, Type
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean

FINISHED, STALEMATE, CAPPED = 0, 1, 2
"""The control points at which games end."""


@dataclass(slots=True)
class Phase:
    """A phase of the file with its place in the tree and its control points."""

    name: str
    span: Span
    node: Map
    holder: str | None
    """The phase whose `phases` or `steps` it belongs to."""
    group: tuple[str, ...]
    """Phases that its `next` may name."""
    enter: int = -1
    exit: int = -1
    each: Syntax | None = None
    role: str = ""
    element: int | None = None


class Phases:
    """Finds the phases of a file and says where control goes from each."""

    def __init__(self, names: Names, expressions: Expressions) -> None:
        self.names = names
        self.expressions = expressions
        self.reporter = names.reporter
        self.phases: dict[str, Phase] = {}
        self.exits: dict[str, int] = {}
        self.points: list[Point | None] = []
        self.start = ""
        self.steps: dict[str, tuple[str, ...]] = {}
        self._tests: dict[str, int] = {}

    def collect(self, tree: Map) -> bool:
        """Find all phases and declare their roles; False when the file cannot be played."""
        node = tree.get("phases")
        if not isinstance(node, Map):
            return False
        self._group(node, None)
        self._adopt()
        for reason in ("finished", "stalemate", "capped"):
            self.points.append(End(len(self.points), "", node.span, (), reason))
        for phase in self.phases.values():
            phase.enter, phase.exit = self.reserve(), self.reserve()
            self.exits[phase.name] = phase.exit
            phase.element = self.names.mark(
                phase.name, clauses_of(phase.node, self.reporter), phase.span
            )
            self._role(phase)
        self.start = text_of(node.get("start")) or ""
        if self.start not in self.phases:
            place = node.get("start")
            self.reporter.error(
                "G005",
                place.span if place is not None else node.span,
                "no first phase is named"
                if not self.start
                else f"there is no phase `{self.start[:40]}`",
                did_you_mean(self.start, sorted(self.phases))
                or "write `start: PHASE` under `phases`",
            )
            return False
        return True

    def _group(self, node: Map, holder: str | None) -> None:
        members = [(key, span, value) for key, span, value in entries(node) if key != "start"]
        group = tuple(key for key, _, _ in members)
        for key, span, value in members:
            if not isinstance(value, Map):
                self.reporter.error(
                    "S002",
                    span,
                    f"phase `{key}` is no map",
                    "give it `do`, `actions`, `steps` or `phases`",
                )
                continue
            if not self.names.declare(key, span):
                continue
            self.phases[key] = Phase(key, span, value, holder, group)
            inner = value.get("phases")
            if isinstance(inner, Map):
                self._group(inner, key)

    def _adopt(self) -> None:
        """Phases named in `steps` belong to the phase that names them."""
        for phase in tuple(self.phases.values()):
            steps = phase.node.get("steps")
            if not isinstance(steps, Seq):
                continue
            found: list[str] = []
            for item in steps.items:
                word = text_of(item) or ""
                child = self.phases.get(word)
                if child is None:
                    self.reporter.error(
                        "G001",
                        item.span,
                        f"there is no phase `{word[:40]}`",
                        did_you_mean(word, sorted(self.phases)),
                    )
                elif any(word in used for used in self.steps.values()) or word in found:
                    self.reporter.error(
                        "G009",
                        item.span,
                        f"`{word}` is already a step",
                        "a phase stands in one place; write a second one",
                    )
                else:
                    child.holder = phase.name
                    found.append(word)
            self.steps[phase.name] = tuple(found)

    def _role(self, phase: Phase) -> None:
        phase.each = syntax_of(phase.node.get("each"), "each", self.reporter)
        if phase.each is None:
            return
        words = phase.each.parts
        name = words[-1] if phase.each.rule == "each_number" else words[4]
        if not isinstance(name, str):
            return
        phase.role = name
        self.names.announce((name,))
        type = self.role_type(phase.each)
        known = self.names.variables.get(name)
        if known is not None and known.role and known.type == type:
            return
        if type is not None and self.names.declare(name, phase.each.span):
            start = type.faces[0] if type.base is Base.FACE else type.low
            self.variable(name, type, start, phase.each.span, phase.element)

    def role_type(self, each: Syntax, frame: Frame | None = None) -> Type | None:
        """What the role of a loop holds; None after a report."""
        if each.rule == "each_number":
            scope = Scope(frame if frame is not None else Frame())
            ends = [self.expressions.number(node, scope) for node in each.nodes()]
            low, high = (None if e is None else folding.scalar(e) for e in ends)
            if low is None or high is None or high < low:
                self.reporter.error(
                    "E003",
                    each.span,
                    "the ends of this loop are not known before the game",
                    "use numbers, options and `players`",
                )
                return None
            return folding.number_type(low, high)
        word = each.word(0)
        if word in ("player", "opponent"):
            return PLAYER
        found = self.names.kind_named(word)
        if found is None:
            self.names.unknown(
                word, each.span, "a kind", sorted({*self.names.kinds, "player", "opponent"})
            )
            return None
        return Type(Base.FACE, faces=found[0].kind.faces)

    def variable(
        self,
        name: str,
        type: Type,
        start: int,
        span: Span,
        element: int | None,
        hidden: bool = False,
    ) -> int:
        """A fresh state variable for control: a role, or (`hidden`) a counter; its number."""
        number = len(self.names.variables)
        self.names.variables[name] = Variable(
            number, name, type, "", ("",), (start,), "all", 0, not hidden, span, element
        )
        return number

    def counter(self, name: str, high: int, phase: Phase) -> int:
        """A fresh hidden number `0..high` for control."""
        return self.variable(name, folding.number_type(0, high), 0, phase.span, None, True)

    def reserve(self) -> int:
        """A fresh number of a control point."""
        self.points.append(None)
        return len(self.points) - 1

    def path(self, phase: Phase) -> str:
        """`outer/inner`, for people."""
        above = self.phases.get(phase.holder or "")
        return phase.name if above is None else f"{self.path(above)}/{phase.name}"

    def body_end(self, phase: Phase) -> int:
        """The point behind the body of a phase: the test of its loop, or its exit."""
        looping = phase.each is not None and not together(phase.node)
        return self.test(phase) if looping else phase.exit

    def test(self, phase: Phase) -> int:
        """The point that tests whether the loop of a phase goes on."""
        if phase.name not in self._tests:
            self._tests[phase.name] = self.reserve()
        return self._tests[phase.name]

    def done(self, phase: Phase) -> int:
        """The point behind a phase that is done."""
        above = self.phases.get(phase.holder or "")
        if above is None:
            return FINISHED
        steps = self.steps.get(above.name, ())
        if phase.name in steps:
            place = steps.index(phase.name)
            if place + 1 < len(steps):
                following = self.phases.get(steps[place + 1])
                return FINISHED if following is None else following.enter
        return self.body_end(above)

    def target(self, phase: Phase, word: str, span: Span) -> int:
        """The point that `to WORD` in a phase names; a word out of reach is reported."""
        if word == "end":
            return FINISHED
        if word == "done":
            return self.done(phase)
        steps = self.steps.get(phase.holder or "", ())
        allowed = [name for name in phase.group if not any(name in s for s in self.steps.values())]
        allowed = [*allowed, *(steps if phase.name in steps else ())]
        if word in allowed:
            # A phase whose name is taken has been reported and is not there.
            return self.phases[word].enter if word in self.phases else FINISHED
        known = word in self.phases
        message = (
            f"`{word[:40]}` cannot be reached from `{phase.name}`"
            if known
            else f"there is no phase `{word[:40]}`"
        )
        self.reporter.error(
            "G001",
            span,
            message,
            "go to a phase beside this one, `done` or `end`"
            if known
            else did_you_mean(word, [*allowed, "done", "end"]),
        )
        return FINISHED


def together(node: Map) -> bool:
    """Whether all players of a phase choose at once."""
    value = node.get("at once")
    return isinstance(value, Scalar) and value.value is True
