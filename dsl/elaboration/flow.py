"""Phases -> control points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gemwright.dsl.document.tree import Map, Node, Seq
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.decisions import Decisions
from gemwright.dsl.elaboration.loops import Loops
from gemwright.dsl.elaboration.names import Frame, Scope
from gemwright.dsl.elaboration.phases import Phase, Phases, together
from gemwright.dsl.elaboration.reading import syntax_of, text_of
from gemwright.dsl.elaboration.sentences import Sentences
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import Arm, Branch, Measure, Point
from gemwright.dsl.model.terms import Term
from gemwright.dsl.source import Span


class Flow:
    """Lowers the phases that were found, when all actions are known."""

    def __init__(self, phases: Phases, sentences: Sentences, action_ids: Mapping[str, int]) -> None:
        self.phases = phases
        self.sentences = sentences
        self.points = phases.points
        self.expressions = phases.expressions
        self.reporter = phases.reporter
        self.measures: list[Measure] = []
        self.loops = Loops(phases)
        self.decisions = Decisions(phases, sentences, action_ids)

    @property
    def capped(self) -> bool:
        """Whether some phase has a cap."""
        return self.loops.capped

    def lower(self) -> tuple[Point, ...]:
        """All control points of all phases."""
        for phase in self.phases.phases.values():
            self._phase(phase)
        self.decisions.check_anytime()
        return tuple(point for point in self.points if point is not None)

    def add_setup(self, setup: Node | None, span: Span) -> int:
        """The point where a game starts: setup, then the first phase."""
        syntax = syntax_of(setup, "sentences", self.reporter)
        first = self.phases.phases[self.phases.start].enter
        if syntax is None:
            return first
        head = Point(self.phases.reserve(), "setup", span, ())
        self.points[head.id] = self.sentences.point(syntax, head, first)
        return head.id

    def _phase(self, phase: Phase) -> None:
        marks = () if phase.element is None else (phase.element,)
        head = Point(phase.enter, self.phases.path(phase), phase.span, marks)
        node = phase.node
        self._measure(phase)
        cap = node.get("cap")
        if isinstance(cap, Map):
            head = replace(head, id=self.loops.cap(phase, cap, head))
        condition = syntax_of(node.get("if"), "expression", self.reporter)
        if condition is not None:
            head = replace(head, id=self._only_if(condition, phase, head))
        if phase.each is not None and not together(node):
            head = replace(head, id=self.loops.loop(phase, head))
        self._body(phase, head)
        self._next(phase, replace(head, id=phase.exit))

    @property
    def decreases(self) -> tuple[Term, ...]:
        """All that is declared to fall, in the order of the file."""
        return tuple(term for measure in self.measures for term in measure.terms)

    def _measure(self, phase: Phase) -> None:
        """Take what a phase declares to fall each time round."""
        entry = phase.node.entry("decreases")
        if entry is None:
            return
        items = entry.value.items if isinstance(entry.value, Seq) else (entry.value,)
        terms: list[Term] = []
        for item in items:
            syntax = syntax_of(item, "expression", self.reporter)
            term = None if syntax is None else self.expressions.number(syntax, Scope(Frame()))
            if term is not None:
                terms.append(term)
        if terms:
            path = self.phases.path(phase)
            self.measures.append(Measure(path, phase.enter, tuple(terms), entry.key_span))

    def _only_if(self, condition: Syntax, phase: Phase, head: Point) -> int:
        """Skip a phase unless its condition holds; the point that follows if it does."""
        frame = Frame()
        term = self.expressions.condition(condition, Scope(frame))
        inside = self.phases.reserve()
        if term is not None:
            elements = head.elements + frame.gather()
            arms = (
                Arm(term, inside, elements, condition.span),
                Arm(None, phase.exit, elements, condition.span),
            )
            self.points[head.id] = Branch(head.id, head.phase, head.span, head.elements, arms)
        return inside

    def _body(self, phase: Phase, head: Point) -> None:
        node, end, steps = phase.node, self.phases.body_end(phase), self.phases.steps
        if node.get("do") is not None:
            syntax = syntax_of(node.get("do"), "sentences", self.reporter)
            if syntax is not None:
                self.points[head.id] = self.sentences.point(syntax, head, end)
        elif node.get("actions") is not None:
            self.decisions.decide(phase, head, end)
        elif steps.get(phase.name):
            self._goto(head, self.phases.phases[steps[phase.name][0]].enter)
        else:
            inner = self.phases.phases.get(text_of(node.get("start")) or "")
            if node.get("phases") is not None and (inner is None or inner.holder != phase.name):
                self.reporter.error(
                    "G005",
                    phase.span,
                    f"`{phase.name}` names no first phase",
                    "write `start: PHASE` beside `phases`",
                )
            self._goto(head, inner.enter if inner is not None else end)

    def _goto(self, head: Point, target: int) -> None:
        arms = (Arm(None, target, (), head.span),)
        self.points[head.id] = Branch(head.id, head.phase, head.span, head.elements, arms)

    def _next(self, phase: Phase, head: Point) -> None:
        node = phase.node.get("next")
        text = text_of(node)
        if node is None or text is None:
            self._goto(head, self.phases.done(phase))
            return
        head = replace(head, span=node.span)
        if len(text.split()) == 1:
            self._goto(head, self.phases.target(phase, text.strip(), node.span))
            return
        syntax = syntax_of(node, "next", self.reporter)
        arms: list[Arm] = []
        for line in syntax.nodes() if syntax is not None else ():
            arms.append(self._arm(phase, line))
        live = [arm for arm in arms if arm.condition is None or folding.scalar(arm.condition) != 0]
        closed = [
            arm
            if arm.condition is None or folding.scalar(arm.condition) is None
            else replace(arm, condition=None)
            for arm in live
        ]
        if syntax is not None and (not closed or arms[-1].condition is not None):
            self.reporter.error(
                "G007",
                node.span,
                "the last line of `next` has a condition, so a case may be left open",
                "end with a bare `to PHASE` or `done`",
            )
            return
        until = next((n for n, arm in enumerate(closed) if arm.condition is None), len(closed) - 1)
        self.points[head.id] = Branch(
            head.id, head.phase, head.span, head.elements, tuple(closed[: until + 1])
        )

    def _arm(self, phase: Phase, line: Syntax) -> Arm:
        frame = Frame()
        words = [w for w in line.words() if not w.startswith("@")]
        clauses = tuple(w[1:] for w in line.words() if w.startswith("@"))
        target = self.phases.target(phase, words[0] if line.rule == "arm" else "done", line.span)
        node = line.nodes()
        condition = self.expressions.condition(node[0], Scope(frame)) if node else None
        if node and condition is None:
            condition = folding.flag(False, line.span)
        mark = self.phases.names.mark(line.text.split("@")[0].strip()[:60], clauses, line.span)
        return Arm(condition, target, frame.gather() + (() if mark is None else (mark,)), line.span)
