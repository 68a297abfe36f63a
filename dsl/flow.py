"""Phases -> control points.

Every phase has an entry and an exit point; `done` of a phase leads to the next step, the loop
around it, or
the exit of the phase that holds it. Names of phases are unique in a file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemwright.dsl import folding
from gemwright.dsl.expressions import Expressions
from gemwright.dsl.model import (
    Arm,
    Branch,
    Count,
    Decide,
    Do,
    End,
    LoopStart,
    LoopTest,
    Point,
    Variable,
)
from gemwright.dsl.names import Frame, Names, Scope
from gemwright.dsl.reading import clauses_of, entries, syntax_of, text_of
from gemwright.dsl.sentences import Sentences
from gemwright.dsl.source import Span
from gemwright.dsl.suggest import did_you_mean
from gemwright.dsl.syntax import Syntax
from gemwright.dsl.terms import PLAYER, Base, Players, ReadVariable, Term, Type
from gemwright.dsl.tree import Map, Node, Scalar, Seq

FINISHED, STALEMATE, CAPPED = 0, 1, 2
BODIES = ("do", "actions", "steps", "phases")


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


class Flow:
    """Lowers the phases of a file. Call `collect`, then (when actions are known) `lower`."""

    def __init__(self, names: Names, expressions: Expressions) -> None:
        self.names = names
        self.expressions = expressions
        self.reporter = names.reporter
        self.phases: dict[str, Phase] = {}
        self.exits: dict[str, int] = {}
        self.points: list[Point | None] = []
        self.action_ids: dict[str, int] = {}
        self.decreases: list[Term] = []
        self.capped = False
        self.start = ""
        self._steps: dict[str, tuple[str, ...]] = {}
        self._tests: dict[str, int] = {}

    # -- collecting: phases, roles, points -------------------------------------

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
            phase.enter, phase.exit = self._reserve(), self._reserve()
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
                elif any(word in used for used in self._steps.values()) or word in found:
                    self.reporter.error(
                        "G009",
                        item.span,
                        f"`{word}` is already a step",
                        "a phase stands in one place; write a second one",
                    )
                else:
                    child.holder = phase.name
                    found.append(word)
            self._steps[phase.name] = tuple(found)

    def _role(self, phase: Phase) -> None:
        phase.each = syntax_of(phase.node.get("each"), "each", self.reporter)
        if phase.each is None:
            return
        words = phase.each.parts
        name = words[-1] if phase.each.rule == "each_number" else words[4]
        if not isinstance(name, str):
            return
        phase.role = name
        type = self._role_type(phase.each)
        known = self.names.variables.get(name)
        if known is not None and known.role and known.type == type:
            return
        if type is not None and self.names.declare(name, phase.each.span):
            start = type.faces[0] if type.base is Base.FACE else type.low
            self._variable(name, type, start, phase.each.span, phase.element)

    def _role_type(self, each: Syntax, frame: Frame | None = None) -> Type | None:
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

    def _variable(
        self,
        name: str,
        type: Type,
        start: int,
        span: Span,
        element: int | None,
        hidden: bool = False,
    ) -> int:
        number = len(self.names.variables)
        self.names.variables[name] = Variable(
            number, name, type, "", ("",), (start,), "all", 0, not hidden, span, element
        )
        return number

    def _reserve(self) -> int:
        self.points.append(None)
        return len(self.points) - 1

    # -- lowering --------------------------------------------------------------

    def lower(self, sentences: Sentences) -> tuple[Point, ...]:
        """All control points of all phases."""
        for phase in self.phases.values():
            self._phase(phase, sentences)
        return tuple(point for point in self.points if point is not None)

    def add_setup(self, setup: Node | None, span: Span, sentences: Sentences) -> int:
        """The point where a game starts: setup, then the first phase."""
        syntax = syntax_of(setup, "sentences", self.reporter)
        if syntax is None:
            return self.phases[self.start].enter
        point = self._reserve()
        self._do(point, "setup", syntax, span, (), self.phases[self.start].enter, sentences)
        return point

    def path(self, phase: Phase) -> str:
        """`outer/inner`, for people."""
        above = self.phases.get(phase.holder or "")
        return phase.name if above is None else f"{self.path(above)}/{phase.name}"

    def _body_end(self, phase: Phase) -> int:
        looping = phase.each is not None and not _together(phase.node)
        return self._test(phase) if looping else phase.exit

    def _test(self, phase: Phase) -> int:
        """The point that tests whether the loop of a phase goes on."""
        if phase.name not in self._tests:
            self._tests[phase.name] = self._reserve()
        return self._tests[phase.name]

    def _done(self, phase: Phase) -> int:
        above = self.phases.get(phase.holder or "")
        if above is None:
            return FINISHED
        steps = self._steps.get(above.name, ())
        if phase.name in steps:
            place = steps.index(phase.name)
            if place + 1 < len(steps):
                return self.phases[steps[place + 1]].enter
        return self._body_end(above)

    def _phase(self, phase: Phase, sentences: Sentences) -> None:
        path, marks = self.path(phase), () if phase.element is None else (phase.element,)
        node, at = phase.node, phase.enter
        for item in self._measures(node):
            term = self.expressions.number(item, Scope(Frame()))
            if term is not None:
                self.decreases.append(term)
        cap = node.get("cap")
        if isinstance(cap, Map):
            at = self._cap(phase, cap, at, path, marks)
        condition = syntax_of(node.get("if"), "expression", self.reporter)
        if condition is not None:
            frame = Frame()
            term = self.expressions.condition(condition, Scope(frame))
            inside = self._reserve()
            if term is not None:
                elements = marks + frame.gather()
                arms = (
                    Arm(term, inside, elements, condition.span),
                    Arm(None, phase.exit, elements, condition.span),
                )
                self.points[at] = Branch(at, path, phase.span, marks, arms)
            at = inside
        if phase.each is not None and not _together(node):
            at = self._loop(phase, at, path, marks)
        self._body(phase, at, path, marks, sentences)
        self._next(phase, path, marks)

    def _measures(self, node: Map) -> list[Syntax]:
        value = node.get("decreases")
        items = value.items if isinstance(value, Seq) else (value,)
        found = [syntax_of(item, "expression", self.reporter) for item in items if item is not None]
        return [syntax for syntax in found if syntax is not None]

    def _cap(self, phase: Phase, cap: Map, at: int, path: str, marks: tuple[int, ...]) -> int:
        syntax = syntax_of(cap.get("times"), "expression", self.reporter)
        term = None if syntax is None else self.expressions.number(syntax, Scope(Frame()))
        times = None if term is None else folding.scalar(term)
        if times is None or times < 1:
            self.reporter.error(
                "E003",
                cap.span,
                "this cap is no number known before the game",
                "write `cap: {times: 200, to: end}`",
            )
            return at
        self.capped = True
        counter = self._variable(
            f"times in {phase.name}", folding.number_type(0, times + 1), 0, phase.span, None, True
        )
        after = self._reserve()
        target = text_of(cap.get("to")) or "end"
        self.points[at] = Count(
            at,
            path,
            phase.span,
            marks,
            counter,
            times,
            after,
            CAPPED if target == "end" else self._target(phase, target, cap.span),
        )
        return after

    def _loop(self, phase: Phase, at: int, path: str, marks: tuple[int, ...]) -> int:
        each, n = phase.each, self.names.players
        assert each is not None
        test, body = self._test(phase), self._reserve()
        role = self.names.variables.get(phase.role)
        frame = Frame()
        vals: tuple[int, ...] | None = None
        origin, start, seats, endless = None, None, n, False
        if each.rule == "each_number":
            type = self._role_type(each, frame)
            vals = tuple(range(type.low, type.high + 1)) if type is not None else ()
        elif each.word(0) in ("player", "opponent"):
            start, seats = self._around(each, frame)
            origin = self._variable(f"first in {phase.name}", PLAYER, 0, phase.span, None, True)
            endless = each.parts[5] is not None
        else:
            found = self.names.kind_named(each.word(0))
            vals = found[0].kind.faces if found is not None else ()
            frame.mention(found[0].element if found is not None else None)
        steps = len(vals) if vals is not None else seats
        counter = self._variable(
            f"turn in {phase.name}",
            folding.number_type(0, max(steps, 1)),
            0,
            phase.span,
            None,
            True,
        )
        self.points[at] = LoopStart(
            at, path, phase.span, marks + frame.gather(), counter, origin, start, test
        )
        self.points[test] = LoopTest(
            test,
            path,
            phase.span,
            marks,
            counter,
            origin,
            vals,
            seats,
            role.id if role is not None else None,
            endless,
            body,
            phase.exit,
        )
        return body

    def _around(self, each: Syntax, frame: Frame) -> tuple[Term | None, int]:
        """The first seat of a loop over players, and how many seats it visits."""
        n, scope = self.names.players, Scope(frame)
        of, first = each.parts[1], each.parts[3]
        if each.word(0) == "opponent":
            player = self.expressions.player(of, scope) if isinstance(of, Syntax) else None
            if player is None:
                self.reporter.error(
                    "E007", each.span, "whose opponents?", "write `opponent of ROLE`"
                )
                return None, n - 1
            return folding.lookup(
                tuple((s + 1) % n for s in range(n)), player, 0, PLAYER, "left of", each.span
            ), n - 1
        return (self.expressions.player(first, scope) if isinstance(first, Syntax) else None), n

    # -- bodies ----------------------------------------------------------------

    def _body(
        self, phase: Phase, at: int, path: str, marks: tuple[int, ...], sentences: Sentences
    ) -> None:
        node, end = phase.node, self._body_end(phase)
        if node.get("do") is not None:
            syntax = syntax_of(node.get("do"), "sentences", self.reporter)
            if syntax is not None:
                self._do(at, path, syntax, phase.span, marks, end, sentences)
        elif node.get("actions") is not None:
            self._decide(phase, at, path, marks, end, sentences)
        elif self._steps.get(phase.name):
            self._goto(at, path, phase.span, marks, self.phases[self._steps[phase.name][0]].enter)
        else:
            first = text_of(node.get("start")) or ""
            inner = self.phases.get(first)
            if node.get("phases") is not None and (inner is None or inner.holder != phase.name):
                self.reporter.error(
                    "G005",
                    phase.span,
                    f"`{phase.name}` names no first phase",
                    "write `start: PHASE` beside `phases`",
                )
            self._goto(at, path, phase.span, marks, inner.enter if inner is not None else end)

    def _goto(self, at: int, path: str, span: Span, marks: tuple[int, ...], target: int) -> None:
        self.points[at] = Branch(at, path, span, marks, (Arm(None, target, (), span),))

    def _do(
        self,
        at: int,
        path: str,
        syntax: Syntax,
        span: Span,
        marks: tuple[int, ...],
        end: int,
        sentences: Sentences,
    ) -> None:
        frame = Frame()
        body, _ = sentences.block(syntax, Scope(frame))
        self.points[at] = Do(at, path, span, marks, body, frame.slots, end)

    def _decide(
        self,
        phase: Phase,
        at: int,
        path: str,
        marks: tuple[int, ...],
        end: int,
        sentences: Sentences,
    ) -> None:
        node, frame = phase.node, Frame()
        together = _together(node)
        by: Term | None = None
        others: Players | None = None
        by_node = syntax_of(node.get("by"), "expression", self.reporter)
        if together:
            of = (
                phase.each.parts[1]
                if phase.each is not None and phase.each.rule == "each_kind"
                else None
            )
            other = self.expressions.player(of, Scope(frame)) if isinstance(of, Syntax) else None
            others = Players(None, other)
        elif by_node is not None:
            by = self.expressions.player(by_node, Scope(frame))
        elif phase.role in self.names.variables and self.names.variables[phase.role].type == PLAYER:
            by = ReadVariable(PLAYER, phase.span, self.names.variables[phase.role].id, None)
        if by is None and not together:
            self.reporter.error(
                "S003", phase.span, f"`{phase.name}` does not say who chooses", "add `by: ROLE`"
            )
            return
        actions, can_pass = self._listed(node.get("actions"))
        repeat, at_most = self._repeat(phase, node.get("repeat"))
        counter = (
            self._variable(
                f"repeats in {phase.name}",
                folding.number_type(0, at_most or 1),
                0,
                phase.span,
                None,
                True,
            )
            if at_most
            else None
        )
        otherwise, fallback, fallback_pass = self._otherwise(
            phase, node.get("otherwise"), path, end, sentences
        )
        anytime = (
            ()
            if together
            else self._anytime(phase, by_node.text if by_node is not None else phase.role)
        )
        self.points[at] = Decide(
            at,
            path,
            phase.span,
            marks + frame.gather(),
            by,
            others,
            actions,
            can_pass,
            anytime,
            otherwise,
            fallback,
            fallback_pass,
            together,
            0,
            repeat,
            counter,
            at_most,
            end,
        )

    def _listed(self, node: Node | None) -> tuple[tuple[int, ...], bool]:
        items = node.items if isinstance(node, Seq) else (node,) if node is not None else ()
        found: list[int] = []
        can_pass = False
        for item in items:
            word = text_of(item) or ""
            if word == "pass":
                can_pass = True
            elif word in self.action_ids:
                found.append(self.action_ids[word])
            else:
                self.reporter.error(
                    "E002",
                    item.span,
                    f"`{word[:40]}` is not an action",
                    did_you_mean(word, sorted([*self.action_ids, "pass"])),
                )
        return tuple(found), can_pass

    def _repeat(self, phase: Phase, node: Node | None) -> tuple[bool, int | None]:
        text = text_of(node)
        if text is None or node is None:
            return False, None
        words = text.replace(",", " ").split()
        if words[:2] == ["until", "pass"] and len(words) == 2:
            return True, None
        if (
            words[:4] == ["until", "pass", "at", "most"]
            and len(words) == 5
            and words[4].isdecimal()
            and len(words[4]) < 5
        ):
            return True, int(words[4])
        self.reporter.error(
            "S002",
            node.span,
            f"`{text[:40]}` is no repetition",
            "write `until pass` or `until pass, at most 3`",
        )
        return False, None

    def _otherwise(
        self, phase: Phase, node: Node | None, path: str, end: int, sentences: Sentences
    ) -> tuple[int | None, tuple[int, ...], bool]:
        if node is None:
            return None, (), False
        if isinstance(node, Map):
            actions, can_pass = self._listed(node.get("actions"))
            return None, actions, can_pass
        word = text_of(node) or ""
        if word == "pass":
            return None, (), True
        if word in self.phases:
            return self.phases[word].enter, (), False
        if word in self.names.effects and isinstance(node, Scalar):
            point = self._reserve()
            call = syntax_of(node, "sentences", self.reporter)
            if call is not None:
                self._do(point, path, call, node.span, (), end, sentences)
            return point, (), False
        self.reporter.error(
            "G001",
            node.span,
            f"`{word[:40]}` is neither a phase, an effect nor `pass`",
            did_you_mean(word, sorted([*self.phases, *self.names.effects])),
        )
        return None, (), False

    def _anytime(self, phase: Phase, by: str) -> tuple[int, ...]:
        found: dict[int, None] = {}
        above: Phase | None = phase
        while above is not None:
            for role, _, value in entries(above.node.get("anytime")):
                if role == by:
                    found.update(dict.fromkeys(self._listed(value)[0]))
            above = self.phases.get(above.holder or "")
        return tuple(found)

    # -- next ------------------------------------------------------------------

    def _target(self, phase: Phase, word: str, span: Span) -> int:
        if word == "end":
            return FINISHED
        if word == "done":
            return self._done(phase)
        steps = self._steps.get(phase.holder or "", ())
        allowed = [name for name in phase.group if not any(name in s for s in self._steps.values())]
        allowed = [*allowed, *(steps if phase.name in steps else ())]
        if word in allowed:
            return self.phases[word].enter
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

    def _next(self, phase: Phase, path: str, marks: tuple[int, ...]) -> None:
        node, at = phase.node.get("next"), phase.exit
        text = text_of(node)
        if node is None or text is None:
            self._goto(at, path, phase.span, marks, self._done(phase))
            return
        if len(text.split()) == 1:
            self._goto(at, path, node.span, marks, self._target(phase, text.strip(), node.span))
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
        self.points[at] = Branch(at, path, node.span, marks, tuple(closed[: until + 1]))

    def _arm(self, phase: Phase, line: Syntax) -> Arm:
        frame = Frame()
        words = [w for w in line.words() if not w.startswith("@")]
        clauses = tuple(w[1:] for w in line.words() if w.startswith("@"))
        target = self._target(phase, words[0] if line.rule == "arm" else "done", line.span)
        node = line.nodes()
        condition = self.expressions.condition(node[0], Scope(frame)) if node else None
        if node and condition is None:
            condition = folding.flag(False, line.span)
        mark = self.names.mark(line.text.split("@")[0].strip()[:60], clauses, line.span)
        return Arm(condition, target, frame.gather() + (() if mark is None else (mark,)), line.span)


def _together(node: Map) -> bool:
    """Whether all players of a phase choose at once."""
    value = node.get("at once")
    return isinstance(value, Scalar) and value.value is True
