"""What repeats: counted loops of phases, and caps on how often a phase is entered."""

from __future__ import annotations

from gemwright.dsl.document.tree import Map
from gemwright.dsl.elaboration import folding
from gemwright.dsl.elaboration.names import Frame, Scope
from gemwright.dsl.elaboration.phases import CAPPED, Phase, Phases
from gemwright.dsl.elaboration.reading import syntax_of, text_of
from gemwright.dsl.grammar.syntax import Syntax
from gemwright.dsl.model.game import Count, LoopStart, LoopTest, Point
from gemwright.dsl.model.terms import PLAYER, Term


class Loops:
    """Lowers `each` and `cap`. The head of a point is a bare `Point`: where it stands."""

    def __init__(self, phases: Phases) -> None:
        self.phases = phases
        self.names = phases.names
        self.expressions = phases.expressions
        self.reporter = phases.reporter
        self.capped = False

    def cap(self, phase: Phase, cap: Map, head: Point) -> int:
        """Count the entries of a phase from `head` on; the point that follows."""
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
            return head.id
        self.capped = True
        counter = self.phases.counter(f"times in {phase.name}", times + 1, phase)
        after = self.phases.reserve()
        target = text_of(cap.get("to")) or "end"
        self.phases.points[head.id] = Count(
            head.id,
            head.phase,
            head.span,
            head.elements,
            counter,
            times,
            after,
            CAPPED if target == "end" else self.phases.target(phase, target, cap.span),
        )
        return after

    def loop(self, phase: Phase, head: Point) -> int:
        """Start the loop of a phase at `head`; the point of its body."""
        each, n = phase.each, self.names.players
        assert each is not None
        test, body = self.phases.test(phase), self.phases.reserve()
        role = self.names.variables.get(phase.role)
        frame = Frame()
        vals: tuple[int, ...] | None = None
        origin, start, seats, endless = None, None, n, False
        if each.rule == "each_number":
            type = self.phases.role_type(each, frame)
            vals = tuple(range(type.low, type.high + 1)) if type is not None else ()
        elif each.word(0) in ("player", "opponent"):
            start, seats = self._around(each, frame)
            origin = self.phases.variable(
                f"first in {phase.name}", PLAYER, 0, phase.span, None, True
            )
            endless = each.parts[5] is not None
        else:
            found = self.names.kind_named(each.word(0))
            vals = found[0].kind.faces if found is not None else ()
            frame.mention(*(found[0].elements if found is not None else ()))
        steps = len(vals) if vals is not None else seats
        counter = self.phases.counter(f"turn in {phase.name}", max(steps, 1), phase)
        points = self.phases.points
        points[head.id] = LoopStart(
            head.id,
            head.phase,
            head.span,
            head.elements + frame.gather(),
            counter,
            origin,
            start,
            test,
        )

        points[test] = LoopTest(
            test,
            head.phase,
            head.span,
            head.elements,
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
