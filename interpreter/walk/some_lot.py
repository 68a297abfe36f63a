"""`some lot x within Z has ..`, decided by a pass instead of by trying every lot."""

from __future__ import annotations

from gemwright.dsl.model import terms as t
from gemwright.dsl.walkable.classification import Facts, some_lot_plan
from gemwright.dsl.walkable.forms import LotPlan, Problem
from gemwright.interpreter.block import Block, Frame
from gemwright.interpreter.evaluation.evaluate import Evaluator
from gemwright.interpreter.walk.binding import some_within
from gemwright.interpreter.walk.locals import Locals
from gemwright.interpreter.walk.tables import Here


class SomeLots:
    """Decides the `some lot` terms of one model; plans are made once per term and kept."""

    __slots__ = ("_evaluator", "_locals", "_plans", "_players")

    def __init__(self, evaluator: Evaluator, players: int) -> None:
        self._evaluator = evaluator
        self._players = players
        self._locals = Locals()
        self._plans: dict[int, tuple[t.SomeLot, LotPlan]] = {}

    def holds(self, term: t.SomeLot, block: Block, frame: Frame) -> bool:
        """Whether some lot satisfies the condition.

        Raises:
            ValueError: the condition has no normal form, which the loader would have reported.
        """
        kept = self._plans.get(id(term))
        if kept is None:
            plan = some_lot_plan(term, Facts(self._players, len(frame)))
            if isinstance(plan, Problem):
                raise ValueError(plan.findings[0].message)
            kept = self._plans[id(term)] = (term, plan)
        plan = kept[1]
        longer = frame + [0] * (plan.frame_size - len(frame))
        here = Here(self._evaluator, self._locals, plan, block, longer)
        return some_within(here, plan, term.within)
